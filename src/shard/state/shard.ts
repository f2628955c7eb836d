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
 *     ['m', spool]       how far a node's spool was applied (`spool-watermarks.ts`)
 *     ['x', domain]      days of the domain are still to be rebuilt; which, ['d', …] says
 *     ['u', …], ['v', …] what domains used (`usage/usage-store.ts`)
 *     ['w']              the sums of both over all domains (`usage/ledger-totals.ts`)
 *     ['l', …]           what was dropped of them (`usage/drop-store.ts`)
 *     ['n…', …], ['o', …], ['q', …], ['r', …]  what is to be told (`outbox/outbox-store.ts`)
 *     ['g', domain], ['i', …] what other products counted (`segment/disk/imported-sums.ts`)
 *     ['c', domain, day, …]   what query threads counted of days at rest (`segment/disk/day-counts.ts`,
 *                        `segment/disk/day-sums.ts`)
 *
 * A domain may be saved ahead of its shard (a query asks for it), so it has a position of its own
 * and replay passes over what it already has. For want of memory it may be saved between two hits of
 * a record (`save/evict-days.ts`): then it has a place within the record, too. Places are counted in
 * steps, which follow from the record alone: one for the head of each group, one for each hit, one for
 * anything else that a record can be.
 */

import { Packr } from 'msgpackr';
import { assert } from '../../base/assert.ts';
import type { LogRecord } from '../../bus/log/interface.ts';
import { decodeErasure, isErasure } from '../../bus/record/codec.ts';
import {
  type DecodedRecord,
  isTold,
  NUMBER,
  NUMBERS_PER_HIT,
  type RecordGroup,
} from '../../bus/record/decoded-record.ts';
import { decodeImport, isImport } from '../../bus/record/import-record.ts';
import { decodeSpooled, isSpooled } from '../../bus/spool/spooled-records.ts';
import { DROP_REASONS, dropReason } from '../../model/drop-reasons.ts';
import { type Erasure, importedDaysOf, takesRows } from '../../model/erasure.ts';
import type { OperatingError } from '../../model/errors.ts';
import { isImportHash } from '../../model/hit.ts';
import { BEGINNING, type DomainId, type Sequence, type ShardId } from '../../model/ids.ts';
import type { ImportRecord } from '../../model/imported-sum.ts';
import { DAY_MS, HOUR_MS } from '../../model/limits.ts';
import { readImports } from '../../segment/disk/imported-sums.ts';
import { loadSegment, type StoredSegment } from '../../segment/disk/persistence.ts';
import { readHeader, readHeaders } from '../../segment/disk/segment-header.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { makeState, openState } from '../../store/state-directories.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { DomainImports } from '../imports/domain-imports.ts';
import { LiveTaps } from '../live/live-taps.ts';
import { entryBytes } from '../outbox/noted-event.ts';
import { LedgerTotals } from '../usage/ledger-totals.ts';
import {
  DomainState,
  type RecordProgress,
  type SavedDomain,
  type StateReader,
  stepsDone,
} from './domain-state.ts';
import { expectErasure } from './erasure.ts';
import { notedEvent } from './event-notes.ts';
import { isRepeated } from './idempotency-keys.ts';
import { OpenMemory } from './open-memory.ts';
import { PreloadedDays } from './preloaded-days.ts';
import { RecordDecoder } from './record-decoder.ts';
import type { Sessionizer } from './sessionizer.ts';
import { isDamage, SetAside } from './set-aside.ts';
import { lastHitOf, ShardPulse } from './shard-pulse.ts';
import { ShardUsage } from './shard-usage.ts';
import { SpoolWatermarks } from './spool-watermarks.ts';

const DUPLICATE = dropReason('duplicate');
/** An item that the shard drops itself: who sent it is not known here. */
const ONE = { bot: '', count: 1 } as const;
/** Where the group of a record stands that is being applied. */
interface GroupPlace {
  readonly sequence: Sequence;
  /** Steps of the record in front of the group. */
  readonly head: number;
  readonly nowMs: number;
}

