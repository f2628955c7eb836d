/**
 * The oracle's bound on distinct texts (I-79): a further text of a kind that is full is `(other)`.
 *
 * A segment is a day of the domain. What its texts are and take is counted anew for every text that
 * is looked at: nothing is kept that could be wrong.
 */

/** The numbers of I-79; tests may lower them. */
export interface TextLimits {
  /** Of paths, titles, referrers and most others. */
  values: number;
  metaValues: number;
  /** Of browser, versions, hostname, region, city and language. */
  narrowValues: number;
  kindBytes: number;
  segmentBytes: number;
}

export const RULE_LIMITS: TextLimits = {
  values: 100_000,
  metaValues: 1_000_000,
  narrowValues: 10_000,
  kindBytes: 16 * 1_024 * 1_024,
  segmentBytes: 64 * 1_024 * 1_024,
};

/** Every kind of text in a segment. */
type Kind =
  | ('path' | 'title' | 'eventName' | 'tagKey' | 'tagValue' | 'metaKey' | 'metaValue')
  | ('country' | 'region' | 'city' | 'language' | 'referrer' | 'referrerName' | 'channel')
  | ('os' | 'osVersion' | 'browser' | 'browserVersion' | 'screenClass' | 'hostname' | 'device')
  | ('utmSource' | 'utmMedium' | 'utmCampaign' | 'utmContent' | 'utmTerm');

const NARROW: ReadonlySet<Kind> = new Set<Kind>([
  ...(['browser', 'browserVersion', 'osVersion', 'hostname', 'device'] as const),
  ...(['region', 'city', 'language'] as const),
]);
/** Closed lists: no number of values is said for them. */
const CLOSED: ReadonlySet<Kind> = new Set<Kind>(['country', 'channel', 'os', 'screenClass']);

const OTHER = '(other)';

/** The texts of one segment, by kind. */
export type SegmentTexts = Map<Kind, Set<string>>;

function bytesOf(texts: Iterable<string>): number {
  let bytes = 0;
  for (const text of texts) bytes += new TextEncoder().encode(text).length;
  return bytes;
}

function isFull(segment: SegmentTexts, kind: Kind, limits: TextLimits): boolean {
  const own = segment.get(kind) ?? new Set();
  const all = [...segment.values()].flatMap((texts) => [...texts]);
  const most = kind === 'metaValue' ? limits.metaValues : limits.values;
  const count = NARROW.has(kind) ? limits.narrowValues : most;
  if (!CLOSED.has(kind) && own.size >= count) return true;
  return bytesOf(own) >= limits.kindBytes || bytesOf(all) >= limits.segmentBytes;
}

/** What stands for a text in a segment; nothing is added. */
export function standsFor(
  segment: SegmentTexts,
  kind: Kind,
  text: string,
  limits: TextLimits,
): string {
  const isKnown = text === '' || segment.get(kind)?.has(text) === true;
  return isKnown || !isFull(segment, kind, limits) ? text : OTHER;
}

/** Stores a text in a segment. @returns what stands for it. */
export function store(segment: SegmentTexts, kind: Kind, text: string, limits: TextLimits): string {
  const stored = standsFor(segment, kind, text, limits);
  if (stored === '') return '';
  segment.set(kind, (segment.get(kind) ?? new Set()).add(stored));
  return stored;
}
