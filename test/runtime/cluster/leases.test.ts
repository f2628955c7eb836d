// Goal: every shard has one owner soon, shares are within one of even, and a node that was away owns
//   nothing it did not move for.
// Method: nodes on a board in memory with a clock of their own; properties over random histories.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asShardId } from '../../../src/model/ids.ts';
import { type Board, fairShare, shardsOf } from '../../../src/runtime/cluster/lease-plan.ts';
import { type BoardStore, LEASE_MS, Leases } from '../../../src/runtime/cluster/leases.ts';
import { tries } from '../../support/runs.ts';

const SHARDS = 64;
const TURN_MS = 400;

interface Node {
  leases: Leases;
  opened: Map<number, number>;
  closing: number[];
}

/** A cluster whose clock stands still between steps. */
class Cluster {
  nowMs = 1_000_000;
  board: Board | null = null;
  revision = 0;
  readonly nodes = new Map<string, Node>();
  /** Nodes whose writes are stored and not answered. */
  deaf: readonly string[] = [];

  store(id: string): BoardStore {
    return {
      read: async () =>
        this.board === null
          ? null
          : { board: structuredClone(this.board), revision: this.revision },
      write: async (board, revision) => {
        if (revision !== this.revision) return null;
        this.board = structuredClone(board);
        this.revision++;
        if (this.deaf.includes(id)) throw new Error('no answer');
        return this.revision;
      },
    };
  }

  add(id: string, options: { previous?: string[]; slowClose?: boolean } = {}): Leases {
    const opened = new Map<number, number>();
    const closing: number[] = [];
    const leases: Leases = new Leases({
      store: this.store(id),
      self: id,
      previous: options.previous ?? [],
      shards: SHARDS,
      ...{ nowMs: () => this.nowMs, hasSpooled: () => false },
      events: {
        taken: (shard, epoch) => opened.set(shard, epoch),
        held: (_, __, untilMs) => expect(untilMs).toBeGreaterThan(this.nowMs),
        surplus: (shard) => {
          opened.delete(shard);
          if (options.slowClose) closing.push(shard);
          else leases.closed(shard);
        },
        lost: (shard) => {
          opened.delete(shard);
          const at = closing.indexOf(shard);
          if (at >= 0) closing.splice(at, 1);
        },
      },
    });
    this.nodes.set(id, { leases, opened, closing });
    return leases;
  }

  /** Turns of all nodes but the stopped ones. */
  async run(turns: number, stopped: readonly string[] = []): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.nowMs += TURN_MS;
      for (const [id, node] of this.nodes) {
        if (stopped.includes(id)) continue;
        await node.leases.turn().catch(() => false);
        // Two shards a turn: others come and go while the rest is still being closed.
        for (const shard of node.closing.splice(0, 2)) node.leases.closed(asShardId(shard));
        this.checkOwners();
      }
    }
  }

  /** At no time do two nodes own a shard under leases that hold. */
  checkOwners(): void {
    const owned = [...this.nodes.keys()].flatMap((id) => this.ownedBy(id));
    if (new Set(owned).size !== owned.length) expect(owned).toEqual([...new Set(owned)]);
  }

  ownedBy(id: string): number[] {
    const { leases } = this.nodes.get(id) as { leases: Leases };
    return Array.from({ length: SHARDS }, (_, shard) => shard).filter(
      (shard) => leases.epochOf(asShardId(shard)) !== null,
    );
  }
}

test('a node alone owns every shard with its first turn', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  await cluster.run(1);
  expect(cluster.ownedBy('a')).toHaveLength(SHARDS);
});

test('shares are within one of even when nodes come and go', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  await cluster.run(2);
  cluster.add('b');
  cluster.add('c');
  await cluster.run(6);
  const shares = ['a', 'b', 'c'].map((id) => cluster.ownedBy(id).length);
  expect(shares.toSorted()).toEqual([21, 21, 22]);
  cluster.nodes.get('b')?.leases.leave();
  await cluster.run(6);
  expect(cluster.nodes.get('b')?.leases.isGone).toBe(true);
  expect(['a', 'c'].map((id) => cluster.ownedBy(id).length)).toEqual([32, 32]);
});

