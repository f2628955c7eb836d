/**
 * What lists are summed from: the kinds of parts, and the part of a kind over a query's range.
 *
 * Data plane. A kind names the groups and counts that are read out of a segment's pre-aggregates.
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import { FAMILY, type SessionFamily } from '../../segment/rollup/families.ts';
import type { Scan } from '../plan/query-context.ts';
import { openTextSpace, spaceIds } from '../text/text-space.ts';
import { readEventSets } from './events.ts';
import {
  familiesOf,
  PAGE_COUNTS,
  type Part,
  pagesOf,
  type RolledGroups,
  readFamily,
  readPages,
  readReferrers,
  readSessions,
  rolledGroupsOf,
} from './group-ids.ts';
import { type PartKind, partOver } from './partials.ts';

const sums = (count: number): 'sum'[] => new Array<'sum'>(count).fill('sum');

const pagesKind = (byTitle: boolean): PartKind => ({
  id: byTitle ? 'titled' : 'pages',
  joins: sums(PAGE_COUNTS.length),
  read: (groups, segment, span) =>
    readPages(groups, pagesOf(segment, span, byTitle), { segment, byTitle }),
});

/** Pages by path. */
export const PAGES = pagesKind(false);
/** Pages by path and title. */
export const TITLED_PAGES = pagesKind(true);

/** Referrers by name, with their smallest URL and icon. */
export const REFERRERS: PartKind = {
  id: 'referrers',
  joins: ['sum', 'sum', 'sum', 'smallestUrl', 'smallestIcon'],
  read: (groups, segment, span) =>
    readReferrers(groups, familiesOf(segment, span, FAMILY.referrerName), segment),
};

/** Tags by key. */
export const TAGS: PartKind = {
  id: 'tags',
  joins: sums(2),
  read: (groups, segment, span) => {
    const keys = spaceIds(groups.space, segment, KIND.tagKey);
    const source = familiesOf(segment, span, FAMILY.tagKey);
    const { first } = source.rollups.columns;
    return readFamily(source, FAMILY.tagKey, (row) => keys[first[row]!]!, ['visitors', 'views']);
  },
};

/** Events by name. */
export const EVENTS: PartKind = {
  id: 'events',
  joins: sums(4),
  read: (groups, segment, span) => {
    const names = spaceIds(groups.space, segment, KIND.eventName);
    const source = familiesOf(segment, span, FAMILY.eventName);
    const { first } = source.rollups.columns;
    const counts = ['timed', 'visitors', 'views', 'seconds'] as const;
    return readFamily(source, FAMILY.eventName, (row) => names[first[row]!]!, counts);
  },
};

/** Metadata keys by event name. */
export const EVENT_KEYS: PartKind = {
  id: 'eventKeys',
  joins: [],
  read: (groups, segment, span) => {
    const names = spaceIds(groups.space, segment, KIND.eventName);
    const keys = spaceIds(groups.space, segment, KIND.metaKey);
    const source = familiesOf(segment, span, FAMILY.eventKey);
    const { first, second } = source.rollups.columns;
    const numberOf = (row: number): number =>
      groups.eventKeys.idOf(names[first[row]!]!, keys[second[row]!]!);
    return readFamily(source, FAMILY.eventKey, numberOf, []);
  },
};

/** Events by name and whole metadata. */
export const EVENT_SETS: PartKind = { id: 'eventSets', joins: sums(2), read: readEventSets };

/** Visitors by session dimensions. */
export function sessionsKind(family: SessionFamily): PartKind {
  return {
    id: `sessions ${family.code}`,
    joins: sums(1),
    read: (groups, segment, span) =>
      readSessions(groups, familiesOf(segment, span, family.code), { segment, family }),
  };
}

/** The part of a kind over a query's range, and the numbers of its groups. */
export function partOf(scan: Scan, kind: PartKind): { part: Part; groups: RolledGroups } {
  const { query, segments } = scan;
  const space = openTextSpace(query.domainId);
  const part = partOver(kind, space, { segments, span: query.range });
  return { part, groups: rolledGroupsOf(space) };
}
