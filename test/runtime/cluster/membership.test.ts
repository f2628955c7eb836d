// Goal: a node opens what it is given, closes what it has to give, hands everything over when it leaves,
//   and goes on by itself after a time without the board.
// Method: nodes on one board in memory, with movers that only write down; real time.

import { afterEach, expect, test } from 'vitest';
import { errors } from '../../../src/model/errors.ts';
import { asShardId } from '../../../src/model/ids.ts';
import { openLog } from '../../../src/model/log.ts';
import type { Board } from '../../../src/runtime/cluster/lease-plan.ts';
import { Membership } from '../../../src/runtime/cluster/membership.ts';
import { ClusterStatus } from '../../../src/runtime/telemetry/cluster-status.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { until } from '../../support/until.ts';

const SHARDS = 16;

/** A board whose nodes hint to each other. */
class Place {
  board: Board | null = null;
  revision = 0;
  isAway = false;
  readonly nodes: Node[] = [];

  async join(self: string, mover: Partial<FakeMover> = {}): Promise<Node> {
    const node = new Node(this, mover);
    node.membership = await Membership.join({
      store: {
        read: async () => {
          if (this.isAway) throw errors.LOG_UNAVAILABLE({ reason: 'away' });
          const board = this.board;
          return board && { board: structuredClone(board), revision: this.revision };
        },
        write: async (board, revision) => {
          if (revision !== this.revision) return null;
          this.board = structuredClone(board);
          this.revision++;
          return this.revision;
        },
      },
      ...{ self, previous: [], shards: SHARDS },
      ...{ mover: node.mover, table: node.table, status: node.status },
      hasSpooled: () => node.hasSpooled,
      log: openLog({ level: 'silent', format: 'json', thread: self }),
      hint: () => {
        for (const other of this.nodes) if (other !== node) other.membership?.hurry();
      },
    });
    this.nodes.push(node);
    return node;
  }
}

interface FakeMover {
  open(shard: number, epoch: number): Promise<{ isRestored: boolean }>;
  close(shard: number): Promise<void>;
  drop(shard: number): void;
}

class Node {
  membership: Membership | null = null;
  readonly table = LeaseTable.create(SHARDS);
  readonly status = ClusterStatus.create();
  readonly calls: string[] = [];
  hasSpooled = false;
  readonly mover: FakeMover;

  constructor(_: Place, mover: Partial<FakeMover>) {
    const { calls } = this;
    this.mover = {
      async open(shard) {
        calls.push(`open ${shard}`);
        return { isRestored: false };
      },
      async close(shard) {
        calls.push(`close ${shard}`);
      },
      drop(shard) {
        calls.push(`drop ${shard}`);
      },
      ...mover,
    };
  }

  get served(): number[] {
    return Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) =>
      this.membership?.serves(asShardId(shard)),
    );
  }
}

let place = new Place();
afterEach(async () => {
  place.isAway = false;
  for (const { membership } of place.nodes) await membership?.leave(100);
  place = new Place();
});

test('a second node gets half of the shards, closed by the first before they are opened', async () => {
  const first = await place.join('a');
  await until(() => first.served.length === SHARDS);
  expect(first.status.unreadyReason()).toBeNull();
  expect(first.status.missing()).toEqual([]);
  const second = await place.join('b');
  await until(() => second.served.length === SHARDS / 2);
  expect(first.served).toHaveLength(SHARDS / 2);
  expect(first.calls.filter((call) => call.startsWith('drop'))).toEqual([]);
  for (const shard of second.served) {
    expect(first.calls).toContain(`close ${shard}`);
    expect(first.table.epochOf(asShardId(shard))).toBe(0);
    expect(second.table.epochOf(asShardId(shard))).toBeGreaterThan(0);
  }
});

test('a node that leaves hands everything over at once, and is off the board', async () => {
  const first = await place.join('a');
  const second = await place.join('b');
  await until(() => first.served.length === 8 && second.served.length === 8);
  const startMs = Date.now();
  expect(await second.membership?.leave(5_000)).toBe(true);
  await until(() => first.served.length === SHARDS);
  expect(Date.now() - startMs).toBeLessThan(1_000);
  expect(Object.keys(place.board?.members ?? {})).toEqual(['a']);
});

