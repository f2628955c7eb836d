/**
 * The actor's background work on its shards: checkpoints, erasures, and sealing of ended days.
 *
 * Data plane, once a tick and in slices. When the disk refuses a write, memory and the log keep
 * what was not saved, and it is tried again a little later.
 */

import { monotonicMs } from '../../base/clock.ts';
import { OperatingError } from '../../model/errors.ts';
import type { DomainId } from '../../model/ids.ts';
import { HOUR_MS, SECOND_MS } from '../../model/limits.ts';
import type { DomainState } from '../state/domain-state.ts';
import { eraseNextDay } from '../state/erasure.ts';
import { forgetKeys } from '../state/idempotency-keys.ts';
import type { OpenShards } from '../state/open-shards.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { checkpoint } from './checkpoint.ts';
import type { DayLoader } from './day-loading.ts';
import { evictIdleDomains, reopenEndedDays } from './evict-domains.ts';
import { SaveSchedule } from './save-schedule.ts';
import { addSealable, packEndedDays, SealSchedule, seal } from './sealing.ts';

/** After a failed checkpoint the next ones wait this long: a full disk does not empty at once. */
const RETRY_AFTER_MS = 5 * SECOND_MS;
/** A slice of an erasure takes no further day after this long: hits and queries wait meanwhile. */
const ERASE_SLICE_MS = 20;

/** The background work of one actor. */
export class SaveLoop {
  readonly #shards: OpenShards;
  readonly #onFault: (error: OperatingError) => void;
  readonly #dayLoader: DayLoader;
  readonly #onMended: () => void;
  /** Why the last write failed, null when it did not. */
  #fault: OperatingError | null = null;
  readonly #saveSchedule = new SaveSchedule();
  readonly #sealSchedule = new SealSchedule();
  #lastForgottenHour = 0;
  #fromMs = 0;
  /** Wall clock of the turn at hand. */
  #nowMs = 0;
  #evictedDomains = 0;
  /** Positions that `tick` has told; absent for those found at the start. */
  readonly #told = new WeakMap<Shard, number>();

  /**
   * @param tell.onFault a checkpoint failed and will be tried again.
   * @param tell.onMended the first that succeeded after that.
   */
  constructor(
    shards: OpenShards,
    tell: {
      dayLoader: DayLoader;
      onFault: (error: OperatingError) => void;
      onMended: () => void;
    },
  ) {
    this.#shards = shards;
    this.#dayLoader = tell.dayLoader;
    this.#onFault = tell.onFault;
    this.#onMended = tell.onMended;
  }

