/**
 * Makes room when an actor's open days take more memory than it has: those not used for longest are
 * saved and leave; whoever needs one opens it again, as after a restart.
 *
 * Data plane, seldom: `open-memory.ts` says when. A look goes over every open day. It may come between
 * two hits of a record, since one batch can touch thousands of days: then what is saved says how far
 * into the record it is (`SavedDomain.part`). Bounded is what hits and questions bring in; the two
 * days used last always stay, so that the hit at hand goes on, whatever their size.
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
/** Days that stay in any case: a hit may need its own and the one before. */
const KEPT_COUNT = 2;
/** Room is made down to this share of the bound, so that not every record makes some. */
const TARGET_SHARE = 0.7;
/** However full it is, so much of the bound comes until the next look. */
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

/** Sees to it that an actor's open days stay within a bound. */
export class Relief {
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
    this.#memory.onDue(() => this.#look());
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

  #look(): void {
    const days: OpenDay[] = [];
    let bytes = this.#weigh(days);
    if (bytes > this.#bytesMax) {
      bytes -= this.#letGo(days, bytes - this.#bytesMax * TARGET_SHARE);
    }
    this.#memory.leave(Math.max(this.#bytesMax - bytes, this.#bytesMax * STEP_SHARE));
  }

  /** Lets days go until so many bytes are free. @returns how many are. */
  #letGo(days: OpenDay[], wanted: number): number {
    days.sort((a, b) => a.open.usedAt - b.open.usedAt);
    const going: OpenDay[] = [];
    let freed = 0;
    for (const day of days.slice(0, -KEPT_COUNT)) {
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
      domain.letGo(open.day);
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
