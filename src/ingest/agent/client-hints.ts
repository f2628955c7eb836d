/**
 * What the client hints of a hit say, on top of its user agent (I-81, I-83, I-85, X-1).
 *
 * Data plane. `sec_ch_ua` and `sec_ch_ua_model` are parsed once per distinct text and remembered;
 * the other hints are short and read as they come.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import { Platform } from '../../model/dimensions.ts';
import type { Hit } from '../../model/hit.ts';
import { AGENT_CACHE_ENTRY_COUNT_MAX, AGENT_FIELD_LENGTH_MAX } from '../../model/limits.ts';
import { BRAND_HINTS, BRAND_NOISE, PLATFORM_HINTS } from '../data/agent-tokens.ts';
import type { RawHit } from '../raw-hit.ts';
import { cutText } from '../text.ts';
import { type Agent, platformOf } from './agent.ts';
import { browserNameVerdict, browserVerdict } from './browser-rules.ts';
import { modelNamed } from './device.ts';

/** A browser named by `sec_ch_ua`. */
export interface NamedBrand {
  browser: string;
  version: string;
}

/** The same as it is shown, and what the filter says of it: drop reasons or 0. */
export interface Brand extends NamedBrand {
  /** I-19. */
  browserVerdict: number;
  /** I-21. */
  nameVerdict: number;
}

const NOT_NAMED: NamedBrand = { browser: '', version: '' };
/** Of a hit without such hints. */
export const NO_BRAND: Brand = { ...NOT_NAMED, browserVerdict: 0, nameVerdict: 0 };
/** What a brand that says so makes the browser (I-21). */
const HEADLESS = 'Headless';
/** From this major version of the platform on, Windows calls itself 11 (I-83). */
const WINDOWS_11_MAJOR_MIN = 13;
/** A `sec_ch_ua` is read up to here, and a longer one is not remembered: real ones have 100. */
const BRANDS_LENGTH_MAX = 500;
/** A longer `sec_ch_ua_model` is not remembered: real ones have 20. */
const MODEL_HINT_LENGTH_MAX = 200;

/** Sets os, browser, their versions, the device and the platform of hits. */
export class ClientHints {
  // A Map of objects: the texts are the clients' own.
  readonly #brands = new BoundedCache<string, Brand>(AGENT_CACHE_ENTRY_COUNT_MAX);
  readonly #models = new BoundedCache<string, string>(AGENT_CACHE_ENTRY_COUNT_MAX);

  /**
   * Fills the fields of a hit from the user agent and the hints, which win (I-85).
   */
  apply(hit: Hit, raw: RawHit, agent: Agent, brand = this.brandOf(raw.sec_ch_ua)): void {
    hit.os = agent.os;
    hit.osVersion = agent.osVersion;
    hit.browser = agent.browser;
    hit.browserVersion = agent.browserVersion;
    if (brand.browser !== '') {
      hit.browser = brand.browser;
      hit.browserVersion = brand.version;
    }
    applyPlatformHint(hit, raw, agent);
    // only phones and tablets have one, whatever a hint says.
    const device = this.#hintedModel(raw.sec_ch_ua_model) || agent.device;
    const ofSystem = platformOf(hit.os);
    if (ofSystem === Platform.Mobile) hit.device = device;
    const mobile = raw.sec_ch_ua_mobile;
    if (mobile === '?1') hit.platform = Platform.Mobile;
    else if (mobile === '?0') hit.platform = Platform.Desktop;
    else hit.platform = ofSystem;
  }

  #hintedModel(hint: string | null | undefined): string {
    if (hint === null || hint === undefined || hint === '') return '';
    let model = this.#models.get(hint);
    if (model === undefined) {
      model = modelNamed(unquote(hint));
      if (hint.length <= MODEL_HINT_LENGTH_MAX) this.#models.set(hint, model);
    }
    return model;
  }

  /** What a `sec_ch_ua` header says; an empty browser when it names none. */
  brandOf(header: string | null | undefined): Brand {
    if (header === null || header === undefined || header === '') return NO_BRAND;
    const known = this.#brands.get(header);
    if (known !== undefined) return known;
    const brand = judged(parseBrands(header.slice(0, BRANDS_LENGTH_MAX)));
    if (header.length <= BRANDS_LENGTH_MAX) this.#brands.set(header, brand);
    return brand;
  }
}

function judged({ browser, version }: NamedBrand): Brand {
  return {
    browser: cutText(browser, AGENT_FIELD_LENGTH_MAX),
    version: cutText(version, AGENT_FIELD_LENGTH_MAX),
    browserVerdict: browserVerdict(browser, version),
    nameVerdict: browserNameVerdict(browser),
  };
}

/** The operating system of the hints; its version is the hint's, else the user agent's (I-85). */
function applyPlatformHint(hit: Hit, raw: RawHit, agent: Agent): void {
  const platform = unquote(raw.sec_ch_ua_platform);
  if (platform === '' || platform === 'Unknown') return;
  const os = PLATFORM_HINTS.get(platform) ?? '';
  const hinted = os === '' ? '' : platformVersion(os, unquote(raw.sec_ch_ua_platform_version));
  hit.os = os;
  // The platform is sent with every request, its version only when asked for: the user agent
  // still knows it, if it means the same system.
  hit.osVersion = hinted === '' && os === agent.os ? agent.osVersion : hinted;
}

function platformVersion(os: string, version: string): string {
  if (os === 'Linux') return '';
  if (os !== 'Windows') return cutText(version, AGENT_FIELD_LENGTH_MAX);
  const major = Number.parseInt(version, 10);
  if (major >= WINDOWS_11_MAJOR_MIN) return '11';
  return major >= 1 ? '10' : '';
}

/**
 * The browser of a `sec_ch_ua` header: one that runs without a window (I-21), else a known brand, else
 * the last one that means something.
 *
 * @param header such as `"Google Chrome";v="121", "Not A(Brand";v="99", "Chromium";v="121"`.
 * @returns an empty browser when no brand is usable; texts are not cut yet.
 */
export function parseBrands(header: string): NamedBrand {
  const brands = listBrands(header);
  const headless = brands.find((brand) => /headless/i.test(brand.browser));
  if (headless !== undefined) return { browser: HEADLESS, version: headless.version };
  for (const known of BRAND_HINTS) {
    const found = brands.find((brand) => brand.browser === known.brand);
    if (found !== undefined) return { browser: known.browser, version: found.version };
  }
  const usable = brands.filter(
    (brand) => brand.browser !== '' && !BRAND_NOISE.some((noise) => brand.browser.includes(noise)),
  );
  return usable.at(-1) ?? NOT_NAMED;
}

/** Every `"brand";v="version"`, in order; quotes may be escaped inside a brand. */
function listBrands(header: string): NamedBrand[] {
  const brands: NamedBrand[] = [];
  for (const match of header.matchAll(/"((?:[^"\\]|\\.)*)"\s*;\s*v="?([^",;]*)"?/g)) {
    brands.push({
      browser: (match[1] ?? '').replace(/\\(.)/g, '$1').trim(),
      version: (match[2] ?? '').trim(),
    });
  }
  return brands;
}

/** A hint without the quotes of its header form and the space around. */
function unquote(hint: string | null | undefined): string {
  if (hint === null || hint === undefined) return '';
  let start = 0;
  let end = hint.length;
  while (start < end && isPadding(hint.charCodeAt(start))) start++;
  while (end > start && isPadding(hint.charCodeAt(end - 1))) end--;
  return hint.slice(start, end);
}

function isPadding(unit: number): boolean {
  return unit === 0x22 || unit === 0x20;
}
