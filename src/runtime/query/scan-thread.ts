/**
 * A query thread: reads a domain's segments from a snapshot and answers in JSON bytes.
 *
 * Data plane inside `runStatistics`; here only the way in and out.
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { collectAtRest, isHeapFull, withinHeap } from '../../base/heap.ts';
import { failedOutcome, type Outcome } from '../../bus/request-reply.ts';
import { OperatingError } from '../../model/errors.ts';
import { budgets } from '../../model/memory.ts';
import { planFor, runStatistics } from '../../query/answers/run.ts';
import { isBoundedByRows, type Plan } from '../../query/plan/planner.ts';
import { Budget } from '../../query/question/budget.ts';
import { spanOf } from '../../query/question/request.ts';
import { forgetTextSpaces } from '../../query/text/text-space.ts';
import { SegmentReader } from '../../segment/disk/segment-reader.ts';
import { nameThread } from '../telemetry/thread-metrics.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-task.ts';
import { slowQuery } from './slow-query.ts';

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
  // It sleeps outside of its event loop: how late that is says nothing.
  nameThread('scan');
  return (task) => {
    const { query, secondsMax, abandoned } = task;
    const startMs = monotonicMs();
    const limits = {
      rowsMax: query.rowsMax,
      secondsMax,
      spentMs: Math.max(systemClock() - task.arrivedMs, 0),
      isAbandoned: () => Atomics.load(abandoned, 0) !== 0,
    };
    const plan = planFor(query);
    const outcome = answer(reader, task, plan, new Budget(limits, monotonicMs));
    return { outcome, slow: slowQuery(query, plan, monotonicMs() - startMs) };
  };
}

function answer(
  reader: SegmentReader,
  { shard, epoch, query }: ScanTask,
  plan: Plan,
  budget: Budget,
): Outcome<Uint8Array> {
  try {
    // One that has waited too long, or for a client that left, costs nothing.
    budget.check();
    // Pre-aggregates are a few rows; what has to be counted beside them is bounded by time.
    const rows = isBoundedByRows(plan) ? budget : null;
    const request = { shard, epoch, domainId: query.domainId, ...spanOf(query), budget: rows };
    const found = runStatistics(query, reader.read(request), budget);
    return { value: encoder.encode(JSON.stringify(found)) };
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error;
    if (error.code === 'STATE_DAMAGED') reader.dropLast();
    if (error.code === 'QUERY_BUDGET_EXCEEDED' && isHeapFull()) {
      reader.forget();
      forgetTextSpaces();
    }
    return failedOutcome(error);
  }
}
