/**
 * How far each node's spool has been applied to a shard: what is not above its mark was applied.
 *
 * Data plane, per record. The marks on disk belong to the shard's position there, not to what is in
 * memory: a replay from that position meets the records behind it again, and must take them again.
 * So every rise is kept with the sequence it came by until a checkpoint has passed it.
 */

import { Packr } from 'msgpackr';
import type { StateEnvironment } from '../../store/state-environment.ts';

/** Keys of the marks: `['m', spool]`; 's' is taken by packed days (`segment/disk/packed-blocks.ts`). */
const TABLE = 'm';
const TABLE_END = 'n';

const packr = new Packr({ useRecords: false });

interface Rise {
  spool: string;
  number: number;
  sequence: number;
}

/** The marks of one shard. */
export class SpoolMarks {
  readonly #highest = new Map<string, number>();
  /** In order of their sequences; those behind the position on disk. */
  #rises: Rise[] = [];

  /** The marks of an environment, as of its position; null when there is none yet. */
  constructor(environment: StateEnvironment | null) {
    for (const { key, value } of environment?.range([TABLE], [TABLE_END]) ?? []) {
      this.#highest.set(key[1] as string, packr.unpack(value) as number);
    }
  }

  /**
   * Raises a mark.
   *
   * @param sequence position in the log of the message that the record came by.
   * @returns false when the record was applied before.
   */
  raise(spool: string, number: number, sequence: number): boolean {
    if (number <= (this.#highest.get(spool) ?? 0)) return false;
    this.#highest.set(spool, number);
    const last = this.#rises.at(-1);
    if (last?.spool === spool && last.sequence === sequence) last.number = number;
    else this.#rises.push({ spool, number, sequence });
    return true;
  }

  /** Within a transaction that puts the shard's position on disk: the marks as of that position. */
  save(environment: StateEnvironment, position: number): void {
    const passed = new Map<string, number>();
    for (const { spool, number, sequence } of this.#rises) {
      if (sequence <= position) passed.set(spool, number);
    }
    for (const [spool, number] of passed) environment.put([TABLE, spool], packr.pack(number));
  }

  /** After that transaction. */
  saved(position: number): void {
    if (this.#rises.length === 0) return;
    this.#rises = this.#rises.filter(({ sequence }) => sequence > position);
  }
}
