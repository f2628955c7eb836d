/**
 * One question on a query thread, from its budget to its bytes.
 *
 * Data plane inside `runStatistics`; here only the way in and out.
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { isHeapFull } from '../../base/heap.ts';
import { OperatingError } from '../../model/errors.ts';
import { planFor, runOver } from '../../query/answers/run.ts';
import { isBoundedByRows } from '../../query/plan/planner.ts';
import { Budget } from '../../query/question/budget.ts';
import { type StatisticsQuery, spanOf } from '../../query/question/request.ts';
import { forgetTextSpaces } from '../../query/text/text-space.ts';
import type { SegmentReader } from '../../segment/disk/segment-reader.ts';
import type { ScanTask } from './scan-task.ts';
import { type SlowQuery, slowQuery } from './slow-query.ts';

const encoder = new TextEncoder();

/** A question by itself: of a task, or one of its batch. */
export type ScanQuestion = Omit<ScanTask, 'query'> & { readonly query: StatisticsQuery };

/**
 * Answers a question.
 *
 * @param slow is given what is to be logged of it.
 * @returns JSON bytes. @throws the operating error that is its answer; what was read is in order then.
 */
export function answerQuestion(
  reader: SegmentReader,
  task: ScanQuestion,
  slow: SlowQuery[],
): Uint8Array {
  const { shard, epoch, query, secondsMax, abandoned } = task;
  const startMs = monotonicMs();
  const limits = {
    rowsMax: query.rowsMax,
    secondsMax,
    spentMs: Math.max(systemClock() - task.arrivedMs, 0),
    isAbandoned: () => Atomics.load(abandoned, 0) !== 0,
  };
  const plan = planFor(query);
  const budget = new Budget(limits, monotonicMs);
  try {
    // One that has waited too long, or for a client that left, costs nothing.
    budget.check();
    // Pre-aggregates are a few rows; what has to be counted beside them is bounded by time.
    const rows = isBoundedByRows(plan) ? budget : null;
    const request = { shard, epoch, domainId: query.domainId, ...spanOf(query), budget: rows };
    const segments = reader.read(request);
    const found = runOver(query, { segments, imported: reader.imports(request) }, budget);
    return encoder.encode(JSON.stringify(found));
  } catch (error) {
    if (error instanceof OperatingError) tidy(reader, error);
    throw error;
  } finally {
    const line = slowQuery(query, plan, monotonicMs() - startMs);
    if (line !== null) slow.push(line);
  }
}

function tidy(reader: SegmentReader, { code }: OperatingError): void {
  if (code === 'STATE_DAMAGED') reader.dropLast();
  if (code === 'QUERY_BUDGET_EXCEEDED' && isHeapFull()) {
    reader.forget();
    forgetTextSpaces();
  }
}
