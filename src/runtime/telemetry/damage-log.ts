/**
 * What the operator is told of damage in the state: file, key, site and day, which clients are not.
 *
 * Control plane. Once for each place: a dashboard asks the same again every few seconds.
 */

import { OperatingError } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';

/** Places that are remembered; beyond that they are told again. */
const TOLD_COUNT_MAX = 1_000;

/** Tells faults of the state, of those that come again only the first. */
export class DamageLog {
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** A save failed, or what a save once wrote is damaged. */
  tellFault(error: OperatingError): void {
    if (error.code === 'STATE_DAMAGED') this.tell(error);
    else this.#log.tell('checkpoint.failed', { err: error });
  }

  /** Tells of damage; says nothing about other errors. */
  tell(error: unknown): void {
    if (!(error instanceof OperatingError) || error.code !== 'STATE_DAMAGED') return;
    if (this.#told.has(error.detail)) return;
    if (this.#told.size >= TOLD_COUNT_MAX) this.#told.clear();
    this.#told.add(error.detail);
    const { code, detail } = error;
    this.#log.tell('state.damaged', { code, detail });
  }
}
