/**
 * A domain in its actor's memory: its open segments, and what the log added since the last save.
 *
 * Data plane. Segments are opened on first use, from disk if they are there. Nothing here reads the
 * clock: time comes from the records.
 */

import { BEGINNING, type DomainId, type Sequence } from '../../model/ids.ts';
import type { StoredSegment } from '../../segment/disk/persistence.ts';
import { OpenSegment } from '../../segment/open/open-segment.ts';
import { ActiveVisitors } from '../active/active-visitors.ts';
import { DomainImports } from '../imports/domain-imports.ts';
import type { NotedEvent } from '../outbox/noted-event.ts';
import { flushRollups } from '../rollup/flush.ts';
import { DropCounts } from '../usage/drop-counts.ts';
import { UsageCounts } from '../usage/usage-counts.ts';
import { type DayErasures, eraseDay } from './erasure.ts';
import type { OpenMemory } from './open-memory.ts';

/** What the state reads from disk when memory does not have it. */
export interface StateReader {
  /** A stored segment, or null if there is none. */
  segment(domainId: DomainId, day: number): StoredSegment | null;
  /** Latest instant of a stored segment, −∞ if there is none; cheap. */
  segmentMaxMs(domainId: DomainId, day: number): number;
  /** When an idempotency key was first received, undefined if unknown. */
  idempotencyReceivedMs(hash: string): number | undefined;
  /** A segment that was opened ahead of its use, once; null if there is none. Absent: never. */
  takeOpened?(domainId: DomainId, day: number): OpenSegment | null;
  /** Where opened days are counted; absent where nothing bounds them. */
  readonly memory?: OpenMemory;
}

/** One domain in the memory of its actor. */
export class DomainState {
  readonly domainId: DomainId;
  /** Everything up to this position of the log was in the state when it was last opened. */
  readonly recoveredSequence: Sequence;
  /** How far the record after it was applied, too; null: not at all. */
  readonly recoveredProgress: RecordProgress | null;
  /** Position of the last record that was applied. */
  sequence: Sequence;
  /** Position of the first record not saved yet, 0 when all are. */
  firstUnsavedSequence: Sequence = BEGINNING;
  /** Sequence just before the first unsaved record; replay for this domain starts after it. */
  replayAfter: Sequence = BEGINNING;
  /** Wall-clock time of the actor when the first unsaved record came; decides when to save. */
  unsavedSinceMs = 0;
  /** Wall-clock time of the actor when somebody last needed the domain. */
  touchedMs = 0;
  /** Hits applied since the last save. */
  unsavedHits = 0;
  /** Hits applied since the pre-aggregates were last flushed. */
  unflushedHits = 0;
  /** Number of the last save. */
  version: number;
  /** When the last hit came that was stored, by the clock of who received it; null: none ever did. */
  lastHitMs: number | null;
  /** Idempotency keys received since the last save. */
  readonly unsavedKeys = new Map<string, number>();
  readonly segments = new Map<number, OpenSegment>();
  /** By day: what goes of it before anything else touches it. */
  readonly pendingErasures: Map<number, DayErasures>;
  /** Days were rebuilt, or found to be complete, since the last save. */
  hasUnsavedErasures = false;
  /** What was used since the last save (S-99), and when the first row is (M-17). */
  readonly usage: UsageCounts;
  /** What was dropped since the last save. */
  readonly drops = new DropCounts();
  /** What is to be told of events since the last save. */
  readonly notes: NotedEvent[] = [];
  /** What other products counted of it (S-98). */
  readonly imports: DomainImports;
  /** Who is active now, kept current while it is asked for. */
  readonly active = new ActiveVisitors();
  readonly #reader: StateReader;
  #lastOpenDays: readonly number[];
  // Days asked for and found neither in memory nor on disk; spares the look-up per visitor.
  #absentDay = -1;

  constructor(
    reader: StateReader,
    domainId: DomainId,
    saved: SavedDomain | null,
    { usage = new UsageCounts(undefined), imports = new DomainImports() } = {},
  ) {
    this.lastHitMs = saved?.lastHitMs ?? null;
    this.#reader = reader;
    this.usage = usage;
    this.imports = imports;
    this.domainId = domainId;
    this.recoveredSequence = saved?.sequence ?? BEGINNING;
    this.recoveredProgress = saved?.part ?? null;
    this.sequence = this.recoveredSequence;
    this.version = saved?.version ?? 0;
    this.#lastOpenDays = saved?.openDays ?? [];
    this.pendingErasures = new Map(saved?.erasures ?? []);
  }

