/**
 * What filters say of imported sums (S-98): a sum is of one dimension, so only filters on that one can
 * be told of it.
 *
 * Control plane; made once per question, and tested once per distinct value.
 */

import { Platform, type TextDimension } from '../../model/dimensions.ts';
import type { DomainId } from '../../model/ids.ts';
import type { SumDimension } from '../../model/imported-sum.ts';
import { type FilterValues, keepsOneOf } from '../question/filter-values.ts';
import { filterSets, type QueryFilters, type SessionText } from '../question/filters.ts';
import { patternTest } from '../question/path-pattern.ts';

/** Filters on one dimension. */
export interface SumFilter {
  /** Null: nothing is filtered. */
  readonly dimension: SumDimension | null;
  keeps(value: string): boolean;
}

type Test = readonly [SumDimension, (value: string) => boolean];

/** What sums are counted by that breakdowns show. */
export const BREAKDOWN_SUMS: Partial<Record<SessionText & TextDimension, SumDimension>> = {
  language: 'language',
  country: 'country',
  region: 'region',
  city: 'city',
  browser: 'browser',
  os: 'os',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
};

/** The dimensions that filters on texts of sessions test. */
const TESTED: Partial<Record<SessionText, SumDimension>> = {
  entryPath: 'entry',
  exitPath: 'exit',
  referrerName: 'referrer',
  ...BREAKDOWN_SUMS,
};

/** Devices as sources name them (S-54). */
const PLATFORMS: ReadonlyMap<string, number> = new Map([
  ['desktop', Platform.Desktop],
  ['mobile', Platform.Mobile],
  ['tablet', Platform.Mobile],
]);

/** The platform that a device is of. */
export function platformOfDevice(device: string): number {
  return PLATFORMS.get(device.toLowerCase()) ?? Platform.Unknown;
}

/** @returns null when something is filtered that no sum can be told of. */
export function sumFilter(filters: QueryFilters, domainId: DomainId): SumFilter | null {
  const tests: Test[] = [];
  for (const set of filterSets(filters)) {
    const own = testsOf(set, domainId);
    if (own === null) return null;
    tests.push(...own);
  }
  const [first] = tests;
  if (first === undefined) return { dimension: null, keeps: () => true };
  const [dimension] = first;
  if (tests.some(([other]) => other !== dimension)) return null;
  return { dimension, keeps: (value) => tests.every(([, holds]) => holds(value)) };
}

function testsOf(set: QueryFilters, domainId: DomainId): Test[] | null {
  const { sessionTexts, sessionIds, tagKeys, tags, events } = set;
  if (sessionIds !== null || tagKeys !== null || tags.length > 0 || events !== null) return null;
  const tests: Test[] = [];
  for (const { column, values } of sessionTexts) {
    const dimension = TESTED[column];
    if (dimension === undefined) return null;
    tests.push([dimension, holdsOf(values)]);
  }
  const { referrer, platforms, path, pattern } = set;
  // Of a source only the name is known (F-27).
  if (referrer !== null) tests.push(['referrer', holdsOf(referrer)]);
  if (platforms !== null) {
    tests.push(['device', (device) => platforms[platformOfDevice(device)] === 1]);
  }
  if (path !== null) tests.push(['page', holdsOf(path)]);
  if (pattern !== null) tests.push(['page', patternTest(pattern, domainId)]);
  return tests;
}

function holdsOf(values: FilterValues): (value: string) => boolean {
  return (value) => keepsOneOf(values, [value]);
}
