/**
 * A query thread: reads a domain's segments from a snapshot and answers in JSON bytes.
 *
 * Data plane inside `runStatistics`; here only the way in and out.
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { collectAtRest, isHeapFull, withinHeap } from '../../base/heap.ts';
import { OperatingError, sendError } from '../../model/errors.ts';
import { budgets } from '../../model/memory.ts';
import { isRolled } from '../../query/answers/rolled.ts';
import { runStatistics } from '../../query/answers/run.ts';
import { Budget } from '../../query/question/budget.ts';
import { spanOf } from '../../query/question/request.ts';
import { forgetTextSpaces } from '../../query/text/text-space.ts';
import { SegmentReader } from '../../segment/disk/segment-reader.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-task.ts';

/** Of the thread's heap, for what is kept from question to question. */
const CACHE_HEAP_SHARE = 0.3;

const encoder = new TextEncoder();

/** Makes the function that a query thread runs for every task. */
export function openScanThread(data: ScanThreadData): (task: ScanTask) => ScanResult {
  const reader = new SegmentReader(
    data.dataDir,
    withinHeap(budgets.segmentCache * data.cacheShare, CACHE_HEAP_SHARE),
  );
  collectAtRest();
  return ({ shard, epoch, query, arrivedMs, secondsMax, abandoned }) => {
    const limits = {
      rowsMax: query.rowsMax,
      secondsMax,
      spentMs: Math.max(systemClock() - arrivedMs, 0),
      isAbandoned: () => Atomics.load(abandoned, 0) !== 0,
    };
    const budget = new Budget(limits, monotonicMs);
    try {
      // One that has waited too long, or for a client that left, costs nothing.
      budget.check();
      // Pre-aggregates are a few rows; what has to be scanned beside them is bounded by time.
      const rows = isRolled(query) ? null : budget;
      const request = { shard, epoch, domainId: query.domainId, ...spanOf(query), budget: rows };
      const answer = runStatistics(query, reader.read(request), budget);
      return { bytes: encoder.encode(JSON.stringify(answer)), error: null };
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      if (error.code === 'STATE_DAMAGED') reader.dropLast();
      if (error.code === 'QUERY_BUDGET_EXCEEDED' && isHeapFull()) {
        reader.forget();
        forgetTextSpaces();
      }
      return { bytes: null, error: sendError(error) };
    }
  };
}
