/**
 * What visitors browse with: user agents with the client hints and screens that go with them, and
 * the bots that pay a visit.
 *
 * Control plane, a table. Every bot here is one that the ingest rules I-15 to I-17 or a kept-up list
 * of bots drops, so the simulator knows beforehand which of its hits will not count.
 */
import type { Seeded, Weighted } from './seeded.ts';

/** A browser on a device; the hints are null where the browser sends none. */
export interface Device {
  userAgent: string;
  clientHints: ClientHints | null;
  screenWidth: number;
  screenHeight: number;
}

/** Client hints as a page's server receives them. */
export interface ClientHints {
  brands: string;
  mobile: '?0' | '?1';
  platform: string;
  platformVersion: string;
}

type Screens = readonly (readonly [width: number, height: number])[];

interface DeviceModel {
  /** `#` stands for the browser's major version. */
  userAgent: string;
  versions: readonly string[];
  brand: string | null;
  mobile: '?0' | '?1';
  platform: string;
  platformVersions: readonly string[];
  screens: Screens;
}

const DESKTOP: Screens = [
  [1920, 1080],
  [2560, 1440],
  [1536, 864],
  [1366, 768],
  [1280, 720],
];
const PHONE: Screens = [
  [390, 844],
  [393, 873],
  [412, 915],
  [360, 800],
];
const TABLET: Screens = [
  [820, 1180],
  [768, 1024],
];

const CHROME = ['134', '135', '136', '137', '138'];
const SAFARI = ['17.4', '17.6', '18.1', '18.3', '18.5'];
const FIREFOX = ['128', '136', '137', '138', '139'];
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

function model(fields: Partial<DeviceModel> & { userAgent: string }): DeviceModel {
  return {
    versions: CHROME,
    brand: null,
    mobile: '?0',
    platform: '',
    platformVersions: [''],
    screens: DESKTOP,
    ...fields,
  };
}

const MODELS: Weighted<DeviceModel> = [
  [
    26,
    model({
      userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/#.0.0.0 Safari/537.36`,
      brand: 'Google Chrome',
      platform: 'Windows',
      platformVersions: ['10.0.0', '15.0.0', '19.0.0'],
    }),
  ],
  [
    8,
    model({
      userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/#.0.0.0 Safari/537.36 Edg/#.0.0.0`,
      brand: 'Microsoft Edge',
      platform: 'Windows',
      platformVersions: ['10.0.0', '15.0.0'],
    }),
  ],
  [
    9,
    model({
      userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/#.0.0.0 Safari/537.36`,
      brand: 'Google Chrome',
      platform: 'macOS',
      platformVersions: ['14.5.0', '15.3.1'],
    }),
  ],
  [
    9,
    model({
      userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/# Safari/605.1.15`,
      versions: SAFARI,
    }),
  ],
  [
    18,
    model({
      userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) ${APPLE} Version/# Mobile/15E148 Safari/604.1`,
      versions: SAFARI,
      screens: PHONE,
    }),
  ],
  [
    2,
    model({
      userAgent: `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${APPLE} Version/# Mobile/15E148 Safari/604.1`,
      versions: SAFARI,
      screens: TABLET,
    }),
  ],
  [
    18,
    model({
      userAgent: `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/#.0.0.0 Mobile Safari/537.36`,
      brand: 'Google Chrome',
      mobile: '?1',
      platform: 'Android',
      platformVersions: ['13.0.0', '14.0.0', '15.0.0'],
      screens: PHONE,
    }),
  ],
  [
    4,
    model({
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:#.0) Gecko/20100101 Firefox/#.0',
      versions: FIREFOX,
    }),
  ],
  [
    3,
    model({
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:#.0) Gecko/20100101 Firefox/#.0',
      versions: FIREFOX,
    }),
  ],
  [
    2,
    model({
      userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/#.0.0.0 Safari/537.36 OPR/119.0.0.0`,
      brand: 'Opera',
      platform: 'Windows',
      platformVersions: ['15.0.0'],
    }),
  ],
];

/** User agents that are dropped: by list, by length (I-15), as an address (I-16), as a UUID (I-17). */
export const BOT_USER_AGENTS: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'python-requests/2.31.0',
  'curl/8.5.0',
  '203.0.113.7:54321',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
];

/** One visitor's browser, as frequent as on the web. */
export function pickDevice(random: Seeded): Device {
  const chosen = random.weighted(MODELS);
  const version = random.pick(chosen.versions);
  const [screenWidth, screenHeight] = random.pick(chosen.screens);
  const userAgent = chosen.userAgent.replaceAll('#', version);
  return { userAgent, clientHints: hintsOf(chosen, version, random), screenWidth, screenHeight };
}

function hintsOf(chosen: DeviceModel, version: string, random: Seeded): ClientHints | null {
  if (chosen.brand === null) return null;
  const brands = `"Chromium";v="${version}", "${chosen.brand}";v="${version}", "Not.A/Brand";v="99"`;
  return {
    brands,
    mobile: chosen.mobile,
    platform: `"${chosen.platform}"`,
    platformVersion: `"${random.pick(chosen.platformVersions)}"`,
  };
}
