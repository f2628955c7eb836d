/**
 * When an actor saves which domain: busy ones soon, quiet ones late and together.
 *
 * Data plane, once a tick. Unsaved hits are replayed after a crash and hold the log back, so quiet
 * domains wait only for a bounded number of hits. A save costs some 0.1 ms whatever it holds; with
 * thousands of domains that is as much as a hit costs, and waiting spreads it over more hits.
 */

import { MINUTE_MS, SECOND_MS, UNSAVED_HIT_COUNT_MAX } from '../../model/limits.ts';
import type { DomainState } from '../state/domain-state.ts';

/** A busy domain is saved this long after its first unsaved hit. */
const BUSY_AFTER_MS = SECOND_MS;
/** Unsaved hits that make a domain busy: a save then costs little per hit. */
const BUSY_HITS = 1_000;
/** So many unsaved hits make a save long, and who asks meanwhile waits for it: they are saved at once. */
const LARGE_HITS = 20_000;
/** Unless the last saves were within so many times what they took: what is saved at once costs a 25th. */
const REST_PER_SAVE = 25;
/** A quiet domain is saved this long after its first unsaved hit, by how much its actor has to do. */
const QUIET_AFTER_MS_MIN = 10 * SECOND_MS;
const QUIET_AFTER_MS_MAX = MINUTE_MS;
/** A domain of a shard that is saved anyway goes along from this share of its time on. */
const COMPANY_SHARE = 0.5;
/** Share of a tick's rate in the rate that counts. */
const RATE_WEIGHT = 0.1;

/** The saves of one actor. */
export class SaveSchedule {
  #hits = 0;
  #tickedMs = 0;
  #hitsPerMs = 0;
  #quietAfterMs = QUIET_AFTER_MS_MIN;
  /** From when on large domains are saved at once again. */
  #restsUntilMs = 0;

  /** Counts hits that were applied. */
  count(hits: number): void {
    this.#hits += hits;
  }

  /** Begins a tick: the pace of hits decides how long quiet domains wait. */
  begin(nowMs: number): void {
    const spanMs = nowMs - this.#tickedMs;
    if (spanMs <= 0) return;
    const isFirst = this.#tickedMs === 0;
    const rate = isFirst ? 0 : this.#hits / spanMs;
    // A burst counts at once, a lull little by little.
    this.#hitsPerMs = Math.max(rate, this.#hitsPerMs + (rate - this.#hitsPerMs) * RATE_WEIGHT);
    this.#hits = 0;
    this.#tickedMs = nowMs;
    const affordableMs = UNSAVED_HIT_COUNT_MAX / this.#hitsPerMs;
    this.#quietAfterMs = Math.min(Math.max(affordableMs, QUIET_AFTER_MS_MIN), QUIET_AFTER_MS_MAX);
  }

  /** Notes how long the saves of a tick took. */
  saved(nowMs: number, tookMs: number): void {
    this.#restsUntilMs = nowMs + tookMs * REST_PER_SAVE;
  }

  /** The domains of a shard to save now. @param unsaved those with anything to save. */
  due(unsaved: Iterable<DomainState>, nowMs: number): DomainState[] {
    const due: DomainState[] = [];
    const company: DomainState[] = [];
    for (const domain of unsaved) {
      const ageMs = nowMs - domain.unsavedSinceMs;
      const isBusy = domain.unsavedHits >= BUSY_HITS;
      const isLarge = domain.unsavedHits >= LARGE_HITS && nowMs >= this.#restsUntilMs;
      // Somebody waits to be told of its events.
      const isTold = domain.notes.length > 0;
      if (isTold || isLarge || ageMs >= (isBusy ? BUSY_AFTER_MS : this.#quietAfterMs))
        due.push(domain);
      else if (ageMs >= this.#quietAfterMs * COMPANY_SHARE) company.push(domain);
    }
    // One transaction for all: most of what a small one costs is the transaction.
    if (due.length > 0) for (const domain of company) due.push(domain);
    return due;
  }
}
