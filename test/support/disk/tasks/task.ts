/**
 * Work that is done in one process while its disk fails, again and again: each call of it is failed
 * once, in each way, on a fresh copy of what was there before.
 *
 * `run-task.ts` runs one under the shim.
 */

/** A kind of work, and what must be true whatever the disk refused. */
export interface DiskTask<Ledger> {
  /** Makes what is there before the disk fails. */
  prepare(directory: string): Promise<void>;
  /** What is promised, and what is refused, is noted in it. */
  ledger(): Ledger;
  /** The work; what it throws is what the operator is told. */
  run(directory: string, ledger: Ledger): Promise<void>;
  /**
   * Looks on a whole disk, and does the work once more where that is how one goes on.
   *
   * @param hasEnded the work came to its end.
   * @returns what is wrong.
   */
  wrong(directory: string, ledger: Ledger, hasEnded: boolean): Promise<string[]>;
}
