/**
 * Days that leave the memory of an actor: over, quiet, and saved.
 *
 * Data plane, once a tick. What is active is never among them; a hit or a query brings a day back.
 */

import { DAY_MS, HOUR_MS } from '../model/limits.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import { packDays } from './checkpoint.ts';
import type { DomainState } from './domain-state.ts';
import type { Shard } from './shard.ts';

/** A finished day without activity for this long leaves memory. Longer than any active window. */
const SEAL_AFTER_MS = 2 * HOUR_MS;
/** Blocks a shard packs in one tick: some ten milliseconds; a larger day goes at once. */
const PACKED_BLOCK_COUNT = 256;

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
 * @throws STATE_WRITE_FAILED when the disk refused: they stay, to be tried again.
 */
export function packOver(shard: Shard, nowMs: number): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  let blocks = 0;
  for (const domain of shard.domains.values()) {
    if (blocks >= PACKED_BLOCK_COUNT) return;
    if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) continue;
    const days: OpenSegment[] = [];
    for (const [day, open] of domain.segments) {
      if (!isQuiet(open, quietMs) || !isToBePacked(day, open, quietMs)) continue;
      days.push(open);
      for (const versions of open.header?.blockVersions ?? []) blocks += versions.length;
    }
    if (days.length === 0) continue;
    packDays(shard, domain, days);
    for (const { day } of days) domain.segments.delete(day);
  }
}

/** Whether a day has ended and every block of it is a value of its own. */
function isToBePacked(day: number, open: OpenSegment, quietMs: number): boolean {
  return (day + 1) * DAY_MS < quietMs && open.header !== null && open.header.packed === null;
}

function isQuiet(open: OpenSegment, quietMs: number): boolean {
  return !open.isDirty && open.segment.maxMs < quietMs;
}

/** Drops packed days that are over and quiet from memory, and domains that hold none. */
export function seal(shard: Shard, nowMs: number, isCrowded: boolean): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  for (const domain of shard.domains.values()) {
    domain.active.rest(nowMs);
    if (domain.firstUnsavedSequence !== 0) continue;
    for (const [day, open] of domain.segments) {
      if (!isQuiet(open, quietMs)) continue;
      const isOver = (day + 1) * DAY_MS < quietMs && !isToBePacked(day, open, quietMs);
      if (isOver || isCrowded) domain.segments.delete(day);
    }
    const isErasing = shard.erasing.has(domain.domainId);
    if (domain.segments.size === 0 && !isErasing) shard.domains.delete(domain.domainId);
  }
}