  /** A hit was stored. @param receivedMs spools bring hits that came before others. */
  noteHit(receivedMs: number): void {
    if (this.lastHitMs === null || receivedMs > this.lastHitMs) this.lastHitMs = receivedMs;
  }

  /** The segment of a day, made if there is none. */
  segmentOf(day: number): OpenSegment {
    if (this.pendingErasures.size > 0) eraseDay(this, day);
    const open = this.rawSegment(day);
    if (open !== null) return this.#used(open);
    const made = this.#used(new OpenSegment(this.domainId, day, null));
    this.segments.set(day, made);
    this.#reader.memory?.noteOpened(0);
    this.#absentDay = -1;
    return made;
  }

  /** The segment of a day, null if the domain has none. */
  existingSegment(day: number): OpenSegment | null {
    if (this.pendingErasures.size > 0) eraseDay(this, day);
    const open = this.segments.get(day);
    if (open !== undefined) return this.#used(open);
    if (day === this.#absentDay) return null;
    const loaded = this.#load(day);
    if (loaded === null) this.#absentDay = day;
    return loaded;
  }

  /** The segment of a day with what an erasure is still to take from it; null if there is none. */
  rawSegment(day: number): OpenSegment | null {
    return this.segments.get(day) ?? this.#load(day);
  }

  /**
   * Opens the days that were open at the last save, or evicted since, and reach `fromMs` or beyond.
   * Others are opened by their hits.
   */
  reopenDays(fromMs: number): void {
    for (const day of this.#lastOpenDays) {
      if (this.segments.has(day)) continue;
      if (this.#reader.segmentMaxMs(this.domainId, day) >= fromMs) this.rawSegment(day);
    }
    this.#lastOpenDays = [];
  }

  /** Evicts a saved day, although it may be active. */
  evictDay(day: number): void {
    const open = this.segments.get(day);
    if (open === undefined) return;
    this.active.forget(open);
    this.segments.delete(day);
    this.#lastOpenDays = [...this.#lastOpenDays.filter((other) => other !== day), day];
  }

  /** Days that were open at the last save, or were left, as far as nobody has looked at them since. */
  get leftDays(): readonly number[] {
    return this.#lastOpenDays;
  }

  /** Days to be named as open at a save: those of the last save count until they were looked at. */
  openDays(): number[] {
    return [...new Set([...this.segments.keys(), ...this.#lastOpenDays])];
  }

  /** Brings the pre-aggregates of every open day up to what was applied. */
  flushRollups(): void {
    for (const open of this.segments.values()) flushRollups(open);
    this.unflushedHits = 0;
  }

  /** First receipt of an idempotency key, undefined if it is unknown. */
  idempotencyReceivedMs(hash: string): number | undefined {
    return this.unsavedKeys.get(hash) ?? this.#reader.idempotencyReceivedMs(hash);
  }

  #used(open: OpenSegment): OpenSegment {
    open.lastUse = this.#reader.memory?.useCount ?? 0;
    return open;
  }

  #load(day: number): OpenSegment | null {
    let open = this.#reader.takeOpened?.(this.domainId, day) ?? null;
    if (open === null) {
      const stored = this.#reader.segment(this.domainId, day);
      if (stored === null) return null;
      open = new OpenSegment(this.domainId, day, stored);
    }
    this.segments.set(day, open);
    this.#reader.memory?.noteOpened(open.segment.bytes + open.indexBytes);
    return this.#used(open);
  }
}

/** How far a record has been applied (`Shard.progress`). */
export interface RecordProgress {
  readonly sequence: Sequence;
  /** Steps of the record that are in the state. */
  readonly steps: number;
}

/** Steps of a record that were in the state when the domain was opened. */
export function stepsDone(
  { recoveredProgress: recoveredPart }: DomainState,
  sequence: Sequence,
): number {
  return recoveredPart !== null && recoveredPart.sequence === sequence ? recoveredPart.steps : 0;
}

/** What is saved of a domain beside its segments. */
export interface SavedDomain {
  format: number;
  sequence: Sequence;
  version: number;
  /** Saved between two hits of the record behind `sequence`: how far it was applied. */
  part?: RecordProgress;
  /** Days whose segments were open at the save. */
  openDays: number[];
  /** Days that erasures have still to go over. */
  erasures: [number, DayErasures][];
  /** When the last hit came that was stored; null: none ever did. Builds before have not said. */
  lastHitMs?: number | null;
}
