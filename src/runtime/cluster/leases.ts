/**
 * A node's leases: it moves on the shared board again and again, and knows what it owns and until
 * when.
 *
 * Control plane. A lease is as good as the node's last move: when no move has gone through for the
 * length of a lease, by a clock that runs on while the process is stopped, the node owns nothing,
 * since others may have taken it for dead. Others are taken for dead by what this node itself saw
 * of them; after a pause of its own it has to watch them anew.
 */

import type { Board } from './lease-plan.ts';
import { emptyBoard, moveOn, shardsOf } from './lease-plan.ts';

/** A node that has not moved for this long owns nothing. */
export const LEASE_MS = 3_000;
/** Others take its shards a little later. */
const DEAD_AFTER_MS = 3_500;
/** A turn this late means that this node was stopped, and saw nothing of the others meanwhile. */
const STALL_MS = 1_500;

/** The document that all nodes share. */
export interface BoardStore {
  /** null when there is none yet. */
  read(): Promise<{ board: Board; revision: number } | null>;
  /** @returns the new revision, null when somebody else was first. `revision` 0 makes it. */
  write(board: Board, revision: number): Promise<number | null>;
}

/** What a node is told. */
export interface LeaseEvents {
  /** Shards it owns now and has not opened. */
  taken(shard: number, epoch: number): void;
  /** A shard it should save, close and report by `closed`. */
  surplus(shard: number): void;
  /** A shard it owned that is another's now, or whose lease has lapsed: it must be let go at once. */
  lost(shard: number): void;
}

/** The leases of one node. */
export class Leases {
  readonly #store: BoardStore;
  readonly #self: string;
  readonly #shards: number;
  readonly #events: LeaseEvents;
  readonly #nowMs: () => number;
  #board: Board;
  #movedMs = Number.NEGATIVE_INFINITY;
  #turnMs = Number.NEGATIVE_INFINITY;
  readonly #seen = new Map<string, { beat: number; atMs: number }>();
  readonly #held = new Map<number, number>();
  readonly #asked = new Set<number>();
  readonly #closed = new Set<number>();
  #isLeaving = false;

  constructor(options: {
    store: BoardStore;
    self: string;
    shards: number;
    events: LeaseEvents;
    /** A monotonic clock that does not stand still while the process is stopped. */
    nowMs: () => number;
  }) {
    this.#store = options.store;
    this.#self = options.self;
    this.#shards = options.shards;
    this.#events = options.events;
    this.#nowMs = options.nowMs;
    this.#board = emptyBoard(options.shards);
  }

  /** Epoch under which this node owns a shard right now; null when it does not. */
  epochOf(shard: number): number | null {
    if (this.#nowMs() - this.#movedMs >= LEASE_MS) return null;
    return this.#held.get(shard) ?? null;
  }

  /** The node that owns a shard as far as this one knows; '' when nobody does. */
  ownerOf(shard: number): string {
    return this.#board.shards[shard]?.node ?? '';
  }

  /** Ids of the nodes on the board. */
  members(): string[] {
    return Object.keys(this.#board.members).sort();
  }

  /** A surplus shard is saved and closed; it is given back with the next turn. */
  closed(shard: number): void {
    this.#closed.add(shard);
  }

  /** From now on everything is surplus; the node is off the board when it owns nothing. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** True when a leaving node has given everything back. */
  get isGone(): boolean {
    return this.#isLeaving && !(this.#self in this.#board.members);
  }

  /**
   * One turn: looks at the board, moves, and tells what has changed.
   *
   * @throws what the store throws; the leases lapse by themselves.
   */
  async turn(): Promise<void> {
    const startMs = this.#nowMs();
    if (startMs - this.#turnMs > STALL_MS) this.#seen.clear();
    this.#turnMs = startMs;
    this.#lapse();
    const found = await this.#store.read();
    const board = found?.board ?? emptyBoard(this.#shards);
    this.#observe(board, startMs);
    const { board: next, surplus } = moveOn(board, {
      self: this.#self,
      dead: this.#deadNodes(startMs),
      closed: this.#closed,
      isLeaving: this.#isLeaving,
    });
    const revision = await this.#store.write(next, found?.revision ?? 0);
    // Somebody else was first: the next turn sees their move.
    if (revision === null) {
      this.#adopt(board, []);
      return;
    }
    this.#movedMs = startMs;
    this.#adopt(next, surplus);
  }

  /** Lets go of everything when the last move is too long ago. */
  #lapse(): void {
    if (this.#nowMs() - this.#movedMs < LEASE_MS) return;
    for (const shard of [...this.#held.keys()]) this.#lose(shard);
  }

  #observe(board: Board, atMs: number): void {
    for (const [id, { beat }] of Object.entries(board.members)) {
      const seen = this.#seen.get(id);
      if (seen === undefined || seen.beat !== beat) this.#seen.set(id, { beat, atMs });
    }
    for (const id of this.#seen.keys()) if (!(id in board.members)) this.#seen.delete(id);
  }

  #deadNodes(atMs: number): Set<string> {
    const dead = new Set<string>();
    for (const [id, seen] of this.#seen) {
      if (id !== this.#self && atMs - seen.atMs >= DEAD_AFTER_MS) dead.add(id);
    }
    return dead;
  }

  #adopt(board: Board, surplus: readonly number[]): void {
    this.#board = board;
    const owned = new Set(shardsOf(board, this.#self));
    for (const shard of [...this.#closed]) if (!owned.has(shard)) this.#closed.delete(shard);
    for (const [shard, epoch] of [...this.#held]) {
      if (board.shards[shard]?.epoch !== epoch || !owned.has(shard)) this.#lose(shard);
    }
    const isCurrent = this.#nowMs() - this.#movedMs < LEASE_MS;
    for (const shard of owned) {
      if (!isCurrent || this.#held.has(shard) || this.#closed.has(shard)) continue;
      const { epoch } = board.shards[shard] as { epoch: number };
      this.#held.set(shard, epoch);
      this.#events.taken(shard, epoch);
    }
    for (const shard of surplus) {
      if (this.#asked.has(shard) || !this.#held.has(shard)) continue;
      this.#asked.add(shard);
      this.#events.surplus(shard);
    }
  }

  #lose(shard: number): void {
    this.#held.delete(shard);
    this.#asked.delete(shard);
    this.#events.lost(shard);
  }
}
