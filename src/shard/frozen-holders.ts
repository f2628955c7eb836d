/**
 * What earlier generations of a split domain stored, as a lane of the newest sees it (`model/split.ts`).
 *
 * Data plane. Nothing of it changes any more but by deletions, which each lane carries out on what it
 * has loaded, in the order of the log; so what is found here follows from the log alone. A visitor
 * that was copied is hidden: it counts, and is found, where the copy is.
 *
 *     hit ─▶ id known here? ─ no ─▶ newest holder that has it ─▶ copy, hide (`visitor-copy.ts`)
 */

import { assert } from '../base/assert.ts';
import { type HitBatch, NUMBER, NUMBERS_PER_HIT } from '../bus/hit-batch.ts';
import type { Erasure } from '../model/erasure.ts';
import { DAY_MS } from '../model/limits.ts';
import { appendHidden, type HiddenPlace, readHidden } from '../segment/hidden-rows.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import type { StateEnvironment } from '../store/state-environment.ts';
import { DomainState, type EarlierGenerations, type StateReader } from './domain-state.ts';
import { expectErasure } from './erasure.ts';
import { copyVisitor, type DayId, type Source } from './visitor-copy.ts';

/** Days of earlier generations that nobody needed for this long leave memory. */
const LET_GO_AFTER_MS = 600_000;

/** What is read of the state on disk. */
export interface FrozenReader extends StateReader {
  environment(): StateEnvironment;
  /** Days of a stored holder and the time that they span. */
  daySpans(holder: string): { day: number; minMs: number; maxMs: number }[];
}

/** One holder, as far as it was looked at. */
class FrozenHolder implements Source {
  readonly holder: string;
  readonly #reader: FrozenReader;
  readonly #erasures: readonly Erasure[];
  readonly #hidden = new Map<number, Set<number>>();
  /** By day: rows hidden since the last save. */
  readonly unsaved = new Map<number, number[]>();
  #state: DomainState | null = null;

  constructor(holder: string, reader: FrozenReader, erasures: readonly Erasure[]) {
    this.holder = holder;
    this.#reader = reader;
    this.#erasures = erasures;
  }

  segment(day: number): OpenSegment | null {
    return this.#opened().existingSegment(day);
  }

  isHidden(day: number, session: number): boolean {
    return this.#hiddenOf(day).has(session);
  }

  hide(day: number, session: number): void {
    this.#hiddenOf(day).add(session);
    const unsaved = this.unsaved.get(day);
    if (unsaved === undefined) this.unsaved.set(day, [session]);
    else unsaved.push(session);
  }

  erase(erasure: Erasure): void {
    if (this.#state !== null) this.#expect(this.#state, erasure);
  }

  /** Forgets what was loaded; what is hidden and not saved yet stays. */
  letGo(): void {
    this.#state = null;
    for (const day of this.#hidden.keys()) if (!this.unsaved.has(day)) this.#hidden.delete(day);
  }

  #opened(): DomainState {
    if (this.#state !== null) return this.#state;
    // What was pending when it was frozen was carried out first: nothing is taken from its record.
    const state = new DomainState(this.#reader, this.holder, null);
    for (const erasure of this.#erasures) this.#expect(state, erasure);
    this.#state = state;
    return state;
  }

  #expect(state: DomainState, erasure: Erasure): void {
    expectErasure(state, erasure, this.#reader.daySpans(this.holder));
  }

  #hiddenOf(day: number): Set<number> {
    let hidden = this.#hidden.get(day);
    if (hidden === undefined) {
      hidden = new Set(readHidden(this.#reader.environment(), this.holder, day));
      this.#hidden.set(day, hidden);
    }
    return hidden;
  }
}

/** The holders of all earlier generations of a domain, for one holder of the newest. */
export class FrozenHolders implements EarlierGenerations {
  /** The newest generation first. */
  readonly #holders: FrozenHolder[];
  /** `generation.lane` of the holder that copies. */
  readonly #lane: string;
  readonly #reader: FrozenReader;
  #usedMs = 0;
  #isLooking = false;

  /**
   * @param holders names, the newest generation last.
   * @param lane `generation.lane` of the holder that copies.
   * @param erasures those since its generation began, in order; kept by the caller, who adds to it.
   */
  constructor(
    reader: FrozenReader,
    { holders, lane }: { holders: readonly string[]; lane: string },
    erasures: readonly Erasure[],
  ) {
    this.#reader = reader;
    this.#lane = lane;
    this.#holders = holders.map((holder) => new FrozenHolder(holder, reader, erasures)).reverse();
  }

  /**
   * Copies the visitor of an id, if it is here and was not copied, unless the holder knows the id.
   *
   * @param nowMs wall clock of the actor; used only to decide when memory is given back.
   * @cost two look-ups for a visitor who is known.
   */
  bring(into: DomainState, { day, low, high }: DayId, nowMs: number): void {
    const own = into.existingSegment(day);
    if (own !== null) {
      if (own.visitorIndex.find(low, high) >= 0) return;
      if (own.carriedIndex.find(low, high) >= 0) return;
    }
    this.#usedMs = nowMs;
    if (!this.#isLooking) {
      // Other threads have frozen what they hold since this one last looked.
      this.#reader.environment().refresh();
      this.#isLooking = true;
    }
    for (let index = 0; index < this.#holders.length; index++) {
      if (copyVisitor(this.#holders[index]!, into, { day, low, high })) return;
    }
  }

  /** A deletion came by the log; the list given at the start has it already. */
  erase(erasure: Erasure): void {
    for (const holder of this.#holders) holder.erase(erasure);
  }

  /** Writes what was hidden since the last save. Inside the transaction that saves the copies. */
  save(environment: StateEnvironment): void {
    assert(environment === this.#reader.environment(), 'copies are saved where they are hidden');
    for (const { holder, unsaved } of this.#holders) {
      for (const [day, rows] of unsaved) {
        const place: HiddenPlace = { holderId: holder, day, lane: this.#lane };
        appendHidden(environment, place, rows);
      }
    }
  }

  /** What `save` wrote is on disk. */
  saved(): void {
    for (const { unsaved } of this.#holders) unsaved.clear();
  }

  /** Gives memory back when nobody needed it for a while. */
  rest(nowMs: number): void {
    if (nowMs - this.#usedMs < LET_GO_AFTER_MS) return;
    for (const holder of this.#holders) holder.letGo();
  }
}

/** Copies the visitor of a hit of a split domain, if an earlier generation has it. */
export function bringVisitor(
  domain: DomainState,
  { numbers, timesMs }: HitBatch,
  row: number,
  nowMs: number,
): void {
  const { frozen } = domain;
  if (frozen === null) return;
  const at = row * NUMBERS_PER_HIT;
  const day = Math.floor(timesMs[row]! / DAY_MS);
  const low = numbers[at + NUMBER.visitorLow]!;
  const high = numbers[at + NUMBER.visitorHigh]!;
  frozen.bring(domain, { day, low, high }, nowMs);
  const previousLow = numbers[at + NUMBER.previousLow]!;
  const previousHigh = numbers[at + NUMBER.previousHigh]!;
  if (previousLow === 0 && previousHigh === 0) return;
  frozen.bring(domain, { day: day - 1, low: previousLow, high: previousHigh }, nowMs);
}
