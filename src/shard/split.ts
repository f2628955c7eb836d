/**
 * Which domains of a shard are split, as one of its lanes knows it (`model/split.ts`).
 *
 * Data plane at record granularity. The word of the base (['l', domain]) is what readers go by; each
 * other lane keeps its own, of its own place in the log. Nobody goes beyond a change of lanes before
 * all have saved what it froze (`lanes.ts`).
 */

import { Packr } from 'msgpackr';
import type { OwnHits } from '../bus/own-texts.ts';
import { holderId, type Split } from '../model/split.ts';
import { type LaneReader, readAllLanes, writeLanes } from '../segment/hidden-rows.ts';
import type { StateEnvironment, StateKey } from '../store/state-environment.ts';

const packr = new Packr({ useRecords: false });

/** A split domain at a lane's place in the log. */
export interface DomainSplit {
  /** Number of lanes by generation, from the first on. */
  readonly lanes: readonly number[];
  /** Record with which the newest generation began. */
  readonly sequence: number;
  /** Record since which the lane has followed the domain without a gap. */
  readonly bornSequence: number;
  /** Name under which the lane keeps its part; empty when it has none. */
  readonly holder: string;
}

/** Where the position of a lane stands. */
export function positionKey(lane: number): StateKey {
  return lane === 0 ? ['p'] : ['p', lane];
}

/** Lanes of the newest generation. */
export function laneCountOf({ lanes }: DomainSplit): number {
  return lanes[lanes.length - 1]!;
}

/** The split domains of a lane of a shard. */
export class Splits implements OwnHits {
  readonly lane: number;
  readonly #byDomain = new Map<string, DomainSplit>();
  readonly #unsaved = new Set<string>();
  /** Of the base: lanes that no domain needed before the changes that are not saved. */
  readonly #born = new Set<number>();
  /**
   * Of the base: lanes that are needed, the base among them; 1 while nothing is split. One that no
   * domain has any more counts until `forgetLanes` found that it has come to its end.
   */
  neededLanes = 1;

  constructor(environment: StateEnvironment | null, lane: number) {
    this.lane = lane;
    if (environment === null) return;
    for (const { domainId, ...saved } of readAllLanes(environment, lane)) {
      this.#byDomain.set(domainId, { ...saved, holder: this.#holderOf(domainId, saved.lanes) });
    }
    this.#count(environment);
  }

  /** Null for a domain that was never split. @cost a look-up, none while nothing is split. */
  of(domainId: string): DomainSplit | null {
    if (this.#byDomain.size === 0) return null;
    return this.#byDomain.get(domainId) ?? null;
  }

  /** All of them. */
  *all(): Iterable<{ domainId: string; split: DomainSplit }> {
    for (const [domainId, split] of this.#byDomain) yield { domainId, split };
  }

  /** Over how many lanes the hits of a domain are spread; 0 when none of them is this lane's. */
  lanesOf(domainId: string): number {
    const split = this.#byDomain.get(domainId);
    if (split === undefined) return this.lane === 0 ? 1 : 0;
    return split.holder === '' ? 0 : laneCountOf(split);
  }

  /** Whether nothing is split. */
  get isEmpty(): boolean {
    return this.#byDomain.size === 0;
  }

  /** The most lanes that a domain has now; 1 while nothing is split. */
  get laneCount(): number {
    let count = 1;
    for (const split of this.#byDomain.values()) count = Math.max(count, laneCountOf(split));
    return count;
  }

  /** Record with which the newest change of lanes came, 0 if there was none. */
  get lastSequence(): number {
    let last = 0;
    for (const { sequence } of this.#byDomain.values()) last = Math.max(last, sequence);
    return last;
  }

  /**
   * Takes a change of lanes. What was said of earlier generations stands: their holders are there.
   *
   * @returns null when it says nothing new.
   */
  take({ domainId, lanes: said }: Split, sequence: number): DomainSplit | null {
    const known = this.#byDomain.get(domainId);
    const before = known?.lanes ?? [1];
    if (said.length <= before.length) return null;
    const lanes = [...before, ...said.slice(before.length)];
    for (let lane = this.laneCount; lane < lanes[lanes.length - 1]!; lane++) this.#born.add(lane);
    const had = known !== undefined && this.lane < laneCountOf(known);
    const split = {
      ...{ lanes, sequence, bornSequence: had ? known.bornSequence : sequence },
      holder: this.#holderOf(domainId, lanes),
    };
    this.#byDomain.set(domainId, split);
    this.#unsaved.add(domainId);
    this.neededLanes = Math.max(this.neededLanes, laneCountOf(split));
    return split;
  }

  /**
   * Writes what is new. Inside the transaction that saves what was frozen.
   *
   * @returns of the base: lanes that begin, and the position from behind which they do.
   */
  save(environment: StateEnvironment): { lanes: number[]; position: number } {
    const position = this.lastSequence - 1;
    const lanes: number[] = [];
    if (this.#unsaved.size === 0) return { lanes, position };
    for (const domainId of this.#unsaved) {
      writeLanes(environment, domainId, this.#byDomain.get(domainId) as DomainSplit, this.lane);
    }
    if (this.lane !== 0) return { lanes, position };
    // A lane has a position before it has anything else, so that the log is kept for it.
    for (let lane = 1; lane < this.laneCount; lane++) {
      const key = positionKey(lane);
      // That of a lane which nobody needed is of no use: it has passed records over since. In a replay
      // a lane may be beyond the change already.
      const known = environment.get(key);
      const isAhead = known !== undefined && (packr.unpack(known) as number) > position;
      if (known !== undefined && (isAhead || !this.#born.has(lane))) continue;
      environment.put(key, packr.pack(position));
      lanes.push(lane);
    }
    return { lanes, position };
  }

  /** What `save` wrote is on disk. */
  saved(): void {
    this.#unsaved.clear();
    this.#born.clear();
  }

  /**
   * Forgets the positions of lanes that no domain needs any more and that have come to the newest
   * change of lanes: they have nothing to do. Of the base.
   *
   * @throws what the write throws: nothing is forgotten then.
   */
  forgetLanes(environment: StateEnvironment): void {
    const { laneCount, lastSequence } = this;
    const done = lanePositions(environment).filter(
      ({ lane, position }) => lane >= laneCount && position >= lastSequence,
    );
    if (done.length === 0) return;
    environment.write(() => {
      for (const { lane } of done) environment.remove(positionKey(lane));
    });
    this.#count(environment);
  }

  #count(environment: StateEnvironment): void {
    this.neededLanes = this.laneCount;
    for (const { lane } of lanePositions(environment)) {
      this.neededLanes = Math.max(this.neededLanes, lane + 1);
    }
  }

  #holderOf(domainId: string, lanes: readonly number[]): string {
    const generation = lanes.length - 1;
    return this.lane < lanes[generation]! ? holderId(domainId, generation, this.lane) : '';
  }
}

/** Lanes 1 and up that have a position in an environment or a moment of it, with it. */
export function lanePositions(environment: LaneReader): { lane: number; position: number }[] {
  return [...environment.range(['p', 0], ['q'])].map(({ key, value }) => ({
    lane: key[1] as number,
    position: packr.unpack(value) as number,
  }));
}
