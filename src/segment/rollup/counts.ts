/**
 * The rows of a segment that lie in a span of time, and how many of them, of their sessions and of
 * their visitors are in each group.
 *
 * Data plane. One count over all groups at once; no set is made.
 *
 *     (group, session) entries ─▶ sorted by group ─▶ distinct sessions, visitors
 */

import type { Segment } from '../memory/segment.ts';

/** Instants `[startMs, endMs)`. */
export interface RollupSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The tables of pre-aggregates. */
export type Rollups = Pick<Segment, 'rollups' | 'pages' | 'titledPages' | 'quarters'>;

/** Rows that count, with the group of each. */
export interface Entries {
  readonly groups: Uint32Array;
  readonly sessions: Uint32Array;
}

/** What each group counts. */
export interface Counts {
  readonly rows: Uint32Array;
  readonly sessions: Uint32Array;
  readonly visitors: Uint32Array;
  readonly bounces: Uint32Array;
}

/** What of a segment lies in a span. */
export class SpanRows {
  readonly segment: Segment;
  readonly views: Uint32Array;
  readonly events: Uint32Array;
  /** Session of each of the views. */
  readonly viewSessions: Uint32Array;
  /** Distinct sessions with a page view in the span. */
  readonly sessions: Uint32Array;

  /** @param span null: everything. */
  constructor(segment: Segment, span: RollupSpan | null) {
    this.segment = segment;
    const { views, events, sessions } = segment;
    const { session } = views.columns;
    this.views = rowsIn(views.columns.timeMs, views.rowCount, span);
    this.events = rowsIn(events.columns.timeMs, events.rowCount, span);
    this.viewSessions = new Uint32Array(this.views.length);
    const marks = new Uint8Array(sessions.rowCount);
    for (let index = 0; index < this.views.length; index++) {
      const of = session[this.views[index]!]!;
      this.viewSessions[index] = of;
      marks[of] = 1;
    }
    this.sessions = rowsMarked(marks);
  }
}

function rowsIn(timeMs: Float64Array, rowCount: number, span: RollupSpan | null): Uint32Array {
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const atMs = timeMs[row]!;
    if (span === null || (atMs >= span.startMs && atMs < span.endMs)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function rowsMarked(marks: Uint8Array): Uint32Array {
  const rows = new Uint32Array(marks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Counts per group; groups from `groupCount` on are left out. */
export function countEntries(segment: Segment, entries: Entries, groupCount: number): Counts {
  const { groups } = entries;
  const { visitor, isBounce } = segment.sessions.columns;
  const counts: Counts = {
    rows: new Uint32Array(groupCount),
    sessions: new Uint32Array(groupCount),
    visitors: new Uint32Array(groupCount),
    bounces: new Uint32Array(groupCount),
  };
  for (let index = 0; index < groups.length; index++) {
    if (groups[index]! < groupCount) counts.rows[groups[index]!]!++;
  }
  const sorted = sortedSessions(entries, counts.rows);
  const sessionStamps = new Uint32Array(segment.sessions.rowCount);
  const visitorStamps = new Uint32Array(segment.visitors.rowCount);
  let index = 0;
  for (let group = 0; group < groupCount; group++) {
    const stamp = group + 1;
    for (const end = index + counts.rows[group]!; index < end; index++) {
      const session = sorted[index]!;
      if (sessionStamps[session] === stamp) continue;
      sessionStamps[session] = stamp;
      counts.sessions[group]!++;
      counts.bounces[group]! += isBounce[session]!;
      const ordinal = visitor[session]!;
      if (visitorStamps[ordinal] === stamp) continue;
      visitorStamps[ordinal] = stamp;
      counts.visitors[group]!++;
    }
  }
  return counts;
}

/** The entries' sessions in order of group. */
function sortedSessions({ groups, sessions }: Entries, sizes: Uint32Array): Uint32Array {
  const next = new Uint32Array(sizes.length);
  let start = 0;
  for (let group = 0; group < sizes.length; group++) {
    next[group] = start;
    start += sizes[group]!;
  }
  const sorted = new Uint32Array(start);
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    if (group < sizes.length) sorted[next[group]!++] = sessions[index]!;
  }
  return sorted;
}