/** Hits after which pre-aggregates are flushed: as many as the rows of fit near the processor. */
const FLUSH_HITS = 4_096;
/** Format of everything a shard keeps beside its segments. */
export const SHARD_FORMAT = 1;

const packr = new Packr({ useRecords: false });

/** One shard of an actor. */
export class Shard implements StateReader {
  readonly id: ShardId;
  readonly domains = new Map<DomainId, DomainState>();
  /** Domains with records that are not saved yet. */
  readonly unsaved = new Set<DomainState>();
  readonly preloaded = new PreloadedDays();
  /** By domain: days that left memory and are to be packed when they are over, and their last change. */
  readonly unpackedDays = new Map<DomainId, Map<number, number>>();
  /** Items dropped since somebody last took the counts, by reason. */
  readonly drops = DROP_REASONS.map(() => 0);
  /** Whether there may be something to tell that who sends has not heard of. */
  hasOutboxNews = true;
  /** Domains with days that are still to be rebuilt, or rebuilt and not saved. */
  readonly erasing = new Set<DomainId>();
  /** Position of the last record of this shard that was applied or passed over. */
  appliedSequence: Sequence;
  /** Position before the record that is being, or was last, applied. */
  #previousSequence: Sequence;
  /** Position on disk: replay starts behind it. */
  savedSequence: Sequence;
  /** Sites that are not counted, since what is stored of them is damaged. */
  readonly aside = new SetAside();
  /** Up to which number the spool of each node was applied. */
  readonly spoolWatermarks: SpoolWatermarks;
  /** When its domains were last heard of. */
  readonly pulse = new ShardPulse({
    environment: () => this.#environment,
    domains: this.domains,
  });
  /** What all of them were sent. */
  readonly totals = new LedgerTotals({
    environment: () => this.#environment,
    savedSequence: () => this.savedSequence,
  });
  /** What they used. */
  readonly usage = new ShardUsage({
    environment: () => this.#environment,
    domains: this.domains,
    ...{ aside: this.aside, pulse: this.pulse, totals: this.totals },
  });
  /** Who looks at domains as hits come; shared by all shards of an actor. */
  taps = new LiveTaps();
  /** Unpacks its records. */
  readonly decoder = new RecordDecoder();
  /** Counts what is opened; shared by all shards of an actor. */
  readonly memory: OpenMemory;
  /** Steps of the record at hand that were applied; −1 between records. */
  #steps = -1;
  readonly #dataDir: string;
  readonly #sessionizer: Sessionizer;
  #environment: StateEnvironment | null = null;

