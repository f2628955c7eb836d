/**
 * The lanes of an actor's shards, as the actor (their base) sees them: DECISIONS 33.
 *
 * Data plane per record, control plane elsewhere. A shard has lanes while one of its domains is split.
 * Its records are relayed to them; each lane applies what is its own. A change of lanes at record n:
 *
 *     base      apply n ─ freeze ─ relay n ─ wait ───────────▶ n + 1
 *     lane k                     apply n ─ freeze ─ applied ─┘
 *
 * so nobody is beyond n before everybody has saved what n froze. The same in a replay, whoever is
 * ahead there. The shard as a whole is where the last of them is on disk.
 */

import { assert } from '../base/assert.ts';
import type { LogRecord } from '../bus/log.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { eraseFrozen, packFrozen } from './frozen-days.ts';
import { applyAndFreeze, holdsSplit, mustWrite } from './lane-apply.ts';
import { LaneFeed } from './lane-feed.ts';
import type { SpawnLane } from './lane-protocol.ts';
import type { Opening } from './open-shards.ts';
import { RelayBuffer } from './relay-buffer.ts';
import type { Shard } from './shard.ts';
import { lanePositions } from './split.ts';

/** What they are given. */
export interface LanesOptions {
  /** Starts a thread. */
  spawn: SpawnLane;
  /** The disk refused and is asked again. */
  onFault: (error: OperatingError) => void;
}

/** A lane's part of a shard. */
interface Part {
  /** Position on disk for good. */
  saved: number;
  /** `leaving`: asked to let go; `gone`: it has, but its position is still on disk. */
  state: 'open' | 'leaving' | 'gone';
}

/** A shard that is open. */
interface Term {
  readonly shard: Shard;
  readonly opening: Opening;
  /** Position of the base on disk for good. */
  saved: number;
  readonly parts: Map<number, Part>;
}

