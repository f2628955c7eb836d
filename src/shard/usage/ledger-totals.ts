/**
 * The ledger's sums over all domains and days of a shard, for who watches the installation (P-30, P-31).
 *
 * Control plane. Kept in the shard's environment, since adding up every day of every domain takes too
 * long for a start:
 *
 *     ['w']     position, page views, events, keep-alives, openings; reason, count; reason, count; …
 *
 * Every transaction that adds to the sums of a domain adds the same here, so they are as exact. The
 * position is that of the shard then: sums of another one were left by a build that did not keep them,
 * and are made anew of what the domains have.
 */

import { Packr } from 'msgpackr';
import { DROP_REASONS } from '../../model/drop-reasons.ts';
import type { Sequence } from '../../model/ids.ts';
import type { LedgerSums } from '../../model/ledger.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { eachStoredDrop } from './drop-store.ts';
import type { UnsavedCounts } from './ledger.ts';
import type { DayUsage } from './usage-counts.ts';
import { eachStoredDay } from './usage-store.ts';

const KEY: StateKey = ['w'];
/** Numbers in front of the reasons. */
const HEAD_COUNT = 5;

const packr = new Packr({ useRecords: false });

/** What it needs of its shard. */
interface Holder {
  /** Null while nothing was ever saved. */
  environment(): StateEnvironment | null;
  /** The shard's position on disk. */
  savedSequence(): Sequence;
}

/** The sums of one shard. */
export class LedgerTotals {
  readonly #holder: Holder;
  /** Of what is stored; null: not read yet. */
  #stored: LedgerSums | null = null;
  /** What is stored of a domain is damaged: sums are right or not said. */
  #isUnknown = false;

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  /**
   * What is stored and what these domains have counted since; null when that is not known, because what
   * is stored is damaged.
   *
   * @cost the first time, in a state that a build without these sums has left, a look at all of them.
   */
  with(domains: Iterable<UnsavedCounts>): LedgerSums | null {
    const stored = this.#read();
    if (stored === null) return null;
    const sums = { ...stored, dropped: [...stored.dropped] };
    for (const { usage, drops } of domains) {
      for (const counts of usage.days.values()) addDay(sums, counts);
      for (const day of drops?.days.values() ?? []) {
        for (const { reason, count } of day.values()) sums.dropped[reason]! += count;
      }
    }
    return sums;
  }

  /**
   * Within the transaction that saves what was counted.
   *
   * @param sums what `with` said of the domains that it saves.
   */
  save(
    environment: StateEnvironment,
    sums: LedgerSums | null,
    position = this.#holder.savedSequence(),
  ): void {
    if (sums === null) {
      environment.remove(KEY);
      return;
    }
    const { views, events, keepAlives, openings, dropped } = sums;
    const reasons = dropped.flatMap((count, reason) => (count === 0 ? [] : [reason, count]));
    environment.put(KEY, packr.pack([position, views, events, keepAlives, openings, ...reasons]));
  }

  /** The transaction is done. */
  saved(sums: LedgerSums | null): void {
    this.#stored = sums;
  }

  #read(): LedgerSums | null {
    if (this.#stored !== null || this.#isUnknown) return this.#stored;
    const environment = this.#holder.environment();
    if (environment === null) return noSums();
    try {
      this.#stored = this.#kept(environment) ?? addedUp(environment);
    } catch {
      this.#isUnknown = true;
    }
    return this.#stored;
  }

  /** Null: there are none, or of another state. */
  #kept(environment: StateEnvironment): LedgerSums | null {
    const bytes = environment.get(KEY);
    if (bytes === undefined) return null;
    const numbers = packr.unpack(bytes) as number[];
    const [position, views = 0, events = 0, keepAlives = 0, openings = 0] = numbers;
    if (position !== this.#holder.savedSequence()) return null;
    const sums = { ...noSums(), views, events, keepAlives, openings };
    for (let at = HEAD_COUNT; at < numbers.length; at += 2) {
      sums.dropped[numbers[at]!] = numbers[at + 1]!;
    }
    return sums;
  }
}

/** Of nothing. */
function noSums(): LedgerSums {
  const dropped = DROP_REASONS.map(() => 0);
  return { views: 0, events: 0, keepAlives: 0, openings: 0, dropped };
}

function addedUp(environment: StateEnvironment): LedgerSums {
  const sums = noSums();
  eachStoredDay(environment, (counts) => addDay(sums, counts));
  eachStoredDrop(environment, (reason, count) => {
    sums.dropped[reason]! += count;
  });
  return sums;
}

function addDay(sums: LedgerSums, { views, events, keepAlives, openings }: DayUsage): void {
  sums.views += views;
  sums.events += events;
  sums.keepAlives += keepAlives;
  sums.openings += openings;
}
