/**
 * Reads large days from disk in slices, so that only the shard that needs them waits.
 *
 * Data plane. A day of two million visitors takes seconds to decode and index. The shard whose
 * record or deletion needs it is held: its records queue here in order, what asks for them waits, and
 * the actor's other shards go on. A record is applied as a whole and in order, never between slices,
 * so the outcome is the same as without slices. In a replay before the start, where nobody waits, days
 * are opened at once.
 *
 *     record needs a cold day ─▶ held: record, record, …        turn of the event loop: 20 ms of
 *     deletion needs one ──────▶ held                            opening, then of what is held
 *
 * In a replay before the start days are opened at once: nobody else waits there.
 */

import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { Turns } from '../../base/turns.ts';
import type { LogRecord } from '../../bus/log/interface.ts';
import { OperatingError } from '../../model/errors.ts';
import type { DomainId, ShardId } from '../../model/ids.ts';
import { OPENING_SLICE_MS } from '../../model/limits.ts';
import { unpackInSlices } from '../../segment/disk/packed-blocks.ts';
import { loadInSlices } from '../../segment/disk/persistence.ts';
import { indexInSlices, OpenSegment } from '../../segment/open/open-segment.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { finishUnpacked } from './checkpoint.ts';
import { type ColdDay, coldDayOfDomain, coldDayOfRecord } from './cold-days.ts';

/** What a loader needs of its actor. */
export interface DayLoaderOptions {
  /** Applies a record that was held. */
  apply: (record: LogRecord) => void;
  /** Some of what was held has been applied: who waited for it may be served. */
  onApplied: () => void;
  /** Some records were held, or those held were applied: bytes more, or less. */
  onHeld: (bytes: number) => void;
  /** The wall clock. */
  nowMs: () => number;
}

interface HeldShard {
  readonly shard: Shard;
  readonly records: LogRecord[];
  /** What is being opened; null while what was held is applied. */
  loading: { day: ColdDay; slices: Generator<undefined, OpenSegment> } | null;
}

/** Loads the large days of one actor. */
export class DayLoader {
  readonly #options: DayLoaderOptions;
  /** By shard, in the order of their turns. */
  readonly #held = new Map<number, HeldShard>();
  /** Days whose blocks are written singly, and do not count yet. */
  readonly #unpacked = new WeakSet<OpenSegment>();
  readonly #turns = new Turns(() => {
    this.#turn();
    return this.#held.size > 0;
  });

  constructor(options: DayLoaderOptions) {
    this.#options = options;
  }

  /** Whether a shard is held: nothing else may change its stored days. */
  isHeld(shard: ShardId): boolean {
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

  /** Begins to open what a domain needs before a day of it is rebuilt. @returns whether that waits. */
  delays(shard: Shard, domainId: DomainId, nowMs: number): boolean {
    if (shard.domains.has(domainId)) return false;
    if (this.#held.has(shard.id)) return true;
    const day = coldDayOfDomain(shard, domainId, nowMs);
    if (day === null) return false;
    this.#hold(shard, day);
    return true;
  }

  /** A shard is let go of: what was held is in the log. */
  drop(shard: ShardId): void {
    const held = this.#held.get(shard);
    if (held === undefined) return;
    this.#held.delete(shard);
    for (const { payload } of held.records) this.#options.onHeld(-payload.length);
  }

  #hold(shard: Shard, day: ColdDay): HeldShard {
    const held: HeldShard = { shard, records: [], loading: null };
    held.loading = { day, slices: this.#loadDay(held, day) };
    this.#held.set(shard.id, held);
    this.#turns.begin();
    return held;
  }

  /** Reads and indexes a day, and writes it unpacked: it is hits that bring a packed one back. */
  *#loadDay({ shard }: HeldShard, cold: ColdDay): Generator<undefined, OpenSegment> {
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
    if (held.loading !== null) this.#loadSlice(held, endMs);
    else this.#applyHeld(held, endMs);
  }

  #loadSlice(held: HeldShard, endMs: number): void {
    const { loading: opening, shard } = held;
    assert(opening !== null, 'something is being opened');
    const { day, slices } = opening;
    while (monotonicMs() < endMs) {
      let step: IteratorResult<undefined, OpenSegment>;
      try {
        step = slices.next();
      } catch (error) {
        if (!isDamage(error)) throw error;
        shard.setAside(day.domainId, error);
        held.loading = null;
        return;
      }
      if (step.done !== true) continue;
      shard.preloaded.add(day.domainId, step.value);
      // Opening a domain may bring several days back.
      const next = coldDayOfDomain(shard, day.domainId, this.#options.nowMs());
      held.loading = next === null ? null : { day: next, slices: this.#loadDay(held, next) };
      if (next === null) this.#adopt(shard, day.domainId);
      return;
    }
  }

  /** The domain has what was opened; a day that was packed is so no longer, since hits came for it. */
  #adopt(shard: Shard, domainId: DomainId): void {
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

  #applyHeld(held: HeldShard, endMs: number): void {
    const { shard, records } = held;
    const nowMs = this.#options.nowMs();
    let count = 0;
    while (count < records.length && monotonicMs() < endMs) {
      const record = records[count]!;
      const day = coldDayOfRecord(shard, record, nowMs);
      if (day !== null) {
        held.loading = { day, slices: this.#loadDay(held, day) };
        break;
      }
      this.#options.apply(record);
      this.#options.onHeld(-record.payload.length);
      count++;
    }
    records.splice(0, count);
    if (records.length === 0 && held.loading === null) this.#held.delete(shard.id);
    this.#options.onApplied();
  }
}
