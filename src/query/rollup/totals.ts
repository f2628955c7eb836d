/**
 * Totals of a segment, or of the part of it in a span, from its quarters of an hour.
 *
 * Data plane. Sessions and visitors stand in the quarter of their first page view and in that of their
 * last one. All of a segment, or what lies before an instant, is a sum over firsts; what lies from an
 * instant on is a sum over lasts. Only a span inside the segment, or one that cuts a quarter, is
 * counted from the columns.
 */

import { SECOND_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { QUARTER_MS } from '../../segment/rollup/families.ts';
import { isRolledUp } from '../../segment/rollup/rebuild.ts';
import { cutWay, isRevised } from '../plan/segment-planner.ts';
import { isInside, overlaps, type Span } from '../plan/selection.ts';

/** Everything that a range counts as a whole. */
export interface RangeTotals {
  visitors: number;
  views: number;
  sessions: number;
  bounces: number;
  /** Durations of the sessions, and how many have one. */
  seconds: number;
  timed: number;
  /** Time on page, and how many page views have one. */
  pageSeconds: number;
  pageTimed: number;
}

/** Totals that count nothing yet. */
export function noTotals(): RangeTotals {
  return {
    ...{ visitors: 0, views: 0, sessions: 0, bounces: 0 },
    ...{ seconds: 0, timed: 0, pageSeconds: 0, pageTimed: 0 },
  };
}

/** Totals of a span over all segments, unfiltered. */
export function totalsOver(segments: readonly Segment[], span: Span): RangeTotals {
  const totals = noTotals();
  for (const segment of segments) addTotals(segment, span, totals);
  return totals;
}

/** Adds what a segment has in a span. */
export function addTotals(segment: Segment, span: Span, into: RangeTotals): void {
  if (!overlaps(segment, span)) return;
  const isWhole = isRolledUp(segment) && isInside(segment, span);
  addAll(into, isWhole ? wholeTotals(segment) : cutTotals(segment, span));
}

/** Totals of a part of a segment, remembered while the segment does not change. */
function cutTotals(segment: Segment, span: Span): RangeTotals {
  const { revision, minMs, maxMs } = segment;
  let known = cuts.get(segment);
  if (known === undefined || known.revision !== revision || known.bySpan.size >= CUT_COUNT_MAX) {
    known = { revision, bySpan: new Map() };
    if (isRevised(segment)) cuts.set(segment, known);
  }
  const key = `${Math.max(span.startMs, minMs)} ${Math.min(span.endMs, maxMs + 1)}`;
  let totals = known.bySpan.get(key);
  if (totals === undefined) {
    totals = keptTotals(segment, ` ${key}`, (into) => addCut(segment, span, into));
    known.bySpan.set(key, totals);
  }
  return totals;
}

/** The same, found on disk beside a day at rest (`segment/disk/day-counts.ts`) where it is not new. */
function keptTotals(
  { counts }: Segment,
  part: string,
  add: (into: RangeTotals) => void,
): RangeTotals {
  const name = `totals${part}`;
  const kept = counts?.find(name) ?? null;
  const totals = noTotals();
  if (kept !== null) {
    for (const [at, key] of TOTAL_NAMES.entries()) totals[key] = kept[at] ?? 0;
    return totals;
  }
  add(totals);
  const found = TOTAL_NAMES.map((key) => totals[key]);
  counts?.keep(name, found);
  return totals;
}

/** In the order in which they are kept. */
const TOTAL_NAMES = [
  ...(['visitors', 'views', 'sessions', 'bounces'] as const),
  ...(['seconds', 'timed', 'pageSeconds', 'pageTimed'] as const),
] as const;

function addCut(segment: Segment, span: Span, into: RangeTotals): void {
  const [start, end] = [span.startMs / QUARTER_MS, span.endMs / QUARTER_MS];
  const way = cutWay({
    ...(isRolledUp(segment) ? beyond(segment, span) : { before: true, after: true }),
    startsQuarter: Number.isInteger(start),
    endsQuarter: Number.isInteger(end),
  });
  if (way === 'by first page view') addQuarters(segment, 'first', { end }, into);
  else if (way === 'by last page view') addQuarters(segment, 'last', { start }, into);
  else countRows(segment, span, into);
}

/** Adds what a segment has in a span, row by row. @cost a step per page view, session and visitor. */
function countRows(segment: Segment, span: Span, into: RangeTotals): void {
  const { views, sessions } = segment;
  const { timeMs, session: ofView, timeOnPage } = views.columns;
  const { startMs, endMs } = span;
  const isHere = new Uint8Array(sessions.rowCount);
  let [viewCount, pageSeconds, pageTimed] = [0, 0, 0];
  for (let row = 0; row < views.rowCount; row++) {
    const atMs = timeMs[row]!;
    if (atMs < startMs || atMs >= endMs) continue;
    const session = ofView[row]!;
    isHere[session] = 1;
    const spent = timeOnPage[row]!;
    viewCount++;
    pageSeconds += spent;
    if (spent > 0) pageTimed++;
  }
  into.views += viewCount;
  into.pageSeconds += pageSeconds;
  into.pageTimed += pageTimed;
  countSessions(segment, isHere, into);
}

/** Adds marked sessions and their visitors. */
function countSessions(
  { sessions, visitors }: Segment,
  marks: Uint8Array,
  into: RangeTotals,
): void {
  const isSeen = new Uint8Array(visitors.rowCount);
  const { visitor, isBounce, startMs, lastMs } = sessions.columns;
  let [count, bounces, spent, timed, seen] = [0, 0, 0, 0, 0];
  for (let row = 0; row < marks.length; row++) {
    if (marks[row] === 0) continue;
    const seconds = Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
    const ordinal = visitor[row]!;
    count++;
    bounces += isBounce[row]!;
    spent += seconds;
    if (seconds > 0) timed++;
    seen += 1 - isSeen[ordinal]!;
    isSeen[ordinal] = 1;
  }
  into.sessions += count;
  into.bounces += bounces;
  into.seconds += spent;
  into.timed += timed;
  into.visitors += seen;
}

/** Spans remembered per segment: the two cuts of a day in some dozen zones. */
const CUT_COUNT_MAX = 32;

/** Totals of parts of segments by their span, by the revision of the reader's copy. */
const cuts = new WeakMap<Segment, { revision: number; bySpan: Map<string, RangeTotals> }>();

/** Totals of whole segments, by the revision of the reader's copy. */
const wholes = new WeakMap<Segment, { revision: number; totals: RangeTotals }>();

function wholeTotals(segment: Segment): RangeTotals {
  const { revision } = segment;
  const known = wholes.get(segment);
  if (known !== undefined && isRevised(segment) && known.revision === revision) {
    return known.totals;
  }
  const totals = keptTotals(segment, '', (into) => addQuarters(segment, 'first', {}, into));
  if (isRevised(segment)) wholes.set(segment, { revision, totals });
  return totals;
}

function addAll(into: RangeTotals, more: RangeTotals): void {
  into.visitors += more.visitors;
  into.views += more.views;
  into.sessions += more.sessions;
  into.bounces += more.bounces;
  into.seconds += more.seconds;
  into.timed += more.timed;
  into.pageSeconds += more.pageSeconds;
  into.pageTimed += more.pageTimed;
}

/** Whether the segment has page views in quarters that do not begin, or do not end, in the span. */
function beyond(segment: Segment, span: Span): { before: boolean; after: boolean } {
  const { quarter, views } = segment.quarters.columns;
  let before = false;
  let after = false;
  for (let row = 0; row < segment.quarters.rowCount; row++) {
    if (views[row] === 0) continue;
    if (quarter[row]! * QUARTER_MS < span.startMs) before = true;
    if ((quarter[row]! + 1) * QUARTER_MS > span.endMs) after = true;
  }
  return { before, after };
}

/** Columns of sessions and visitors by one end of them: the quarter of their first page view, or of their last. */
const ENDS = {
  first: {
    sessions: 'sessionsFirst',
    visitors: 'visitorsFirst',
    bounces: 'bouncesFirst',
    timed: 'timedFirst',
    seconds: 'secondsFirst',
  },
  last: {
    sessions: 'sessionsLast',
    visitors: 'visitorsLast',
    bounces: 'bouncesLast',
    timed: 'timedLast',
    seconds: 'secondsLast',
  },
} as const;

/** Adds what has its first, or its last, page view in some quarters: from `start` on, before `end`. */
function addQuarters(
  segment: Segment,
  by: keyof typeof ENDS,
  { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number },
  into: RangeTotals,
): void {
  const { columns, rowCount } = segment.quarters;
  const { quarter, views, pageTimed, pageSeconds } = columns;
  const names = ENDS[by];
  const sessions = columns[names.sessions];
  const visitors = columns[names.visitors];
  const bounces = columns[names.bounces];
  const timed = columns[names.timed];
  const seconds = columns[names.seconds];
  for (let row = 0; row < rowCount; row++) {
    if (quarter[row]! < start || quarter[row]! >= end) continue;
    into.sessions += sessions[row]!;
    into.visitors += visitors[row]!;
    into.bounces += bounces[row]!;
    into.timed += timed[row]!;
    into.seconds += seconds[row]!;
    into.views += views[row]!;
    into.pageTimed += pageTimed[row]!;
    into.pageSeconds += pageSeconds[row]!;
  }
}
