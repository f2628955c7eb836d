/**
 * How one segment is read: what a plan cannot decide before it sees the segment.
 *
 * Control plane, a few comparisons per segment and never one per row. Executors bring estimates
 * (`select/estimates.ts`) and facts; the choices and the shares that they turn on are here, and only
 * here. A share of n means: as long as not more than one in n is left.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { formatDay } from '../question/calendar.ts';
import type { IndexUse } from './planner.ts';
import { isInside, type Span } from './selection.ts';

/** Of more rows than one in this many, a pass over all of them is as quick as an index. */
const INDEX_SHARE = 2;
/** Rows by session are not in order of time, which costs whoever groups by it. */
const SESSION_INDEX_SHARE = 8;
/** What leaves no more rows than one in this many needs no further index. */
const ENOUGH_SHARE = 8;
/** Of more page views than one in this many, sessions are walked along to count them by page. */
const PAGES_SHARE = 4;
/** Page views of a session that is walked along, in the guess which way is the shorter. */
const VIEWS_PER_SESSION = 3;
/** Days this close to the newest one are taken to change still. */
const CHANGING_DAYS = 1;

/**
 * The test to begin with: the one that leaves the fewest sessions, if it leaves few.
 *
 * @param counts per test, how many sessions it leaves; infinite where no index tells.
 * @returns its place, or −1: all sessions are tested.
 */
export function narrowestTest(counts: readonly number[], sessionCount: number): number {
  let narrowest = -1;
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] as number;
    if (count * INDEX_SHARE > sessionCount) continue;
    if (count < (counts[narrowest] ?? sessionCount)) narrowest = at;
  }
  return narrowest;
}

/** The way to page views. */
export type ViewWay =
  | 'the index of paths'
  | 'the index of tags'
  | 'the index of sessions'
  | 'a pass';

/** Page views that each test leaves, as far as indexes tell; all of them where none does. */
export interface ViewEstimates {
  readonly rowCount: number;
  readonly ofPaths: number;
  readonly ofTags: number;
  readonly ofSessions: number;
}

/** Whether an index leaves so few rows that another one would not be worth its making. */
export function isEnough(left: number, rowCount: number): boolean {
  return left * ENOUGH_SHARE <= rowCount;
}

/** The fewest rows to begin with; the other tests look at those. */
export function viewWay({ rowCount, ofPaths, ofTags, ofSessions }: ViewEstimates): ViewWay {
  const bySession = ofSessions * SESSION_INDEX_SHARE <= rowCount ? ofSessions : rowCount;
  const least = Math.min(ofPaths, ofTags, bySession);
  if (least * INDEX_SHARE > rowCount) return 'a pass';
  if (least === ofTags) return 'the index of tags';
  return least === ofPaths ? 'the index of paths' : 'the index of sessions';
}

/** What tells which sessions have page views among the rows. */
export type ViewedWay = 'whole sessions' | 'sessions and their ends' | 'paths' | 'page views';

/**
 * Sessions are in or out as a whole unless page views are tested; where only paths are, and the range
 * does not cut the segment, page views need no look at their time.
 */
export function viewedWay(
  isWholeDay: boolean,
  tests: { readonly testsViews: boolean; readonly testsPathsOnly: boolean },
): ViewedWay {
  if (!tests.testsViews) return isWholeDay ? 'whole sessions' : 'sessions and their ends';
  return isWholeDay && tests.testsPathsOnly ? 'paths' : 'page views';
}

/** Whether viewers of some paths are found from the paths, or along the sessions that pass. */
export function viewersWay(viewsOfPaths: number, sessionsMost: number): 'by path' | 'by session' {
  return viewsOfPaths < sessionsMost * VIEWS_PER_SESSION ? 'by path' : 'by session';
}

/** Whether page views are counted by page along the sessions, or row by row. */
export function pageCountWay({
  ofPaths,
  rowCount,
}: {
  readonly ofPaths: number;
  readonly rowCount: number;
}): 'by session' | 'by row' {
  return ofPaths * PAGES_SHARE > rowCount ? 'by session' : 'by row';
}

/** Whether page views are counted by time with their sessions, or row by row. */
export function timeCountWay(testsViews: boolean): 'by session' | 'by row' {
  return !testsViews ? 'by session' : 'by row';
}

/** The end of a session or visitor that tells whether it is in a part of a day, or a pass over rows. */
export type CutWay = 'by first page view' | 'by last page view' | 'a pass';

/** How a part of a day is summed from its quarters of an hour. */
export function cutWay(cut: {
  /** Whether the day has page views in quarters that begin before the span, or end after it. */
  readonly before: boolean;
  readonly after: boolean;
  /** Whether the span begins and ends where a quarter does. */
  readonly startsQuarter: boolean;
  readonly endsQuarter: boolean;
}): CutWay {
  if (!cut.before && (!cut.after || cut.endsQuarter)) return 'by first page view';
  return !cut.after && cut.startsQuarter ? 'by last page view' : 'a pass';
}

/** The segments that are taken to be settled, and those that change still. */
export function splitSettled(segments: readonly Segment[]): {
  settled: Segment[];
  changing: Segment[];
} {
  let newest = 0;
  for (const { day } of segments) newest = Math.max(newest, day);
  const settled: Segment[] = [];
  const changing: Segment[] = [];
  for (const segment of segments) {
    const isSettled = isRevised(segment) && segment.day < newest - CHANGING_DAYS;
    (isSettled ? settled : changing).push(segment);
  }
  return { settled, changing };
}

/** What becomes of an index that a question could use. */
export type IndexWay = 'none' | 'made for the question' | 'made and held';

/**
 * Whether an index pays: not for one question only, nor where the next hit makes another of it.
 *
 * @param isFirstUse whether no question before could have used it on the same rows.
 */
export function indexWay(use: IndexUse, segment: Segment, isFirstUse: boolean): IndexWay {
  if (use === 'never') return 'none';
  if (!isRevised(segment)) return use === 'always' ? 'made for the question' : 'none';
  return use === 'second use' && isFirstUse ? 'none' : 'made and held';
}

/** Whether sessions are begun with those of the events that match, if nothing else tells few. */
export function startsWithEvents(use: IndexUse, hasNarrowest: boolean): boolean {
  return use !== 'never' && !hasNarrowest;
}

/** Whether a segment's revision tells its states apart, so that what is counted of it can be cached. */
export function isRevised({ revision }: Segment): boolean {
  return revision > 0;
}

/** What EXPLAIN says of a segment. */
export interface SegmentRecord {
  /** Its UTC date. */
  readonly day: string;
  readonly rows: number;
  readonly range: 'whole day' | 'cut by the range';
  readonly state: 'settled' | 'changing';
  /** What was decided while it was read; empty where nothing of it had to be. */
  readonly steps: readonly string[];
}

/** What was decided of the segments of a query. */
export function segmentRecords(
  segments: readonly Segment[],
  range: Span,
  decisions: ReadonlyMap<Segment, ReadonlySet<string>> | null,
): SegmentRecord[] {
  const { settled } = splitSettled(segments);
  return segments.map((segment) => ({
    day: formatDay(segment.day),
    rows: rowCountOf(segment),
    range: isInside(segment, range) ? 'whole day' : 'cut by the range',
    state: settled.includes(segment) ? 'settled' : 'changing',
    steps: [...(decisions?.get(segment) ?? [])],
  }));
}

/** Sessions, page views and events of a segment. */
export function rowCountOf({ sessions, views, events }: Segment): number {
  return sessions.rowCount + views.rowCount + events.rowCount;
}
