/** Says what was dropped by rule, for the operator, whatever the log level. Control plane. */

import { DROP_REASONS } from '../../model/drop-reasons.ts';
import { MINUTE_MS } from '../../model/limits.ts';
import type { Log } from '../../model/log.ts';
import { metrics } from '../../model/metrics.ts';

/**
 * Items dropped on one thread, by reason: one line a minute while there are any, of records that
 * are replayed again. They are told at every level but `silent`: what sites are sent in vain is for
 * their operator to see. The ledger has the exact numbers (P-31).
 */
export class DropCounts {
  readonly #log: Log;
  readonly #counts: number[] = DROP_REASONS.map(() => 0);
  readonly #timer: NodeJS.Timeout;
  #isEmpty = true;

  /** Tells from now on. */
  constructor(log: Log) {
    this.#log = log;
    this.#timer = setInterval(() => this.#tell(), MINUTE_MS).unref();
  }

  /** @param reason index in `DROP_REASONS`. */
  count(reason: number, count: number): void {
    this.#counts[reason]! += count;
    metrics.drops.add(count, reason);
    this.#isEmpty = false;
  }

  /** Tells for the last time. */
  stop(): void {
    clearInterval(this.#timer);
    this.#tell();
  }

  #tell(): void {
    if (this.#isEmpty) return;
    const byReason: Record<string, number> = {};
    for (const [reason, count] of this.#counts.entries()) {
      if (count > 0) byReason[DROP_REASONS[reason] as string] = count;
    }
    this.#counts.fill(0);
    this.#isEmpty = true;
    this.#log.tell('hits.dropped', { dropped: byReason });
  }
}
