// Goal: an actor waits for its lanes as long as it has to, and no longer.
// Method: lanes on real threads that apply nothing and only count, at a pace of their own.
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { LaneFeed } from '../../src/shard/lane-feed.ts';
import type { LaneThread } from '../../src/shard/lane-protocol.ts';

const MIB = 1_024 * 1_024;
/** Counts bytes as applied; with `dies` it says so after the first of them. */
const COUNTS = `
  const { workerData: { memory, bytes, dies } } = require('node:worker_threads');
  setInterval(() => {
    Atomics.add(memory, 0, bytes);
    if (dies) Atomics.store(memory, 1, 1);
    Atomics.notify(memory, 0);
  }, 5);
`;

const workers: Worker[] = [];
const thread: LaneThread = {
  tell: () => {},
  call: () => new Promise(() => {}),
  end: async () => {},
};

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.terminate();
});

function feedOf(lane: { bytes: number; dies: boolean }): {
  feed: LaneFeed;
  memory: Int32Array<SharedArrayBuffer>;
} {
  let memory = new Int32Array(new SharedArrayBuffer(8));
  const feed = new LaneFeed(1, (_, shared) => {
    memory = shared;
    workers.push(new Worker(COUNTS, { eval: true, workerData: { memory: shared, ...lane } }));
    return thread;
  });
  return { feed, memory };
}

function records(bytes: number) {
  return { body: new SharedArrayBuffer(bytes), index: Float64Array.of(0, 1, bytes) };
}

test('what is relayed to a lane and not applied stays below 16 MiB', () => {
  const { feed, memory } = feedOf({ bytes: MIB / 2, dies: false });
  let most = 0;
  for (let sent = 1; sent <= 40; sent++) {
    feed.relay(records(MIB));
    most = Math.max(most, sent * MIB - Atomics.load(memory, 0));
  }
  expect(most).toBeLessThanOrEqual(16 * MIB);
  // It is let run ahead that far, too: a lane that is slow for a moment stops nobody.
  expect(most).toBeGreaterThan(15 * MIB);
});

test('counts of bytes go on behind 2^32', () => {
  const { feed, memory } = feedOf({ bytes: 0, dies: false });
  for (let sent = 0; sent < 4_200; sent++) {
    Atomics.add(memory, 0, MIB);
    feed.relay(records(MIB));
  }
  feed.drain();
  expect(Atomics.load(memory, 0)).toBe((4_200 * MIB) | 0);
});

test('a wait for a lane that has died ends with an error', () => {
  const { feed } = feedOf({ bytes: 1, dies: true });
  feed.relay(records(MIB));
  expect(() => feed.drain()).toThrow('lane 1 lives');
});
