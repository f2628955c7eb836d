/**
 * The breakdowns that lists are answered from: which groups and counts are read out of a segment's
 * pre-aggregates, and their sums over a query's range.
 *
 * Data plane in `read`; the rest is done once per question.
 */

import { assert, must } from '../../base/assert.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { FAMILY, findSessionFamily, type SessionFamily } from '../../segment/rollup/families.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { openTextSpace, spaceIds } from '../text/text-space.ts';
import { readEventSets } from './events.ts';
import {
  familiesOf,
  type GroupIds,
  groupIdsOf,
  PAGE_COUNTS,
  type PartialAggregate,
  pagesOf,
  readFamily,
  readPages,
  readReferrers,
  readSessions,
} from './group-ids.ts';
import { type Breakdown, breakdownOver } from './partials.ts';

const sums = (...names: string[]): Pick<Breakdown, 'counts' | 'joins'> => ({
  counts: names,
  joins: names.map(() => 'sum'),
});

const pagesBreakdown = (byTitle: boolean): Breakdown => ({
  id: byTitle ? 'titled' : 'pages',
  ...sums(...PAGE_COUNTS),
  isSummed: !byTitle,
  read: (ids, segment, span) =>
    readPages(ids, pagesOf(segment, span, byTitle), { segment, byTitle }),
});

/** Pages by path. */
export const PAGES_BY_PATH = pagesBreakdown(false);
/** Pages by path and title. */
export const PAGES_BY_TITLE = pagesBreakdown(true);

/** Referrers by name, with their smallest URL and icon. */
export const REFERRERS: Breakdown = {
  id: 'referrers',
  counts: ['visitors', 'sessions', 'bounces', 'url', 'icon'],
  joins: ['sum', 'sum', 'sum', 'smallestUrl', 'smallestIcon'],
  isSummed: true,
  read: (ids, segment, span) =>
    readReferrers(ids, familiesOf(segment, span, FAMILY.referrerName), segment),
};

/** Tags by key. */
export const TAGS: Breakdown = {
  id: 'tags',
  ...sums('visitors', 'views'),
  isSummed: true,
  read: (ids, segment, span) => {
    const keys = spaceIds(ids.space, segment, KIND.tagKey);
    const source = familiesOf(segment, span, FAMILY.tagKey);
    const { first } = source.rollups.columns;
    return readFamily(source, FAMILY.tagKey, (row) => keys[first[row]!]!, ['visitors', 'views']);
  },
};

/** Events by name. */
export const EVENTS: Breakdown = {
  id: 'events',
  ...sums('count', 'visitors', 'views', 'seconds'),
  isSummed: true,
  read: (ids, segment, span) => {
    const names = spaceIds(ids.space, segment, KIND.eventName);
    const source = familiesOf(segment, span, FAMILY.eventName);
    const { first } = source.rollups.columns;
    const counts = ['timed', 'visitors', 'views', 'seconds'] as const;
    return readFamily(source, FAMILY.eventName, (row) => names[first[row]!]!, counts);
  },
};

/** Metadata keys by event name. */
export const EVENT_KEYS: Breakdown = {
  id: 'eventKeys',
  ...sums(),
  isSummed: true,
  read: (ids, segment, span) => {
    const names = spaceIds(ids.space, segment, KIND.eventName);
    const keys = spaceIds(ids.space, segment, KIND.metaKey);
    const source = familiesOf(segment, span, FAMILY.eventKey);
    const { first, second } = source.rollups.columns;
    const idOf = (row: number): number =>
      ids.eventKeys.idOf(names[first[row]!]!, keys[second[row]!]!);
    return readFamily(source, FAMILY.eventKey, idOf, []);
  },
};

/** Events by name and whole metadata. */
export const EVENT_SETS: Breakdown = {
  id: 'eventSets',
  ...sums('count', 'visitors'),
  isSummed: false,
  read: readEventSets,
};

/** The family of pre-aggregates for some session dimensions. */
export function familyOf(dimensions: readonly string[]): SessionFamily {
  const family = findSessionFamily(dimensions);
  assert(family !== undefined, `pre-aggregates are kept by '${dimensions.join()}'`);
  return family;
}

/** Visitors by session dimensions. */
export function sessionBreakdown(dimensions: readonly string[]): Breakdown {
  const family = familyOf(dimensions);
  return {
    id: `sessions ${family.code}`,
    ...sums('visitors'),
    isSummed: true,
    read: (ids, segment, span) =>
      readSessions(ids, familiesOf(segment, span, family.code), { segment, family }),
  };
}

/** A breakdown over the range of a query: groups by their place, and their counts by name. */
export class BreakdownRows {
  /** The group at each place, by its number in `ids`. */
  readonly groups: Uint32Array;
  readonly ids: GroupIds;
  readonly #names: readonly string[];
  readonly #counts: PartialAggregate['counts'];

  constructor({ counts: names }: Breakdown, aggregate: PartialAggregate, ids: GroupIds) {
    this.groups = aggregate.groups;
    this.ids = ids;
    this.#names = names;
    this.#counts = aggregate.counts;
  }

  /** A count of every place. */
  counts(name: string): Float64Array {
    return must(this.#counts[this.#names.indexOf(name)], `a breakdown counts '${name}'`);
  }

  /** Reads a count at a place. */
  reader(name: string): (place: number) => number {
    const counts = this.counts(name);
    return (place) => counts[place] as number;
  }

  /** Reads the text of a group that is one text. */
  textReader(kind: number): (place: number) => string {
    const texts = this.ids.space.texts(kind);
    return (place) => texts[this.groups[place] as number] as string;
  }

  /** The places where a count is above 0. */
  present(name: string): Uint32Array {
    const counts = this.counts(name);
    const present = new Uint32Array(counts.length);
    let found = 0;
    for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) present[found++] = at;
    return present.subarray(0, found);
  }
}

/** A breakdown over a query's range. */
export function breakdownOf(
  { query, segments }: QueryContext,
  breakdown: Breakdown,
): BreakdownRows {
  const space = openTextSpace(query.domainId);
  const aggregate = breakdownOver(breakdown, space, { segments, span: query.range });
  return new BreakdownRows(breakdown, aggregate, groupIdsOf(space));
}
