/**
 * A node's leases: it renews them by moves on the shared board and knows which shards it owns until
 * when.
 *
 * Control plane. A lease is as good as the node's last move. When no move has succeeded for the
 * length of a lease, by a clock that runs on while the process is stopped, the node owns nothing,
 * since others may have taken it for dead. If no other node took them, its shards continue with its
 * next move: their epochs show that nobody owned them meanwhile. Other nodes are taken for dead
 * only by what this node itself observed; after a pause of its own it observes them anew.
 */

import type { Epoch, ShardId } from '../../model/ids.ts';
import type { Board, Lease } from './lease-plan.ts';
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
  taken(shard: ShardId, epoch: Epoch): void;
  /** With every move that went through, for every shard it owns: until when, by the clock. */
  held(shard: ShardId, epoch: Epoch, untilMs: number): void;
  /** A shard it should save, close and report by `closed`. */
  surplus(shard: ShardId): void;
  /** A shard it owned, and had not closed, that is another's now: it must be let go at once. */
  lost(shard: ShardId): void;
}

/** The leases of one node. */
export class Leases {
  readonly #store: BoardStore;
  readonly #self: string;
  readonly #shards: number;
  readonly #events: LeaseEvents;
  readonly #nowMs: () => number;
  readonly #hasSpooled: () => boolean;
  #board: Board;
  #movedMs = Number.NEGATIVE_INFINITY;
  #turnMs = Number.NEGATIVE_INFINITY;
  readonly #seen = new Map<string, { beat: number; atMs: number }>();
  /** By shard: its epoch. */
  readonly #held = new Map<ShardId, Epoch>();
  readonly #asked = new Set<ShardId>();
  /** By shard: the epoch under which it was closed. */
  readonly #closed = new Map<ShardId, Epoch>();
  /** Nodes known to be gone, whatever was seen of them. */
  readonly #gone: readonly string[];
  #beat = 0;
  #isLeaving = false;

  constructor(options: {
    store: BoardStore;
    self: string;
    shards: number;
    /** Nodes that ran on this data directory before: they have ended, and need not be waited for. */
    previous: readonly string[];
    events: LeaseEvents;
    /** A monotonic clock that does not stand still while the process is stopped. */
    nowMs: () => number;
    /** Whether hits wait in the spool of this node. */
    hasSpooled: () => boolean;
  }) {
    this.#store = options.store;
    this.#self = options.self;
    this.#shards = options.shards;
    this.#gone = options.previous;
    this.#events = options.events;
    this.#nowMs = options.nowMs;
    this.#hasSpooled = options.hasSpooled;
    this.#board = emptyBoard(options.shards);
  }

  /** Epoch under which this node owns a shard right now; null when it does not. */
  epochOf(shard: ShardId): Epoch | null {
    if (this.#nowMs() - this.#movedMs >= LEASE_MS) return null;
    // Given back from the moment it is closed: a move may be stored and its answer lost.
    if (this.#closed.has(shard)) return null;
    return this.#held.get(shard) ?? null;
  }

  /** The node that owns a shard as far as this one knows; '' when nobody does. */
  ownerOf(shard: ShardId): string {
    return this.#board.shards[shard]?.node ?? '';
  }

  /** Whether a shard has an owner that is taken for alive. */
  hasOwner(shard: ShardId): boolean {
    return this.ownerOf(shard) in this.#board.members;
  }

  /** Whether hits wait in the spool of any node, as far as this one knows. */
  get hasSpooled(): boolean {
    const members = Object.values(this.#board.members);
    return this.#hasSpooled() || members.some(({ hasSpooled = false }) => hasSpooled);
  }

  /** Rises with every change of an owner. */
  get epoch(): Epoch {
    return this.#board.epoch;
  }

  /** A surplus shard is saved and closed; it is given back with the next turn. */
  closed(shard: ShardId): void {
    const epoch = this.#held.get(shard);
    if (epoch !== undefined) this.#closed.set(shard, epoch);
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
   * @returns false when somebody else moved in between: the next turn sees their move.
   * @throws what the store throws; the leases lapse by themselves.
   */
  async turn(): Promise<boolean> {
    const startMs = this.#nowMs();
    if (startMs - this.#turnMs > STALL_MS) this.#seen.clear();
    this.#turnMs = startMs;
    const found = await this.#store.read();
    const board = found?.board ?? emptyBoard(this.#shards);
    this.#observe(board, startMs);
    this.#beat++;
    const { board: next, surplus } = moveOn(board, {
      self: this.#self,
      beat: this.#beat,
      hasSpooled: this.#hasSpooled(),
      dead: this.#deadNodes(startMs),
      closed: this.#closedOn(board),
      isLeaving: this.#isLeaving,
    });
    const revision = await this.#store.write(next, found?.revision ?? 0);
    if (revision === null) {
      this.#adopt(board, []);
      return false;
    }
    this.#movedMs = startMs;
    this.#adopt(next, surplus);
    return true;
  }

  #observe(board: Board, atMs: number): void {
    for (const [id, { beat }] of Object.entries(board.members)) {
      const seen = this.#seen.get(id);
      if (seen === undefined || seen.beat !== beat) this.#seen.set(id, { beat, atMs });
    }
    for (const id of this.#seen.keys()) if (!(id in board.members)) this.#seen.delete(id);
  }

  #deadNodes(atMs: number): Set<string> {
    const dead = new Set<string>(this.#gone);
    for (const [id, seen] of this.#seen) {
      if (id !== this.#self && atMs - seen.atMs >= DEAD_AFTER_MS) dead.add(id);
    }
    return dead;
  }

  /** Closed shards that are still this node's, under the epoch they were closed with. */
  #closedOn(board: Board): Set<ShardId> {
    const closed = new Set<ShardId>();
    for (const [shard, epoch] of this.#closed) {
      if (board.shards[shard]?.epoch === epoch) closed.add(shard);
    }
    return closed;
  }

  #adopt(board: Board, surplus: readonly ShardId[]): void {
    this.#board = board;
    for (const [shard, epoch] of [...this.#held]) {
      const lease = board.shards[shard];
      if (lease?.epoch !== epoch || lease.node !== this.#self) this.#lose(shard);
    }
    const untilMs = this.#movedMs + LEASE_MS;
    if (this.#nowMs() >= untilMs) return;
    for (const shard of shardsOf(board, this.#self)) {
      const { epoch } = board.shards[shard] as Lease;
      if (!this.#closed.has(shard)) this.#events.held(shard, epoch, untilMs);
      if (this.#held.has(shard)) continue;
      this.#held.set(shard, epoch);
      this.#events.taken(shard, epoch);
    }
    for (const shard of surplus) {
      if (this.#asked.has(shard) || !this.#held.has(shard)) continue;
      this.#asked.add(shard);
      this.#events.surplus(shard);
    }
  }

  #lose(shard: ShardId): void {
    this.#held.delete(shard);
    this.#asked.delete(shard);
    if (!this.#closed.delete(shard)) this.#events.lost(shard);
  }
}
