/**
 * Which large days have to be read from disk before a record can be applied or a query answered.
 *
 * Data plane: one check per hit of its day. A day that is not found here is opened all the same
 * when it is needed; it only blocks the actor's thread meanwhile (`day-loading.ts`).
 */

import { Packr } from 'msgpackr';
import type { LogRecord } from '../../bus/log/interface.ts';
import { isErasure } from '../../bus/record/codec.ts';
import {
  type DecodedRecord,
  NUMBER,
  NUMBERS_PER_HIT,
  type RecordGroup,
} from '../../bus/record/decoded-record.ts';
import { isImport } from '../../bus/record/import-record.ts';
import { decodeSpooled, isSpooled } from '../../bus/spool/spooled-records.ts';
import type { DomainId, Sequence } from '../../model/ids.ts';
import { DAY_MS, HOUR_MS, SESSION_GAP_MS, SLICED_DAY_ROW_COUNT_MIN } from '../../model/limits.ts';
import { readHeader, type SegmentHeader } from '../../segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { SavedDomain } from '../state/domain-state.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';

/** A large day on disk. */
export interface ColdDay {
  readonly domainId: DomainId;
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
export function coldDayOfDomain(shard: Shard, domainId: DomainId, nowMs: number): ColdDay | null {
  if (!shard.hasEnvironment || shard.domains.has(domainId)) return null;
  if (shard.aside.has(domainId)) return null;
  return unlessDamaged(() => coldDayOfStored(shard, domainId, nowMs));
}

/** Whether a large day would come back if who is active were asked of days in memory. */
export function isActiveCold(shard: Shard, domainId: DomainId, nowMs: number): boolean {
  if (!shard.hasEnvironment || shard.aside.has(domainId)) return false;
  return unlessDamaged(() => coldDayOfStored(shard, domainId, nowMs)) !== null;
}

function coldDayOfStored(shard: Shard, domainId: DomainId, nowMs: number): ColdDay | null {
  for (const day of shard.domains.get(domainId)?.leftDays ?? storedOpenDays(shard, domainId)) {
    const cold = coldDay(shard, domainId, day, nowMs - HOUR_MS);
    if (cold !== null) return cold;
  }
  return null;
}

function storedOpenDays(shard: Shard, domainId: string): readonly number[] {
  const bytes = shard.environment().get(['d', domainId]);
  return bytes === undefined ? [] : (packr.unpack(bytes) as SavedDomain).openDays;
}

function coldDayOfPayload(
  shard: Shard,
  payload: Uint8Array,
  at: { sequence: Sequence; nowMs: number },
): ColdDay | null {
  if (isErasure(payload) || isImport(payload)) return null;
  const decoded = shard.decoder.decodeAhead(payload);
  const cold = coldDayOfGroups(shard, decoded, at);
  // It is applied later: by then others were unpacked.
  if (cold !== null) shard.decoder.forget();
  return cold;
}

function coldDayOfGroups(
  shard: Shard,
  decoded: DecodedRecord,
  { sequence, nowMs }: { sequence: Sequence; nowMs: number },
): ColdDay | null {
  for (let index = 0; index < decoded.groups.length; index++) {
    const group = decoded.groups[index]!;
    const { domainId } = group;
    const domain = shard.domains.get(domainId);
    if (shard.aside.has(domainId) || sequence <= (domain?.recoveredSequence ?? 0)) continue;
    const cold =
      (domain === undefined ? coldDayOfDomain(shard, domainId, nowMs) : null) ??
      coldDayOfHits(shard, decoded, group);
    if (cold !== null) return cold;
  }
  return null;
}

/** The days of the hits; of those shortly after midnight also the day before. */
function coldDayOfHits(
  shard: Shard,
  { timesMs, numbers }: DecodedRecord,
  { domainId, first, end }: RecordGroup,
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
function coldDay(shard: Shard, domainId: DomainId, day: number, afterMs: number): ColdDay | null {
  if (shard.domains.get(domainId)?.segments.has(day) === true) return null;
  if (shard.preloaded.has(domainId, day)) return null;
  const header = readHeader(shard.environment(), domainId, day);
  if (header === null || (header.maxMs < afterMs && (header.rows[CARRIED] ?? 0) === 0)) return null;
  let rows = 0;
  for (const count of header.rows) rows += count;
  return rows < SLICED_DAY_ROW_COUNT_MIN ? null : { domainId, day, header };
}