  constructor(dataDir: string, id: ShardId, sessionizer: Sessionizer, memory = new OpenMemory()) {
    this.id = id;
    this.memory = memory;
    this.#dataDir = dataDir;
    this.#sessionizer = sessionizer;
    // A shard without data has no files: a new installation opens none of its 64 environments.
    this.#environment = openState(dataDir, id);
    this.savedSequence = positionIn(this.#environment);
    this.appliedSequence = this.savedSequence;
    this.#previousSequence = this.savedSequence;
    this.spoolWatermarks = new SpoolWatermarks(this.#environment);
    for (const { key } of this.#environment?.range(['x'], ['y']) ?? []) {
      this.erasing.add(key[1] as DomainId);
    }
  }

  /** Whether anything was ever saved. */
  get hasEnvironment(): boolean {
    return this.#environment !== null;
  }

  /** Position of the last record that was applied or passed over as a whole. */
  get completeSequence(): Sequence {
    return this.#steps < 0 ? this.appliedSequence : this.#previousSequence;
  }

  /** How far the record at hand is applied; null between records. */
  get progress(): RecordProgress | null {
    return this.#steps < 0 ? null : { sequence: this.appliedSequence, steps: this.#steps };
  }

  /** The position on disk as it is now, for who reads beside the shard's writer. */
  storedSequence(): Sequence {
    const environment = this.#environment ?? openState(this.#dataDir, this.id);
    environment?.refresh();
    this.#environment = environment;
    return positionIn(environment);
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
    this.#steps = 0;
    const hits = this.#applyAll(payload, sequence, nowMs);
    this.#steps = -1;
    return hits;
  }

  #applyAll(payload: Uint8Array, sequence: Sequence, nowMs: number): number {
    if (!isSpooled(payload)) return this.#applyPayload(payload, sequence, nowMs);
    const { spool, records } = decodeSpooled(payload);
    let hitCount = 0;
    for (let index = 0; index < records.length; index++) {
      const { number, payload: inner } = records[index]!;
      if (!this.spoolWatermarks.raise(spool, number, sequence)) continue;
      hitCount += this.#applyPayload(inner, sequence, nowMs);
    }
    return hitCount;
  }

  /**
   * Takes what was opened of a domain into its state, and the domain from disk if need be.
   *
   * @returns what was taken.
   */
  adoptOpened(domainId: DomainId, nowMs: number): { domain: DomainState; open: OpenSegment }[] {
    const opened = this.preloaded.of(domainId);
    const domain = this.existingDomain(domainId, nowMs);
    const taken: { domain: DomainState; open: OpenSegment }[] = [];
    for (const open of opened) {
      if (domain?.rawSegment(open.day) === open) taken.push({ domain, open });
    }
    this.preloaded.drop(domainId);
    return taken;
  }

  /** A domain's state, from disk if need be; null if the shard has never seen it. @throws STATE_DAMAGED. */
  existingDomain(domainId: DomainId, nowMs: number): DomainState | null {
    this.aside.check(domainId);
    const open = this.domains.get(domainId);
    if (open !== undefined) {
      open.touchedMs = nowMs;
      return open;
    }
    if (this.#environment?.get(['d', domainId]) === undefined) return null;
    return this.#openDomain(domainId, nowMs);
  }

  /**
   * Stored data of a domain is damaged, and somebody had to change what is in memory of it: that is
   * worth nothing now. Its records stay in the log, those that are not saved yet and those that come.
   */
  setAside(domainId: DomainId, error: OperatingError): void {
    const domain = this.domains.get(domainId);
    const isSaved = domain === undefined || domain.firstUnsavedSequence === 0;
    this.aside.add(domainId, error, isSaved ? null : domain.replayAfter);
    this.domains.delete(domainId);
    this.erasing.delete(domainId);
    this.unpackedDays.delete(domainId);
    this.preloaded.drop(domainId);
    if (domain !== undefined) this.unsaved.delete(domain);
  }

  /** Whether a record of a domain is not to be applied, since the domain is set aside. */
  parks(domainId: DomainId): boolean {
    return this.aside.parks(domainId, this.#previousSequence);
  }

  segment(domainId: DomainId, day: number): StoredSegment | null {
    if (this.#environment === null) return null;
    const header = readHeader(this.#environment, domainId, day);
    return header === null ? null : loadSegment(this.#environment, domainId, day, header);
  }

  takeOpened(domainId: DomainId, day: number): OpenSegment | null {
    return this.preloaded.take(domainId, day);
  }

  segmentMaxMs(domainId: DomainId, day: number): number {
    if (this.#environment === null) return Number.NEGATIVE_INFINITY;
    return readHeader(this.#environment, domainId, day)?.maxMs ?? Number.NEGATIVE_INFINITY;
  }

  idempotencyReceivedMs(hash: string): number | undefined {
    const bytes = this.#environment?.get(['k', hash]);
    return bytes === undefined ? undefined : (packr.unpack(bytes) as number);
  }

  async close(): Promise<void> {
    await this.#environment?.close();
    this.#environment = null;
  }

  #applyPayload(payload: Uint8Array, sequence: Sequence, nowMs: number): number {
    const first = this.#steps;
    if (isErasure(payload) || isImport(payload)) {
      const record = isErasure(payload) ? decodeErasure(payload) : decodeImport(payload);
      try {
        this.#applyOther(record, { sequence, step: first, nowMs });
      } catch (error) {
        this.#park(record.domainId, error);
      }
      this.#steps = first + 1;
      return 0;
    }
    let hitCount = 0;
    const record = this.decoder.decode(payload);
    const { groups } = record;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      // In front of a group are the heads of those before it and all of their hits.
      const head = first + index + group.first;
      this.#steps = head;
      if (this.parks(group.domainId)) continue;
      try {
        hitCount += this.#applyTo(record, group, { sequence, head, nowMs });
      } catch (error) {
        this.#park(group.domainId, error);
      }
    }
    this.#steps = first + groups.length + (groups.at(-1)?.end ?? 0);
    return hitCount;
  }

  /** Sets a domain aside with the record that met the damage. */
  #park(domainId: DomainId, error: unknown): void {
    if (!isDamage(error)) throw error;
    this.setAside(domainId, error);
    this.parks(domainId);
  }

  /** @returns how many hits were counted. */
  #applyTo(record: DecodedRecord, group: RecordGroup, at: GroupPlace): number {
    const { sequence, nowMs } = at;
    const { domainId } = group;
    const domain = this.domains.get(domainId) ?? this.#openDomain(domainId, nowMs);
    if (sequence <= domain.recoveredSequence) return 0;
    const marks = this.taps.hears(group) ? this.taps.marks(domain.segments) : null;
    this.#applyGroup(domain, record, group, at);
    if (marks !== null) this.taps.note(domain, marks, nowMs);
    // Making room may have met damage in what is stored of it: its record is parked then.
    if (this.aside.has(domainId)) {
      this.parks(domainId);
      return 0;
    }
    const hits = group.end - group.first;
    domain.active.advance(nowMs);
    domain.unsavedHits += hits;
    domain.unflushedHits += hits;
    if (domain.unflushedHits >= FLUSH_HITS) domain.flushRollups();
    this.#noteChange(domain, sequence, nowMs);
    return hits;
  }

  /** Opens a domain with all its days of the last hour: what is open is saved as such. */
  #openDomain(domainId: DomainId, nowMs: number): DomainState {
    const bytes = this.#environment?.get(['d', domainId]);
    const saved = bytes === undefined ? null : (packr.unpack(bytes) as SavedDomain);
    assert(saved === null || saved.format === SHARD_FORMAT, 'the domain has a known format');
    const usage = this.usage.opened(domainId, saved !== null);
    const imports = new DomainImports(
      this.#environment && readImports(this.#environment, domainId),
    );
    const domain = new DomainState(this, domainId, saved, { usage, imports });
    if (saved !== null) domain.lastHitMs = lastHitOf(this.environment(), domainId, saved);
    domain.touchedMs = nowMs;
    // Only then is it open: with a day that is damaged nobody would know that it is missing.
    domain.reopenDays(nowMs - HOUR_MS);
    this.domains.set(domainId, domain);
    this.pulse.opened(domainId);
    return domain;
  }

  #noteChange(domain: DomainState, sequence: Sequence, nowMs: number): void {
    domain.sequence = sequence;
    domain.touchedMs = nowMs;
    if (domain.firstUnsavedSequence !== 0) return;
    domain.firstUnsavedSequence = sequence;
    domain.replayAfter = this.#previousSequence;
    domain.unsavedSinceMs = nowMs;
    this.unsaved.add(domain);
  }

  /** A deletion, or a record of an import: one step. */
  #applyOther(
    record: Erasure | ImportRecord,
    { sequence, step, nowMs }: { sequence: Sequence; step: number; nowMs: number },
  ): void {
    const { domainId } = record;
    if (this.parks(domainId)) return;
    const domain = this.domains.get(domainId) ?? this.#openDomain(domainId, nowMs);
    if (sequence <= domain.recoveredSequence || step < stepsDone(domain, sequence)) return;
    const revision = `${sequence} ${step}`;
    if ('importId' in record) this.memory.noteNoted(domain.imports.apply(record, revision));
    else {
      const days = importedDaysOf(record);
      if (days !== null) domain.imports.erase(days, revision);
      // Of rows nothing else is touched by a deletion of what was imported.
      if (takesRows(record)) this.#eraseRows(domain, record);
    }
    this.#noteChange(domain, sequence, nowMs);
  }

  /** Marks the days it touches; they are rebuilt one by one. */
  #eraseRows(domain: DomainState, erasure: Erasure): void {
    const { domainId } = domain;
    const spans = new Map<number, { day: number; minMs: number; maxMs: number }>();
    if (this.#environment !== null) {
      const always = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };
      for (const { day, header } of readHeaders(this.#environment, domainId, always)) {
        spans.set(day, { day, minMs: header.minMs, maxMs: header.maxMs });
      }
    }
    for (const { segment } of domain.segments.values()) spans.set(segment.day, segment);
    expectErasure(domain, erasure, spans.values());
    this.erasing.add(domainId);
  }

