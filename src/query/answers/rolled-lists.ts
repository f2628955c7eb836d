/**
 * Lists from pre-aggregates: pages, dimensions, referrers, events, tags (S-40 to S-64).
 *
 * Each reads the part of its kind over the range and lists its groups the way a scan does.
 */

import { assert } from '../../base/assert.ts';
import { compareCodePoints } from '../../base/code-points.ts';
import { Platform } from '../../model/dimensions.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { findSessionFamily } from '../../segment/rollup/families.ts';
import { type FieldValue, type Groups, type ListRow, listRows } from '../list/listing.ts';
import { meanHalfEven, meanTruncated, rate } from '../list/rates.ts';
import type { Scan } from '../plan/query-context.ts';
import {
  EVENT_KEYS,
  EVENT_SETS,
  EVENTS,
  PAGES,
  partOf,
  REFERRERS,
  sessionsKind,
  TAGS,
  TITLED_PAGES,
} from '../rollup/breakdowns.ts';
import type { Part, RolledGroups } from '../rollup/group-ids.ts';
import { totalsOver } from '../rollup/totals.ts';

/** S-40. */
export function answerRolledPages(scan: Scan): ListRow[] {
  const { query, segments } = scan;
  const { part, groups } = partOf(scan, query.byTitle ? TITLED_PAGES : PAGES);
  const [views, sessions, visitors, bounces, , , timed, seconds] = part.counts.map(reader);
  const all = totalsOver(segments, query.range);
  const spent = (at: number): number => meanHalfEven(seconds!(at), timed!(at));
  return listRows(scan.statistic, query, {
    present: presentAt(part, 0),
    fields: {
      ...pageTexts(part, groups, query.byTitle),
      visitors: visitors!,
      views: views!,
      sessions: sessions!,
      bounces: bounces!,
      relative_visitors: (at) => rate(visitors!(at), all.visitors),
      relative_views: (at) => rate(views!(at), all.views),
      bounce_rate: (at) => rate(bounces!(at), sessions!(at)),
      average_time_spent_seconds: query.includesTimeOnPage ? spent : () => 0,
    },
  });
}

/** S-43. */
export function answerRolledEntries(scan: Scan): ListRow[] {
  return answerEdges(scan, 'entry');
}

/** S-44. */
export function answerRolledExits(scan: Scan): ListRow[] {
  return answerEdges(scan, 'exit');
}

function answerEdges(scan: Scan, edge: 'entry' | 'exit'): ListRow[] {
  const { query, segments } = scan;
  const { byTitle } = query;
  const { part, groups } = partOf(scan, byTitle ? TITLED_PAGES : PAGES);
  // The page's own figures are those of its path, whatever the title (S-46).
  const pages = byTitle ? partOf(scan, PAGES).part : part;
  const rowOf = byTitle ? rowsOfPaths(part, pages, groups) : (at: number) => at;
  const [, sessions, visitors, , , , timed, seconds] = pages.counts.map(reader);
  const counted = edge === 'entry' ? 4 : 5;
  const edges = reader(part.counts[counted] as Float64Array);
  const all = totalsOver(segments, query.range).sessions;
  const spent = (at: number): number => meanHalfEven(seconds!(rowOf(at)), timed!(rowOf(at)));
  return listRows(scan.statistic, query, {
    present: presentAt(part, counted),
    fields: {
      ...pageTexts(part, groups, byTitle),
      visitors: (at) => visitors!(rowOf(at)),
      sessions: (at) => sessions!(rowOf(at)),
      [edge === 'entry' ? 'entries' : 'exits']: edges,
      [`${edge}_rate`]: (at) => rate(edges(at), all),
      average_time_spent_seconds: query.includesTimeOnPage ? spent : () => 0,
    },
  });
}

/** Where the path of a titled page stands among the pages by path. */
function rowsOfPaths(titled: Part, pages: Part, groups: RolledGroups): (at: number) => number {
  const rows = new Map<number, number>();
  for (let row = 0; row < pages.groups.length; row++) rows.set(pages.groups[row]!, row);
  return (at) => rows.get(groups.titled.firsts[titled.groups[at]!]!) as number;
}

function pageTexts(part: Part, groups: RolledGroups, byTitle: boolean): Groups['fields'] {
  const { space, titled } = groups;
  const paths = space.texts(KIND.path);
  if (!byTitle) return { path: (at) => paths[part.groups[at]!] as string, title: () => '' };
  const titles = space.texts(KIND.title);
  return {
    path: (at) => paths[titled.firsts[part.groups[at]!]!] as string,
    title: (at) => titles[titled.seconds[part.groups[at]!]!] as string,
  };
}

/** S-50: without a filter it is by name. */
export function answerRolledReferrers(scan: Scan): ListRow[] {
  const { query, segments } = scan;
  const { part, groups } = partOf(scan, REFERRERS);
  const [visitors, sessions, bounces, urls, icons] = part.counts.map(reader);
  const textOf = (kind: number, id: number): string => groups.space.texts(kind)[id] as string;
  const all = totalsOver(segments, query.range).visitors;
  return listRows(scan.statistic, query, {
    present: presentAt(part, 1),
    fields: {
      referrer: (at) => textOf(KIND.referrer, urls!(at)),
      referrer_name: (at) => textOf(KIND.referrerName, part.groups[at]!),
      referrer_icon: (at) => textOf(KIND.referrerIcon, icons!(at)),
      visitors: visitors!,
      sessions: sessions!,
      relative_visitors: (at) => rate(visitors!(at), all),
      bounces: bounces!,
      bounce_rate: (at) => rate(bounces!(at), sessions!(at)),
    },
  });
}

