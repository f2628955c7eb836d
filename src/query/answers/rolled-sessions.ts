/**
 * The list of sessions without a filter: only the days that the first rows can come from are read.
 *
 * A day's sessions start and end within its span of time. Once the days so far hold as many sessions
 * as are asked for, a day that begins after all of them ended has nothing to add.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { checkBudget, type Scan } from '../plan/query-context.ts';
import { isInside } from '../plan/selection.ts';
import { totalsOver } from '../rollup/totals.ts';
import { answerSessionList } from './sessions.ts';

/** S-90. */
export function answerLatestSessions(scan: Scan): unknown {
  const order = scan.query.sort ?? scan.statistic.order[0];
  const isByTime = order?.field === 'time' || order?.field === 'start';
  const segments = isByTime ? needed(scan, order.direction === 'asc') : scan.segments;
  const narrowed = { ...scan, segments };
  checkBudget(narrowed);
  return answerSessionList(narrowed);
}

function needed({ segments, query }: Scan, isAscending: boolean): Segment[] {
  // Spans as distances from the end that the list starts at: near is where a span begins.
  const near = ({ minMs, maxMs }: Segment): number => (isAscending ? minMs : -maxMs);
  const far = ({ minMs, maxMs }: Segment): number => (isAscending ? maxMs : -minMs);
  const inOrder = [...segments].sort((left, right) => near(left) - near(right));
  let found = 0;
  let reach = Number.POSITIVE_INFINITY;
  let farthest = Number.NEGATIVE_INFINITY;
  const kept = inOrder.filter((segment) => {
    if (near(segment) > reach) return false;
    if (isInside(segment, query.range)) {
      found += totalsOver([segment], query.range).sessions;
      farthest = Math.max(farthest, far(segment));
      if (found >= query.offset + query.limit) reach = Math.min(reach, farthest);
    }
    return true;
  });
  // In the order they came in: the list counts on it.
  return segments.filter((segment) => kept.includes(segment));
}
