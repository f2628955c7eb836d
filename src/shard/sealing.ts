/**
 * Days that leave the memory of an actor: over, quiet, and saved.
 *
 * Data plane, once a tick. What is active is never among them; a hit or a query brings a day back.
 */

import { DAY_MS, HOUR_MS } from '../model/limits.ts';
import type { DomainState } from './domain-state.ts';
import type { Shard } from './shard.ts';

/** A finished day without activity for this long leaves memory. Longer than any active window. */
const SEAL_AFTER_MS = 2 * HOUR_MS;

/** Adds the unsaved domains with days that could leave memory: an import of old hits opens many. */
export function addSealable(due: DomainState[], shard: Shard, nowMs: number): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  for (const domain of shard.unsaved) {
    if (due.includes(domain)) continue;
    for (const { segment } of domain.segments.values()) {
      if (segment.maxMs >= quietMs) continue;
      due.push(domain);
      break;
    }
  }
}

/** Drops saved days that are over and quiet from memory, and domains that hold none. */
export function seal(shard: Shard, nowMs: number, isCrowded: boolean): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  for (const domain of shard.domains.values()) {
    domain.active.rest(nowMs);
    if (domain.firstUnsavedSequence !== 0) continue;
    for (const [day, open] of domain.segments) {
      const isOver = (day + 1) * DAY_MS < quietMs || isCrowded;
      if (isOver && !open.isDirty && open.segment.maxMs < quietMs) domain.segments.delete(day);
    }
    const isErasing = shard.erasing.has(domain.domainId);
    if (domain.segments.size === 0 && !isErasing) shard.domains.delete(domain.domainId);
  }
}
