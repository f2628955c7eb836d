/**
 * Small domains that nobody needed for a while leave the memory of an actor whole, their open day
 * included: the next hit opens them again, as after a restart.
 *
 * Data plane, in the ticks that look (`sealing.ts`). A day that leaves before it is over is opened once
 * more when it is, to be packed.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import type { DomainState } from '../state/domain-state.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';

/** Longer than hits of a visited site lie apart: opening again is small work, not measured. */
const REST_AFTER_MS = 2 * MINUTE_MS;
/** Page views and sessions of the open days of a domain that is cheap to open again. */
const SMALL_ROWS_MAX = 2_000;
/** A day is over for good: as in `sealing.ts`, and a little, so that it is found quiet. */
const PACK_AFTER_MS = 2 * HOUR_MS + MINUTE_MS;
/** A day whose last change is less old than this is not opened to be packed, as in `sealing.ts`. */
const REOPEN_AFTER_MS = 30 * SECOND_MS;
/** Days opened again in one tick, so that hits do not wait for long. */
const REOPENED_COUNT = 8;

/** Lets go of small domains that rest. @returns how many. */
export function letRest(shard: Shard, nowMs: number): number {
  let count = 0;
  for (const domain of shard.domains.values()) {
    if (nowMs - domain.touchedMs < REST_AFTER_MS) continue;
    if (!canRest(domain) || shard.erasing.has(domain.domainId)) continue;
    for (const open of domain.segments.values()) {
      rememberUnpacked(shard, domain.domainId, open);
    }
    shard.domains.delete(domain.domainId);
    count++;
  }
  return count;
}

/** Opens days that ended after their domain left, for `packOver`. @returns whether there are more. */
export function reopenOver(shard: Shard, nowMs: number): boolean {
  let count = 0;
  for (const [domainId, days] of shard.unpackedDays) {
    for (const [day, changedMs] of days) {
      if ((day + 1) * DAY_MS + PACK_AFTER_MS >= nowMs) continue;
      // Hits that are late come in a row: it may have left only for want of memory.
      if (nowMs >= changedMs && nowMs < changedMs + REOPEN_AFTER_MS) continue;
      if (count++ >= REOPENED_COUNT || shard.memory.isDue) return true;
      days.delete(day);
      reopen(shard, domainId, day, nowMs);
    }
    if (days.size === 0) shard.unpackedDays.delete(domainId);
  }
  return false;
}

/** A day that is damaged stays as it is: not packed, and refused to those who ask for it. */
function reopen(shard: Shard, domainId: string, day: number, nowMs: number): void {
  try {
    shard.existingDomain(domainId, nowMs)?.rawSegment(day);
  } catch (error) {
    if (!isDamage(error)) throw error;
    shard.aside.tell(error);
  }
}

function canRest(domain: DomainState): boolean {
  if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) return false;
  if (domain.pendingErasures.size > 0 || domain.active.isKept) return false;
  let rows = 0;
  for (const { isDirty, segment } of domain.segments.values()) {
    if (isDirty) return false;
    rows += segment.views.rowCount + segment.sessions.rowCount;
  }
  return rows <= SMALL_ROWS_MAX;
}

/** Notes that a day which leaves memory has still to be packed, if that is so. */
export function rememberUnpacked(
  shard: Shard,
  domainId: string,
  { day, header, changedMs }: OpenSegment,
): void {
  if (header?.packed !== null) return;
  const days = shard.unpackedDays.get(domainId) ?? new Map<number, number>();
  shard.unpackedDays.set(domainId, days.set(day, changedMs));
}
