/**
 * Who owns which shard: the board that all nodes of a cluster share, and a node's next move on it.
 *
 * Control plane, pure. The board is one document that changes only by compare-and-set, so every move
 * is made on the whole of it and two moves never cross. A node takes shards nobody alive owns, up to
 * its fair share, and gives back what it has beyond that; so the shares are within one of even.
 */

import { asEpoch, type Epoch, NO_LEASE, type ShardId, shardIds } from '../../model/ids.ts';

/** One shard's owner. */
export interface Lease {
  /** Id of the node; '' when nobody owns it. */
  node: string;
  /** Rises with every change of the owner. */
  epoch: Epoch;
}

/** One node of the cluster. */
export interface Member {
  /**
   * Counts up while the node lives, never down, also over times when others had struck it off: who
   * does not see it move takes the node for dead.
   */
  beat: number;
  /** Hits that were acknowledged wait in its spool; absent: none do. */
  hasSpooled?: true;
}

/** The shared document. */
export interface Board {
  /** Raised with every change of an owner. */
  epoch: Epoch;
  members: Record<string, Member>;
  shards: Lease[];
}

/** What a node knows when it moves. */
export interface MoveContext {
  self: string;
  /** Higher than in any move of this node before. */
  beat: number;
  /** Hits wait in its spool. */
  hasSpooled: boolean;
  /** Nodes whose beat has not moved for too long. */
  dead: ReadonlySet<string>;
  /** Shards of this node that are saved, closed, and may go. */
  closed: ReadonlySet<ShardId>;
  /** The node is stopping: it takes nothing and leaves when it has nothing. */
  isLeaving: boolean;
}

/** A node's move. */
export interface Move {
  board: Board;
  /** Shards beyond the fair share, or all of them when leaving: to be closed and then given back. */
  surplus: readonly ShardId[];
}

/** The board of a new cluster. */
export function emptyBoard(shards: number): Board {
  return {
    epoch: NO_LEASE,
    members: {},
    shards: Array.from({ length: shards }, () => ({ node: '', epoch: NO_LEASE })),
  };
}

/**
 * One move of a node.
 *
 * @param board is not changed.
 */
export function moveOn(board: Board, context: MoveContext): Move {
  const { self, beat, hasSpooled, dead, closed, isLeaving } = context;
  const members: Record<string, Member> = {};
  for (const [id, member] of Object.entries(board.members)) {
    if (id !== self && !dead.has(id)) members[id] = member;
  }
  members[self] = hasSpooled ? { beat, hasSpooled } : { beat };
  const next: Board = {
    epoch: board.epoch,
    members,
    shards: board.shards.map((lease) => ({ ...lease })),
  };
  for (const shard of closed) {
    if (next.shards[shard]?.node === self) change(next, shard, '');
  }
  if (!isLeaving) takeOrphans(next, self);
  const owned = shardsOf(next, self);
  if (isLeaving && owned.length === 0) delete members[self];
  const keep = isLeaving ? 0 : fairShare(next, self);
  return { board: next, surplus: owned.slice(keep) };
}

/** Shards that a node owns, in order. */
export function shardsOf(board: Board, node: string): ShardId[] {
  return shardIds(board.shards.length).filter((shard) => board.shards[shard]?.node === node);
}

/** How many shards a node should own: equal parts, the rest to the first nodes by id. */
export function fairShare({ members, shards }: Board, self: string): number {
  const ids = Object.keys(members).sort();
  const rank = ids.indexOf(self);
  const rest = shards.length % ids.length;
  return Math.floor(shards.length / ids.length) + (rank < rest ? 1 : 0);
}

function takeOrphans(board: Board, self: string): void {
  let room = fairShare(board, self) - shardsOf(board, self).length;
  for (const shard of shardIds(board.shards.length)) {
    if (room <= 0) return;
    const { node } = board.shards[shard] as Lease;
    if (node !== '' && node in board.members) continue;
    change(board, shard, self);
    room--;
  }
}

function change(board: Board, shard: ShardId, node: string): void {
  board.epoch = asEpoch(board.epoch + 1);
  board.shards[shard] = { node, epoch: board.epoch };
}
