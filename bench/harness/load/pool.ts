/**
 * Request bodies that look like real traffic, prepared before the clock starts.
 *
 * Control plane. A pool is a few thousand visits of three page views each: the views of a visit
 * share the browser, their paths follow a popularity curve, entries have referrers or campaigns. The
 * address is a placeholder, `visit-<ordinal>` in exactly `ADDRESS_LENGTH` characters, which the load
 * generator replaces by a new address each time it comes round: so every visit of a run is a new
 * visitor and no session ever meets the cap of I-49, at the cost of copying 15 bytes.
 */
import { type Device, pickDevice } from '../../../src/demo/simulator/devices.ts';
import { Seeded, type Weighted } from '../../../src/demo/simulator/seeded.ts';

/** Bytes of every address that is put in: four numbers of three digits and three dots. */
export const ADDRESS_LENGTH = 15;
/** Page views of one visit. */
export const VISIT_VIEWS = 3;
/** Hostname of the domain that the load is for. */
export const POOL_HOSTNAME = 'bench.example';

const PATH_COUNT = 2_000;
const DEVICE_COUNT = 300;

const REFERRERS: Weighted<string> = [
  [40, ''],
  [30, 'https://www.google.com/'],
  [5, 'https://www.bing.com/'],
  [5, 'https://duckduckgo.com/'],
  [6, 'https://news.ycombinator.com/item?id='],
  [6, 'https://old.reddit.com/r/programming/comments/'],
  [8, 'https://blog.example.org/links/'],
];
const CAMPAIGNS: Weighted<string> = [
  [85, ''],
  [8, '?utm_source=newsletter&utm_medium=email&utm_campaign=week-'],
  [7, '?utm_source=google&utm_medium=cpc&utm_campaign=brand-'],
];
const LANGUAGES = ['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.8', 'fr-FR,fr;q=0.9', 'ja-JP,ja;q=0.9'];

/** One page view of the pool; `ip` is a placeholder. */
export type PooledHit = Record<string, string | number>;

/** Page views, `VISIT_VIEWS` in a row for each visit, always the same for the same seed. */
export function pooledHits(options: { seed: number; visits: number }): PooledHit[] {
  const random = new Seeded(options.seed);
  const devices = Array.from({ length: DEVICE_COUNT }, () => pickDevice(random));
  const hits: PooledHit[] = [];
  for (let visit = 0; visit < options.visits; visit++) {
    const device = devices[random.popular(DEVICE_COUNT)] as Device;
    const language = random.pick(LANGUAGES);
    for (let view = 0; view < VISIT_VIEWS; view++) {
      hits.push(pooledHit({ visit, view, device, language, random }));
    }
  }
  return hits;
}

function pooledHit(of: {
  visit: number;
  view: number;
  device: Device;
  language: string;
  random: Seeded;
}): PooledHit {
  const { visit, view, device, language, random } = of;
  const page = random.popular(PATH_COUNT);
  const isEntry = view === 0;
  const campaign = isEntry ? random.weighted(CAMPAIGNS) : '';
  const query = campaign === '' ? '' : campaign + random.below(12);
  const outside = random.weighted(REFERRERS);
  const hit: PooledHit = {
    url: `https://${POOL_HOSTNAME}/section-${page % 20}/article-${page}${query}`,
    ip: addressPlaceholder(visit),
    user_agent: device.userAgent,
    accept_language: language,
    title: `Article ${page} of section ${page % 20}`,
    referrer: isEntry ? tailed(outside, random) : `https://${POOL_HOSTNAME}/`,
    screen_width: device.screenWidth,
    screen_height: device.screenHeight,
  };
  if (device.clientHints !== null) {
    hit['sec_ch_ua'] = device.clientHints.brands;
    hit['sec_ch_ua_mobile'] = device.clientHints.mobile;
    hit['sec_ch_ua_platform'] = device.clientHints.platform;
    hit['sec_ch_ua_platform_version'] = device.clientHints.platformVersion;
  }
  return hit;
}

function tailed(referrer: string, random: Seeded): string {
  return referrer.endsWith('=') || referrer.endsWith('s/') ? referrer + random.below(50) : referrer;
}

function addressPlaceholder(visit: number): string {
  return `visit-${String(visit).padStart(ADDRESS_LENGTH - 'visit-'.length, '0')}`;
}

/**
 * Address of a visit; different ordinals below 470 million give different addresses, spread over the
 * whole range. The Lua script of `load.ts` computes the same.
 */
export function visitAddress(ordinal: number): string {
  let rest = (ordinal * 48_271) % (124 * 156 ** 3);
  const parts: number[] = [];
  for (let part = 0; part < 3; part++) {
    parts.push(100 + (rest % 156));
    rest = Math.floor(rest / 156);
  }
  return [100 + rest, ...parts].join('.');
}

/** Bodies of single hits. */
export function singleBodies(hits: readonly PooledHit[]): string[] {
  return hits.map((hit) => JSON.stringify(hit));
}

/**
 * Bodies of batches; a last batch that would not be full is left out.
 *
 * @param options.timeMs every item's `time`.
 */
export function batchBodies(
  hits: readonly PooledHit[],
  options: { size: number; timeMs: number },
): string[] {
  const time = new Date(options.timeMs).toISOString();
  const bodies: string[] = [];
  for (let first = 0; first + options.size <= hits.length; first += options.size) {
    const items = hits.slice(first, first + options.size).map((hit) => ({ ...hit, time }));
    bodies.push(JSON.stringify(items));
  }
  return bodies;
}
