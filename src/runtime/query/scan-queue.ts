/**
 * Who is asked next: questions that wait for a query thread, and the lanes of threads that take them.
 *
 * Control plane, on the main thread. A question starts in order of arrival within its domain, domains
 * in turn, so that one tenant's flood holds nobody else up. What is over before it could start (its
 * time, or its client's patience) is answered and taken out at once. The last lane takes short
 * questions only, so that they overtake long ones; others take them when nothing long waits.
 *
 *     long:  a a a  b ──────────▶ lane of N threads
 *     short: a  c  ───▶ lane of one thread, and what the other has to spare
 */

import { systemClock } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import { FairQueue } from './fair-queue.ts';
import type { ScanTask } from './scan-task.ts';

/** Questions of either length that may wait; beyond it are answered 503. */
export const WAITING_QUESTION_COUNT_MAX = 1_000;
/** How often those that wait are looked at: so late is an answer at the most. */
const LOOK_MS = 25;

/** Threads that take questions one at a time each. */
export interface ScanLane {
  readonly threads: number;
  readonly takesLong: boolean;
  run(task: ScanTask): Promise<Uint8Array>;
}

interface Waiting {
  readonly task: ScanTask;
  readonly start: (lane: ScanLane) => void;
  readonly refuse: (error: Error) => void;
}

/** See above. */
export class ScanQueue {
  readonly #lanes: readonly { readonly lane: ScanLane; running: number }[];
  readonly #isShort: (task: ScanTask) => boolean;
  readonly #short: FairQueue<Waiting>;
  readonly #long: FairQueue<Waiting>;
  #looks: NodeJS.Timeout | null = null;

  /**
   * @param lanes those that take short questions only come last: they are for when the others are busy.
   * @param isShort whether a question is expected to be over soon.
   */
  constructor(
    lanes: readonly ScanLane[],
    isShort: (task: ScanTask) => boolean,
    countMax = WAITING_QUESTION_COUNT_MAX,
  ) {
    this.#lanes = lanes.map((lane) => ({ lane, running: 0 }));
    this.#isShort = isShort;
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
    return new Promise((resolve, reject) => {
      const start = (lane: ScanLane) => {
        lane
          .run(task)
          .then(resolve, reject)
          .finally(() => this.#onFree(lane));
      };
      const waiting: Waiting = { task, start, refuse: reject };
      const queue = this.#isShort(task) ? this.#short : this.#long;
      const dropped = queue.push(task.query.domainId, waiting);
      dropped?.refuse(errors.OVERLOADED({ reason: 'too many queries wait' }));
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

  #onFree(lane: ScanLane): void {
    for (const held of this.#lanes) if (held.lane === lane) held.running--;
    this.#startNext();
  }

  #startNext(): void {
    for (const held of this.#lanes) {
      while (held.running < held.lane.threads) {
        const next = this.#nextFor(held.lane);
        if (next === null) break;
        held.running++;
        next.start(held.lane);
      }
    }
    if (this.size === 0 && this.#looks !== null) {
      clearInterval(this.#looks);
      this.#looks = null;
    } else if (this.size > 0) {
      this.#looks ??= setInterval(() => this.#refuseOver(), LOOK_MS);
    }
  }

  #nextFor({ takesLong }: ScanLane): Waiting | null {
    const long = takesLong ? this.#long.take() : null;
    return long ?? this.#short.take();
  }

  /** What cannot be answered in time any more does not wait for its turn to be told so. */
  #refuseOver(): void {
    const nowMs = systemClock();
    for (const { task, refuse } of this.#takeOut((waiting) => isOver(waiting.task, nowMs))) {
      refuse(errors.QUERY_BUDGET_EXCEEDED({ budget: `${task.secondsMax} s` }));
    }
    this.#startNext();
  }

  #takeOut(test: (waiting: Waiting) => boolean): Waiting[] {
    return [...this.#short.takeWhere(test), ...this.#long.takeWhere(test)];
  }
}

function isOver({ abandoned, arrivedMs, secondsMax }: ScanTask, nowMs: number): boolean {
  return Atomics.load(abandoned, 0) !== 0 || nowMs - arrivedMs >= secondsMax * SECOND_MS;
}
