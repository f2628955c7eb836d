/**
 * What the base does for days that are frozen (`frozen-holders.ts`): deletions reach them, and
 * they are packed like others.
 *
 * Data plane, in slices. Lanes copy from frozen days and carry deletions out on what they read, each at
 * its own place in the log. So a day on disk may only lose rows when nobody will look at it from
 * before the deletion any more, not even after a crash.
 */

import { domainOfHolder, holdersOf } from '../model/split.ts';
import { checkpoint } from './checkpoint.ts';
import type { DomainState } from './domain-state.ts';
import { eraseNextDay } from './erasure.ts';
import type { Shard } from './shard.ts';
import { lanePositions } from './split.ts';

/** Whether the next pending day of a domain may be rebuilt. */
export function mayErase(shard: Shard, domain: DomainState): boolean {
  const { domainId: holder, sequence } = domain;
  const split = shard.splits.of(domainOfHolder(holder));
  if (split === null || split.holder === holder) return true;
  const own = shard.domains.get(split.holder);
  const unsaved = own?.firstUnsavedSequence ?? 0;
  if (unsaved !== 0 && unsaved <= sequence) return false;
  const environment = shard.environment();
  environment.refresh();
  return lanePositions(environment).every(({ position }) => position >= sequence);
}

/**
 * Carries out what is pending for frozen days. At a change of lanes, when every lane has saved up to
 * it and none has gone on: the lanes of the new generation know of later deletions only.
 *
 * @param shard the base.
 * @throws STATE_WRITE_FAILED when the disk refused: no lane may go on then.
 */
export function eraseFrozen(shard: Shard, nowMs: number): void {
  for (const holder of [...shard.erasing]) {
    const split = shard.splits.of(domainOfHolder(holder));
    if (split === null || split.holder === holder) continue;
    const domain = shard.existingDomain(holder, nowMs);
    if (domain === null) continue;
    while (domain.pendingErasures.size > 0) eraseNextDay(domain);
    checkpoint(shard, [domain]);
  }
}

/** Has the days packed that a lane has frozen and holds no more, when they are over (`resting.ts`). */
export function packFrozen(shard: Shard): void {
  for (const { domainId, split } of shard.splits.all()) {
    for (const holder of holdersOf(domainId, split.lanes.slice(0, -1))) {
      if (shard.domains.has(holder)) continue;
      for (const day of shard.unpackedDaysOf(holder)) {
        const days = shard.unpackedDays.get(holder) ?? new Map<number, number>();
        shard.unpackedDays.set(holder, days.set(day, 0));
      }
    }
  }
}
