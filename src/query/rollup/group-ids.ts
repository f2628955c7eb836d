/**
 * Numbers of groups over all segments of a domain, and reading them out of a segment's pre-aggregates.
 *
 * Data plane. A group of one key is the text's number in the domain's space; several keys get dense
 * numbers by pairs. They live as long as the space, so that sums can be kept between queries.
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import { Segment } from '../../segment/memory/segment.ts';
import { type Rollups, SpanRows } from '../../segment/rollup/counts.ts';
import { FAMILY, type SessionFamily, type SessionKey } from '../../segment/rollup/families.ts';
import { fillGroups } from '../../segment/rollup/groups.ts';
import { fillPages, fillPaths } from '../../segment/rollup/pages.ts';
import { isRolledUp } from '../../segment/rollup/rebuild.ts';
import { MetaSets } from '../count/metadata-sets.ts';
import type { Span } from '../plan/selection.ts';
import { spaceIds, type TextSpace } from '../text/text-space.ts';

/** Groups and what they count. */
export interface Part {
  readonly groups: Uint32Array;
  /** One array per count of the kind, by position. */
  readonly counts: readonly Float64Array[];
}

/** Numbers of groups of one domain. */
export class RolledGroups {
  readonly space: TextSpace;
  /** Tells the spaces of a thread apart. */
  readonly id: number;
  /** Paths and titles. */
  readonly titled = new PairIndex();
  /** Event names and metadata keys. */
  readonly eventKeys = new PairIndex();
  /** Event names and whole metadata. */
  readonly eventSets = new PairIndex();
  readonly metaSets: MetaSets;
  /** Per family of several keys: pairs, and pairs of those with the third key. */
  readonly #levels = new Map<number, readonly PairIndex[]>();

  constructor(space: TextSpace, id: number) {
    this.space = space;
    this.id = id;
    this.metaSets = new MetaSets(space);
  }

  /** Pairs of a family of session dimensions; none where it has one key. */
  levelsOf({ code, keys }: SessionFamily): readonly PairIndex[] {
    let levels = this.#levels.get(code);
    if (levels === undefined) {
      levels = keys.slice(1).map(() => new PairIndex());
      this.#levels.set(code, levels);
    }
    return levels;
  }

  /** The text of one key of a group. @param at position of the key. */
  textOf(family: SessionFamily, group: number, at: number): string {
    const levels = this.levelsOf(family);
    let id = group;
    for (let level = levels.length - 1; level >= 0; level--) {
      const pairs = levels[level] as PairIndex;
      if (level + 1 === at) return this.#text(family.keys[at], pairs.seconds[id]!);
      id = pairs.firsts[id]!;
    }
    return this.#text(family.keys[at], id);
  }

  /** The number of the smaller of two texts; 0, the empty one, counts for nothing. */
  smaller(of: 'smallestUrl' | 'smallestIcon', held: number, other: number): number {
    if (other === 0 || other === held) return held;
    if (held === 0) return other;
    const texts = this.space.texts(of === 'smallestUrl' ? KIND.referrer : KIND.referrerIcon);
    return compareCodePoints(texts[other]!, texts[held]!) < 0 ? other : held;
  }

  #text(key: SessionKey | undefined, id: number): string {
    return this.space.texts(KIND[key as Exclude<SessionKey, 'platform'>])[id] as string;
  }
}

const groupsOfSpaces = new WeakMap<TextSpace, RolledGroups>();
let spaceCount = 0;

/** The numbers of groups that go with a text space. */
export function rolledGroupsOf(space: TextSpace): RolledGroups {
  let groups = groupsOfSpaces.get(space);
  if (groups === undefined) {
    spaceCount++;
    groups = new RolledGroups(space, spaceCount);
    groupsOfSpaces.set(space, groups);
  }
  return groups;
}

/** Pre-aggregates by page. @param byTitle whether titles are told apart, or only paths. */
export function pagesOf(segment: Segment, span: Span | null, byTitle: boolean): Rollups {
  if (span === null && isRolledUp(segment)) return segment;
  const made = new Segment(segment.domainId, segment.day);
  const rows = new SpanRows(segment, span);
  if (byTitle) fillPages(rows, made);
  else fillPaths(rows, made);
  return made;
}

/** Pre-aggregates by small groups. @param code of the family that is read of them. */
export function familiesOf(segment: Segment, span: Span | null, code: number): Rollups {
  if (span === null && isRolledUp(segment)) return segment;
  const made = new Segment(segment.domainId, segment.day);
  fillGroups(new SpanRows(segment, span), made, code);
  return made;
}

/** The counts of pages, by position in a part. */
export const PAGE_COUNTS = [
  'views',
  'sessions',
  'visitors',
  'bounces',
  'entries',
  'exits',
  'timed',
  'seconds',
] as const;

