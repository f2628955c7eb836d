/**
 * Which sessions a visitor has in a segment, and which event names a session has fired.
 *
 * Data plane; derived when a segment is opened, never on disk. Nearly every visitor has one session a
 * day, so only further ones are in a map; nearly every session fires no event.
 */

import { NONE } from '../memory/layout.ts';
import { PairIndex } from '../memory/pair-index.ts';
import type { Segment } from '../memory/segment.ts';
import { grownLength } from '../memory/table.ts';

const ROWS_MIN = 8;
/** What an entry of a map of numbers takes, its empty places included. */
const MAP_ENTRY_BYTES = 40;

/** Sessions by visitor, from the one opened last to the first. */
export class VisitorSessions {
  // Session + 1; 0 is a visitor without one.
  #latest = new Uint32Array(ROWS_MIN);
  readonly #earlier = new Map<number, number>();
  readonly #counts = new Map<number, number>();

  /** Knows none of the sessions yet: `include` is next. */
  constructor({ visitors }: Segment) {
    this.#latest = new Uint32Array(Math.max(visitors.rowCount, ROWS_MIN));
  }

  /** Adds the sessions `[first, end)` that a segment already has. */
  include({ sessions }: Segment, first: number, end: number): void {
    const { visitor } = sessions.columns;
    for (let row = first; row < end; row++) {
      // A row that an erasure has emptied is of nobody.
      if (visitor[row] !== NONE) this.add(visitor[row]!, row);
    }
  }

  /** Adds a session just opened. @cost constant. */
  add(visitor: number, session: number): void {
    if (visitor >= this.#latest.length) {
      this.#latest = lengthened(this.#latest, grownLength(this.#latest.length, visitor + 1));
    }
    const before = this.#latest[visitor]!;
    this.#latest[visitor] = session + 1;
    if (before === 0) return;
    this.#earlier.set(session, before - 1);
    this.#counts.set(visitor, this.countOf(visitor) + 1);
  }

  /** Rough bytes held in memory. */
  get bytes(): number {
    return this.#latest.byteLength + (this.#earlier.size + this.#counts.size) * MAP_ENTRY_BYTES;
  }

  /** Sessions of a visitor that has at least one. */
  countOf(visitor: number): number {
    return this.#counts.get(visitor) ?? 1;
  }

  /** The visitor's latest session, `NONE` if there is none. */
  latestOf(visitor: number): number {
    return visitor < this.#latest.length ? (this.#latest[visitor]! - 1) >>> 0 : NONE;
  }

  /** The session of the same visitor that was opened before, `NONE` for the first. */
  before(session: number): number {
    return this.#earlier.get(session) ?? NONE;
  }
}

/** Distinct event names by session, each session's in a list from the newest. */
export class SessionEvents {
  /** Session and name by number. */
  readonly pairs = new PairIndex();
  #previous = new Uint32Array(ROWS_MIN);
  #heads = new Uint32Array(ROWS_MIN);

  /** Adds the events `[first, end)` that a segment already has. */
  include({ events }: Segment, first: number, end: number): void {
    const { session, name } = events.columns;
    for (let row = first; row < end; row++) this.add(session[row]!, name[row]!);
  }

  /** Whether the session had fired no such event; it has now. @cost amortized constant. */
  add(session: number, name: number): boolean {
    const { count } = this.pairs;
    const pair = this.pairs.idOf(session, name);
    if (pair < count) return false;
    if (session >= this.#heads.length) {
      this.#heads = lengthened(this.#heads, grownLength(this.#heads.length, session + 1));
    }
    if (pair >= this.#previous.length) {
      this.#previous = lengthened(this.#previous, grownLength(this.#previous.length, pair + 1));
    }
    this.#previous[pair] = this.#heads[session]!;
    this.#heads[session] = pair + 1;
    return true;
  }

  /** Bytes held in memory. */
  get bytes(): number {
    return this.#heads.byteLength + this.#previous.byteLength + this.pairs.bytes;
  }

  /** The newest pair of a session, −1 if it has none. */
  head(session: number): number {
    return session < this.#heads.length ? this.#heads[session]! - 1 : -1;
  }

  /** The pair of the same session before a pair, −1 after the last. */
  before(pair: number): number {
    return this.#previous[pair]! - 1;
  }
}

function lengthened(words: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(words);
  return grown;
}
