/**
 * Large requests wait for their turn, so that small ones never wait for them.
 *
 * Data plane at batch granularity. A batch of 10,000 hits is a tenth of a second of work for the one
 * thread that all clients of an edge share. It is done slice by slice: as much as one turn of the event
 * loop has time for, then whatever else has come, then on. One request is worked on at a time, for what
 * is made of its body takes several times its bytes; between clients it goes in turns, so that who
 * sends many waits for their own.
 *
 *     turn of the event loop:   small, small, … │ slices of the one at hand, 5 ms │ small, …
 *     after it is done:         the oldest of the next client in the round
 *
 * Measured: DECISIONS 46.
 */

import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { LARGE_REQUEST_TURN_MS } from '../../model/limits.ts';

/** The work of one large request. */
export interface LargeRequest {
  /** Who takes turns with others. */
  readonly clientKey: string;
  /** Does some milliseconds of it. @returns whether it is done. */
  step(): boolean;
}

/** The large requests of an edge. */
export class LargeRequests {
  // By client in the order of the round; none is empty.
  readonly #waiting = new Map<string, LargeRequest[]>();
  #current: LargeRequest | null = null;
  /** When the work of this turn of the event loop has to end; 0 before it began. */
  #turnEndMs = 0;

  /** Whether a request that comes now would be worked on at once. */
  get hasTime(): boolean {
    if (this.#current !== null || this.#waiting.size > 0) return false;
    return this.#turnEndMs === 0 || monotonicMs() < this.#turnEndMs;
  }

  /** Begins with a request now: there is time. */
  begin(request: LargeRequest): void {
    assert(this.#current === null, 'one request at a time');
    this.#current = request;
    this.#work();
  }

  /** Begins with a request when its turn has come. */
  add(request: LargeRequest): void {
    const waiting = this.#waiting.get(request.clientKey);
    if (waiting === undefined) this.#waiting.set(request.clientKey, [request]);
    else waiting.push(request);
  }

  #work(): void {
    if (this.#turnEndMs === 0) {
      this.#turnEndMs = monotonicMs() + LARGE_REQUEST_TURN_MS;
      setImmediate(this.#nextTurn);
    }
    for (;;) {
      this.#current ??= this.#takeNext();
      if (this.#current === null) return;
      if (this.#current.step()) this.#current = null;
      if (monotonicMs() >= this.#turnEndMs) return;
    }
  }

  readonly #nextTurn = (): void => {
    this.#turnEndMs = 0;
    if (this.#current !== null || this.#waiting.size > 0) this.#work();
  };

  #takeNext(): LargeRequest | null {
    for (const [key, waiting] of this.#waiting) {
      const request = waiting.shift() as LargeRequest;
      // To the end of the round.
      this.#waiting.delete(key);
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      return request;
    }
    return null;
  }
}
