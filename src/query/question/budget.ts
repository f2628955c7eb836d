/**
 * What a query may take of rows and of time: looked at before every segment, never per row.
 *
 * Data plane. A query that has used its budget up, or that nobody waits for any more, ends with an
 * error at the next look, so that no thread is held by it.
 */

import type { Clock } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';

/** The bounds of one query. */
export interface BudgetLimits {
  rowsMax: number;
  secondsMax: number;
  /** Time it has used already, e.g. by waiting for a thread. */
  spentMs: number;
  /** Tells whether the client has left. */
  isAbandoned: () => boolean;
}

/** The budget of one query while it runs. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #endMs: number;
  #rows = 0;

  /** @param clock monotonic. */
  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#endMs = clock() + limits.secondsMax * SECOND_MS - limits.spentMs;
  }

  /**
   * Books rows that are about to be read.
   *
   * @throws QUERY_BUDGET_EXCEEDED beyond the bound of rows, and as `check` does.
   */
  take(rows: number): void {
    this.#rows += rows;
    const { rowsMax } = this.#limits;
    if (this.#rows > rowsMax) throw errors.QUERY_BUDGET_EXCEEDED({ budget: `${rowsMax} rows` });
    this.check();
  }

  /** @throws QUERY_BUDGET_EXCEEDED when the time is over or the client has left. @cost a clock. */
  check(): void {
    const { secondsMax, isAbandoned } = this.#limits;
    if (this.#clock() < this.#endMs && !isAbandoned()) return;
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: `${secondsMax} s` });
  }
}
