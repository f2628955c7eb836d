/**
 * Raw inputs whose derived values are known by heart, so that the oracle never parses anything.
 *
 * Each table maps what a test sends (a user agent, an Accept-Language, a referrer with a query
 * string, a screen width, an address) to what the semantics make of it (I-80 to I-98). The addresses
 * come from the bundled country database itself, so they stay right when it is updated.
 */
import { readFileSync } from 'node:fs';
import { type CountryResponse, Reader } from 'maxmind';

export type PlatformName = 'desktop' | 'mobile' | 'unknown';

export interface KnownAgent {
  /** Short name for printed examples. */
  label: string;
  userAgent: string;
  os: string;
  osVersion: string;
  browser: string;
  browserVersion: string;
  platform: PlatformName;
  /** */
  device: string;
  /** What it sends as `sec_ch_ua_model`; '' is nothing. */
  modelHint: string;
  /** The drop reason it meets with the bot filter on; '' for a person's browser. */
  dropped: '' | 'ua-chars';
}

/** User agents; the first is the one of notation without further word ("one current user agent"). */
export const AGENTS: readonly KnownAgent[] = [
  {
    label: 'chrome',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    os: 'Windows',
    osVersion: '10',
    browser: 'Chrome',
    browserVersion: '138.0',
    platform: 'desktop',
    device: '',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'firefox',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    os: 'Linux',
    osVersion: '',
    browser: 'Firefox',
    browserVersion: '128.0',
    platform: 'desktop',
    device: '',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'iphone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    os: 'iOS',
    osVersion: '18.1',
    browser: 'Safari',
    browserVersion: '18.1',
    platform: 'mobile',
    device: 'iPhone',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'chromebook',
    userAgent:
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    os: 'Chrome OS',
    osVersion: '',
    browser: 'Chrome',
    browserVersion: '138.0',
    platform: 'unknown',
    device: '',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'edge',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    os: 'Mac',
    osVersion: '10.15',
    browser: 'Edge',
    browserVersion: '138.0',
    platform: 'desktop',
    device: '',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'pixel',
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.6533.103 Mobile Safari/537.36',
    os: 'Android',
    osVersion: '14',
    browser: 'Chrome',
    browserVersion: '127.0',
    platform: 'mobile',
    device: 'Pixel 8',
    modelHint: '',
    dropped: '',
  },
  {
    label: 'galaxy',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    os: 'Android',
    osVersion: '10',
    browser: 'Chrome',
    browserVersion: '138.0',
    platform: 'mobile',
    device: 'SM-S918B',
    modelHint: '"SM-S918B"',
    dropped: '',
  },
  {
    label: 'curl',
    userAgent: 'curl/8.5.0',
    os: '',
    osVersion: '',
    browser: '',
    browserVersion: '',
    platform: 'unknown',
    device: '',
    modelHint: '',
    dropped: 'ua-chars',
  },
];

/** Accept-Language → language (I-86). */
export const LANGUAGES: Readonly<Record<string, string>> = {
  '': '',
  'de-DE,de;q=0.9,en;q=0.8': 'de',
  'fr-CH, fr;q=0.9': 'fr',
  EN: 'en',
  'xx-YY': '',
};

/** screen_width → screen class (I-80); 0 stands for "not sent". */
export const SCREEN_WIDTHS: Readonly<Record<number, string>> = {
  0: '',
  390: 'S',
  599: 'S',
  600: 'M',
  800: 'L',
  1024: 'XL',
  1439: 'XL',
  1440: 'XXL',
  1920: 'XXL',
};

/** What can open a new session by itself (I-48), and what the referrer becomes (I-90 to I-96). */
export interface Acquisition {
  /** Query string of the page's address without `?`. */
  query: string;
  /** The field `referrer`. */
  sent: string;
  referrer: string;
  referrerName: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmContent: string;
  utmTerm: string;
  /** Of a session that it opens (I-98). */
  channel: string;
}

function acquisition(query: string, sent: string, derived: Partial<Acquisition>): Acquisition {
  const campaign = { utmSource: '', utmMedium: '', utmCampaign: '', utmContent: '', utmTerm: '' };
  const empty = { referrer: '', referrerName: '', channel: 'Direct', ...campaign };
  return { query, sent, ...empty, ...derived };
}