  /**
   * Saves a domain that somebody asks for.
   *
   * @throws STATE_WRITE_FAILED when the disk refuses, and without another look for a while after it has:
   *   what was refused is written whole, and many may ask.
   */
  readonly saveAsked = (shard: Shard, domainId: DomainId, nowMs: number): void => {
    if (this.#fault !== null && nowMs < this.#fromMs) throw this.#fault;
    try {
      shard.aside.checkComplete(domainId);
      // One that is not in memory has nothing to save.
      const held = shard.domains.get(domainId);
      if (held !== undefined && held.firstUnsavedSequence !== 0) checkpoint(shard, [held]);
    } catch (error) {
      this.#noteFault(error, nowMs);
      throw error;
    }
  };

  /** Counts hits that were applied. */
  count(hits: number): void {
    this.#saveSchedule.count(hits);
    this.#sealSchedule.count(hits);
  }

  /** Saves what is due and evicts quiet days. @returns shards whose position on disk moved. */
  tick(nowMs: number): Shard[] {
    if (nowMs < this.#fromMs) return [];
    this.#nowMs = nowMs;
    this.#saveSchedule.begin(nowMs);
    const shards = this.#shards.values();
    const looks = this.#sealSchedule.begin(shards, nowMs);
    const moved: Shard[] = [];
    let savedInMs = 0;
    for (const shard of shards) {
      if (this.#shards.epochOf(shard.id) === 0) continue;
      const due = this.#saveSchedule.due(shard.unsaved, nowMs);
      if (looks && this.#sealSchedule.isCrowded) addSealable(due, shard, nowMs);
      const startMs = monotonicMs();
      if (due.length > 0 && this.#tryCheckpoint(shard, due)) savedInMs += monotonicMs() - startMs;
      // Questions and erasures save, too.
      if ((this.#told.get(shard) ?? 0) !== shard.savedSequence) {
        moved.push(shard);
        this.#told.set(shard, shard.savedSequence);
      }
      if (looks && !this.#dayLoader.isHeld(shard.id)) this.#evict(shard, nowMs);
    }
    if (savedInMs > 0) this.#saveSchedule.saved(nowMs, savedInMs);
    this.#forgetKeys(nowMs);
    return moved;
  }

  /**
   * Saves domains with events that are to be told, also in the middle of a record: each of them is an
   * entry for each of its webhooks; and those with sums of imports. What the disk refuses is saved by a
   * later tick.
   */
  readonly saveNoted = (): void => {
    if (this.#nowMs < this.#fromMs) return;
    for (const shard of this.#shards.values()) {
      if (this.#shards.epochOf(shard.id) === 0) continue;
      const noted = [...shard.domains.values()].filter(
        ({ notes, imports }) => notes.length > 0 || imports.unsavedBytes > 0,
      );
      if (noted.length > 0) this.#tryCheckpoint(shard, noted);
    }
  };

  /** Domains evicted since the last call: their memory waits for a garbage collection. */
  takeEvictedDomains(): number {
    const count = this.#evictedDomains;
    this.#evictedDomains = 0;
    return count;
  }

  /** Carries erasures on for a slice of time, as `Actor.erase` says. @returns whether there is more. */
  erase(nowMs: number, elapsedMs: () => number): boolean {
    if (nowMs < this.#fromMs) return false;
    for (const shard of this.#shards.values()) {
      if (shard.erasing.size === 0 || this.#shards.epochOf(shard.id) === 0) continue;
      if (this.#dayLoader.isHeld(shard.id)) continue;
      for (const domainId of shard.erasing) {
        if (this.#dayLoader.delays(shard, domainId, nowMs)) break;
        try {
          this.#eraseSlice(shard, domainId, { nowMs, elapsedMs });
        } catch (error) {
          if (!isDamage(error)) throw error;
          // The day stays pending; the next start tries again.
          shard.aside.tell(error);
          shard.erasing.delete(domainId);
        }
        return true;
      }
    }
    return false;
  }

  /** Saves all of a shard, if it is still held. */
  saveAll(shard: Shard): void {
    if (this.#shards.epochOf(shard.id) === 0) return;
    const unsaved = [...shard.domains.values()].filter(
      (domain) => domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures,
    );
    if (unsaved.length > 0) this.#tryCheckpoint(shard, unsaved);
  }

  /** Packs and evicts what has become quiet. */
  #evict(shard: Shard, nowMs: number): void {
    if (reopenEndedDays(shard, nowMs)) this.#sealSchedule.next(nowMs);
    this.#try(() => {
      if (packEndedDays(shard, nowMs)) this.#sealSchedule.next(nowMs);
    });
    this.#sealSchedule.next(seal(shard, nowMs, this.#sealSchedule.isCrowded));
    this.#evictedDomains += evictIdleDomains(shard, nowMs);
  }

  #eraseSlice(
    shard: Shard,
    domainId: DomainId,
    clocks: { nowMs: number; elapsedMs: () => number },
  ): void {
    const domain = shard.existingDomain(domainId, clocks.nowMs);
    if (domain === null) {
      shard.erasing.delete(domainId);
      return;
    }
    const endMs = clocks.elapsedMs() + ERASE_SLICE_MS;
    do eraseNextDay(domain);
    while (domain.pendingErasures.size > 0 && clocks.elapsedMs() < endMs);
    this.#nowMs = clocks.nowMs;
    this.#tryCheckpoint(shard, [domain]);
    seal(shard, clocks.nowMs, false);
  }

  #forgetKeys(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#lastForgottenHour) return;
    this.#lastForgottenHour = hour;
    for (const shard of this.#shards.values()) {
      if (shard.domains.size === 0 || this.#shards.epochOf(shard.id) === 0) continue;
      this.#try(() => forgetKeys(shard.environment(), nowMs));
    }
  }

  /** @returns false when the disk refused. */
  #tryCheckpoint(shard: Shard, domains: readonly DomainState[]): boolean {
    return this.#try(() => checkpoint(shard, domains));
  }

  #try(write: () => void): boolean {
    try {
      write();
    } catch (error) {
      this.#noteFault(error, this.#nowMs);
      return false;
    }
    // Where one shard was refused, another may find room in its file: that mends nothing.
    if (this.#fault === null || this.#nowMs < this.#fromMs) return true;
    this.#fault = null;
    this.#onMended();
    return true;
  }

  /** @throws what is no refusal of the disk. */
  #noteFault(error: unknown, nowMs: number): void {
    if (!(error instanceof OperatingError)) throw error;
    // What is damaged concerns one site: the others are saved as before.
    if (isDamage(error)) {
      this.#onFault(error);
      return;
    }
    this.#fault = error;
    this.#fromMs = nowMs + RETRY_AFTER_MS;
    this.#onFault(error);
  }
}
