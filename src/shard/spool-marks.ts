/**
 * How far each node's spool has been applied to a shard: what is not above its mark was applied.
 *
 * Data plane, per record. The marks on disk belong to the shard's position there, not to what is in
 * memory: a replay from that position meets the records behind it again, and must take them again.
 * So every rise is kept with the sequence it came by until a checkpoint has passed it. A lane has a
 * position of its own and so marks of its own; it begins with those that the base had before it.
 *
 *     ['m', spool]         the base's
 *     ['m', spool, lane]   of a lane (1 and up)
 */

import { Packr } from 'msgpackr';
import type { StateEnvironment, StateKey } from '../store/state-environment.ts';

/** First part of the keys; 's' is taken by packed days (`segment/packed-blocks.ts`). */
const TABLE = 'm';
const TABLE_END = 'n';

const packr = new Packr({ useRecords: false });

interface Rise {
  spool: string;
  number: number;
  sequence: number;
}

/** The marks of one shard, or of a lane of it. */
export class SpoolMarks {
  readonly #lane: number;
  readonly #highest = new Map<string, number>();
  /** As they are on disk. */
  readonly #saved = new Map<string, number>();
  /** In order of their sequences; those behind the position on disk. */
  #rises: Rise[] = [];

  /** The marks of an environment, as of its position; null when there is none yet. */
  constructor(environment: StateEnvironment | null, lane = 0) {
    this.#lane = lane;
    for (const { key, value } of environment?.range([TABLE], [TABLE_END]) ?? []) {
      if (Number(key[2] ?? 0) !== lane) continue;
      this.#highest.set(key[1] as string, packr.unpack(value) as number);
    }
    for (const [spool, number] of this.#highest) this.#saved.set(spool, number);
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
    for (const [spool, number] of this.#passed(position)) {
      environment.put(keyOf(spool, this.#lane), packr.pack(number));
    }
  }

  /**
   * Within a transaction that gives lanes their first position: they begin with the marks of then.
   *
   * @param position not before that on disk.
   */
  give(environment: StateEnvironment, lanes: readonly number[], position: number): void {
    if (lanes.length === 0) return;
    const marks = new Map([...this.#saved, ...this.#passed(position)]);
    for (const lane of lanes) {
      for (const [spool, number] of marks) {
        environment.put(keyOf(spool, lane), packr.pack(number));
      }
    }
  }

  /** After that transaction. */
  saved(position: number): void {
    if (this.#rises.length === 0) return;
    for (const [spool, number] of this.#passed(position)) this.#saved.set(spool, number);
    this.#rises = this.#rises.filter(({ sequence }) => sequence > position);
  }

  /** What a checkpoint at a position puts on disk. */
  #passed(position: number): Map<string, number> {
    const passed = new Map<string, number>();
    for (const { spool, number, sequence } of this.#rises) {
      if (sequence <= position) passed.set(spool, number);
    }
    return passed;
  }
}

function keyOf(spool: string, lane: number): StateKey {
  return lane === 0 ? [TABLE, spool] : [TABLE, spool, lane];
}