/** The page is on example.org or another host of the test; `https://own/…` means that host. */
export const ACQUISITIONS: readonly Acquisition[] = [
  acquisition('', '', {}),
  acquisition('', 'https://own/before', {}),
  acquisition('', 'https://www.google.bf', {
    referrer: 'https://www.google.bf',
    referrerName: 'Google',
    channel: 'Organic Search',
  }),
  acquisition('', 'https://www.google.com/', {
    referrer: 'https://www.google.com',
    referrerName: 'Google',
    channel: 'Organic Search',
  }),
  acquisition('', 'http://boring.old/domain/', {
    referrer: 'http://boring.old/domain/',
    referrerName: 'boring.old',
    channel: 'Referral',
  }),
  acquisition('', 'Blog.dev', {
    referrer: 'https://blog.dev',
    referrerName: 'blog.dev',
    channel: 'Referral',
  }),
  acquisition('', 'ReferrerName', { referrerName: 'ReferrerName', channel: 'Referral' }),
  acquisition('ref=blog.dev', 'http://boring.old/domain/', {
    referrer: 'https://blog.dev',
    referrerName: 'blog.dev',
    channel: 'Referral',
  }),
  acquisition('utm_source=nl', '', { referrerName: 'nl', utmSource: 'nl', channel: 'Referral' }),
  acquisition('utm_source=nl&utm_medium=email', 'https://own/before', {
    referrerName: 'nl',
    utmSource: 'nl',
    utmMedium: 'email',
    channel: 'Email',
  }),
  acquisition('utm_campaign=x', '', { utmCampaign: 'x' }),
  acquisition('utm_content=c&utm_term=t', '', { utmContent: 'c', utmTerm: 't' }),
  acquisition('gclid=1', 'https://www.google.com/', {
    referrer: 'https://www.google.com',
    referrerName: 'Google',
    utmMedium: '(gclid)',
    channel: 'Paid Search',
  }),
  acquisition('utm_source=chatgpt.com', '', {
    referrer: 'https://chatgpt.com',
    referrerName: 'ChatGPT',
    utmSource: 'chatgpt.com',
    channel: 'AI',
  }),
  acquisition('utm_medium=cpc&utm_campaign=Shop', 'http://boring.old/domain/', {
    referrer: 'http://boring.old/domain/',
    referrerName: 'boring.old',
    utmMedium: 'cpc',
    utmCampaign: 'Shop',
    channel: 'Paid Shopping',
  }),
];

/** The row of `ACQUISITIONS` for what is sent. @throws Error when the table does not know it. */
export function knownAcquisition(query: string, sent: string): Acquisition {
  const found = ACQUISITIONS.find((row) => row.query === query && row.sent === sent);
  if (found === undefined) throw new Error(`unknown acquisition: query '${query}', '${sent}'`);
  return found;
}

/** The row of `AGENTS` with that label. @throws Error when there is none. */
export function agentNamed(label: string): KnownAgent {
  const found = AGENTS.find((agent) => agent.label === label);
  if (found === undefined) throw new Error(`unknown agent: ${label}`);
  return found;
}

const DATABASE = new URL(
  '../../node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  import.meta.url,
);

let reader: Reader<CountryResponse> | null = null;
const addressesByCountry = new Map<string, string[]>();

function countryInDatabase(address: string): string {
  reader ??= new Reader<CountryResponse>(readFileSync(DATABASE));
  const found = reader.get(address) as { country_code?: string } | null;
  return (found?.country_code ?? '').toLowerCase();
}

/** Addresses spread over the whole IPv4 space that the bundled database puts in that country. */
function findAddresses(country: string): string[] {
  const found: string[] = [];
  for (let first = 1; first < 224; first++) {
    for (let second = 0; second < 256; second += 8) {
      const address = `${first}.${second}.77.9`;
      if (countryInDatabase(address) === country) found.push(address);
    }
  }
  return found;
}

/**
 * The `index`-th address of a country; '' gives private addresses, whose country is unknown.
 *
 * @throws Error when the database has too few addresses of that country.
 */
export function addressIn(country: string, index: number): string {
  if (country === '') return `10.0.${Math.floor(index / 200)}.${1 + (index % 200)}`;
  if (!addressesByCountry.has(country)) addressesByCountry.set(country, findAddresses(country));
  const found = addressesByCountry.get(country)?.[index];
  if (found === undefined) throw new Error(`no address ${index} in '${country}'`);
  return found;
}
