/**
 * The list of sessions without a filter: only the days that the first rows can come from are read.
 *
 * A day's sessions start and end within its span of time. Once the days so far hold as many sessions
 * as are asked for, a day that begins after all of them ended has nothing to add.
 */

import { NONE } from '../segment/layout.ts';
import type { Segment } from '../segment/segment.ts';
import { totalsOver } from './rolled-totals.ts';
import { isInside } from './rows.ts';
import { checkBudget, type Scan } from './scan.ts';
import { answerSessionList } from './sessions.ts';

/** S-90. */
export function answerLatestSessions(scan: Scan): unknown {
  const { query, statistic } = scan;
  const order = query.sort ?? statistic.order[0];
  const column = order?.field === 'time' ? 'lastMs' : order?.field === 'start' ? 'startMs' : null;
  if (order === undefined || column === null) {
    checkBudget(scan);
    return answerSessionList(scan);
  }
  const isAscending = order.direction === 'asc';
  const narrowed = { ...scan, segments: needed(scan, isAscending) };
  checkBudget(narrowed);
  const bound = new Bound(query.offset + query.limit, isAscending);
  for (const segment of narrowed.segments) {
    if (!isInside(segment, query.range)) continue;
    const { lastView, [column]: times } = segment.sessions.columns;
    for (let row = 0; row < segment.sessions.rowCount; row++) {
      if (lastView[row] !== NONE) bound.add(times[row]!);
    }
  }
  return answerSessionList(narrowed, (segment, marks) => {
    const times = segment.sessions.columns[column];
    for (let row = 0; row < marks.length; row++) if (bound.excludes(times[row]!)) marks[row] = 0;
  });
}

/** The last of the first `count` instants, by a heap of them; what comes after it is not shown. */
class Bound {
  readonly #count: number;
  // Ascending lists keep instants as they are, descending ones their negatives.
  readonly #sign: 1 | -1;
  readonly #heap: number[] = [];

  constructor(count: number, isAscending: boolean) {
    this.#count = count;
    this.#sign = isAscending ? 1 : -1;
  }

  add(atMs: number): void {
    const heap = this.#heap;
    const value = atMs * this.#sign;
    if (heap.length < this.#count) {
      heap.push(value);
      // A heap from when it is full: before that nothing is excluded.
      if (heap.length === this.#count) heap.sort((left, right) => right - left);
      return;
    }
    if (value >= heap[0]!) return;
    let parent = 0;
    for (;;) {
      let child = parent * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! > heap[child]!) child++;
      if (heap[child]! <= value) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = value;
  }

  excludes(atMs: number): boolean {
    return this.#heap.length === this.#count && atMs * this.#sign > this.#heap[0]!;
  }
}

function needed({ segments, query }: Scan, isAscending: boolean): Segment[] {
  // Spans as distances from the end that the list starts at: near is where a span begins.
  const near = ({ minMs, maxMs }: Segment): number => (isAscending ? minMs : -maxMs);
  const far = ({ minMs, maxMs }: Segment): number => (isAscending ? maxMs : -minMs);
  const inOrder = [...segments].sort((left, right) => near(left) - near(right));
  let found = 0;
  let reach = Number.POSITIVE_INFINITY;
  let farthest = Number.NEGATIVE_INFINITY;
  return inOrder.filter((segment) => {
    if (near(segment) > reach) return false;
    if (isInside(segment, query.range)) {
      found += totalsOver([segment], query.range).sessions;
      farthest = Math.max(farthest, far(segment));
      if (found >= query.offset + query.limit) reach = Math.min(reach, farthest);
    }
    return true;
  });
}
