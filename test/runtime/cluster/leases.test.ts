// Goal: every shard has one owner soon, shares are within one of even, and a node that was away owns
//   nothing it did not move for.
// Method: nodes on a board in memory with a clock of their own; properties over random histories.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Board, fairShare, shardsOf } from '../../../src/runtime/cluster/lease-plan.ts';
import { type BoardStore, LEASE_MS, Leases } from '../../../src/runtime/cluster/leases.ts';

const SHARDS = 64;
const TURN_MS = 400;

/** A cluster whose clock stands still between steps. */
class Cluster {
  nowMs = 1_000_000;
  board: Board | null = null;
  revision = 0;
  readonly nodes = new Map<string, { leases: Leases; opened: Map<number, number> }>();

  store(): BoardStore {
    return {
      read: async () =>
        this.board === null
          ? null
          : { board: structuredClone(this.board), revision: this.revision },
      write: async (board, revision) => {
        if (revision !== this.revision) return null;
        this.board = structuredClone(board);
        this.revision++;
        return this.revision;
      },
    };
  }

  add(id: string): Leases {
    const opened = new Map<number, number>();
    const leases: Leases = new Leases({
      store: this.store(),
      self: id,
      shards: SHARDS,
      nowMs: () => this.nowMs,
      events: {
        taken: (shard, epoch) => opened.set(shard, epoch),
        surplus: (shard) => {
          opened.delete(shard);
          leases.closed(shard);
        },
        lost: (shard) => opened.delete(shard),
      },
    });
    this.nodes.set(id, { leases, opened });
    return leases;
  }

  /** Turns of all nodes but the stopped ones. */
  async run(turns: number, stopped: readonly string[] = []): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.nowMs += TURN_MS;
      for (const [id, { leases }] of this.nodes) {
        if (!stopped.includes(id)) await leases.turn();
      }
      this.checkOwners();
    }
  }

  /** At no time do two nodes own a shard under leases that hold. */
  checkOwners(): void {
    for (let shard = 0; shard < SHARDS; shard++) {
      const owners = [...this.nodes].filter(([, { leases }]) => leases.epochOf(shard) !== null);
      expect(owners.length, `owners of shard ${shard}`).toBeLessThanOrEqual(1);
    }
  }

  ownedBy(id: string): number[] {
    const { leases } = this.nodes.get(id) as { leases: Leases };
    return Array.from({ length: SHARDS }, (_, shard) => shard).filter(
      (shard) => leases.epochOf(shard) !== null,
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
  expect(leases.epochOf(3)).not.toBeNull();
  cluster.nowMs += TURN_MS;
  expect(leases.epochOf(3)).toBeNull();
  await cluster.run(1);
  expect(cluster.ownedBy('a')).toHaveLength(SHARDS);
});

test('after any history of stops and starts, every shard has one owner and shares are even', async () => {
  const step = fc.record({
    stopped: fc.subarray(['a', 'b', 'c', 'd']),
    turns: fc.integer({ min: 1, max: 14 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const cluster = new Cluster();
      for (const id of ['a', 'b', 'c', 'd']) cluster.add(id);
      for (const { stopped, turns } of steps) await cluster.run(turns, stopped);
      await cluster.run(16);
      const board = cluster.board as Board;
      for (const id of cluster.nodes.keys()) {
        expect(shardsOf(board, id)).toHaveLength(fairShare(board, id));
        expect(cluster.ownedBy(id)).toEqual(shardsOf(board, id));
        const { opened } = cluster.nodes.get(id) as { opened: Map<number, number> };
        expect([...opened.keys()].toSorted((x, y) => x - y)).toEqual(cluster.ownedBy(id));
      }
    }),
    { numRuns: 100 },
  );
});