/** See above. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #terms = new Map<number, Term>();
  readonly #closings = new Map<number, Promise<unknown>>();
  readonly #feeds = new Map<number, LaneFeed>();
  readonly #ends = new Set<Promise<void>>();
  readonly #buffer = new RelayBuffer();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /**
   * A shard was opened: so are the lanes that it has on disk, or needs.
   *
   * @returns its positions: the least is where its records begin.
   */
  open(shard: Shard, opening: Opening): { least: number; newest: number } {
    const term: Term = { shard, opening, saved: shard.savedSequence, parts: new Map() };
    this.#terms.set(shard.id, term);
    this.#ready(term);
    // The loss may have come between the word of the last lane and what follows it.
    if (leastOf(term) >= shard.splits.lastSequence) this.#careForFrozen(term, 0);
    const positions = [...term.parts.values()].map(({ saved }) => saved);
    return { least: leastOf(term), newest: Math.max(term.saved, ...positions) };
  }

  /** Whether a shard has lanes beside its base at this moment. */
  has(shard: number): boolean {
    return (this.#terms.get(shard)?.parts.size ?? 0) > 0;
  }

  /** Position of a shard as a whole that is on disk for good; null when it is not open. */
  position(shard: number): number | null {
    const term = this.#terms.get(shard);
    return term === undefined ? null : leastOf(term);
  }

  /** A position is on disk for good: the base's under lane 0. */
  noteSaved(lane: number, shard: number, sequence: number): void {
    const term = this.#terms.get(shard);
    const part = lane === 0 ? term : term?.parts.get(lane);
    if (part !== undefined) part.saved = Math.max(part.saved, sequence);
  }

  /**
   * Applies a record to the base and relays it to the lanes.
   *
   * @returns how many hits it held.
   * @throws when a lane has died; STATE_WRITE_FAILED when the disk refuses what a change of lanes froze.
   */
  apply(shard: Shard, record: LogRecord, nowMs: number): number {
    const term = this.#termOf(shard.id);
    const { onFault } = this.#options;
    const hits = applyAndFreeze(shard, record, { nowMs, onFault });
    const isSplit = holdsSplit(record.payload);
    if (isSplit) this.#ready(term);
    if (term.parts.size > 0) this.#buffer.add(record);
    if (isSplit) {
      this.#await(term);
      this.#careForFrozen(term, nowMs);
    } else if (this.#buffer.isFull) this.flush();
    return hits;
  }

  /** Sends what was gathered on; waits while a lane has too much to do. */
  flush(): void {
    const records = this.#buffer.take();
    if (records === null) return;
    for (const feed of this.#feeds.values()) feed.relay(records);
  }

  /** Waits until every lane has applied all that was relayed. */
  drain(): void {
    this.flush();
    for (const feed of this.#feeds.values()) feed.drain();
  }

  /** The lanes of a shard save a domain as of all that was relayed; rejects with the error of one. */
  async save(shard: number, domainId: string): Promise<void> {
    this.flush();
    const feeds = this.#feedsOf(this.#termOf(shard));
    await Promise.all(feeds.map((feed) => feed.call({ kind: 'save', shard, domainId })));
  }

  /** Resolves when the lanes of a shard have applied all that was relayed. */
  async settled(shard: number): Promise<void> {
    this.flush();
    const term = this.#terms.get(shard);
    if (term === undefined) return;
    await Promise.all(this.#feedsOf(term).map((feed) => feed.call({ kind: 'settle' })));
  }

  /** The shard is closed or dropped. @returns when its lanes have let go of its files. */
  async close(shard: number, kind: 'close' | 'drop'): Promise<void> {
    const term = this.#terms.get(shard);
    if (term !== undefined) {
      this.flush();
      this.#terms.delete(shard);
      const calls = this.#feedsOf(term).map((feed) => feed.call({ kind, shard }));
      const closing = Promise.all(calls).finally(() => {
        if (this.#closings.get(shard) === closing) this.#closings.delete(shard);
      });
      this.#closings.set(shard, closing);
      this.#endIdle();
    }
    await this.#closings.get(shard);
  }

  /** Resolves when the threads of all lanes have ended; every shard is closed. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends);
  }

  /** Lets go of lanes that nobody needs any more, of shards that are held. */
  releaseUnneeded(isHeld: (shard: number) => boolean): void {
    for (const term of this.#terms.values()) {
      if (term.parts.size === 0 || !isHeld(term.shard.id)) continue;
      const needed = term.shard.splits.laneCount;
      const unneeded = [...term.parts].filter(([lane]) => lane >= needed);
      for (const [lane, part] of unneeded) {
        if (part.state === 'open') void this.#release(term, lane, part);
      }
      if (unneeded.length > 0 && unneeded.every(([, { state }]) => state === 'gone')) {
        this.#forgetUnneeded(term, needed);
      }
    }
  }

  async #release(term: Term, lane: number, part: Part): Promise<void> {
    const { shard } = term;
    this.flush();
    part.state = 'leaving';
    const isDone = await this.#feedOf(lane).call<boolean>({ kind: 'release', shard: shard.id });
    // A part that was needed again meanwhile is another one.
    part.state = isDone ? 'gone' : 'open';
    this.#endIdle();
  }

  /** Until their positions are gone the log is kept for them. */
  #forgetUnneeded({ shard, parts }: Term, needed: number): void {
    const environment = shard.environment();
    try {
      environment.refresh();
      shard.splits.forgetLanes(environment);
    } catch (cause) {
      const error = errors.STATE_WRITE_FAILED({ reason: (cause as Error).message }, cause);
      this.#options.onFault(error);
      return;
    }
    for (const lane of [...parts.keys()]) if (lane >= needed) parts.delete(lane);
  }

  /** Opens the lanes that a shard needs and does not have; they have positions already. */
  #ready({ shard, opening, parts }: Term): void {
    const { laneCount } = shard;
    if (laneCount === 1) return;
    const positions = new Map<number, number>();
    for (const { lane, position } of lanePositions(shard.environment())) {
      positions.set(lane, position);
    }
    for (let lane = 1; lane < laneCount; lane++) {
      if (parts.get(lane)?.state === 'open') continue;
      parts.set(lane, { saved: positions.get(lane) ?? 0, state: 'open' });
      this.#feedOf(lane).tell({ kind: 'open', opening });
    }
  }

  /** The change of lanes that was just relayed is on disk everywhere when this returns. */
  #await(term: Term): void {
    this.flush();
    for (const feed of this.#feedsOf(term)) feed.drain();
    term.shard.environment().refresh();
  }

  /** What deletions have still to take from what is frozen goes before any lane goes on; it is packed later. */
  #careForFrozen({ shard }: Term, nowMs: number): void {
    if (shard.erasing.size > 0) mustWrite(() => eraseFrozen(shard, nowMs), this.#options.onFault);
    packFrozen(shard);
  }

  #feedOf(lane: number): LaneFeed {
    let feed = this.#feeds.get(lane);
    if (feed === undefined) {
      feed = new LaneFeed(lane, this.#options.spawn);
      this.#feeds.set(lane, feed);
    }
    return feed;
  }

  #feedsOf(term: Term): LaneFeed[] {
    return lanesIn(term).map((lane) => this.#feedOf(lane));
  }

  /** Ends the threads of lanes that no shard has. */
  #endIdle(): void {
    const needed = new Set([...this.#terms.values()].flatMap(lanesIn));
    for (const [lane, feed] of this.#feeds) {
      if (needed.has(lane)) continue;
      this.#feeds.delete(lane);
      const end = feed.end().finally(() => this.#ends.delete(end));
      this.#ends.add(end);
    }
  }

  #termOf(shard: number): Term {
    const term = this.#terms.get(shard);
    assert(term !== undefined, 'the shard is open');
    return term;
  }
}

function leastOf({ saved, parts }: Term): number {
  let least = saved;
  for (const part of parts.values()) least = Math.min(least, part.saved);
  return least;
}

/** Lanes whose threads have a part of the shard open. */
function lanesIn({ parts }: Term): number[] {
  return [...parts].filter(([, { state }]) => state !== 'gone').map(([lane]) => lane);
}
