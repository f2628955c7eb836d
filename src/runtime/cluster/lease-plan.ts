/**
 * Who owns which shard: the board that all nodes of a cluster share, and a node's next move on it.
 *
 * Control plane, pure. The board is one document that changes only by compare-and-set, so every move
 * is made on the whole of it and two moves never cross. A node takes shards nobody alive owns, up to
 * its fair share, and gives back what it has beyond that; so the shares are within one of even.
 */

/** One shard's owner. */
export interface Lease {
  /** Id of the node; '' when nobody owns it. */
  node: string;
  /** Rises with every change of the owner. */
  epoch: number;
}

/** One node of the cluster. */
export interface Member {
  /**
   * Counts up while the node lives, never down, also over times when others had struck it off: who
   * does not see it move takes the node for dead.
   */
  beat: number;
}

/** The shared document. */
export interface Board {
  /** Raised with every change of an owner. */
  epoch: number;
  members: Record<string, Member>;
  shards: Lease[];
}

/** What a node knows when it moves. */
export interface MoveContext {
  self: string;
  /** Higher than in any move of this node before. */
  beat: number;
  /** Nodes whose beat has not moved for too long. */
  dead: ReadonlySet<string>;
  /** Shards of this node that are saved, closed, and may go. */
  closed: ReadonlySet<number>;
  /** The node is stopping: it takes nothing and leaves when it has nothing. */
  isLeaving: boolean;
}

/** A node's move. */
export interface Move {
  board: Board;
  /** Shards beyond the fair share, or all of them when leaving: to be closed and then given back. */
  surplus: readonly number[];
}

/** The board of a new cluster. */
export function emptyBoard(shards: number): Board {
  return {
    epoch: 0,
    members: {},
    shards: Array.from({ length: shards }, () => ({ node: '', epoch: 0 })),
  };
}

/**
 * One move of a node.
 *
 * @param board is not changed.
 */
export function moveOn(board: Board, context: MoveContext): Move {
  const { self, beat, dead, closed, isLeaving } = context;
  const members: Record<string, Member> = {};
  for (const [id, member] of Object.entries(board.members)) {
    if (id !== self && !dead.has(id)) members[id] = member;
  }
  members[self] = { beat };
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
export function shardsOf(board: Board, node: string): number[] {
  return board.shards.flatMap((lease, shard) => (lease.node === node ? [shard] : []));
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
  for (let shard = 0; shard < board.shards.length && room > 0; shard++) {
    const { node } = board.shards[shard] as Lease;
    if (node !== '' && node in board.members) continue;
    change(board, shard, self);
    room--;
  }
}

function change(board: Board, shard: number, node: string): void {
  board.epoch++;
  board.shards[shard] = { node, epoch: board.epoch };
}