/** S-51, S-52, S-55. */
export function answerRolledValues(scan: Scan): ListRow[] {
  const { query, statistic, segments } = scan;
  const columns = statistic.columns ?? [];
  const family = findSessionFamily([...new Set(columns.map(([, dimension]) => dimension))]);
  assert(family !== undefined, `pre-aggregates are kept for '${statistic.name}'`);
  const { part, groups } = partOf(scan, sessionsKind(family));
  const visitors = reader(part.counts[0] as Float64Array);
  const all = totalsOver(segments, query.range).visitors;
  const fields: Record<string, (at: number) => FieldValue> = {
    visitors,
    relative_visitors: (at) => rate(visitors(at), all),
  };
  for (const [name, dimension] of columns) {
    const key = family.keys.indexOf(dimension);
    fields[name] = (at) => groups.textOf(family, part.groups[at]!, key);
  }
  return listRows(statistic, query, { present: presentAt(part, 0), fields });
}

/** S-54. */
export function answerRolledPlatform(scan: Scan): unknown {
  const family = findSessionFamily(['platform']);
  assert(family !== undefined, 'pre-aggregates are kept by platform');
  const { part } = partOf(scan, sessionsKind(family));
  const all = totalsOver(scan.segments, scan.query.range).visitors;
  const visitors = (platform: number): number => {
    const at = part.groups.indexOf(platform);
    return at < 0 ? 0 : (part.counts[0]![at] as number);
  };
  return {
    platform_desktop: visitors(Platform.Desktop),
    platform_mobile: visitors(Platform.Mobile),
    platform_unknown: visitors(Platform.Unknown),
    relative_platform_desktop: rate(visitors(Platform.Desktop), all),
    relative_platform_mobile: rate(visitors(Platform.Mobile), all),
    relative_platform_unknown: rate(visitors(Platform.Unknown), all),
  };
}

/** S-64. */
export function answerRolledTags(scan: Scan): ListRow[] {
  const { part, groups } = partOf(scan, TAGS);
  const [visitors, views] = part.counts.map(reader);
  const keys = groups.space.texts(KIND.tagKey);
  const all = totalsOver(scan.segments, scan.query.range);
  return listRows(scan.statistic, scan.query, {
    present: presentAt(part, 1),
    fields: {
      key: (at) => keys[part.groups[at]!] as string,
      visitors: visitors!,
      views: views!,
      relative_visitors: (at) => rate(visitors!(at), all.visitors),
      relative_views: (at) => rate(views!(at), all.views),
    },
  });
}

/** S-60. */
export function answerRolledEvents(scan: Scan): ListRow[] {
  const { part, groups } = partOf(scan, EVENTS);
  const [count, visitors, views, seconds] = part.counts.map(reader);
  const names = groups.space.texts(KIND.eventName);
  const all = totalsOver(scan.segments, scan.query.range).visitors;
  let keysOf: Map<number, string[]> | null = null;
  return listRows(scan.statistic, scan.query, {
    present: presentAt(part, 0),
    fields: {
      count: count!,
      visitors: visitors!,
      views: views!,
      cr: (at) => rate(visitors!(at), all),
      average_duration_seconds: (at) => meanTruncated(seconds!(at), count!(at)),
      name: (at) => names[part.groups[at]!] as string,
      meta_keys: (at) => {
        keysOf ??= keysByName(scan);
        return (keysOf.get(part.groups[at]!) ?? []).sort(compareCodePoints);
      },
    },
  });
}

function keysByName(scan: Scan): Map<number, string[]> {
  const { part, groups } = partOf(scan, EVENT_KEYS);
  const texts = groups.space.texts(KIND.metaKey);
  const keysOf = new Map<number, string[]>();
  for (const pair of part.groups) {
    const name = groups.eventKeys.firsts[pair] as number;
    const key = texts[groups.eventKeys.seconds[pair] as number] as string;
    const keys = keysOf.get(name);
    if (keys === undefined) keysOf.set(name, [key]);
    else keys.push(key);
  }
  return keysOf;
}

/** S-62. */
export function answerRolledEventList(scan: Scan): ListRow[] {
  const { part, groups } = partOf(scan, EVENT_SETS);
  const { eventSets, metaSets, space } = groups;
  const [count, visitors] = part.counts.map(reader);
  const setOf = (at: number): number => eventSets.seconds[part.groups[at]!] as number;
  const nameOf = (at: number): number => eventSets.firsts[part.groups[at]!] as number;
  return listRows(scan.statistic, scan.query, {
    present: presentAt(part, 0),
    fields: {
      name: (at) => space.texts(KIND.eventName)[nameOf(at)] as string,
      meta: (at) => metaSets.objectOf(setOf(at)),
      visitors: visitors!,
      count: count!,
    },
    orders: { meta: (at) => metaSets.jsonOf(setOf(at)) },
  });
}

function reader(values: Float64Array): (at: number) => number {
  return (at) => values[at] as number;
}

/** Places in a part where a count is above 0. */
function presentAt(part: Part, count: number): Uint32Array {
  const values = part.counts[count] as Float64Array;
  const present = new Uint32Array(values.length);
  let found = 0;
  for (let at = 0; at < values.length; at++) if (values[at]! > 0) present[found++] = at;
  return present.subarray(0, found);
}