test('a node that cannot close its shards any more gives them as they are, and is fenced first', async () => {
  const first = await place.join('a');
  const second = await place.join('b', { close: () => new Promise(() => {}) });
  await until(() => first.served.length === 8 && second.served.length === 8);
  const startMs = Date.now();
  expect(await second.membership?.leave(0)).toBe(false);
  expect(Date.now() - startMs).toBeLessThan(1_000);
  for (let shard = 0; shard < SHARDS; shard++)
    expect(second.table.epochOf(asShardId(shard))).toBe(0);
  await until(() => first.served.length === SHARDS);
});

test('a node that cannot reach the board serves nothing after its lease, and goes on afterwards', async () => {
  const node = await place.join('a');
  await until(() => node.served.length === SHARDS);
  place.isAway = true;
  expect(node.served).toHaveLength(SHARDS);
  const tookMs = await until(() => node.served.length === 0, 5_000);
  expect(tookMs).toBeGreaterThan(2_000);
  expect(node.status.unreadyReason()).toContain('board');
  place.isAway = false;
  await until(() => node.served.length === SHARDS);
  expect(node.calls.filter((call) => call.startsWith('open'))).toHaveLength(SHARDS);
  expect(node.status.unreadyReason()).toBeNull();
});

test('a shard that cannot be opened is tried again, and counts as missing meanwhile', async () => {
  let failures = 2;
  const node = await place.join('a', {
    async open(shard) {
      if (shard === 3 && failures-- > 0) throw errors.LOG_UNAVAILABLE({ reason: 'away' });
      return { isRestored: false };
    },
  });
  await until(() => node.served.length === SHARDS - 1);
  expect(node.status.missing()).toEqual(['shards being opened here: 1']);
  await until(() => node.served.length === SHARDS, 5_000);
  expect(node.status.missing()).toEqual([]);
});

test('a shard whose snapshot cannot be stored is given back all the same', async () => {
  const first = await place.join('a', {
    async close() {
      throw errors.LOG_UNAVAILABLE({ reason: 'away' });
    },
  });
  await until(() => first.served.length === SHARDS);
  const second = await place.join('b');
  await until(() => second.served.length === SHARDS / 2);
});

test('a node struck off while it stood still drops its shards when it goes on', async () => {
  const first = await place.join('a');
  await until(() => first.served.length === SHARDS);
  const board = place.board as Board;
  board.members = { b: { beat: 1 } };
  board.epoch++;
  board.shards = board.shards.map(() => ({ node: 'b', epoch: board.epoch }));
  place.revision++;
  await until(() => first.served.length === 0);
  expect(first.calls.filter((call) => call.startsWith('drop'))).toHaveLength(SHARDS);
});

test('a node knows that hits wait in the spool of any, and for how long none have (O-41)', async () => {
  const first = await place.join('a');
  const second = await place.join('b');
  second.hasSpooled = true;
  await until(() => first.status.settledMs() === 0 && second.status.settledMs() === 0);
  second.hasSpooled = false;
  await until(() => first.status.settledMs() > 1_000);
  // What happens while nobody can be asked is not known.
  place.isAway = true;
  await until(() => first.status.settledMs() === 0, 5_000);
  second.hasSpooled = true;
  place.isAway = false;
  await until(() => first.status.unreadyReason() === null, 5_000);
  await until(() => first.status.settledMs() === 0, 5_000);
  second.hasSpooled = false;
  await until(() => first.status.settledMs() > 0);
  expect(first.status.settledMs()).toBeLessThan(1_000);
});

test('a node that is gone is waited for no longer, whatever its spool had (O-41)', async () => {
  const first = await place.join('a');
  const second = await place.join('b');
  second.hasSpooled = true;
  await until(() => first.status.settledMs() === 0);
  await second.membership?.leave(100);
  await until(() => first.status.settledMs() > 0, 10_000);
});
