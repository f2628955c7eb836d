/**
 * Batches of questions on a query thread: each answered from one moment of its shard (D-14), in turns.
 *
 * Control plane around the data plane of `runStatistics`. A batch gives way between two of its
 * questions when somebody else waits, and keeps nothing meanwhile but its answers and the moment,
 * which is a read transaction: a heavy one holds nobody up, and is true to one state all the same.
 *
 *     begin ─ hold the moment ─ question ─ question ─ … ─▶ bytes
 *                                   └ others wait ─▶ null … resume ─ question ─ …
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { failedOutcome } from '../../bus/request-reply.ts';
import {
  errorBody,
  errors,
  OperatingError,
  type SentError,
  sendError,
} from '../../model/errors.ts';
import { STATISTICS_BATCH_ANSWER_BYTES_MAX, STATISTICS_BATCH_TURN_MS } from '../../model/limits.ts';
import { activeAsOf } from '../../query/live/active.ts';
import type { BatchEntry, BatchQuestion } from '../../query/question/batch.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { HeldState, SegmentReader } from '../../segment/disk/segment-reader.ts';
import { answerQuestion } from './scan-answer.ts';
import type { ScanResult, ScanTask } from './scan-task.ts';
import type { SlowQuery } from './slow-query.ts';

/** Of the time that a question has: what is answered by then still reaches the client. */
const TIME_SHARE = 0.9;

const encoder = new TextEncoder();
const OPEN = encoder.encode('{"position":');
const RESULTS = encoder.encode(',"results":[');
const COMMA = encoder.encode(',');
const CLOSE = encoder.encode(']}');

type BatchTask = Omit<ScanTask, 'query'> & { readonly query: BatchQuestion; readonly id: number };

/** A batch between two of its questions. */
interface BatchRun {
  readonly task: BatchTask;
  readonly held: HeldState;
  /** Wall clock when the moment was taken: where the window of who is active ends. */
  readonly nowMs: number;
  readonly position: number;
  readonly answers: Uint8Array[];
  bytes: number;
}

/** The batches of one query thread. */
export class BatchRuns {
  readonly #reader: SegmentReader;
  readonly #isAwaited: () => boolean;
  readonly #turnMs: number;
  readonly #paused = new Map<number, BatchRun>();

  /**
   * @param isAwaited whether somebody waits for a thread.
   * @param turnMs how long a turn may take then.
   */
  constructor(reader: SegmentReader, isAwaited: () => boolean, turnMs = STATISTICS_BATCH_TURN_MS) {
    this.#reader = reader;
    this.#isAwaited = isAwaited;
    this.#turnMs = turnMs;
  }

  /** The first turn of a batch. */
  begin(task: BatchTask): ScanResult {
    const { shard, epoch, query } = task;
    const held = this.#reader.hold(shard, epoch);
    try {
      const position = this.#reader.within(held, () => this.#reader.positionOf(query.domainId));
      return this.#go({ task, held, nowMs: systemClock(), position, answers: [], bytes: 0 });
    } catch (error) {
      this.#reader.release(held);
      if (!(error instanceof OperatingError)) throw error;
      return { outcome: failedOutcome(error), slow: [], damage: null };
    }
  }

  /** The next turn of one that gave way. */
  resume(id: number): ScanResult {
    const run = this.#paused.get(id);
    this.#paused.delete(id);
    // Nobody resumes what has ended; a thread that was started anew knows of none.
    if (run === undefined) {
      return { outcome: failedOutcome(errors.SHARD_MOVED({})), slow: [], damage: null };
    }
    try {
      return this.#go(run);
    } catch (error) {
      this.#reader.release(run.held);
      if (!(error instanceof OperatingError)) throw error;
      return { outcome: failedOutcome(error), slow: [], damage: null };
    }
  }

  /** Answers questions until all are, or others have waited for a turn. @throws SHARD_MOVED. */
  #go(run: BatchRun): ScanResult {
    const { task, held, answers } = run;
    const { entries } = task.query;
    const notes = { slow: [] as SlowQuery[], damage: null as SentError | null };
    const endMs = monotonicMs() + this.#turnMs;
    const before = answers.length;
    while (answers.length < entries.length) {
      if (answers.length > before && monotonicMs() >= endMs && this.#isAwaited()) {
        this.#paused.set(task.id, run);
        return { outcome: { value: null }, ...notes };
      }
      const entry = entries[answers.length] as BatchEntry;
      const answer = this.#reader.within(held, () => this.#answer(run, entry, notes));
      answers.push(answer);
      run.bytes += answer.length;
    }
    this.#reader.release(held);
    return { outcome: { value: joined(run) }, ...notes };
  }

  #answer(
    { task, nowMs, bytes }: BatchRun,
    entry: BatchEntry,
    notes: { slow: SlowQuery[]; damage: SentError | null },
  ): Uint8Array {
    if ('refused' in entry) return encoder.encode(entry.refused);
    const query = asOf(entry, nowMs);
    const question = { ...task, query, secondsMax: task.secondsMax * TIME_SHARE };
    try {
      const answer = answerQuestion(this.#reader, question, notes.slow);
      if (bytes + answer.length <= STATISTICS_BATCH_ANSWER_BYTES_MAX) return answer;
      const budget = `${STATISTICS_BATCH_ANSWER_BYTES_MAX} bytes of all answers`;
      throw errors.QUERY_BUDGET_EXCEEDED({ budget });
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      if (error.code === 'STATE_DAMAGED') notes.damage = sendError(error);
      return encoder.encode(errorBody(error));
    }
  }
}

/** The actor counts who is active as hits come; of a moment that is held its rows say it. */
function asOf(query: StatisticsQuery, nowMs: number): StatisticsQuery {
  return query.statistic === 'active' ? activeAsOf(query, nowMs) : query;
}

function joined({ position, answers }: BatchRun): Uint8Array {
  const parts: Uint8Array[] = [OPEN, encoder.encode(String(position)), RESULTS];
  for (const [index, answer] of answers.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(answer);
  }
  parts.push(CLOSE);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
