/**
 * One shard: the domains that hash to it, their state in memory and its LMDB environment.
 *
 * Data plane. `apply` is pure in the sense of the architecture: what it does follows from the state
 * and the record alone. Memory is a cache of the state on disk plus what the log has said since.
 *
 *     ['p']              position: every record up to it is in the state on disk
 *     ['d', domain]      what is saved of a domain beside its segments, with its own position
 *     ['k', hash]        when an idempotency key was first received (I-76)
 *     ['e', hour, …]     the keys received in an hour, so that they can be forgotten together
 *     ['m', spool]       how far a node's spool was applied (`spool-marks.ts`)
 *     ['x', domain]      days of the domain are still to be rebuilt; which, ['d', …] says
 *
 * Of a split domain (`model/split.ts`) each lane has a `Shard` of its own on the same environment,
 * with a position ['p', lane] and a part of the domain under a name of its own; the rest is in
 * `segment/hidden-rows.ts`.
 *
 * A domain may be saved ahead of its shard (a query asks for it), so it has a position of its own
 * and replay passes over what it already has.
 */

import { Packr } from 'msgpackr';
import { assert } from '../base/assert.ts';
import { decodeErasure, decodeGroups, decodeSplit, isErasure, isSplit } from '../bus/codec.ts';
import {
  type BatchGroup,
  type HitBatch,
  NUMBER,
  NUMBERS_PER_HIT,
  visitorClassOf,
} from '../bus/hit-batch.ts';
import type { LogRecord } from '../bus/log.ts';
import { decodeSpooled, isSpooled } from '../bus/spooled-records.ts';
import { DROP_REASONS, dropReason } from '../model/drop-reasons.ts';
import type { OperatingError } from '../model/errors.ts';
import { HOUR_MS } from '../model/limits.ts';
import { laneOf } from '../model/split.ts';
import { loadSegment, type StoredSegment } from '../segment/persistence.ts';
import { readHeader, readHeaders, type SegmentHeader } from '../segment/segment-header.ts';
import { makeState, openState, reopenState } from '../store/state-directories.ts';
import type { StateEnvironment } from '../store/state-environment.ts';
import { DomainState, type SavedDomain } from './domain-state.ts';
import { bringVisitor, type FrozenReader } from './frozen-holders.ts';
import { applyErasure, changeLanes, frozenFor, owns } from './holders.ts';
import { isRepeated, storedReceipt } from './key-receipts.ts';
import type { Sessionizer } from './sessionizer.ts';
import { isDamage, SetAside } from './set-aside.ts';
import { type DomainSplit, laneCountOf, positionKey, Splits } from './split.ts';
import { SpoolMarks } from './spool-marks.ts';

const DUPLICATE = dropReason('duplicate');
/** Hits after which pre-aggregates are settled: as many as the rows of fit near the processor. */
const SETTLE_HITS = 4_096;
/** Format of everything a shard keeps beside its segments. */
export const SHARD_FORMAT = 1;

const packr = new Packr({ useRecords: false });

/** One shard of an actor. */
export class Shard implements FrozenReader {
  readonly id: number;
  /** 0 for the base, which has all that is not split; others have their visitors of what is. */
  readonly lane: number;
  readonly domains = new Map<string, DomainState>();
  /** Domains with records that are not saved yet. */
  readonly unsaved = new Set<DomainState>();
  /** By domain that left memory whole: days that are to be packed when they are over. */
  readonly unpackedDays = new Map<string, Set<number>>();
  /** Items dropped since somebody last took the counts, by reason. */
  readonly drops = DROP_REASONS.map(() => 0);
  /** Domains with days that are still to be rebuilt, or rebuilt and not saved. */
  readonly erasing = new Set<string>();
  /** Position of the last record of this shard that was applied or passed over. */
  appliedSequence: number;
  /** Position before the record that is being, or was last, applied. */
  #previousSequence: number;
  /** Position on disk: replay starts behind it. */
  savedSequence: number;
  /** What a change of lanes has frozen and `freeze` has to save before anything else happens. */
  readonly toFreeze = new Set<DomainState>();
  /** Sites that are not counted, since what is stored of them is damaged. */
  readonly aside = new SetAside();
  /** How far the spools of nodes were applied. */
  readonly spools: SpoolMarks;
  /** The domains that are split. */
  readonly splits: Splits;
  readonly #dataDir: string;
  readonly #sessionizer: Sessionizer;
  #environment: StateEnvironment | null = null;

