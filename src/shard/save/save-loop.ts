/**
 * What an actor writes of its shards in its own time: checkpoints, erasures, days that are over.
 *
 * Data plane, once a tick and slice by slice. The disk may refuse: memory and the log keep what could
 * not be saved, and it is tried again a little later.
 */

import { OperatingError } from '../../model/errors.ts';
import { HOUR_MS, SECOND_MS } from '../../model/limits.ts';
import type { DomainState } from '../state/domain-state.ts';
import { eraseNextDay } from '../state/erasure.ts';
import type { OpenShards } from '../state/open-shards.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { checkpoint, forgetKeys } from './checkpoint.ts';
import type { DayOpenings } from './day-loading.ts';
import { letRest, reopenOver } from './evict-domains.ts';
import { SaveSchedule } from './save-schedule.ts';
import { addSealable, packOver, SealRounds, seal } from './sealing.ts';

/** After a failed checkpoint the next ones wait this long: a full disk does not empty at once. */
const RETRY_AFTER_MS = 5 * SECOND_MS;
/** A slice of an erasure takes no further day after this long: hits and queries wait meanwhile. */
const ERASE_SLICE_MS = 20;

/** The saves of one actor. */
export class Saves {
  readonly #shards: OpenShards;
  readonly #onFault: (error: OperatingError) => void;
  readonly #openings: DayOpenings;
  readonly #onMended: () => void;
  /** Why the last write failed, null when it did not. */
  #fault: OperatingError | null = null;
  readonly #schedule = new SaveSchedule();
  readonly #rounds = new SealRounds();
  #lastForgottenHour = 0;
  #fromMs = 0;
  /** Wall clock of the turn at hand. */
  #nowMs = 0;
  #restedDomains = 0;
  /** Positions that `tick` has told; absent for those found at the start. */
  readonly #told = new WeakMap<Shard, number>();

  /**
   * @param tell.onFault a checkpoint failed and will be tried again.
   * @param tell.onMended the first that succeeded after that.
   */
  constructor(
    shards: OpenShards,
    tell: {
      openings: DayOpenings;
      onFault: (error: OperatingError) => void;
      onMended: () => void;
    },
  ) {
    this.#shards = shards;
    this.#openings = tell.openings;
    this.#onFault = tell.onFault;
    this.#onMended = tell.onMended;
  }

  /**
   * Saves a domain that somebody asks for.
   *
   * @throws STATE_WRITE_FAILED when the disk refuses, and without another look for a while after it has:
   *   what was refused is written whole, and many may ask.
   */
  readonly saveAsked = (shard: Shard, domainId: string, nowMs: number): void => {
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
    this.#schedule.count(hits);
    this.#rounds.count(hits);
  }

  /** Saves what is due and lets quiet days go. @returns shards whose position on disk moved. */
  tick(nowMs: number): Shard[] {
    if (nowMs < this.#fromMs) return [];
    this.#nowMs = nowMs;
    this.#schedule.begin(nowMs);
    const shards = this.#shards.values();
    const looks = this.#rounds.begin(shards, nowMs);
    const moved: Shard[] = [];
    for (const shard of shards) {
      if (this.#shards.epochOf(shard.id) === 0) continue;
      const due = this.#schedule.due(shard.unsaved, nowMs);
      if (looks && this.#rounds.isCrowded) addSealable(due, shard, nowMs);
      if (due.length > 0) this.#tryCheckpoint(shard, due);
      // Questions and erasures save, too.
      if ((this.#told.get(shard) ?? 0) !== shard.savedSequence) moved.push(shard);
      this.#told.set(shard, shard.savedSequence);
      if (looks && !this.#openings.isHeld(shard.id)) this.#letGo(shard, nowMs);
    }
    this.#forgetKeys(nowMs);
    return moved;
  }

  /** Domains that left memory since the last call: what they held waits for a collection. */
  takeRested(): number {
    const count = this.#restedDomains;
    this.#restedDomains = 0;
    return count;
  }

  /** Carries erasures on for a slice of time, as `Actor.erase` says. @returns whether there is more. */
  erase(nowMs: number, elapsedMs: () => number): boolean {
    if (nowMs < this.#fromMs) return false;
    for (const shard of this.#shards.values()) {
      if (shard.erasing.size === 0 || this.#shards.epochOf(shard.id) === 0) continue;
      if (this.#openings.isHeld(shard.id)) continue;
      for (const domainId of shard.erasing) {
        if (this.#openings.delays(shard, domainId, nowMs)) break;
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

  /** Packs and drops what has become quiet. */
  #letGo(shard: Shard, nowMs: number): void {
    if (reopenOver(shard, nowMs)) this.#rounds.next(nowMs);
    this.#try(() => {
      if (packOver(shard, nowMs)) this.#rounds.next(nowMs);
    });
    this.#rounds.next(seal(shard, nowMs, this.#rounds.isCrowded));
    this.#restedDomains += letRest(shard, nowMs);
  }

  #eraseSlice(
    shard: Shard,
    domainId: string,
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
      this.#try(() => forgetKeys(shard, nowMs));
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
