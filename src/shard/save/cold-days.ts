/**
 * Which large days of a shard have to come from disk before a record can be applied or a question be
 * answered.
 *
 * Data plane: one look per hit at its day. What is opened without having been named here is right all
 * the same, it only holds the actor's thread for as long as it takes (`day-loading.ts`).
 */

import { Packr } from 'msgpackr';
import type { LogRecord } from '../../bus/log/interface.ts';
import { isErasure } from '../../bus/record/codec.ts';
import {
  type BatchGroup,
  type HitBatch,
  NUMBER,
  NUMBERS_PER_HIT,
} from '../../bus/record/decoded-record.ts';
import { decodeSpooled, isSpooled } from '../../bus/spool/spooled-records.ts';
import { DAY_MS, HOUR_MS, SESSION_GAP_MS, SLICED_DAY_ROW_COUNT_MIN } from '../../model/limits.ts';
import { readHeader, type SegmentHeader } from '../../segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { SavedDomain } from '../state/domain-state.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';

/** A large day on disk. */
export interface ColdDay {
  readonly domainId: string;
  readonly day: number;
  readonly header: SegmentHeader;
}

const CARRIED = TABLE_NAMES.indexOf('carried');
const packr = new Packr({ useRecords: false });

/**
 * A large day that a record needs, null when there is none or no other, or when what says so is damaged:
 * that is met again where the record is applied.
 */
export function coldDayOfRecord(shard: Shard, record: LogRecord, nowMs: number): ColdDay | null {
  if (!shard.hasEnvironment || record.sequence <= shard.appliedSequence) return null;
  return unlessDamaged(() => coldDayOfWhole(shard, record, nowMs));
}

function unlessDamaged(look: () => ColdDay | null): ColdDay | null {
  try {
    return look();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

function coldDayOfWhole(shard: Shard, record: LogRecord, nowMs: number): ColdDay | null {
  const { payload, sequence } = record;
  if (!isSpooled(payload)) return coldDayOfPayload(shard, payload, { sequence, nowMs });
  for (const inner of decodeSpooled(payload).records) {
    const cold = coldDayOfPayload(shard, inner.payload, { sequence, nowMs });
    if (cold !== null) return cold;
  }
  return null;
}

/**
 * A large day that comes back with a domain when it is opened, null when there is none or no other, or
 * when what says so is damaged.
 */
export function coldDayOfDomain(shard: Shard, domainId: string, nowMs: number): ColdDay | null {
  if (!shard.hasEnvironment || shard.domains.has(domainId)) return null;
  if (shard.aside.has(domainId)) return null;
  return unlessDamaged(() => coldDayOfStored(shard, domainId, nowMs));
}

function coldDayOfStored(shard: Shard, domainId: string, nowMs: number): ColdDay | null {
  const bytes = shard.environment().get(['d', domainId]);
  if (bytes === undefined) return null;
  const { openDays } = packr.unpack(bytes) as SavedDomain;
  for (const day of openDays) {
    const cold = coldDay(shard, domainId, day, nowMs - HOUR_MS);
    if (cold !== null) return cold;
  }
  return null;
}

function coldDayOfPayload(
  shard: Shard,
  payload: Uint8Array,
  at: { sequence: number; nowMs: number },
): ColdDay | null {
  if (isErasure(payload)) return null;
  const batch = shard.decodeAhead(payload);
  const cold = coldDayOfGroups(shard, batch, at);
  // It is applied later: by then others were unpacked.
  if (cold !== null) shard.forgetDecoded();
  return cold;
}

function coldDayOfGroups(
  shard: Shard,
  batch: HitBatch,
  { sequence, nowMs }: { sequence: number; nowMs: number },
): ColdDay | null {
  for (let index = 0; index < batch.groups.length; index++) {
    const group = batch.groups[index]!;
    const { domainId } = group;
    const domain = shard.domains.get(domainId);
    if (shard.aside.has(domainId) || sequence <= (domain?.recoveredSequence ?? 0)) continue;
    const cold =
      (domain === undefined ? coldDayOfDomain(shard, domainId, nowMs) : null) ??
      coldDayOfHits(shard, batch, group);
    if (cold !== null) return cold;
  }
  return null;
}

/** The days of the hits; of those shortly after midnight also the day before. */
function coldDayOfHits(
  shard: Shard,
  { timesMs, numbers }: HitBatch,
  { domainId, first, end }: BatchGroup,
): ColdDay | null {
  let known = Number.NaN;
  let knownBefore = Number.NaN;
  for (let row = first; row < end; row++) {
    const timeMs = timesMs[row]!;
    const day = Math.floor(timeMs / DAY_MS);
    if (day !== known) {
      const cold = coldDay(shard, domainId, day, Number.NEGATIVE_INFINITY);
      if (cold !== null) return cold;
      known = day;
    }
    const at = row * NUMBERS_PER_HIT;
    if (numbers[at + NUMBER.previousLow] === 0 && numbers[at + NUMBER.previousHigh] === 0) continue;
    if (day === knownBefore) continue;
    const cold = coldDay(shard, domainId, day - 1, timeMs - SESSION_GAP_MS);
    if (cold !== null) return cold;
    knownBefore = day;
  }
  return null;
}

/** @param afterMs a day that ended before and carries nothing on is not needed. */
function coldDay(shard: Shard, domainId: string, day: number, afterMs: number): ColdDay | null {
  if (shard.domains.get(domainId)?.segments.has(day) === true) return null;
  if (shard.opened.get(domainId)?.has(day) === true) return null;
  const header = readHeader(shard.environment(), domainId, day);
  if (header === null || (header.maxMs < afterMs && (header.rows[CARRIED] ?? 0) === 0)) return null;
  let rows = 0;
  for (const count of header.rows) rows += count;
  return rows < SLICED_DAY_ROW_COUNT_MIN ? null : { domainId, day, header };
}