  #applyGroup(
    domain: DomainState,
    record: DecodedRecord,
    group: RecordGroup,
    at: GroupPlace,
  ): void {
    const { end, dropped } = group;
    // Of the group, its head first. Of a repeat nothing but the head is applied, so all of it.
    const done = stepsDone(domain, at.sequence) - at.head;
    if (done > end - group.first) return;
    const first = group.first + Math.max(done - 1, 0);
    const isNew = done <= 0;
    if (isNew && group.idempotencyHash !== '' && isRepeated(domain, group)) {
      this.#dropRepeat(domain, record, group);
      return;
    }
    if (isNew && dropped !== null) {
      for (let index = 0; index < dropped.length; index++) {
        const { reason, day, bot, count } = dropped[index]!;
        this.#drop(domain, reason, day, { bot, count });
      }
    }
    // Steps are one ahead of rows: those of the heads up to this one.
    const heads = at.head + 1 - group.first;
    for (let row = first; row < end; row++) {
      const reason = this.#sessionizer.apply(domain, record, row);
      if (reason !== 0) this.#drop(domain, reason, dayOf(record, row), ONE);
      else if (!isImportHash(group.idempotencyHash)) domain.noteHit(group.receivedMs);
      if (reason === 0 && isToldAt(record, row)) {
        const place = { sequence: at.sequence, step: heads + row };
        const told = { shard: this.id, domainId: domain.domainId, place };
        const event = notedEvent(record, row, { ...told, receivedMs: group.receivedMs });
        domain.notes.push(event);
        this.memory.noteNoted(entryBytes(event));
      }
      if (this.memory.isDue) this.#makeRoom(heads + row + 1);
    }
  }

  /** What is to be told is saved here, and days may leave memory. @param steps of the record at hand that were applied. */
  #makeRoom(steps: number): void {
    this.#steps = steps;
    this.memory.check();
  }

  /** I-77: every item counts as a duplicate, dropped ones too; each for its own day. */
  #dropRepeat(domain: DomainState, record: DecodedRecord, group: RecordGroup): void {
    for (let row = group.first; row < group.end; row++) {
      this.#drop(domain, DUPLICATE, dayOf(record, row), ONE);
    }
    for (const { day, count } of group.dropped ?? []) {
      this.#drop(domain, DUPLICATE, day, { bot: '', count });
    }
  }

  #drop(
    domain: DomainState,
    reason: number,
    day: number,
    { bot, count }: { bot: string; count: number },
  ): void {
    domain.drops.add(reason, day, bot, count);
    this.drops[reason]! += count;
  }
}

function positionIn(environment: StateEnvironment | null): Sequence {
  const position = environment?.get(['p']);
  return position === undefined ? BEGINNING : (packr.unpack(position) as Sequence);
}

/** Whether the hit is an event that webhooks are told of. */
function isToldAt({ numbers }: DecodedRecord, row: number): boolean {
  return isTold(numbers[row * NUMBERS_PER_HIT + NUMBER.flags]!);
}

/** UTC day of a hit's own time. */
function dayOf({ timesMs }: DecodedRecord, row: number): number {
  return Math.floor(timesMs[row]! / DAY_MS);
}
