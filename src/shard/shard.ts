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
import type { OpenSegment } from '../segment/open-segment.ts';
import { loadSegment, type StoredSegment } from '../segment/persistence.ts';
import { readHeader, readHeaders, type SegmentHeader } from '../segment/segment-header.ts';
import { shardStatePath } from '../store/state-directories.ts';
import { StateEnvironment } from '../store/state-environment.ts';
import { DomainState, type SavedDomain } from './domain-state.ts';
import { bringVisitor, type FrozenReader } from './frozen-holders.ts';
import { applyErasure, changeLanes, frozenFor, owns } from './holders.ts';
import { isRepeated, storedReceipt } from './key-receipts.ts';
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
  /** By domain: large days that were opened ahead of their use (`day-openings.ts`). */
  readonly opened = new Map<string, Map<number, OpenSegment>>();
  /** By domain that left memory whole: days that are to be packed when they are over. */
  readonly unpackedDays = new Map<string, Set<number>>();
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
  /** What was unpacked last; its texts are those of the thread's last record. */
  #decoded: { payload: Uint8Array; batch: HitBatch } | null = null;
  readonly #path: string;
  readonly #sessionizer: Sessionizer;
  #environment: StateEnvironment | null = null;

  constructor(dataDir: string, id: number, sessionizer: Sessionizer, lane = 0) {
    this.id = id;
    this.lane = lane;
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

  /** Whether anything was ever saved. */
  get hasEnvironment(): boolean {
    return this.#environment !== null;
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

  /** The hits of a payload; those of the last one that was asked for are not unpacked twice. */
  decode(payload: Uint8Array): HitBatch {
    const decoded = this.#decoded;
    this.#decoded = null;
    if (decoded?.payload === payload) return decoded.batch;
    return decodeGroups(payload, this.splits.isEmpty ? null : this.splits);
  }

  /** Unpacks the hits of a payload, which is to be applied before any other is unpacked. */
  decodeAhead(payload: Uint8Array): HitBatch {
    const batch = this.decode(payload);
    this.#decoded = { payload, batch };
    return batch;
  }

  forgetDecoded(): void {
    this.#decoded = null;
  }

  /** A day was opened ahead of its use. */
  noteOpened(domainId: string, open: OpenSegment): void {
    const days = this.opened.get(domainId) ?? new Map<number, OpenSegment>();
    this.opened.set(domainId, days.set(open.day, open));
  }

  /**
   * Takes what was opened of a domain into its state, and the domain from disk if need be.
   *
   * @returns what was taken.
   */
  adoptOpened(domainId: string, nowMs: number): { domain: DomainState; open: OpenSegment }[] {
    const opened = [...(this.opened.get(domainId)?.values() ?? [])];
    const domain = this.existingDomain(domainId, nowMs);
    const taken: { domain: DomainState; open: OpenSegment }[] = [];
    for (const open of opened) {
      if (domain?.rawSegment(open.day) === open) taken.push({ domain, open });
    }
    this.opened.delete(domainId);
    return taken;
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

  takeOpened(domainId: string, day: number): OpenSegment | null {
    const days = this.opened.get(domainId);
    const open = days?.get(day) ?? null;
    days?.delete(day);
    if (days?.size === 0) this.opened.delete(domainId);
    return open;
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
    const batch = this.decode(payload);
    const { groups } = batch;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      const split = this.splits.of(group.domainId);
      if (split === null ? this.lane > 0 : sequence <= split.sequence) continue;
      const holder = split === null ? group.domainId : split.holder;
      if (holder === '') continue;
      const domain = this.domains.get(holder) ?? this.openDomain(holder, nowMs);
      if (sequence <= domain.recoveredSequence) continue;
      const hits = this.#applyGroup(domain, batch, group, { sequence, nowMs });
      // Nothing of it is this lane's: there is nothing to save.
      if (this.lane > 0 && hits === 0 && group.idempotencyHash === '') continue;
      domain.active.advance(nowMs);
      hitCount += hits;
      domain.unsavedHits += hits;
      domain.unsettledHits += hits;
      if (domain.unsettledHits >= SETTLE_HITS) domain.settle();
      this.noteChange(domain, sequence, nowMs);
    }
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
