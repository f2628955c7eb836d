/**
 * Segments for reading: decoded from snapshots of the shards' environments, cached by bytes.
 *
 * One per query thread. Each call reads one snapshot; a segment that is cached is brought up to it
 * by decoding only the blocks that moved. The least recently used segments leave first.
 */

import { existsSync } from 'node:fs';
import { DAY_MS } from '../model/limits.ts';
import { shardStatePath } from '../store/state-directories.ts';
import { StateEnvironment } from '../store/state-environment.ts';
import { TABLE_NAMES } from './layout.ts';
import { openForReading, refreshSegment, type StoredSegment } from './persistence.ts';
import type { Segment } from './segment.ts';
import { type ListedSegment, SegmentDirectory } from './segment-directory.ts';
import type { SegmentHeader } from './segment-header.ts';

const SESSIONS_AT = TABLE_NAMES.indexOf('sessions');
const VIEWS_AT = TABLE_NAMES.indexOf('views');
const EVENTS_AT = TABLE_NAMES.indexOf('events');

/** Where a domain's segments are, and which of them are asked for. */
export interface SegmentRequest {
  shard: number;
  /** Of the lease of the shard: under another one its state may be another node's. */
  epoch: number;
  domainId: string;
  /** Instants `[startMs, endMs)`: segments with activity in them. */
  startMs: number;
  endMs: number;
  /** Told of the rows of every segment before it is decoded; may throw to end the read. */
  budget?: { take(rows: number): void } | null;
}

/**
 * Saves are counted anew by whoever owns a shard, so that a number says nothing under another lease:
 * each opening has revisions of its own, and so has each holder of a split domain. Within those a
 * revision is the number of the save and of the rows hidden since: neither ever falls, so the sum is
 * another one whenever either is. All together stay below 2^53; a number of an opening comes again
 * after 2,048 others, one of a holder after 64 generations of 16 lanes.
 *
 *     opening 11 bits │ holder 10 bits │ save + hidden rows 32 bits
 */
const REVISIONS_PER_HOLDER = 2 ** 32;
const HOLDER_COUNT_MAX = 2 ** 10;
const OPENING_COUNT_MAX = 2 ** 11;
const REVISIONS_PER_OPENING = REVISIONS_PER_HOLDER * HOLDER_COUNT_MAX;

/** A shard as it is under one lease. */
interface OpenEnvironment {
  readonly epoch: number;
  readonly environment: StateEnvironment;
  readonly firstRevision: number;
}

/** Decoded segments of many domains, within a bound of bytes. */
export class SegmentReader {
  readonly #dataDir: string;
  readonly #bytesMax: number;
  readonly #environments = new Map<number, OpenEnvironment>();
  #openingCount = 0;
  // Insertion order is the order of use: the first entry is the least recently used.
  readonly #segments = new Map<string, { shard: number; stored: StoredSegment; bytes: number }>();
  readonly #directory = new SegmentDirectory();
  #lastRead: string[] = [];
  #bytes = 0;

  /**
   * @param bytesMax decoded bytes kept between calls; one call may exceed it while it runs, and what
   *   it took is kept for the next on the same segments.
   */
  constructor(dataDir: string, bytesMax: number) {
    this.#dataDir = dataDir;
    this.#bytesMax = bytesMax;
  }

