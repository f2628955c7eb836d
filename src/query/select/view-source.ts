/**
 * Page views from an index instead of a pass over all of them: the one place that decides which.
 *
 * Data plane. Of the rows of the selected sessions, those of the kept paths and those that have
 * tags, the fewest are taken and put to the other tests. Where none are few, or a day moves, there
 * is no source.
 *
 *     sessions of de 12,000 views │ paths of /blog 900 views │ with tags 5,000 views
 *                                   └── taken: session? time? ──▶ rows
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { markSessions } from '../count/tally.ts';
import type { Scratch } from '../plan/scratch.ts';
import { isInside, type Selection, type Span } from '../plan/selection.ts';
import type { ViewQuestion } from '../plan/view-predicate.ts';
import { hasSessionFilter } from '../question/filters.ts';
import {
  gatherKept,
  keptCount,
  type RowIndex,
  taggedViews,
  viewsByPath,
  viewsOfSession,
} from './row-index.ts';
import { selectedCountMax, selectedSessions, selectSessions } from './select-sessions.ts';
import { inVisitorOrder } from './visitor-order.ts';

/** What rows are tested by beside their sessions. */
interface RowTests {
  readonly range: Span;
  /** Bytes per path; null: any. */
  readonly pathMask: Uint8Array | null;
  /** Whether rows without tags fail. */
  readonly needsTags: boolean;
}

/** A way to the rows that takes fewer steps than a pass over all. */
interface ViewSource {
  /** Writes the rows that pass. @returns how many. */
  take(rows: Uint32Array): number;
}

/** Of more than one row in this many, a pass over all rows is as quick. */
const SOURCE_SHARE = 2;
/** Rows of sessions are not in order of time, which costs whoever groups by it. */
const SESSION_SHARE = 8;

/** The shortest way to the rows of a question; null: a pass over all of them. */
export function viewSource(
  segment: Segment,
  question: ViewQuestion,
  tests: RowTests,
  scratch: Scratch,
): ViewSource | null {
  if (question.blockMaxMs !== null || question.filters.sessionIds !== null) return null;
  const { rowCount } = segment.views;
  // A deletion may have left events only.
  if (rowCount === 0) return null;
  const { pathMask, needsTags } = tests;
  const byPath = pathMask === null ? null : viewsByPath(segment, scratch);
  const ofPaths = byPath === null ? rowCount : keptCount(byPath, pathMask as Uint8Array);
  const tagged = needsTags ? taggedViews(segment, scratch) : null;
  const ofTags = tagged?.rows.length ?? rowCount;
  const bySession = hasSessionFilter(question.filters) ? viewsOfSession(segment, scratch) : null;
  const expected = bySession === null ? rowCount : viewsExpected(segment, question, scratch);
  const ofSessions = expected * SESSION_SHARE <= rowCount ? expected : rowCount;
  const least = Math.min(ofPaths, ofTags, ofSessions);
  if (least * SOURCE_SHARE > rowCount) return null;
  const left = { segment, question, tests, scratch };
  if (tagged !== null && least === ofTags) {
    return { take: (rows) => keepRows(left, rows, copied(tagged.rows, rows), pathMask) };
  }
  if (byPath !== null && least === ofPaths) {
    const kept = pathMask as Uint8Array;
    return { take: (rows) => keepRows(left, rows, gatherKept(byPath, kept, rows), null) };
  }
  return { take: (rows) => takeOfSessions(left, bySession as RowIndex, rows) };
}

/**
 * The page views of some sessions in a range.
 *
 * @param sessions in any order, also several times.
 */
export function viewsOfSessions(
  segment: Segment,
  sessions: Uint32Array,
  range: Span,
  scratch: Scratch,
): Selection & { readonly rows: Uint32Array } {
  const index = viewsOfSession(segment, scratch);
  const { timeMs, session } = segment.views.columns;
  const { startMs, endMs } = range;
  const rows = scratch.rawWords('viewRows', segment.views.rowCount);
  let count = 0;
  if (index === null) {
    const marks = markSessions(segment, sessions, sessions.length, scratch);
    for (let row = 0; row < segment.views.rowCount; row++) {
      if (marks[session[row]!] === 0) continue;
      if (timeMs[row]! >= startMs && timeMs[row]! < endMs) rows[count++] = row;
    }
    return { rows, count };
  }
  const distinct = inVisitorOrder(segment, sessions, scratch, 'sessionsOfViews');
  for (let at = 0; at < distinct.length; at++) {
    const end = index.starts[distinct[at]! + 1]!;
    for (let view = index.starts[distinct[at]!]!; view < end; view++) {
      const row = index.rows[view]!;
      if (timeMs[row]! >= startMs && timeMs[row]! < endMs) rows[count++] = row;
    }
  }
  return { rows, count };
}

interface Left {
  readonly segment: Segment;
  readonly question: ViewQuestion;
  readonly tests: RowTests;
  readonly scratch: Scratch;
}

/** Views of as many sessions as pass at the most, if they have as many as others. */
function viewsExpected(segment: Segment, { filters }: ViewQuestion, scratch: Scratch): number {
  const share = segment.views.rowCount / Math.max(segment.sessions.rowCount, 1);
  return Math.ceil(selectedCountMax(segment, filters, scratch) * share);
}

function copied(from: Uint32Array, rows: Uint32Array): number {
  rows.set(from);
  return from.length;
}

/** Keeps the first `count` rows that pass the tests that are left, in place. */
function keepRows(
  { segment, question, tests, scratch }: Left,
  rows: Uint32Array,
  count: number,
  pathMask: Uint8Array | null,
): number {
  const { filters, range } = question;
  const testsTime = !isInside(segment, tests.range);
  const mask = hasSessionFilter(filters) ? selectSessions(segment, filters, range, scratch) : null;
  if (!testsTime && mask === null && pathMask === null) return count;
  const { timeMs, session, path } = segment.views.columns;
  const { startMs, endMs } = range;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    if (mask !== null && mask[session[row]!] === 0) continue;
    if (pathMask !== null && pathMask[path[row]!] === 0) continue;
    if (testsTime && (timeMs[row]! < startMs || timeMs[row]! >= endMs)) continue;
    rows[kept++] = row;
  }
  return kept;
}

function takeOfSessions(
  { segment, question, tests, scratch }: Left,
  { starts, rows: ofSessions }: RowIndex,
  rows: Uint32Array,
): number {
  const sessions = selectedSessions(segment, question, null, scratch);
  const { pathMask, range } = tests;
  const { startMs, endMs } = range;
  const { timeMs, path } = segment.views.columns;
  const testsTime = !isInside(segment, range);
  let count = 0;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const end = starts[session + 1]!;
    for (let at = starts[session]!; at < end; at++) {
      const row = ofSessions[at]!;
      if (pathMask !== null && pathMask[path[row]!] === 0) continue;
      if (testsTime && (timeMs[row]! < startMs || timeMs[row]! >= endMs)) continue;
      rows[count++] = row;
    }
  }
  return count;
}
