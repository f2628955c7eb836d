/**
 * Checkpoints: what changed in a shard and the position of the log, in one LMDB transaction.
 *
 * A crash loses nothing: replay starts behind the position, and what is in the state is not applied
 * again. The log may be trimmed up to the position.
 */

import { Packr } from 'msgpackr';
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence } from '../../model/ids.ts';
import { metrics } from '../../model/metrics.ts';
import { finishUnpacking, packSegment } from '../../segment/disk/packed-blocks.ts';
import { dropSegment, markUnsaved, saveSegment } from '../../segment/disk/save-segment.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { saveNotes } from '../outbox/outbox-store.ts';
import {
  type DomainState,
  type RecordProgress,
  type SavedDomain,
  stepsDone,
} from '../state/domain-state.ts';
import { isEmptied } from '../state/erasure.ts';
import { saveKeys } from '../state/idempotency-keys.ts';
import { isDamage } from '../state/set-aside.ts';
import { SHARD_FORMAT, type Shard } from '../state/shard.ts';
import { saveDrops } from '../usage/drop-store.ts';
import { saveUsage } from '../usage/usage-store.ts';

const packr = new Packr({ useRecords: false });

/**
 * Saves the given domains of a shard and the shard's position, all or nothing.
 *
 * @param domains some or all of `shard.unsaved`.
 * @throws STATE_WRITE_FAILED when the disk refused: nothing is lost, the next checkpoint writes it.
 *   STATE_DAMAGED when what is stored of a domain is damaged: that one is set aside, nothing is
 *   saved yet.
 */
export function checkpoint(shard: Shard, domains: readonly DomainState[]): void {
  const position = positionWithout(shard, domains);
  const { totals } = shard;
  const sums = totals.with(domains);
  let current: DomainState | null = null;
  try {
    const environment = shard.environment();
    for (const domain of domains) {
      current = domain;
      // Questions leave out what is imported of days from its own first one on (S-98).
      if (!domain.imports.isEmpty) shard.usage.settleFirstRow(domain);
    }
    const startMs = monotonicMs();
    const before = environment.writtenBytes;
    environment.write(() => {
      for (const domain of domains) {
        current = domain;
        saveDomain(environment, domain, shard.progress);
      }
      current = null;
      environment.put(['p'], packr.pack(position));
      totals.save(environment, sums, position);
      shard.spoolWatermarks.save(environment, position);
    });
    metrics.checkpointSeconds.recordMs(monotonicMs() - startMs);
    metrics.checkpointBytes.record(environment.writtenBytes - before);
  } catch (cause) {
    for (const domain of domains) markDomainUnsaved(domain);
    // The others are saved when it is tried again.
    if (isDamage(cause) && current !== null)
      shard.setAside((current as DomainState).domainId, cause);
    if (isDamage(cause)) throw cause;
    throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
  }
  for (const domain of domains) {
    domain.firstUnsavedSequence = BEGINNING;
    domain.unsavedHits = 0;
    domain.unsavedKeys.clear();
    domain.usage.markSaved();
    domain.drops.markSaved();
    domain.imports.markSaved();
    if (domain.notes.length > 0) shard.hasOutboxNews = true;
    domain.notes.length = 0;
    domain.hasUnsavedErasures = false;
    shard.unsaved.delete(domain);
    if (domain.pendingErasures.size === 0) shard.erasing.delete(domain.domainId);
    forgetEmptied(domain);
  }
  totals.saved(sums);
  shard.spoolWatermarks.saved(position);
  shard.savedSequence = position;
}

/**
 * Packs saved days that are about to leave memory, all or nothing.
 *
 * @param domain with nothing unsaved.
 * @throws STATE_WRITE_FAILED when the disk refused, STATE_DAMAGED: the days are there as they were.
 */
export function packDays(shard: Shard, domain: DomainState, days: readonly OpenSegment[]): void {
  const environment = shard.environment();
  domain.version++;
  try {
    environment.write(() => {
      for (const { segment, header } of days) {
        if (header === null) continue;
        packSegment(environment, segment, { header, version: domain.version });
      }
      saveRecord(environment, domain, null);
    });
  } catch (cause) {
    if (isDamage(cause)) throw cause;
    throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
  }
}

