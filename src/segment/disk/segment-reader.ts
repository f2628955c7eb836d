/**
 * Segments for reading: decoded from snapshots of the shards' environments, cached by bytes.
 *
 * One per query thread. Each call reads one snapshot; a segment that is cached is brought up to it
 * by decoding only the blocks that moved. The least recently used segments leave first.
 */

import { Packr } from 'msgpackr';
import { must } from '../../base/assert.ts';
import { errors } from '../../model/errors.ts';
import type { DomainId, Epoch, ShardId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import { reopenState } from '../../store/state-directories.ts';
import type { HeldMoment, StateEnvironment } from '../../store/state-environment.ts';
import { TABLE_NAMES } from '../memory/layout.ts';
import type { Segment } from '../memory/segment.ts';
import { type CountedDay, DayCounts } from './day-counts.ts';
import { DaySums, type SummedDays } from './day-sums.ts';
import { ImportedSums, readImports } from './imported-sums.ts';
import { openForReading, refreshSegment, type StoredSegment } from './persistence.ts';
import { readHeaders, type SegmentHeader } from './segment-header.ts';

const SESSIONS_AT = TABLE_NAMES.indexOf('sessions');
const VIEWS_AT = TABLE_NAMES.indexOf('views');
const EVENTS_AT = TABLE_NAMES.indexOf('events');

const packr = new Packr({ useRecords: false });

interface Directory {
  /** Version of the domain the headers belong to. */
  version: number;
  headers: { day: number; header: SegmentHeader }[];
}

/** Where a domain's segments are, and which of them are asked for. */
export interface SegmentRequest {
  shard: ShardId;
  /** Of the lease of the shard: under another one its state may be another node's. */
  epoch: Epoch;
  domainId: DomainId;
  /** Instants `[startMs, endMs)`: segments with activity in them. */
  startMs: number;
  endMs: number;
  /** Told of the rows of every segment before it is decoded; may throw to end the read. */
  budget?: { take(rows: number): void } | null;
}

/**
 * Saves are counted anew by whoever owns a shard, so that a number says nothing under another lease:
 * each opening has revisions of its own.
 */
const REVISIONS_PER_OPENING = 2 ** 40;
const OPENING_COUNT_MAX = 2 ** 12;

/** A shard as it is under one lease. */
interface OpenEnvironment {
  readonly epoch: Epoch;
  readonly environment: StateEnvironment;
  readonly firstRevision: number;
}

/** One moment of a shard, for questions that are not answered in one go. */
export interface HeldState {
  readonly shard: ShardId;
  readonly epoch: Epoch;
  /** Null: the shard has no data at that moment. */
  readonly moment: HeldMoment | null;
  /** Of the columns that its questions take. */
  readonly use: number;
}

/** Decoded segments of many domains, within a bound of bytes. */
export class SegmentReader {
  readonly #dataDir: string;
  readonly #bytesMax: number;
  readonly #environments = new Map<number, OpenEnvironment>();
  /** Moments of environments that somebody holds. */
  readonly #held = new Map<StateEnvironment, Set<HeldMoment>>();
  /** The moment that reads are of at present; null: the newest. */
  #within: HeldState | null = null;
  #openingCount = 0;
  /** Questions so far, the questions of a batch as one. */
  #uses = 0;
  // Insertion order is the order of use: the first entry is the least recently used.
  readonly #segments = new Map<string, { shard: ShardId; stored: StoredSegment; bytes: number }>();
  readonly #directories = new Map<string, Directory>();
  #lastRead: string[] = [];
  /** Days of which something was counted that their actor may keep. */
  readonly #counted = new Set<DayCounts>();
  readonly #sums: DaySums;
  #bytes = 0;

  /**
   * @param bytesMax decoded bytes kept between calls; one call may exceed it while it runs, and what
   *   it took is kept for the next on the same segments.
   */
  constructor(dataDir: string, bytesMax: number) {
    this.#dataDir = dataDir;
    this.#bytesMax = bytesMax;
    this.#sums = new DaySums(bytesMax * SUMS_SHARE);
  }

  /** Bytes of the decoded segments held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The domain's segments with activity in the range, as of now, by day.
   *
   * @returns segments owned by the reader: valid until its next call.
   */
  read(request: SegmentRequest): Segment[] {
    if (this.#within?.moment === null) return [];
    const open = this.#open(request.shard, request.epoch);
    if (open === null) return [];
    const { environment } = open;
    if (this.#within === null) environment.refresh();
    this.#weigh();
    const lastDay = Math.floor((request.endMs - 1) / DAY_MS);
    const segments: Segment[] = [];
    for (const { day, header } of this.#directory(environment, request.domainId)) {
      if (day > lastDay || header.maxMs < request.startMs) continue;
      request.budget?.take(rowsOf(header));
      segments.push(this.#segment(open, request, { day, header }));
    }
    this.#evict(segments.length);
    this.#begin();
    return segments;
  }

  /** What the domain has of imports (S-98) at the moment of the last `read`; null: nothing is shown. */
  imports({ shard, epoch, domainId }: Pick<SegmentRequest, 'shard' | 'epoch' | 'domainId'>) {
    const environment = this.#environments.get(shard)?.environment;
    if (environment === undefined || this.#within?.moment === null) return null;
    const stored = readImports(environment, domainId);
    if (stored === null || !stored.imports.some(({ isShown }) => isShown)) return null;
    // The actor settles it with every checkpoint of a domain that has imports.
    const bytes = environment.view(['u', domainId]);
    const firstRowMs = bytes === undefined ? null : (packr.unpack(bytes) as number);
    return new ImportedSums(environment, domainId, { stored, firstRowMs, epoch });
  }

  /** Holds a shard as it is now, until `release`. */
  hold(shard: ShardId, epoch: Epoch): HeldState {
    const use = ++this.#uses;
    const open = this.#open(shard, epoch);
    if (open === null) return { shard, epoch, moment: null, use };
    const { environment } = open;
    const moment = environment.hold();
    const others = this.#held.get(environment) ?? new Set();
    this.#held.set(environment, others.add(moment));
    return { shard, epoch, moment, use };
  }

  /**
   * What is read while `answer` runs is of one moment that is held.
   *
   * @throws SHARD_MOVED when the shard was read under another lease since: its files may be gone.
   */
  within<Answer>(held: HeldState, answer: () => Answer): Answer {
    const { shard, moment } = held;
    this.#within = held;
    try {
      if (moment === null) return answer();
      if (moment.isDone) throw errors.SHARD_MOVED({});
      const { environment } = must(this.#environments.get(shard), 'what is held is open');
      return environment.within(moment, answer);
    } finally {
      this.#within = null;
    }
  }

  /** Inside of `within`: position of the last record that a domain has; 0 before its first. */
  positionOf(domainId: DomainId): number {
    const environment =
      this.#within?.moment == null ? undefined : this.#environments.get(this.#within.shard);
    const bytes = environment?.environment.view(['d', domainId]);
    return bytes === undefined ? 0 : (packr.unpack(bytes) as { sequence: number }).sequence;
  }

  /** Lets go of a moment. */
  release({ moment }: HeldState): void {
    moment?.done();
    for (const [environment, moments] of this.#held) {
      if (moment !== null) moments.delete(moment);
      if (moments.size === 0) this.#held.delete(environment);
    }
  }

  /** Lets go of all decoded segments: the next call reads them again. */
  forget(): void {
    this.#segments.clear();
    this.#lastRead = [];
    this.#bytes = 0;
    this.#sums.forget();
  }

  async close(): Promise<void> {
    for (const { environment } of this.#environments.values()) await environment.close();
    this.#environments.clear();
  }

  #open(shard: ShardId, epoch: Epoch): OpenEnvironment | null {
    const open = this.#environments.get(shard);
    if (open !== undefined && open.epoch === epoch) return open;
    if (open !== undefined) this.#forget(shard, open.environment);
    // The actor makes it with the first checkpoint; until then the shard has no data.
    const environment = reopenState(this.#dataDir, shard);
    if (environment === null) return null;
    const firstRevision = (this.#openingCount % OPENING_COUNT_MAX) * REVISIONS_PER_OPENING;
    this.#openingCount++;
    const opened = { epoch, environment, firstRevision };
    this.#environments.set(shard, opened);
    return opened;
  }

  /** Lets go of a shard as it was under an earlier lease. */
  #forget(shard: ShardId, environment: StateEnvironment): void {
    this.#environments.delete(shard);
    for (const [key, entry] of this.#segments) {
      if (entry.shard !== shard) continue;
      this.#drop(key);
    }
    // Which domains are the shard's is not known here; lists of segments are made again soon.
    this.#directories.clear();
    for (const moment of this.#held.get(environment) ?? []) moment.done();
    this.#held.delete(environment);
    void environment.close();
  }

  #directory(environment: StateEnvironment, domainId: DomainId): Directory['headers'] {
    const bytes = environment.view(['d', domainId]);
    if (bytes === undefined) return [];
    const { version } = packr.unpack(bytes) as { version: number };
    const known = this.#directories.get(domainId);
    if (known !== undefined && known.version === version) return known.headers;
    const range = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };
    const headers = [...readHeaders(environment, domainId, range)];
    this.#directories.delete(domainId);
    this.#directories.set(domainId, { version, headers });
    return headers;
  }

  #segment(
    { environment, epoch, firstRevision }: OpenEnvironment,
    { shard, domainId }: SegmentRequest,
    { day, header }: { day: number; header: SegmentHeader },
  ): Segment {
    const key = `${domainId} ${day}`;
    const cached = this.#segments.get(key);
    this.#drop(key);
    const before = cached?.stored.header;
    // A moment that is held may be older than what others have read since: nothing goes back.
    const isSame = before?.generation === header.generation && before.version <= header.version;
    const stored =
      isSame && cached !== undefined
        ? cached.stored
        : openForReading(environment, domainId, day, header);
    if (stored.header.version !== header.version) {
      refreshSegment(environment, stored, header);
      this.#keepBeside(environment, { shard, epoch, domainId, day }, stored);
    }
    stored.segment.revision = firstRevision + header.version;
    const { bytes } = stored.segment;
    this.#bytes += bytes;
    this.#segments.set(key, { shard, stored, bytes });
    this.#lastRead.push(key);
    return stored.segment;
  }

  /** Of a packed day: where counts and sums are found that hold as long as it stays as it is. */
  #keepBeside(
    environment: StateEnvironment,
    place: { shard: ShardId; epoch: Epoch; domainId: DomainId; day: number },
    { segment, header }: StoredSegment,
  ): void {
    const isAtRest = header.packed !== null;
    segment.counts = isAtRest ? new DayCounts(environment, place, header, this.#counted) : null;
    segment.sums = isAtRest ? this.#sums : null;
    if (isAtRest) this.#sums.note(segment, environment, place, header);
  }

  /** What was counted of days at rest since this was last called, for its actor to keep. */
  takeCounted(): readonly CountedDay[] {
    const taken = [...this.#counted].map((counts) => counts.take());
    this.#counted.clear();
    return taken;
  }

  /** Sums of days at rest that were made since this was last called, for their actor to keep. */
  takeSummed(): readonly SummedDays[] {
    return this.#sums.take();
  }

  /** Lets go of what the last call gave: after damage nobody knows how much of it was read. */
  dropLast(): void {
    for (const key of this.#lastRead) this.#drop(key);
    this.#lastRead = [];
  }

  #drop(key: string): void {
    const entry = this.#segments.get(key);
    if (entry === undefined) return;
    this.#segments.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** What the last call looked at has grown since: tables are read when they are asked for. */
  #weigh(): void {
    for (const key of this.#lastRead) {
      const entry = this.#segments.get(key);
      if (entry === undefined) continue;
      const { bytes } = entry.stored.segment;
      this.#bytes += bytes - entry.bytes;
      entry.bytes = bytes;
    }
    this.#lastRead = [];
  }

  /**
   * Beyond the bound, columns go that neither this question nor the one before touched. A batch is one
   * question here: each of its own lets go of nothing that the next one is about to decode again.
   */
  #begin(): void {
    const batch = this.#within;
    const use = batch?.use ?? ++this.#uses;
    const isFull = this.#bytes > this.#bytesMax;
    const isFar = batch !== null && this.#bytes > this.#bytesMax * FAR_SHARE;
    for (const key of this.#lastRead) {
      for (const source of this.#segments.get(key)?.stored.lazyColumns ?? []) {
        if (isFull) source?.dropUntouched(isFar ? use : use - 1);
        source?.begin(use);
      }
    }
  }

  /** Lets the least recently used go, but never those of the running call. */
  #evict(inUse: number): void {
    let removable = this.#segments.size - inUse;
    for (const key of this.#segments.keys()) {
      if (this.#bytes <= this.#bytesMax || removable <= 0) break;
      this.#drop(key);
      removable--;
    }
    for (const domainId of this.#directories.keys()) {
      if (this.#directories.size <= DIRECTORY_COUNT_MAX) break;
      this.#directories.delete(domainId);
    }
  }
}

/** Rows that count for a query: sessions, views and events. */
function rowsOf({ rows }: SegmentHeader): number {
  return (rows[SESSIONS_AT] ?? 0) + (rows[VIEWS_AT] ?? 0) + (rows[EVENTS_AT] ?? 0);
}

/** Of the bound, for sums of days. */
const SUMS_SHARE = 1 / 8;

/** So far beyond the bound nothing is kept but what the running batch has touched. */
const FAR_SHARE = 1.5;

/** Domains whose list of segments a query thread remembers. */
const DIRECTORY_COUNT_MAX = 1_000;
