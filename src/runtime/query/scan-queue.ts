/**
 * Schedules queries onto the query threads.
 *
 * Control plane, on the main thread. Queries start in order of arrival within a domain and round
 * robin over domains, so one tenant's flood delays nobody else. A query whose time is over or whose
 * client has left is answered and removed without being started. The last group of threads takes
 * short queries only, so they overtake long ones; the other groups take them when no long one
 * waits. A batch that gives way to others waits for its next turn like a question that has just come,
 * but for the thread that holds its moment of the data.
 *
 *     long:  a a a  b ──────────▶ threads for all
 *     short: a  c  ───▶ one thread more, and free threads of the others
 */

import { systemClock } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import { FairQueue } from './fair-queue.ts';
import type { ScanTask, ScanTurn } from './scan-task.ts';

/** Questions of either length that may wait; beyond it are answered 503. */
export const WAITING_QUESTION_COUNT_MAX = 1_000;
/** How often those that wait are looked at: so late is an answer at the most. */
const LOOK_MS = 25;

/**
 * Batches that one thread holds a moment of the data for. Each is a reader of its shard's environment,
 * which has 256; one that is let in and finds them all taken waits until the first of them is over.
 */
const HELD_BATCH_COUNT_MAX = 16;

/** A thread that takes questions one at a time. */
export interface ScanLane {
  readonly takesLong: boolean;
  /** Null: it gave way, and waits for its next turn on this thread. */
  run(turn: ScanTurn): Promise<Uint8Array | null>;
}

interface Lane {
  readonly lane: ScanLane;
  isBusy: boolean;
  /** Batches that wait for their next turn here. */
  heldCount: number;
  /** Of those the ones whose time is over, or whose client has left: they let go at once. */
  readonly ending: Waiting[];
}

interface Waiting {
  readonly id: number;
  readonly task: ScanTask;
  queue: FairQueue<Waiting>;
  /** Of a batch that has begun: where its moment is held. */
  lane: Lane | null;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly refuse: (error: unknown) => void;
}

/** The scheduler of one node. */
export class ScanQueue {
  readonly #lanes: readonly Lane[];
  readonly #isShort: (task: ScanTask) => boolean;
  readonly #short: FairQueue<Waiting>;
  readonly #long: FairQueue<Waiting>;
  /** Told to the threads: how many wait. */
  readonly #told: Int32Array;
  #lastId = 0;
  #looks: NodeJS.Timeout | null = null;

  /**
   * @param lanes those that take short questions only come last: they are for when the others are busy.
   * @param options.isShort whether a question is expected to be over soon.
   * @param options.waiting where the threads read how many wait.
   */
  constructor(
    lanes: readonly ScanLane[],
    options: {
      isShort: (task: ScanTask) => boolean;
      waiting?: Int32Array;
      countMax?: number;
    },
  ) {
    const { isShort, waiting = new Int32Array(1), countMax = WAITING_QUESTION_COUNT_MAX } = options;
    this.#lanes = lanes.map((lane) => ({ lane, isBusy: false, heldCount: 0, ending: [] }));
    this.#isShort = isShort;
    this.#told = waiting;
    this.#short = new FairQueue(countMax);
    this.#long = new FairQueue(countMax);
  }

  /** Questions that wait for a thread. */
  get size(): number {
    return this.#short.size + this.#long.size;
  }

  /**
   * Runs a question when it is its turn.
   *
   * @throws QUERY_BUDGET_EXCEEDED when its time is over before, or its client has left; OVERLOADED when
   *   too many wait and its domain has the most of them; what the lane throws.
   */
  run(task: ScanTask): Promise<Uint8Array> {
    return new Promise((resolve, refuse) => {
      const queue = this.#isShort(task) ? this.#short : this.#long;
      this.#lastId++;
      const waiting = { id: this.#lastId, task, queue, lane: null, resolve, refuse };
      const dropped = queue.push(task.query.domainId, waiting);
      if (dropped?.lane) dropped.lane.ending.push(dropped);
      else dropped?.refuse(errors.OVERLOADED({ reason: 'too many queries wait' }));
      this.#startNext();
    });
  }

  /** Refuses whatever waits. */
  close(): void {
    for (const { refuse } of this.#takeOut(() => true)) {
      refuse(errors.OVERLOADED({ reason: 'it ends' }));
    }
    this.#startNext();
  }

  #startNext(): void {
    for (const lane of this.#lanes) {
      if (lane.isBusy) continue;
      const next = this.#nextFor(lane);
      if (next !== null) void this.#turn(lane, next);
    }
    Atomics.store(this.#told, 0, this.size);
    if (this.size === 0 && this.#looks !== null) {
      clearInterval(this.#looks);
      this.#looks = null;
    } else if (this.size > 0) {
      this.#looks ??= setInterval(() => this.#refuseOver(), LOOK_MS);
    }
  }

  async #turn(lane: Lane, waiting: Waiting): Promise<void> {
    const { id, task, resolve, refuse } = waiting;
    lane.isBusy = true;
    if (waiting.lane !== null) lane.heldCount--;
    try {
      const isResumed = waiting.lane !== null;
      const bytes = await lane.lane.run(isResumed ? { resumed: id } : { ...task, id });
      if (bytes === null) this.#holdBack(lane, waiting);
      else resolve(bytes);
    } catch (error) {
      refuse(error);
    }
    lane.isBusy = false;
    this.#startNext();
  }

  #holdBack(lane: Lane, waiting: Waiting): void {
    lane.heldCount++;
    waiting.lane = lane;
    waiting.queue = lane.lane.takesLong ? this.#long : this.#short;
    waiting.queue.putBack(waiting.task.query.domainId, waiting);
  }

  #nextFor(lane: Lane): Waiting | null {
    const ending = lane.ending.shift();
    if (ending !== undefined) return ending;
    const fits = (waiting: Waiting) => fitsOn(waiting, lane);
    const long = lane.lane.takesLong ? this.#long.take(fits) : null;
    return long ?? this.#short.take(fits);
  }

  /** What cannot be answered in time any more does not wait for its turn to be told so. */
  #refuseOver(): void {
    const nowMs = systemClock();
    for (const waiting of this.#takeOut(({ task }) => isOver(task, nowMs))) {
      const { task, lane, refuse } = waiting;
      // What a batch has found so far is answered; its thread has to let go of the data anyhow.
      if (lane !== null) lane.ending.push(waiting);
      else refuse(errors.QUERY_BUDGET_EXCEEDED({ budget: `${task.secondsMax} s` }));
    }
    this.#startNext();
  }

  #takeOut(test: (waiting: Waiting) => boolean): Waiting[] {
    return [...this.#short.takeWhere(test), ...this.#long.takeWhere(test)];
  }
}

function fitsOn({ lane: bound, task }: Waiting, lane: Lane): boolean {
  if (bound !== null) return bound === lane;
  return !('kind' in task.query) || lane.heldCount < HELD_BATCH_COUNT_MAX;
}

function isOver({ abandoned, arrivedMs, secondsMax }: ScanTask, nowMs: number): boolean {
  return Atomics.load(abandoned, 0) !== 0 || nowMs - arrivedMs >= secondsMax * SECOND_MS;
}