/**
 * Makes a packed day one of single blocks again, which `unpackInSlices` has written: the next save then
 * writes what has changed, not the whole day.
 *
 * @throws STATE_WRITE_FAILED when the disk refused: the day stays packed, and is saved whole.
 */
export function finishUnpacked(shard: Shard, domain: DomainState, open: OpenSegment): void {
  const { header, segment } = open;
  if (header === null || header.packed === null || open.isDirty) return;
  if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) checkpoint(shard, [domain]);
  const environment = shard.environment();
  domain.version++;
  const { version } = domain;
  try {
    environment.write(() => {
      open.header = finishUnpacking(environment, segment, { header, version });
      saveRecord(environment, domain, null);
    });
  } catch (cause) {
    open.header = header;
    throw errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
  }
}

/** What the failed transaction had taken as saved is dirty again; which part of it, nobody kept. */
function markDomainUnsaved(domain: DomainState): void {
  for (const open of domain.segments.values()) {
    markUnsaved(open.segment);
    open.isDirty = true;
    open.isRebuilt = true;
  }
}

/** Days that lost everything leave memory as they have left the disk. */
function forgetEmptied(domain: DomainState): void {
  for (const [day, open] of domain.segments) {
    if (open.header === null) domain.segments.delete(day);
  }
}

/** Position of the shard once `domains` are saved: that of the record before the first that is not. */
function positionWithout(shard: Shard, domains: readonly DomainState[]): Sequence {
  const saved = new Set(domains);
  let position: number = Math.min(shard.completeSequence, shard.aside.position);
  for (const domain of shard.unsaved) {
    if (saved.has(domain)) continue;
    position = Math.min(position, domain.replayAfter);
  }
  return asSequence(position);
}

function saveDomain(
  environment: StateEnvironment,
  domain: DomainState,
  part: RecordProgress | null,
): void {
  domain.version++;
  domain.flushRollups();
  for (const open of domain.segments.values()) {
    if (!open.isDirty) continue;
    const isGone = isEmptied(domain, open);
    if (open.isRebuilt || isGone) dropSegment(environment, domain.domainId, open.day);
    open.header = isGone
      ? null
      : saveSegment(environment, open.segment, open.header, domain.version);
    open.isDirty = false;
    open.isRebuilt = false;
    open.changedMs = domain.touchedMs;
  }
  const record = saveRecord(environment, domain, part);
  if (record.erasures.length > 0) environment.put(['x', domain.domainId], packr.pack(1));
  else if (domain.hasUnsavedErasures) environment.remove(['x', domain.domainId]);
  saveKeys(environment, domain);
  saveUsage(environment, domain.domainId, domain.usage);
  saveDrops(environment, domain.domainId, domain.drops);
  domain.imports.save(environment, domain.domainId);
  if (domain.notes.length > 0) saveNotes(environment, domain.domainId, domain.notes);
}

function saveRecord(
  environment: StateEnvironment,
  domain: DomainState,
  part: RecordProgress | null,
): SavedDomain {
  const record: SavedDomain = {
    format: SHARD_FORMAT,
    ...placeOf(domain, part),
    version: domain.version,
    openDays: domain.openDays(),
    erasures: [...domain.pendingErasures],
    lastHitMs: domain.lastHitMs,
  };
  environment.put(['d', domain.domainId], packr.pack(record));
  return record;
}

/**
 * How far a domain is.
 *
 * @param part of the record that is being applied, null between records. A domain that was recovered
 *   further than that has nothing of it; one that was recovered with a larger part keeps that.
 */
function placeOf(
  domain: DomainState,
  part: RecordProgress | null,
): Pick<SavedDomain, 'sequence' | 'part'> {
  const { sequence, recoveredSequence, recoveredProgress: recoveredPart } = domain;
  if (part === null || recoveredSequence >= part.sequence) {
    const isAhead = recoveredPart !== null && recoveredPart.sequence > sequence;
    return isAhead ? { sequence, part: recoveredPart } : { sequence };
  }
  const steps = Math.max(part.steps, stepsDone(domain, part.sequence));
  // Complete it is up to the record before.
  return {
    sequence: asSequence(Math.min(sequence, part.sequence - 1)),
    part: { sequence: part.sequence, steps },
  };
}
