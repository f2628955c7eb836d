/**
 * Evicts the least recently used open days when they take more memory than the actor may use: they
 * are saved and leave; a later hit or query opens them again, as after a restart.
 *
 * Data plane, seldom: `open-memory.ts` says when to check, and a check walks all open days. It may
 * come between two hits of a record, since one batch can touch thousands of days; the save then
 * records how far into the record it is (`SavedDomain.part`). Bounded is what hits and queries
 * bring in. The two days used last are never evicted, whatever their size, so that the current hit
 * can go on.
 */

import { withinHeap } from '../../base/heap.ts';
import { OperatingError } from '../../model/errors.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import type { DomainState } from '../state/domain-state.ts';
import type { OpenMemory } from '../state/open-memory.ts';
import type { OpenShards } from '../state/open-shards.ts';
import type { Shard } from '../state/shard.ts';
import { checkpoint } from './checkpoint.ts';
import { rememberUnpacked } from './evict-domains.ts';

/** Objects of an open day beside its rows and texts: eleven tables and their indexes. */
const OPEN_DAY_BYTES = 24 * 1_024;
/** An idempotency key that is not saved yet. */
const KEY_BYTES = 200;
/** The most recently used days stay: a hit may need its own and the one before. */
const NEVER_EVICTED_COUNT = 2;
/** Days are evicted down to this share of the bound, so that not every record evicts some. */
const TARGET_SHARE = 0.7;
/** However full it is, so much of the bound may be taken until the next check. */
const STEP_SHARE = 1 / 16;
/** Of a thread's heap, for what is open: the operator may have bounded it by a flag of the runtime. */
const HEAP_SHARE = 0.4;

/** The shards of an actor. */
type HeldShards = Pick<OpenShards, 'values' | 'epochOf'>;

interface OpenDay {
  readonly shard: Shard;
  readonly domain: DomainState;
  readonly open: OpenSegment;
  readonly bytes: number;
}

/** Keeps the open days of an actor within a bound of memory. */
export class DayEviction {
  readonly #shards: HeldShards;
  readonly #memory: OpenMemory;
  readonly #bytesMax: number;
  readonly #onFault: (error: OperatingError) => void;

  /**
   * @param options.bytesMax of all open days together; less if the thread's heap is small.
   * @param options.onFault a save failed: what was to leave stays, and is tried again.
   */
  constructor(
    shards: HeldShards,
    options: {
      memory: OpenMemory;
      bytesMax: number;
      onFault: (error: OperatingError) => void;
    },
  ) {
    this.#shards = shards;
    this.#memory = options.memory;
    this.#bytesMax = withinHeap(options.bytesMax, HEAP_SHARE);
    this.#onFault = options.onFault;
    this.#memory.onDue(() => this.#check());
  }

  /** About what the open days take. */
  get openBytes(): number {
    return this.#weigh([]);
  }

  #weigh(days: OpenDay[]): number {
    let bytes = 0;
    for (const shard of this.#shards.values()) {
      for (const domain of shard.domains.values()) bytes += weigh(shard, domain, days);
    }
    return bytes;
  }

  #check(): void {
    const days: OpenDay[] = [];
    let bytes = this.#weigh(days);
    if (bytes > this.#bytesMax) {
      bytes -= this.#evict(days, bytes - this.#bytesMax * TARGET_SHARE);
    }
    this.#memory.allow(Math.max(this.#bytesMax - bytes, this.#bytesMax * STEP_SHARE));
  }

  /** Evicts days until so many bytes are free. @returns how many are. */
  #evict(days: OpenDay[], wanted: number): number {
    days.sort((a, b) => a.open.lastUse - b.open.lastUse);
    const going: OpenDay[] = [];
    let freed = 0;
    for (const day of days.slice(0, -NEVER_EVICTED_COUNT)) {
      if (freed >= wanted) break;
      going.push(day);
      freed += day.bytes;
    }
    this.#save(going);
    freed = 0;
    for (const { shard, domain, open, bytes } of going) {
      // What could not be saved stays.
      if (open.isDirty) continue;
      rememberUnpacked(shard, domain.domainId, open);
      domain.evictDay(open.day);
      freed += bytes;
    }
    return freed;
  }

  #save(going: readonly OpenDay[]): void {
    const dirty = new Map<Shard, Set<DomainState>>();
    for (const { shard, domain, open } of going) {
      if (!open.isDirty || this.#shards.epochOf(shard.id) === 0) continue;
      dirty.set(shard, (dirty.get(shard) ?? new Set()).add(domain));
    }
    for (const [shard, domains] of dirty) {
      try {
        checkpoint(shard, [...domains]);
      } catch (error) {
        if (!(error instanceof OperatingError)) throw error;
        this.#onFault(error);
      }
    }
  }
}

/** Lists the open days of a domain. @returns bytes of all that it holds. */
function weigh(shard: Shard, domain: DomainState, days: OpenDay[]): number {
  let sum = domain.active.bytes + domain.unsavedKeys.size * KEY_BYTES;
  for (const open of domain.segments.values()) {
    const bytes = bytesOf(open);
    days.push({ shard, domain, open, bytes });
    sum += bytes;
  }
  return sum;
}

/** About what an open day takes. */
export function bytesOf(open: OpenSegment): number {
  return OPEN_DAY_BYTES + open.segment.bytes + open.indexBytes;
}
