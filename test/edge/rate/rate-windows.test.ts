// Goal: a window of 60 seconds is exact, whatever the order of requests, threads and windows (M-90).
// Method: the shared memory beside a model that keeps every time in a list, on seeded random requests;
// then several threads at once on one window.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RATE_WINDOW_MS, RateWindows } from '../../../src/edge/rate/rate-windows.ts';
import { tries } from '../../support/runs.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);

/** What the rule says, in its own words. */
class Model {
  readonly #times = new Map<string, number[]>();

  take(name: string, limit: number, nowMs: number) {
    const times = (this.#times.get(name) ?? []).filter((atMs) => nowMs - atMs < RATE_WINDOW_MS);
    const isRefused = times.length >= limit;
    if (!isRefused) times.push(nowMs);
    this.#times.set(name, times);
    const resetMs = (times[0] as number) + RATE_WINDOW_MS;
    return { limit, remaining: limit - times.length, resetMs, isRefused, atMs: nowMs };
  }

  giveBack(name: string, atMs: number): void {
    const times = this.#times.get(name) ?? [];
    const at = times.lastIndexOf(atMs);
    if (at !== -1) times.splice(at, 1);
  }
}

const requests = fc.array(
  fc.record({
    name: fc.constantFrom('ada', 'bob', 'cy'),
    afterMs: fc.oneof(fc.nat(5), fc.nat(20_000), fc.constantFrom(59_999, 60_000, 60_001)),
    isGivenBack: fc.boolean(),
  }),
  { maxLength: 200 },
);

test('a request is let in exactly when fewer than the limit came in the 60 s before (M-90)', () => {
  fc.assert(
    fc.property(requests, fc.constantFrom(1, 3, 10, 60), (sent, limit) => {
      const windows = RateWindows.create(8);
      const model = new Model();
      let nowMs = START_MS;
      for (const { name, afterMs, isGivenBack } of sent) {
        nowMs += afterMs;
        const state = windows.take(name, limit, nowMs);
        expect(state).toEqual(model.take(name, limit, nowMs));
        if (!isGivenBack || state.isRefused) continue;
        windows.giveBack(name, state.atMs);
        model.giveBack(name, state.atMs);
      }
    }),
    tries(2_000),
  );
});

test('times come round after 49 days, and a window does not notice', () => {
  const windows = RateWindows.create(2);
  const wrapMs = Math.ceil(START_MS / 2 ** 32) * 2 ** 32;
  for (let count = 0; count < 10; count++) windows.take('ada', 10, wrapMs - 10 + 2 * count);
  expect(windows.take('ada', 10, wrapMs + RATE_WINDOW_MS - 11).isRefused).toBe(true);
  expect(windows.take('ada', 10, wrapMs + RATE_WINDOW_MS - 10).isRefused).toBe(false);
  // Exactly one round later the old times are old.
  expect(windows.take('ada', 10, wrapMs + 2 ** 32).remaining).toBe(9);
});

test('a clock that is set back does not lock anybody out for longer than a minute', () => {
  const windows = RateWindows.create(2);
  for (let count = 0; count < 10; count++) windows.take('ada', 10, START_MS);
  expect(windows.take('ada', 10, START_MS - 3_600_000).isRefused).toBe(false);
  for (let count = 0; count < 10; count++) windows.take('bob', 10, START_MS);
  const { isRefused, resetMs } = windows.take('bob', 10, START_MS - 1_000);
  expect({ isRefused, resetMs }).toEqual({ isRefused: true, resetMs: START_MS + RATE_WINDOW_MS });
});

test('of more callers than there are windows the one that was silent for longest begins anew', () => {
  const count = 1_000;
  const windows = RateWindows.create(count);
  const bytes = windows.memory.byteLength;
  for (let index = 0; index < count; index++) windows.take(`caller ${index}`, 10, START_MS);
  // Used again: no longer the oldest.
  expect(windows.take('caller 0', 10, START_MS + 1).remaining).toBe(8);
  for (let index = 0; index < 10 * count; index++) {
    windows.take(`stranger ${index}`, 10, START_MS + 2);
    if (index === count - 2) {
      expect(windows.take('caller 0', 10, START_MS + 2).remaining).toBe(7);
    }
  }
  expect(windows.take('caller 1', 10, START_MS + 3).remaining).toBe(9);
  expect(windows.memory.byteLength).toBe(bytes);
});

test('a hundred thousand windows take 30 MB at most, and none of it before they are used (M-90)', () => {
  const beforeBytes = process.memoryUsage().rss;
  const windows = RateWindows.create();
  expect(windows.memory.byteLength).toBeLessThan(30_000_000);
  expect(process.memoryUsage().rss - beforeBytes).toBeLessThan(15_000_000);
});

test('threads that ask at once let in exactly as many as one would', async () => {
  const windows = RateWindows.create(64);
  const source = `
    import { workerData, parentPort } from 'node:worker_threads';
    const { RateWindows } = await import(workerData.module);
    const windows = new RateWindows(workerData.memory);
    const taken = Array.from({ length: 32 }, () => 0);
    for (let round = 0; round < 2_000; round++) {
      const caller = round % 32;
      if (!windows.take('caller ' + caller, 60, workerData.nowMs).isRefused) taken[caller]++;
    }
    parentPort.postMessage(taken);
  `;
  const module = new URL('../../../dist/src/edge/rate/rate-windows.js', import.meta.url).href;
  const workerData = { module, memory: windows.memory, nowMs: START_MS };
  const workers = Array.from(
    { length: 4 },
    () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData }),
  );
  const counts = await Promise.all(
    workers.map(async (worker) => (await once(worker, 'message'))[0] as number[]),
  );
  const sums = Array.from({ length: 32 }, (_, caller) =>
    counts.reduce((sum, taken) => sum + (taken[caller] ?? 0), 0),
  );
  expect(sums).toEqual(Array.from({ length: 32 }, () => 60));
  await Promise.all(workers.map((worker) => worker.terminate()));
});
