/**
 * Large days come from disk slice by slice, so that nobody but who needs them waits.
 *
 * Data plane. A day of two million visitors takes seconds to decode and index. The shard whose record
 * or question needs it is held: its records gather here in order, its questions wait, and the others
 * of the actor go on. A record is applied as a whole and in order, before, between or after slices
 * never, so what comes of it is what would have come without.
 *
 *     record needs a cold day ─▶ held: record, record, …        turn of the event loop: 20 ms of
 *     question needs one ──────▶ held                            opening, then of what is held
 *
 * In a replay before the start days are opened at once: nobody else waits there.
 */

import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import type { LogRecord } from '../../bus/log/interface.ts';
import { OperatingError } from '../../model/errors.ts';
import { OPENING_SLICE_MS } from '../../model/limits.ts';
import { unpackInSlices } from '../../segment/disk/packed-blocks.ts';
import { loadInSlices } from '../../segment/disk/persistence.ts';
import { indexInSlices, OpenSegment } from '../../segment/open/open-segment.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { finishUnpacked } from './checkpoint.ts';
import { type ColdDay, coldDayOfDomain, coldDayOfRecord } from './cold-days.ts';

/** What the openings of an actor are given. */
export interface DayOpeningsOptions {
  /** Applies a record that was held. */
  apply: (record: LogRecord) => void;
  /** Some of what was held has been applied: who waited for it may be served. */
  onApplied: () => void;
  /** Some records were held, or those held were applied: bytes more, or less. */
  onHeld: (bytes: number) => void;
  /** The wall clock. */
  nowMs: () => number;
}

interface Held {
  readonly shard: Shard;
  readonly records: LogRecord[];
  /** What is being opened; null while what was held is applied. */
  opening: { day: ColdDay; slices: Generator<undefined, OpenSegment> } | null;
}

/** The openings of one actor. */
export class DayOpenings {
  readonly #options: DayOpeningsOptions;
  /** By shard, in the order of their turns. */
  readonly #held = new Map<number, Held>();
  /** Days whose blocks are written singly, and do not count yet. */
  readonly #unpacked = new WeakSet<OpenSegment>();
  #isAtWork = false;

  constructor(options: DayOpeningsOptions) {
    this.#options = options;
  }

  /** Whether a shard is held: nothing else may change its stored days. */
  isHeld(shard: number): boolean {
    return this.#held.has(shard);
  }

  /** Keeps a record that needs a large day, or comes behind one that does. @returns whether it does. */
  holds(shard: Shard, record: LogRecord, nowMs: number): boolean {
    const held = this.#held.get(shard.id);
    if (held === undefined) {
      const day = coldDayOfRecord(shard, record, nowMs);
      if (day === null) return false;
      this.#hold(shard, day).records.push(record);
    } else held.records.push(record);
    this.#options.onHeld(record.payload.length);
    return true;
  }

  /** Begins to open what a question about a domain needs. @returns whether the question has to wait. */
  delays(shard: Shard, domainId: string, nowMs: number): boolean {
    if (shard.domains.has(domainId)) return false;
    if (this.#held.has(shard.id)) return true;
    const day = coldDayOfDomain(shard, domainId, nowMs);
    if (day === null) return false;
    this.#hold(shard, day);
    return true;
  }

  /** A shard is let go of: what was held is in the log. */
  drop(shard: number): void {
    const held = this.#held.get(shard);
    if (held === undefined) return;
    this.#held.delete(shard);
    for (const { payload } of held.records) this.#options.onHeld(-payload.length);
  }

  #hold(shard: Shard, day: ColdDay): Held {
    const held: Held = { shard, records: [], opening: null };
    held.opening = { day, slices: this.#openDay(held, day) };
    this.#held.set(shard.id, held);
    this.#workOn();
    return held;
  }

  #workOn(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    setImmediate(() => {
      this.#isAtWork = false;
      this.#turn();
      if (this.#held.size > 0) this.#workOn();
    });
  }

  /** Reads and indexes a day, and writes it unpacked: it is hits that bring a packed one back. */
  *#openDay({ shard }: Held, cold: ColdDay): Generator<undefined, OpenSegment> {
    const { domainId, day, header } = cold;
    const environment = shard.environment();
    const stored = yield* loadInSlices(environment, domainId, day, header);
    const indexes = yield* indexInSlices(stored.segment);
    const open = new OpenSegment(domainId, day, stored, indexes);
    if (header.packed === null) return open;
    try {
      yield* unpackInSlices(environment, cold, header);
      this.#unpacked.add(open);
    } catch {
      // The disk refuses: it is told by the next save, which writes the day whole.
    }
    return open;
  }

  /** A slice for the shard whose turn it is. */
  #turn(): void {
    const [held] = this.#held.values();
    if (held === undefined) return;
    // To the end of the round.
    this.#held.delete(held.shard.id);
    this.#held.set(held.shard.id, held);
    const endMs = monotonicMs() + OPENING_SLICE_MS;
    if (held.opening !== null) this.#open(held, endMs);
    else this.#applyHeld(held, endMs);
  }

  #open(held: Held, endMs: number): void {
    const { opening, shard } = held;
    assert(opening !== null, 'something is being opened');
    const { day, slices } = opening;
    while (monotonicMs() < endMs) {
      let step: IteratorResult<undefined, OpenSegment>;
      try {
        step = slices.next();
      } catch (error) {
        if (!isDamage(error)) throw error;
        shard.setAside(day.domainId, error);
        held.opening = null;
        return;
      }
      if (step.done !== true) continue;
      shard.noteOpened(day.domainId, step.value);
      // Opening a domain may bring several days back.
      const next = coldDayOfDomain(shard, day.domainId, this.#options.nowMs());
      held.opening = next === null ? null : { day: next, slices: this.#openDay(held, next) };
      if (next === null) this.#adopt(shard, day.domainId);
      return;
    }
  }

  /** The domain has what was opened; a day that was packed is so no longer, since hits came for it. */
  #adopt(shard: Shard, domainId: string): void {
    let adopted: ReturnType<Shard['adoptOpened']> = [];
    try {
      adopted = shard.adoptOpened(domainId, this.#options.nowMs());
    } catch (error) {
      // Another day of the site is damaged.
      if (!isDamage(error)) throw error;
      shard.setAside(domainId, error);
    }
    for (const { domain, open } of adopted) {
      if (!this.#unpacked.delete(open)) continue;
      try {
        finishUnpacked(shard, domain, open);
      } catch (error) {
        // The disk refuses: it is told by the next save, which writes the day whole.
        if (!(error instanceof OperatingError)) throw error;
      }
    }
  }

  #applyHeld(held: Held, endMs: number): void {
    const { shard, records } = held;
    const nowMs = this.#options.nowMs();
    let count = 0;
    while (count < records.length && monotonicMs() < endMs) {
      const record = records[count]!;
      const day = coldDayOfRecord(shard, record, nowMs);
      if (day !== null) {
        held.opening = { day, slices: this.#openDay(held, day) };
        break;
      }
      this.#options.apply(record);
      this.#options.onHeld(-record.payload.length);
      count++;
    }
    records.splice(0, count);
    if (records.length === 0 && held.opening === null) this.#held.delete(shard.id);
    this.#options.onApplied();
  }
}
