/**
 * Groups of pages: paths, or pairs of path and title when titles are told apart (S-46).
 *
 * Data plane. Their numbers are those of the domain's text space, so that segments add up in place.
 */

import type { NumberColumn } from '../../base/bring-near.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';
import type { ViewPredicate } from '../plan/view-predicate.ts';
import { keepSearched, pathsTested } from '../select/select-views.ts';
import type { SessionViews } from '../select/views-by-session.ts';
import { numberingIn } from '../text/numberings.ts';
import { spaceIds, type TextSpace } from '../text/text-space.ts';
import { groupByComposite, mergeComposites } from './composite-groups.ts';

/** Working arrays. */
const COMPOSITE_GROUPS = new WorkingWords();

/** Groups of all page views of a segment, session by session. */
export interface OrderedGroups {
  /** Group within the segment per page view; below `groupCount`. */
  readonly groups: NumberColumn;
  readonly groupCount: number;
  /** Group within the segment → group in the tally. */
  readonly groupMap: Uint32Array;
  /** One byte per group: 1 counts. */
  readonly kept: Uint8Array;
}

/** Paths, or paths and titles, over all segments of a domain. */
export class PageGroups {
  readonly space: TextSpace;
  /** Pairs of numbers in the space; null when pages are told apart by path only. */
  readonly pairs: PairIndex | null;

  constructor(space: TextSpace, byTitle: boolean) {
    this.space = space;
    this.pairs = byTitle ? new PairIndex() : null;
  }

  get count(): number {
    return this.pairs?.count ?? this.space.texts(KIND.path).length;
  }

  pathIdOf(group: number): number {
    return this.pairs === null ? group : (this.pairs.firsts[group] as number);
  }

  pathOf(group: number): string {
    return this.space.texts(KIND.path)[this.pathIdOf(group)] as string;
  }

  titleOf(group: number): string {
    if (this.pairs === null) return '';
    return this.space.texts(KIND.title)[this.pairs.seconds[group] as number] as string;
  }

  /** Groups of a segment's (path, title) pairs in `groups`, and where they go in the tally. */
  assign(
    segment: Segment,
    columns: { paths: Uint32Array; titles: Uint32Array; count: number },
    run: QueryRun,
  ): { groups: Uint32Array; groupCount: number; groupMap: Uint32Array } {
    const pathMap = spaceIds(this.space, segment, KIND.path);
    const { paths, titles, count } = columns;
    if (this.pairs === null) {
      const groupCount = segment.dictionary.texts(KIND.path).length;
      return { groups: paths, groupCount, groupMap: pathMap };
    }
    const maps = { firsts: pathMap, seconds: spaceIds(this.space, segment, KIND.title) };
    const groups = COMPOSITE_GROUPS.raw(run, count);
    return groupByComposite({ firsts: paths, seconds: titles, count }, maps, this.pairs, groups);
  }

  /** Groups of all page views of a segment, in the order of `views`, and which of them are kept. */
  assignOrdered(segment: Segment, predicate: ViewPredicate, views: SessionViews): OrderedGroups {
    const pathMap = spaceIds(this.space, segment, KIND.path);
    if (this.pairs === null) {
      const groupCount = segment.dictionary.texts(KIND.path).length;
      const kept = passingPages(segment, predicate, null);
      return { groups: views.paths, groupCount, groupMap: pathMap, kept };
    }
    const { pages, pairs } = views.titled;
    const maps = { firsts: pathMap, seconds: spaceIds(this.space, segment, KIND.title) };
    const groupMap = mergeComposites(pairs, maps, this.pairs);
    const kept = passingPages(segment, predicate, pairs);
    return { groups: pages, groupCount: pairs.count, groupMap, kept };
  }
}

/** Pages by path, or by path and title, of a domain. */
export function pageGroupsIn(space: TextSpace, byTitle: boolean): PageGroups {
  const name = byTitle ? 'pages by title' : 'pages';
  return numberingIn(space, name, () => new PageGroups(space, byTitle));
}

/** A byte per page of a segment: 1 passes what is asked of its path, and of its title in a search. */
function passingPages(
  segment: Segment,
  predicate: ViewPredicate,
  pairs: PairIndex | null,
): Uint8Array {
  const paths = pathsTested(segment, predicate);
  if (pairs === null) {
    return paths ?? new Uint8Array(segment.dictionary.texts(KIND.path).length).fill(1);
  }
  const { search } = predicate;
  const rows = Uint32Array.from({ length: pairs.count }, (_, pair) => pair);
  const columns = { path: pairs.firsts, title: pairs.seconds };
  const count =
    search === null
      ? rows.length
      : keepSearched(segment, search, columns, { rows, count: rows.length });
  const kept = new Uint8Array(pairs.count);
  for (let index = 0; index < count; index++) {
    const pair = rows[index]!;
    kept[pair] = paths === null ? 1 : paths[pairs.firsts[pair]!]!;
  }
  return kept;
}
