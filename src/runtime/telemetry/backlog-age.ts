/**
 * For how long the oldest durable record has waited to be counted.
 *
 * Control plane, on the main thread: positions are looked at a few times a second, a moment is kept for
 * each that moved. So nothing is added to records, and the age is as exact as the looks are close.
 */

import { type LogMemory, waitingOf } from '../../bus/log/links.ts';
import { SECOND_MS } from '../../model/limits.ts';

/** Moments that are kept of an actor; beyond them an age is told too small. */
const MOMENT_COUNT_MAX = 10_000;

/** What was handed to an actor, and when that was seen. */
interface Moment {
  readonly atMs: number;
  readonly handed: number;
}

/** Looks at the positions of one log. */
export class BacklogAge {
  readonly #memory: LogMemory;
  readonly #nowMs: () => number;
  /** By actor, oldest first. */
  readonly #moments: Moment[][];

  /** @param nowMs a monotonic clock. */
  constructor(memory: LogMemory, nowMs: () => number) {
    this.#memory = memory;
    this.#nowMs = nowMs;
    this.#moments = Array.from(memory.handed, () => []);
  }

  /** Looks at all actors. */
  look(): void {
    const atMs = this.#nowMs();
    for (const [actor, moments] of this.#moments.entries()) {
      const { handed, applied } = waitingOf(this.#memory, actor);
      // Counts are modulo 2^32: only their differences say anything.
      let first = moments[0];
      while (first !== undefined && ((first.handed - applied) | 0) <= 0) {
        moments.shift();
        first = moments[0];
      }
      const isMoved = moments.at(-1)?.handed !== handed;
      const isWaiting = ((handed - applied) | 0) > 0;
      if (isWaiting && isMoved && moments.length < MOMENT_COUNT_MAX) moments.push({ atMs, handed });
    }
  }

  /** In seconds; 0 when all is counted. */
  seconds(): number {
    this.look();
    const firsts = this.#moments.flatMap(([first]) => first?.atMs ?? []);
    return firsts.length === 0 ? 0 : (this.#nowMs() - Math.min(...firsts)) / SECOND_MS;
  }
}
