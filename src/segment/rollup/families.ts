/**
 * The families of rolling pre-aggregates: what a segment is counted by besides pages and quarters.
 *
 * A family is a code in the `rollups` table and one or more keys. Families of session dimensions are
 * rows of one list; that a further breakdown is kept current is one more row. The order
 * is a format on disk: append only.
 */

import type { TextDimension } from '../../model/dimensions.ts';

/** Column of a session that families are grouped by. */
export type SessionKey = TextDimension | 'platform';

/** Codes of the families that are not grouped by session dimensions. */
export const FAMILY = {
  /** Hour of the day, UTC: views, sessions, visitors, bounces. */
  hour: 0,
  /** Minute of the hour, UTC: the same. */
  minute: 1,
  /** Tag key: views and visitors (S-64). */
  tagKey: 2,
  /** Event name: events, visitors, views, durations (S-60). */
  eventName: 3,
  /** Event name and metadata key: that the pair occurs. */
  eventKey: 4,
  /** Referrer name: visitors, sessions, bounces; `second` and `third` are no keys (S-50). */
  referrerName: 5,
} as const;

/** A family of session dimensions; it counts distinct visitors. */
export interface SessionFamily {
  readonly code: number;
  readonly keys: readonly SessionKey[];
  /** Further keys are blank where the first is unknown (S-52, S-55). */
  readonly blanksUnknown: boolean;
}

const FIRST_CODE = 6;

const KEYS: readonly (readonly SessionKey[])[] = [
  ['platform'],
  ['country'],
  ['language'],
  ['os'],
  ['browser'],
  ['screenClass'],
  ['channel'],
  ['hostname'],
  ['utmSource'],
  ['utmMedium'],
  ['utmCampaign'],
  ['utmContent'],
  ['utmTerm'],
  ['os', 'osVersion'],
  ['browser', 'browserVersion'],
  ['region', 'country'],
  ['city', 'region', 'country'],
  ['referrer'],
];

/** Every family of session dimensions; the position + 6 is its code. */
export const SESSION_FAMILIES: readonly SessionFamily[] = KEYS.map((keys, index) => ({
  code: FIRST_CODE + index,
  keys,
  blanksUnknown: keys.length > 1 && keys.at(-1) === 'country',
}));

/** Codes in use: they run from 0 to one less. */
export const FAMILY_COUNT = FIRST_CODE + SESSION_FAMILIES.length;

/** Keys of a family by its code. */
export function keyCountOf(code: number): number {
  if (code === FAMILY.eventKey) return 2;
  return SESSION_FAMILIES[code - FIRST_CODE]?.keys.length ?? 1;
}

/** The family grouped by exactly these dimensions, in this order; undefined if none is kept. */
export function findSessionFamily(keys: readonly string[]): SessionFamily | undefined {
  const wanted = keys.join();
  return SESSION_FAMILIES.find((family) => family.keys.join() === wanted);
}

/** Quarters of an hour are the finest cut that is answered without a scan. */
export const QUARTER_MS = 900_000;