test('a dead node keeps its shards for its lease and no longer', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  cluster.add('b');
  await cluster.run(6);
  const its = cluster.ownedBy('b');
  expect(its).toHaveLength(32);
  await cluster.run(LEASE_MS / TURN_MS, ['b']);
  expect(cluster.ownedBy('a')).toHaveLength(32);
  await cluster.run(3, ['b']);
  expect(cluster.ownedBy('a')).toHaveLength(SHARDS);
});

test('a node that was stopped owns nothing when it goes on, and takes nobody for dead at once', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  cluster.add('b');
  await cluster.run(6);
  await cluster.run(80, ['b']);
  expect(cluster.ownedBy('b')).toEqual([]);
  const before = cluster.ownedBy('a').length;
  await cluster.nodes.get('b')?.leases.turn();
  cluster.checkOwners();
  expect(cluster.ownedBy('a')).toHaveLength(before);
  await cluster.run(6);
  expect(cluster.ownedBy('a')).toHaveLength(32);
  expect(cluster.ownedBy('b')).toHaveLength(32);
});

test('when the board is away every lease lapses, and all is as before when it is back', async () => {
  const cluster = new Cluster();
  const leases = cluster.add('a');
  await cluster.run(2);
  cluster.nowMs += LEASE_MS - TURN_MS;
  expect(leases.epochOf(asShardId(3))).not.toBeNull();
  cluster.nowMs += TURN_MS;
  expect(leases.epochOf(asShardId(3))).toBeNull();
  await cluster.run(1);
  expect(cluster.ownedBy('a')).toHaveLength(SHARDS);
});

test('a node that is started again on its data directory has its shards at once', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  cluster.add('b');
  await cluster.run(6);
  cluster.nodes.delete('b');
  cluster.add('b2', { previous: ['x', 'b'] });
  await cluster.run(1);
  expect(cluster.ownedBy('b2')).toHaveLength(32);
  expect(Object.keys((cluster.board as Board).members).toSorted()).toEqual(['a', 'b2']);
});

test('shards of a lease that lapsed are not opened anew when nobody had them meanwhile', async () => {
  const cluster = new Cluster();
  cluster.add('a');
  await cluster.run(2);
  const { opened } = cluster.nodes.get('a') as Node;
  const before = new Map(opened);
  opened.clear();
  cluster.nowMs += 60_000;
  expect(cluster.ownedBy('a')).toEqual([]);
  await cluster.run(1);
  expect(cluster.ownedBy('a')).toEqual([...before.keys()]);
  expect(opened.size).toBe(0);
});

test('a node struck off while it was stopped comes back with its next turns', async () => {
  const cluster = new Cluster();
  for (const id of ['a', 'b', 'c', 'd']) cluster.add(id);
  await cluster.run(1);
  await cluster.run(9, ['d']);
  await cluster.run(6);
  for (const id of cluster.nodes.keys()) expect(cluster.ownedBy(id)).toHaveLength(16);
});

test('after any history of stops, silences and slow closings shares are even again', async () => {
  const some = fc.subarray(['a', 'b', 'c', 'd']);
  const step = fc.record({ stopped: some, deaf: some, turns: fc.integer({ min: 1, max: 14 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), some, async (steps, slow) => {
      const cluster = new Cluster();
      for (const id of ['a', 'b', 'c', 'd']) cluster.add(id, { slowClose: slow.includes(id) });
      for (const { stopped, deaf, turns } of steps) {
        cluster.deaf = deaf;
        await cluster.run(turns, stopped);
      }
      cluster.deaf = [];
      await cluster.run(slow.length > 0 ? 50 : 8);
      const board = cluster.board as Board;
      expect(Object.keys(board.members)).toHaveLength(4);
      for (const [id, { opened }] of cluster.nodes) {
        expect(shardsOf(board, id)).toHaveLength(fairShare(board, id));
        expect(cluster.ownedBy(id)).toEqual(shardsOf(board, id));
        expect([...opened.keys()].toSorted((x, y) => x - y)).toEqual(cluster.ownedBy(id));
      }
    }),
    tries(40),
  );
});