  constructor(dataDir: string, id: number, sessionizer: Sessionizer, lane = 0) {
    this.id = id;
    this.lane = lane;
    this.#dataDir = dataDir;
    this.#sessionizer = sessionizer;
    // A shard without data has no files: a new installation opens none of its 64 environments.
    // A lane finds what the base has looked at.
    this.#environment = lane === 0 ? openState(dataDir, id) : reopenState(dataDir, id);
    const position = this.#environment?.get(positionKey(lane));
    this.savedSequence = position === undefined ? 0 : (packr.unpack(position) as number);
    this.appliedSequence = this.savedSequence;
    this.#previousSequence = this.savedSequence;
    this.spools = new SpoolMarks(this.#environment, lane);
    this.splits = new Splits(this.#environment, lane);
    // Of what a deletion has still to take the base takes care, but for what a lane holds now.
    for (const { key } of this.#environment?.range(['x'], ['y']) ?? []) {
      const holder = key[1] as string;
      if (owns(this, holder)) this.erasing.add(holder);
    }
  }

  /** The environment, made when there is something to save. */
  environment(): StateEnvironment {
    this.#environment ??= makeState(this.#dataDir, this.id);
    return this.#environment;
  }

  /**
   * Applies one record of the log. Records come in order; those already in the state are passed over.
   *
   * @param nowMs wall clock of the actor; used only to decide when to save and which days to open.
   * @returns how many hits the record held.
   */
  apply(record: LogRecord, nowMs: number): number {
    const { sequence, payload } = record;
    if (sequence <= this.appliedSequence) return 0;
    this.#previousSequence = this.appliedSequence;
    this.appliedSequence = sequence;
    if (!isSpooled(payload)) return this.#applyPayload(payload, sequence, nowMs);
    const { spool, records } = decodeSpooled(payload);
    let hitCount = 0;
    for (let index = 0; index < records.length; index++) {
      const { number, payload: inner } = records[index]!;
      if (!this.spools.raise(spool, number, sequence)) continue;
      hitCount += this.#applyPayload(inner, sequence, nowMs);
    }
    return hitCount;
  }

  /** A domain's state, from disk if need be; null if the shard has never seen it. @throws STATE_DAMAGED. */
  existingDomain(domainId: string, nowMs: number): DomainState | null {
    this.aside.check(domainId);
    const open = this.domains.get(domainId);
    if (open !== undefined) {
      open.touchedMs = nowMs;
      return open;
    }
    if (this.#environment?.get(['d', domainId]) === undefined) return null;
    return this.openDomain(domainId, nowMs);
  }

  /**
   * Stored data of a domain is damaged, and somebody had to change what is in memory of it: that is
   * worth nothing now. Its records stay in the log, those that are not saved yet and those that come.
   */
  setAside(holder: string, error: OperatingError): void {
    const domain = this.domains.get(holder);
    const isSaved = domain === undefined || domain.firstUnsavedSequence === 0;
    this.aside.add(holder, error, isSaved ? null : domain.unsavedAfter);
    this.domains.delete(holder);
    this.erasing.delete(holder);
    this.unpackedDays.delete(holder);
    if (domain === undefined) return;
    this.unsaved.delete(domain);
    this.toFreeze.delete(domain);
  }

  /** Whether a record of a domain is not to be applied, since the domain is set aside. */
  parks(holder: string): boolean {
    return this.aside.parks(holder, this.#previousSequence);
  }

  /** Of the base: lanes that are needed at this moment, itself among them; 1 while nothing is split. */
  get laneCount(): number {
    return this.splits.neededLanes;
  }

  /** Whether a domain has ever been split. */
  isSplit(domainId: string): boolean {
    return this.splits.of(domainId) !== null;
  }

  /** This lane's part of a domain, from disk if need be; null if it has none. */
  holderOf(domainId: string, nowMs: number): DomainState | null {
    const split = this.splits.of(domainId);
    const holder = split === null ? domainId : split.holder;
    return holder === '' ? null : this.existingDomain(holder, nowMs);
  }

  segment(domainId: string, day: number): StoredSegment | null {
    if (this.#environment === null) return null;
    const header = readHeader(this.#environment, domainId, day);
    return header === null ? null : loadSegment(this.#environment, domainId, day, header);
  }

  segmentMaxMs(domainId: string, day: number): number {
    if (this.#environment === null) return Number.NEGATIVE_INFINITY;
    return readHeader(this.#environment, domainId, day)?.maxMs ?? Number.NEGATIVE_INFINITY;
  }

  idempotencyReceivedMs(hash: string): number | undefined {
    return storedReceipt(this.#environment, hash)?.receivedMs;
  }

  /** Days of a stored holder and the time that they span. */
  daySpans(holder: string): { day: number; minMs: number; maxMs: number }[] {
    const headers = this.#headersOf(holder);
    return headers.map(({ day, header: { minMs, maxMs } }) => ({ day, minMs, maxMs }));
  }

  /** Days of a stored holder that are not packed. */
  unpackedDaysOf(holder: string): number[] {
    const unpacked = this.#headersOf(holder).filter(({ header }) => header.packed === null);
    return unpacked.map(({ day }) => day);
  }

  async close(): Promise<void> {
    await this.#environment?.flushed();
    await this.#environment?.close();
    this.#environment = null;
  }

  #headersOf(holder: string): { day: number; header: SegmentHeader }[] {
    if (this.#environment === null) return [];
    const always = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };
    return [...readHeaders(this.#environment, holder, always)];
  }

  #applyPayload(payload: Uint8Array, sequence: number, nowMs: number): number {
    if (isErasure(payload)) {
      applyErasure(this, decodeErasure(payload), { sequence, nowMs });
      return 0;
    }
    if (isSplit(payload)) {
      changeLanes(this, decodeSplit(payload), { sequence, nowMs });
      return 0;
    }
    let hitCount = 0;
    const batch = decodeGroups(payload, this.splits.isEmpty ? null : this.splits);
    const { groups } = batch;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      const split = this.splits.of(group.domainId);
      if (split === null ? this.lane > 0 : sequence <= split.sequence) continue;
      const holder = split === null ? group.domainId : split.holder;
      if (holder === '' || this.parks(holder)) continue;
      try {
        hitCount += this.#applyTo(holder, batch, group, { sequence, nowMs });
      } catch (error) {
        this.#park(holder, error);
      }
    }
    return hitCount;
  }

  /** Sets a domain aside with the record that met the damage. */
  #park(holder: string, error: unknown): void {
    if (!isDamage(error)) throw error;
    this.setAside(holder, error);
    this.parks(holder);
  }

  /** @returns how many hits of a group were this lane's. */
  #applyTo(
    holder: string,
    batch: HitBatch,
    group: BatchGroup,
    arrival: { sequence: number; nowMs: number },
  ): number {
    const { sequence, nowMs } = arrival;
    const domain = this.domains.get(holder) ?? this.openDomain(holder, nowMs);
    if (sequence <= domain.recoveredSequence) return 0;
    const hits = this.#applyGroup(domain, batch, group, arrival);
    // Nothing of it is this lane's: there is nothing to save.
    if (this.lane > 0 && hits === 0 && group.idempotencyHash === '') return 0;
    domain.active.advance(nowMs);
    domain.unsavedHits += hits;
    domain.unsettledHits += hits;
    if (domain.unsettledHits >= SETTLE_HITS) domain.settle();
    this.noteChange(domain, sequence, nowMs);
    return hits;
  }

  /** Opens a domain with all its days of the last hour: what is open is saved as such. */
  openDomain(domainId: string, nowMs: number): DomainState {
    const bytes = this.#environment?.get(['d', domainId]);
    const saved = bytes === undefined ? null : (packr.unpack(bytes) as SavedDomain);
    assert(saved === null || saved.format === SHARD_FORMAT, 'the domain has a known format');
    const domain = new DomainState(this, domainId, saved);
    domain.touchedMs = nowMs;
    // Only then is it open: with a day that is damaged nobody would know that it is missing.
    domain.reopenDays(nowMs - HOUR_MS);
    domain.frozen = frozenFor(this, domain);
    this.domains.set(domainId, domain);
    return domain;
  }

  /** Notes that a record has changed a domain, which is to be saved. */
  noteChange(domain: DomainState, sequence: number, nowMs: number): void {
    domain.sequence = sequence;
    domain.touchedMs = nowMs;
    if (domain.firstUnsavedSequence !== 0) return;
    domain.firstUnsavedSequence = sequence;
    domain.unsavedAfter = this.#previousSequence;
    domain.unsavedSinceMs = nowMs;
    this.unsaved.add(domain);
  }

  /** @returns how many hits were this lane's. */
  #applyGroup(
    domain: DomainState,
    batch: HitBatch,
    group: BatchGroup,
    arrival: { sequence: number; nowMs: number },
  ): number {
    const { first, end, dropped } = group;
    const split = this.splits.of(group.domainId);
    if (group.idempotencyHash !== '' && this.#isRepeated(domain, group, arrival.sequence)) {
      let items = end - first;
      if (dropped !== null) for (let at = 1; at < dropped.length; at += 2) items += dropped[at]!;
      if (this.lane === 0) this.#drop(domain, DUPLICATE, items);
      return 0;
    }
    if (dropped !== null && this.lane === 0) {
      for (let at = 0; at + 1 < dropped.length; at += 2) {
        this.#drop(domain, dropped[at]!, dropped[at + 1]!);
      }
    }
    if (split !== null) return this.#applyOwn(domain, batch, group, { split, ...arrival });
    for (let row = first; row < end; row++) {
      const reason = this.#sessionizer.apply(domain, batch, row);
      if (reason !== 0) this.#drop(domain, reason, 1);
    }
    return end - first;
  }

  /** Applies the hits of a split domain whose visitors are this lane's. @returns how many they are. */
  #applyOwn(
    domain: DomainState,
    batch: HitBatch,
    { first, end }: BatchGroup,
    { split, nowMs }: { split: DomainSplit; nowMs: number },
  ): number {
    const count = laneCountOf(split);
    let applied = 0;
    for (let row = first; row < end; row++) {
      const flags = batch.numbers[row * NUMBERS_PER_HIT + NUMBER.flags]!;
      if (laneOf(visitorClassOf(flags), count) !== this.lane) continue;
      bringVisitor(domain, batch, row, nowMs);
      const reason = this.#sessionizer.apply(domain, batch, row);
      if (reason !== 0) this.#drop(domain, reason, 1);
      applied++;
    }
    return applied;
  }

  #drop(domain: DomainState, reason: number, count: number): void {
    domain.dropped[reason]! += count;
    this.drops[reason]! += count;
  }

  #isRepeated(domain: DomainState, group: BatchGroup, sequence: number): boolean {
    const { domainId, receivedMs, idempotencyHash: hash } = group;
    const bornSequence = this.splits.of(domainId)?.bornSequence ?? 0;
    const arrival = { hash, receivedMs, sequence, bornSequence, lane: this.lane };
    return isRepeated(domain, this.#environment, arrival);
  }
}