/** Pages of a segment by path, or by path and title. */
export function readPages(
  groups: RolledGroups,
  source: Rollups,
  of: { segment: Segment; byTitle: boolean },
): Part {
  const { segment, byTitle } = of;
  const { pages, titledPages } = source;
  const paths = spaceIds(groups.space, segment, KIND.path);
  const { path, title } = pages.columns;
  if (!byTitle) {
    const numbers = new Uint32Array(pages.rowCount);
    for (let row = 0; row < numbers.length; row++) numbers[row] = paths[path[row]!]!;
    return {
      groups: numbers,
      counts: PAGE_COUNTS.map((name) => taken(pages.columns[name], null, pages.rowCount)),
    };
  }
  const titles = spaceIds(groups.space, segment, KIND.title);
  const single = new Uint32Array(pages.rowCount);
  let count = 0;
  for (let row = 0; row < single.length; row++) if (title[row] !== NONE) single[count++] = row;
  const rows = single.subarray(0, count);
  const numbers = new Uint32Array(count + titledPages.rowCount);
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    numbers[index] = groups.titled.idOf(paths[path[row]!]!, titles[title[row]!]!);
  }
  const several = titledPages.columns;
  for (let row = 0; row < titledPages.rowCount; row++) {
    numbers[count + row] = groups.titled.idOf(
      paths[several.path[row]!]!,
      titles[several.title[row]!]!,
    );
  }
  const counts = PAGE_COUNTS.map((name) => {
    const values = new Float64Array(numbers.length);
    values.set(taken(pages.columns[name], rows, count));
    values.set(taken(several[name], null, titledPages.rowCount), count);
    return values;
  });
  return { groups: numbers, counts };
}

/** Rows of one family in `rollups`, with some of their counts. */
export function readFamily(
  source: Rollups,
  code: number,
  numberOf: (row: number) => number,
  counts: readonly ('views' | 'sessions' | 'visitors' | 'bounces' | 'timed' | 'seconds')[],
): Part {
  const { rollups } = source;
  const { family } = rollups.columns;
  const rows = new Uint32Array(rollups.rowCount);
  let count = 0;
  for (let row = 0; row < rows.length; row++) if (family[row] === code) rows[count++] = row;
  const found = rows.subarray(0, count);
  const groups = new Uint32Array(count);
  for (let index = 0; index < count; index++) groups[index] = numberOf(found[index]!);
  return { groups, counts: counts.map((name) => taken(rollups.columns[name], found, count)) };
}

/** Visitors of a segment by session dimensions. */
export function readSessions(
  groups: RolledGroups,
  source: Rollups,
  of: { segment: Segment; family: SessionFamily },
): Part {
  const { segment, family } = of;
  const { first, second, third } = source.rollups.columns;
  const levels = groups.levelsOf(family);
  const maps = family.keys.map((key) =>
    key === 'platform' ? null : spaceIds(groups.space, segment, KIND[key]),
  );
  const [firstMap, secondMap, thirdMap] = maps;
  const numberOf = (row: number): number => {
    if (firstMap === null || firstMap === undefined) return first[row]!;
    const one = firstMap[first[row]!]!;
    if (levels.length === 0) return one;
    const two = levels[0]!.idOf(one, secondMap![second[row]!]!);
    return levels.length === 1 ? two : levels[1]!.idOf(two, thirdMap![third[row]!]!);
  };
  return readFamily(source, family.code, numberOf, ['visitors']);
}

/** Referrers of a segment by name: visitors, sessions, bounces, smallest URL, smallest icon. */
export function readReferrers(groups: RolledGroups, source: Rollups, segment: Segment): Part {
  const { space } = groups;
  const { first, second, third } = source.rollups.columns;
  const names = spaceIds(space, segment, KIND.referrerName);
  const urls = spaceIds(space, segment, KIND.referrer);
  const icons = spaceIds(space, segment, KIND.referrerIcon);
  const ids: number[] = [];
  const part = readFamily(
    source,
    FAMILY.referrerName,
    (row) => {
      ids.push(row);
      return names[first[row]!]!;
    },
    ['visitors', 'sessions', 'bounces'],
  );
  const smallest = Float64Array.from(ids, (row) => urls[second[row]!]!);
  const icon = Float64Array.from(ids, (row) => icons[third[row]!]!);
  return { groups: part.groups, counts: [...part.counts, smallest, icon] };
}

/** A column over some rows, or over the first `count`. */
function taken(
  column: Uint32Array | Float64Array,
  rows: Uint32Array | null,
  count: number,
): Float64Array {
  const values = new Float64Array(count);
  if (rows === null) {
    for (let row = 0; row < count; row++) values[row] = column[row]!;
    return values;
  }
  for (let index = 0; index < count; index++) values[index] = column[rows[index]!]!;
  return values;
}
