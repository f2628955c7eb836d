/**
 * Sealing: packs days that are over, quiet and saved, and removes them from the actor's memory.
 *
 * Data plane, in some of the ticks. A check walks all open days, so it also says when the next
 * check can find anything; an idle actor has nothing to do until then. Days within the active
 * window are never sealed. A hit or a query opens a sealed day again.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import type { DomainState } from '../state/domain-state.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { packDays } from './checkpoint.ts';

/** A finished day without activity for this long leaves memory. Longer than any active window. */
const SEAL_AFTER_MS = 2 * HOUR_MS;
/**
 * A day that hits still come to is not packed, however long ago their own times are: who sends the
 * hits of days that are over has them packed once, not between any two of them (8 to 50 µs a hit).
 */
const PACK_AFTER_CHANGE_MS = 30 * SECOND_MS;
/** Blocks a shard packs in one tick: some ten milliseconds; a larger day goes at once. */
const PACKED_BLOCK_COUNT = 256;

/** While hits come an actor looks at least this often. */
const LOOK_MS = 10 * SECOND_MS;
/** And at rest, since a question may have opened a day or begun to count who is active. */
const IDLE_LOOK_MS = MINUTE_MS;
/** Days that came into memory after which it looks at the next tick. */
const LOOK_OPENED = 2_000;
/** Open segments of one actor beyond which days without activity are saved and sealed at once. */
const OPEN_SEGMENT_COUNT_MAX = 4_000;

/** When an actor looks which days may go. */
export class SealSchedule {
  /** Whether so many days are open that quiet ones go before they are over. */
  isCrowded = false;
  #hits = 0;
  #openedCount = 0;
  #lookedMs = 0;
  #dueMs = 0;

  /** Counts hits that were applied. */
  count(hits: number): void {
    this.#hits += hits;
  }

  /** Whether this tick looks; if so, `isCrowded` is as of now and `next` is told for each shard. */
  begin(shards: readonly Shard[], nowMs: number): boolean {
    // All shards of an actor count in one place.
    const openedCount = shards[0]?.memory.openedCount ?? 0;
    const isMoved = openedCount - this.#openedCount >= LOOK_OPENED;
    const isLate = this.#hits > 0 && nowMs - this.#lookedMs >= LOOK_MS;
    // A clock that was set back says nothing about what is due.
    const isBack = nowMs < this.#lookedMs;
    if (nowMs < this.#dueMs && !isMoved && !isLate && !isBack) return false;
    this.#hits = 0;
    this.#openedCount = openedCount;
    this.#lookedMs = nowMs;
    this.#dueMs = nowMs + IDLE_LOOK_MS;
    this.isCrowded = openSegmentCount(shards) > OPEN_SEGMENT_COUNT_MAX;
    return true;
  }

  /** The next look is at `dueMs` or before. */
  next(dueMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, dueMs);
  }
}

function openSegmentCount(shards: readonly Shard[]): number {
  let count = 0;
  for (const shard of shards) {
    for (const domain of shard.domains.values()) count += domain.segments.size;
  }
  return count;
}

/** Adds the unsaved domains with days that could leave memory: an import of old hits opens many. */
export function addSealable(due: DomainState[], shard: Shard, nowMs: number): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  const known = new Set(due);
  for (const domain of shard.unsaved) {
    if (known.has(domain)) continue;
    for (const { segment } of domain.segments.values()) {
      if (segment.maxMs >= quietMs) continue;
      due.push(domain);
      break;
    }
  }
}

/**
 * Packs saved days that are over and quiet, and drops them from memory: some a tick.
 *
 * @returns whether there may be more.
 * @throws STATE_WRITE_FAILED when the disk refused: they stay, to be tried again.
 */
export function packEndedDays(shard: Shard, nowMs: number): boolean {
  const quietMs = nowMs - SEAL_AFTER_MS;
  let blocks = 0;
  for (const domain of shard.domains.values()) {
    if (blocks >= PACKED_BLOCK_COUNT) return true;
    if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) continue;
    const days: OpenSegment[] = [];
    for (const [day, open] of domain.segments) {
      if (!isQuiet(open, quietMs) || !isToBePacked(day, open, quietMs)) continue;
      if (nowMs < packableMs(open)) continue;
      days.push(open);
      for (const versions of open.header?.blockVersions ?? []) blocks += versions.length;
    }
    if (days.length === 0) continue;
    try {
      packDays(shard, domain, days);
    } catch (error) {
      if (!isDamage(error)) throw error;
      // They leave memory as they are on disk.
      shard.aside.tell(error);
    }
    for (const { day } of days) domain.segments.delete(day);
  }
  return false;
}

/** Whether a day has ended and every block of it is a value of its own. */
function isToBePacked(day: number, open: OpenSegment, quietMs: number): boolean {
  return (day + 1) * DAY_MS < quietMs && open.header !== null && open.header.packed === null;
}

function packableMs({ changedMs }: OpenSegment): number {
  return changedMs === 0 ? 0 : changedMs + PACK_AFTER_CHANGE_MS;
}

function isQuiet(open: OpenSegment, quietMs: number): boolean {
  return !open.isDirty && open.segment.maxMs < quietMs;
}

/**
 * Drops packed days that are over and quiet from memory, and domains that hold none.
 *
 * @returns when there may be more to drop or to pack; in the past while something waits to be saved.
 */
export function seal(shard: Shard, nowMs: number, isCrowded: boolean): number {
  const quietMs = nowMs - SEAL_AFTER_MS;
  let dueMs = Number.POSITIVE_INFINITY;
  for (const domain of shard.domains.values()) {
    domain.active.stopWhenIdle(nowMs);
    const isSaved = domain.firstUnsavedSequence === 0;
    for (const [day, open] of domain.segments) {
      const isOver = (day + 1) * DAY_MS < quietMs && !isToBePacked(day, open, quietMs);
      if (isSaved && isQuiet(open, quietMs) && (isOver || isCrowded)) domain.segments.delete(day);
      else dueMs = Math.min(dueMs, dueOf(day, open, isCrowded));
    }
    const isErasing = shard.erasing.has(domain.domainId);
    if (isSaved && domain.segments.size === 0 && !isErasing) shard.domains.delete(domain.domainId);
  }
  return dueMs;
}

/** The first instant at which a day can go as far as the clock is concerned. */
function dueOf(day: number, open: OpenSegment, isCrowded: boolean): number {
  const { maxMs } = open.segment;
  if (isCrowded) return maxMs + SEAL_AFTER_MS + 1;
  return Math.max(Math.max(maxMs, (day + 1) * DAY_MS) + SEAL_AFTER_MS + 1, packableMs(open));
}
