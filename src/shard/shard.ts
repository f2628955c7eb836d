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
 * and replay passes over what it already has. For want of memory it may be saved between two hits of
 * a record (`relief.ts`): then it has a place within the record, too. Places are counted in steps,
 * which follow from the record alone: one for the head of each group, one for each hit, one for
 * anything else that a record can be.
 */

import { existsSync } from 'node:fs';
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
import { HOUR_MS } from '../model/limits.ts';
import { laneOf } from '../model/split.ts';
import { loadSegment, type StoredSegment } from '../segment/persistence.ts';
import { readHeader, readHeaders, type SegmentHeader } from '../segment/segment-header.ts';
import { shardStatePath } from '../store/state-directories.ts';
import { StateEnvironment } from '../store/state-environment.ts';
import { DomainState, type RecordPart, type SavedDomain, stepsDone } from './domain-state.ts';
import { bringVisitor, type FrozenReader } from './frozen-holders.ts';
import { applyErasure, changeLanes, frozenFor, owns } from './holders.ts';
import { isRepeated, storedReceipt } from './key-receipts.ts';
import { OpenMemory } from './open-memory.ts';
import type { Sessionizer } from './sessionizer.ts';
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
  /** By domain: days that left memory and are to be packed when they are over, and their last change. */
  readonly unpackedDays = new Map<string, Map<number, number>>();
  /** Items dropped since somebody last took the counts, by reason. */
  readonly drops = DROP_REASONS.map(() => 0);
  /** Domains with days that are still to be rebuilt, or rebuilt and not saved. */
  readonly erasing = new Set<string>();
  /** Position of the last record of this shard that was applied or passed over. */
  appliedSequence: number;
  /** Position before the record that is being applied. */
  #previousSequence = 0;
  /** Position on disk: replay starts behind it. */
  savedSequence: number;
  /** What a change of lanes has frozen and `freeze` has to save before anything else happens. */
  readonly toFreeze = new Set<DomainState>();
  /** How far the spools of nodes were applied. */
  readonly spools: SpoolMarks;
  /** The domains that are split. */
  readonly splits: Splits;
  /** Counts what is opened; shared by all shards of an actor. */
  readonly memory: OpenMemory;
  /** Steps of the record at hand that were applied; −1 between records. */
  #steps = -1;
  /** False while a change of lanes is applied: it is saved as a whole. */
  maySave = true;
  readonly #path: string;
  readonly #sessionizer: Sessionizer;
  #environment: StateEnvironment | null = null;

  constructor(
    dataDir: string,
    id: number,
    sessionizer: Sessionizer,
    { lane = 0, memory = new OpenMemory() }: { lane?: number; memory?: OpenMemory } = {},
  ) {
    this.id = id;
    this.lane = lane;
    this.memory = memory;
    this.#path = shardStatePath(dataDir, id);
    this.#sessionizer = sessionizer;
    // A shard without data has no files: a new installation opens none of its 64 environments.
    if (existsSync(this.#path)) this.#environment = new StateEnvironment(this.#path);
    const position = this.#environment?.get(positionKey(lane));
    this.savedSequence = position === undefined ? 0 : (packr.unpack(position) as number);
    this.appliedSequence = this.savedSequence;
    this.spools = new SpoolMarks(this.#environment, lane);
    this.splits = new Splits(this.#environment, lane);
    // Of what a deletion has still to take the base takes care, but for what a lane holds now.
    for (const { key } of this.#environment?.range(['x'], ['y']) ?? []) {
      const holder = key[1] as string;
      if (owns(this, holder)) this.erasing.add(holder);
    }
  }

  /** Position of the last record that was applied or passed over as a whole. */
  get completeSequence(): number {
    return this.#steps < 0 ? this.appliedSequence : this.#previousSequence;
  }

  /** How far the record at hand is applied; null between records. */
  get part(): RecordPart | null {
    return this.#steps < 0 ? null : { sequence: this.appliedSequence, steps: this.#steps };
  }

  /** The environment, made when there is something to save. */
  environment(): StateEnvironment {
    this.#environment ??= new StateEnvironment(this.#path);
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
    this.#steps = 0;
    const hits = this.#applyAll(payload, sequence, nowMs);
    this.#steps = -1;
    this.maySave = true;
    return hits;
  }

  #applyAll(payload: Uint8Array, sequence: number, nowMs: number): number {
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

  /** A domain's state, from disk if need be; null if the shard has never seen it. */
  existingDomain(domainId: string, nowMs: number): DomainState | null {
    const open = this.domains.get(domainId);
    if (open !== undefined) {
      open.touchedMs = nowMs;
      return open;
    }
    if (this.#environment?.get(['d', domainId]) === undefined) return null;
    return this.openDomain(domainId, nowMs);
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
    const first = this.#steps;
    if (isErasure(payload)) {
      applyErasure(this, decodeErasure(payload), { sequence, step: first, nowMs });
      this.#steps = first + 1;
      return 0;
    }
    if (isSplit(payload)) {
      this.maySave = false;
      this.#steps = first + 1;
      changeLanes(this, decodeSplit(payload), { sequence, nowMs });
      return 0;
    }
    let hitCount = 0;
    const batch = decodeGroups(payload, this.splits.isEmpty ? null : this.splits);
    const { groups } = batch;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      // In front of a group are the heads of those before it and all of their hits.
      const head = first + index + group.first;
      this.#steps = head;
      const split = this.splits.of(group.domainId);
      if (split === null ? this.lane > 0 : sequence <= split.sequence) continue;
      const holder = split === null ? group.domainId : split.holder;
      if (holder === '') continue;
      const domain = this.domains.get(holder) ?? this.openDomain(holder, nowMs);
      if (sequence <= domain.recoveredSequence) continue;
      const hits = this.#applyGroup(domain, batch, group, { sequence, head, nowMs });
      // Nothing of it is this lane's: there is nothing to save.
      if (this.lane > 0 && hits === 0 && group.idempotencyHash === '') continue;
      domain.active.advance(nowMs);
      hitCount += hits;
      domain.unsavedHits += hits;
      domain.unsettledHits += hits;
      if (domain.unsettledHits >= SETTLE_HITS) domain.settle();
      this.noteChange(domain, sequence, nowMs);
    }
    this.#steps = first + groups.length + (groups.at(-1)?.end ?? 0);
    return hitCount;
  }

  /** Opens a domain with all its days of the last hour: what is open is saved as such. */
  openDomain(domainId: string, nowMs: number): DomainState {
    const bytes = this.#environment?.get(['d', domainId]);
    const saved = bytes === undefined ? null : (packr.unpack(bytes) as SavedDomain);
    assert(saved === null || saved.format === SHARD_FORMAT, 'the domain has a known format');
    const domain = new DomainState(this, domainId, saved);
    domain.touchedMs = nowMs;
    this.domains.set(domainId, domain);
    domain.reopenDays(nowMs - HOUR_MS);
    domain.frozen = frozenFor(this, domain);
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
    arrival: { sequence: number; head: number; nowMs: number },
  ): number {
    const { end, dropped } = group;
    const split = this.splits.of(group.domainId);
    // Of the group, its head first. Of a repeat nothing but the head is applied, so all of it.
    const done = stepsDone(domain, arrival.sequence) - arrival.head;
    if (done > end - group.first) return 0;
    const first = group.first + Math.max(done - 1, 0);
    const isNew = done <= 0;
    if (
      isNew &&
      group.idempotencyHash !== '' &&
      this.#isRepeated(domain, group, arrival.sequence)
    ) {
      let items = end - first;
      if (dropped !== null) for (let at = 1; at < dropped.length; at += 2) items += dropped[at]!;
      if (this.lane === 0) this.#drop(domain, DUPLICATE, items);
      return 0;
    }
    if (isNew && dropped !== null && this.lane === 0) {
      for (let at = 0; at + 1 < dropped.length; at += 2) {
        this.#drop(domain, dropped[at]!, dropped[at + 1]!);
      }
    }
    // Steps are one ahead of rows: those of the heads up to this one.
    const heads = arrival.head + 1 - group.first;
    const rows = { first, end, heads };
    if (split !== null) return this.#applyOwn(domain, batch, rows, { split, ...arrival });
    for (let row = first; row < end; row++) {
      const reason = this.#sessionizer.apply(domain, batch, row);
      if (reason !== 0) this.#drop(domain, reason, 1);
      if (this.memory.isDue) this.#makeRoom(heads + row + 1);
    }
    return end - first;
  }

  /** Days may leave memory here. @param steps of the record at hand that were applied. */
  #makeRoom(steps: number): void {
    this.#steps = steps;
    this.memory.relieve();
  }

  /** Applies the hits of a split domain whose visitors are this lane's. @returns how many they are. */
  #applyOwn(
    domain: DomainState,
    batch: HitBatch,
    { first, end, heads }: { first: number; end: number; heads: number },
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
      if (this.memory.isDue) this.#makeRoom(heads + row + 1);
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
