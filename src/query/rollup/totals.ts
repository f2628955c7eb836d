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
import { isInside, overlaps, type Span } from '../plan/selection.ts';

/** Everything that a range counts as a whole. */
export interface RolledTotals {
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
export function noTotals(): RolledTotals {
  return {
    ...{ visitors: 0, views: 0, sessions: 0, bounces: 0 },
    ...{ seconds: 0, timed: 0, pageSeconds: 0, pageTimed: 0 },
  };
}

/** Totals of a span over all segments, unfiltered. */
export function totalsOver(segments: readonly Segment[], span: Span): RolledTotals {
  const totals = noTotals();
  for (const segment of segments) addTotals(segment, span, totals);
  return totals;
}

/** Adds what a segment has in a span. */
export function addTotals(segment: Segment, span: Span, into: RolledTotals): void {
  if (!overlaps(segment, span)) return;
  const isRolled = isRolledUp(segment);
  if (isRolled && isInside(segment, span)) {
    addAll(into, wholeTotals(segment));
    return;
  }
  addAll(into, cutTotals(segment, span, isRolled));
}

/** Totals of a part of a segment, kept while the segment does not move. */
function cutTotals(segment: Segment, span: Span, isRolled: boolean): RolledTotals {
  const { revision, minMs, maxMs } = segment;
  let held = cuts.get(segment);
  if (held === undefined || held.revision !== revision || held.bySpan.size >= CUT_COUNT_MAX) {
    held = { revision, bySpan: new Map() };
    if (revision > 0) cuts.set(segment, held);
  }
  const key = `${Math.max(span.startMs, minMs)} ${Math.min(span.endMs, maxMs + 1)}`;
  let totals = held.bySpan.get(key);
  if (totals === undefined) {
    totals = noTotals();
    addCut(segment, span, { into: totals, isRolled });
    held.bySpan.set(key, totals);
  }
  return totals;
}

function addCut(
  segment: Segment,
  span: Span,
  { into, isRolled }: { into: RolledTotals; isRolled: boolean },
): void {
  const [from, to] = [span.startMs / QUARTER_MS, span.endMs / QUARTER_MS];
  const { before, after } = isRolled ? beyond(segment, span) : { before: true, after: true };
  if (!before && (!after || Number.isInteger(to))) addFirsts(segment, to, into);
  else if (!after && Number.isInteger(from)) addLasts(segment, from, into);
  else {
    countRows(segment, span, into);
  }
}

/** Adds what a segment has in a span, row by row. @cost a step per page view, session and visitor. */
function countRows(segment: Segment, span: Span, into: RolledTotals): void {
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
  into: RolledTotals,
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
const cuts = new WeakMap<Segment, { revision: number; bySpan: Map<string, RolledTotals> }>();

/** Totals of whole segments, by the revision of the reader's copy. */
const wholes = new WeakMap<Segment, { revision: number; totals: RolledTotals }>();

function wholeTotals(segment: Segment): RolledTotals {
  const { revision } = segment;
  const known = wholes.get(segment);
  if (known !== undefined && revision > 0 && known.revision === revision) return known.totals;
  const totals = noTotals();
  addFirsts(segment, Number.POSITIVE_INFINITY, totals);
  if (revision > 0) wholes.set(segment, { revision, totals });
  return totals;
}

function addAll(into: RolledTotals, more: RolledTotals): void {
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

/** Adds what has its first page view before a quarter. */
function addFirsts(segment: Segment, end: number, into: RolledTotals): void {
  const { columns, rowCount } = segment.quarters;
  const { quarter, sessionsFirst, visitorsFirst, bouncesFirst, timedFirst, secondsFirst } = columns;
  for (let row = 0; row < rowCount; row++) {
    if (quarter[row]! >= end) continue;
    into.sessions += sessionsFirst[row]!;
    into.visitors += visitorsFirst[row]!;
    into.bounces += bouncesFirst[row]!;
    into.timed += timedFirst[row]!;
    into.seconds += secondsFirst[row]!;
    addViews(segment, row, into);
  }
}

/** Adds what has its last page view in a quarter or after it. */
function addLasts(segment: Segment, start: number, into: RolledTotals): void {
  const { columns, rowCount } = segment.quarters;
  const { quarter, sessionsLast, visitorsLast, bouncesLast, timedLast, secondsLast } = columns;
  for (let row = 0; row < rowCount; row++) {
    if (quarter[row]! < start) continue;
    into.sessions += sessionsLast[row]!;
    into.visitors += visitorsLast[row]!;
    into.bounces += bouncesLast[row]!;
    into.timed += timedLast[row]!;
    into.seconds += secondsLast[row]!;
    addViews(segment, row, into);
  }
}

function addViews(segment: Segment, row: number, into: RolledTotals): void {
  const { views, pageTimed, pageSeconds } = segment.quarters.columns;
  into.views += views[row]!;
  into.pageTimed += pageTimed[row]!;
  into.pageSeconds += pageSeconds[row]!;
}
