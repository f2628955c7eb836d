/**
 * A query thread: reads a domain's segments from a snapshot and answers in JSON bytes.
 *
 * Data plane inside `runStatistics`; here only the way in and out.
 */

import { collectAtRest, withinHeap } from '../../base/heap.ts';
import { failedOutcome, type Outcome } from '../../bus/request-reply.ts';
import { OperatingError } from '../../model/errors.ts';
import { budgets } from '../../model/memory.ts';
import { SegmentReader } from '../../segment/disk/segment-reader.ts';
import { nameThread } from '../telemetry/thread-metrics.ts';
import { BatchRuns } from './batch-run.ts';
import { answerQuestion, type ScanQuestion } from './scan-answer.ts';
import type { ScanReport, ScanResult, ScanThreadData, ScanTurn } from './scan-task.ts';
import type { SlowQuery } from './slow-query.ts';

/** Of the thread's heap, for what is kept from question to question. */
const CACHE_HEAP_SHARE = 0.3;

/** Makes the function that a query thread runs for every turn. */
export function openScanThread(data: ScanThreadData): (turn: ScanTurn) => ScanReport {
  const reader = new SegmentReader(
    data.dataDir,
    withinHeap(budgets.segmentCache * data.cacheShare, CACHE_HEAP_SHARE),
  );
  const batches = new BatchRuns(reader, () => Atomics.load(data.waiting, 0) > 0);
  collectAtRest();
  // It sleeps outside of its event loop: how late that is says nothing.
  nameThread('scan');
  return (turn) => {
    const result = takeTurn(turn, reader, batches);
    return { ...result, counted: reader.takeCounted(), summed: reader.takeSummed() };
  };
}

function takeTurn(turn: ScanTurn, reader: SegmentReader, batches: BatchRuns): ScanResult {
  if ('resumed' in turn) return batches.resume(turn.resumed);
  const { query } = turn;
  return 'kind' in query
    ? batches.begin({ ...turn, query })
    : answerOne(reader, { ...turn, query });
}

function answerOne(reader: SegmentReader, task: ScanQuestion): ScanResult {
  const slow: SlowQuery[] = [];
  const outcome = attempt(() => answerQuestion(reader, task, slow));
  return { outcome, slow, damage: null };
}

function attempt(answer: () => Uint8Array): Outcome<Uint8Array> {
  try {
    return { value: answer() };
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error;
    return failedOutcome(error);
  }
}