  /** Bytes of the decoded segments held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The domain's segments with activity in the range, as of now, by day. A split domain may have
   * several of a day, with disjoint visitors but for hidden rows.
   *
   * @returns segments owned by the reader: valid until its next call.
   */
  read(request: SegmentRequest): Segment[] {
    const open = this.#open(request.shard, request.epoch);
    if (open === null) return [];
    const { environment } = open;
    environment.refresh();
    this.#weigh();
    const lastDay = Math.floor((request.endMs - 1) / DAY_MS);
    const segments: Segment[] = [];
    for (const listed of this.#directory.list(environment, request.domainId)) {
      const { day, header } = listed;
      if (day > lastDay || header.maxMs < request.startMs) continue;
      request.budget?.take(rowsOf(header));
      segments.push(this.#segment(open, request.shard, listed));
    }
    this.#evict(segments.length);
    this.#begin();
    return segments;
  }

  /** Lets go of all decoded segments: the next call reads them again. */
  forget(): void {
    this.#segments.clear();
    this.#lastRead = [];
    this.#bytes = 0;
  }

  async close(): Promise<void> {
    for (const { environment } of this.#environments.values()) await environment.close();
    this.#environments.clear();
  }

  #open(shard: number, epoch: number): OpenEnvironment | null {
    const open = this.#environments.get(shard);
    if (open !== undefined && open.epoch === epoch) return open;
    if (open !== undefined) this.#forget(shard, open.environment);
    const path = shardStatePath(this.#dataDir, shard);
    // The actor makes it with the first checkpoint; until then the shard has no data.
    if (!existsSync(path)) return null;
    const firstRevision = (this.#openingCount % OPENING_COUNT_MAX) * REVISIONS_PER_OPENING;
    this.#openingCount++;
    const opened = { epoch, environment: new StateEnvironment(path), firstRevision };
    this.#environments.set(shard, opened);
    return opened;
  }

  /** Lets go of a shard as it was under an earlier lease. */
  #forget(shard: number, environment: StateEnvironment): void {
    this.#environments.delete(shard);
    for (const [key, entry] of this.#segments) {
      if (entry.shard !== shard) continue;
      this.#segments.delete(key);
      this.#bytes -= entry.bytes;
    }
    // Which domains are the shard's is not known here; lists of segments are made again soon.
    this.#directory.clear();
    void environment.close();
  }

  #segment(
    { environment, firstRevision }: OpenEnvironment,
    shard: number,
    { holderId, holderIndex, day, header, hiddenRows }: ListedSegment,
  ): Segment {
    const key = `${holderId} ${day}`;
    const cached = this.#segments.get(key);
    this.#segments.delete(key);
    const isSame = cached !== undefined && cached.stored.header.generation === header.generation;
    const stored = isSame ? cached.stored : openForReading(environment, holderId, day, header);
    if (stored.header.version !== header.version) refreshSegment(environment, stored, header);
    const { segment } = stored;
    const ofHolder = firstRevision + (holderIndex % HOLDER_COUNT_MAX) * REVISIONS_PER_HOLDER;
    const revision = ofHolder + header.version + (hiddenRows?.length ?? 0);
    if (segment.revision !== revision) segment.hidden = hiddenBytes(segment, hiddenRows);
    segment.revision = revision;
    const { bytes } = segment;
    this.#bytes += bytes - (cached?.bytes ?? 0);
    this.#segments.set(key, { shard, stored, bytes });
    this.#lastRead.push(key);
    return segment;
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

  /** Beyond the bound, columns that the last question on these segments did not touch go too. */
  #begin(): void {
    const isFull = this.#bytes > this.#bytesMax;
    for (const key of this.#lastRead) {
      for (const source of this.#segments.get(key)?.stored.sources ?? []) source?.begin(isFull);
    }
  }

  /** Lets the least recently used go, but never those of the running call. */
  #evict(inUse: number): void {
    let removable = this.#segments.size - inUse;
    for (const [key, entry] of this.#segments) {
      if (this.#bytes <= this.#bytesMax || removable <= 0) break;
      this.#segments.delete(key);
      this.#bytes -= entry.bytes;
      removable--;
    }
    this.#directory.trim(DIRECTORY_COUNT_MAX);
  }
}

/** Rows that count for a query: sessions, views and events. */
function rowsOf({ rows }: SegmentHeader): number {
  return (rows[SESSIONS_AT] ?? 0) + (rows[VIEWS_AT] ?? 0) + (rows[EVENTS_AT] ?? 0);
}

/** The rows as a byte per session; null when none of them is there. */
function hiddenBytes({ sessions }: Segment, rows: Uint32Array | null): Uint8Array | null {
  if (rows === null) return null;
  const bytes = new Uint8Array(sessions.rowCount);
  // Rows at the end may be gone with a deletion.
  for (let index = 0; index < rows.length; index++) bytes[rows[index]!] = 1;
  return bytes.includes(1) ? bytes : null;
}

/** Domains, or parts of split ones, whose list of segments a query thread remembers. */
const DIRECTORY_COUNT_MAX = 1_000;
