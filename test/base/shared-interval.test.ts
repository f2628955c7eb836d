// Goal: looks of one thread are due together; one that fails or ends leaves the others be.
// Method: the module with vitest's clock; `performance.now` stands still but for it.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { monotonicMs } from '../../src/base/clock.ts';
import { setSharedInterval } from '../../src/base/shared-interval.ts';

const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** @returns moments at which it was called, in milliseconds. */
function callsOf(periodMs: number): number[] {
  const calls: number[] = [];
  ends.push(setSharedInterval(() => calls.push(monotonicMs()), periodMs));
  return calls;
}

test('intervals that began at different moments are due together', () => {
  const wakes = vi.spyOn(globalThis, 'setTimeout');
  const [fifths, quarters] = [callsOf(200), callsOf(250)];
  vi.advanceTimersByTime(333);
  const [seconds, more] = [callsOf(1_000), callsOf(5_000)];
  vi.advanceTimersByTime(9_667);
  expect(fifths).toEqual(Array.from({ length: 50 }, (_, index) => (index + 1) * 200));
  expect(quarters).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1) * 250));
  expect(seconds).toEqual(Array.from({ length: 10 }, (_, index) => (index + 1) * 1_000));
  // A long period may be shorter by a part of a second the first time, and is whole from then on.
  expect(more).toEqual([5_000, 10_000]);
  // 200, 250, 400, 500, 600, 750, 800, 1000 in each second, and one timer for each of the four.
  expect(wakes.mock.calls.length).toBeLessThanOrEqual(10 * 8 + 4);
});

test('what is late is called once and is told when it was due', () => {
  const dues: number[] = [];
  ends.push(setSharedInterval((dueMs) => dues.push(dueMs), 200));
  vi.advanceTimersByTime(200);
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_130);
  vi.advanceTimersByTime(200);
  now.mockRestore();
  expect(dues).toEqual([200, 400]);
});

test('one that throws is called again, and so are the others', () => {
  const failing = vi.fn(() => {
    throw new Error('a look');
  });
  ends.push(setSharedInterval(failing, 100));
  const others = callsOf(100);
  for (let step = 0; step < 6; step++) {
    try {
      vi.advanceTimersByTime(50);
    } catch (error) {
      expect(error).toMatchObject({ message: 'a look' });
    }
  }
  expect(failing.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(others.length).toBeGreaterThanOrEqual(2);
});

test('what has ended is not called, even if another ends it while it is due', () => {
  const ended = vi.fn();
  let end = (): void => {};
  ends.push(setSharedInterval(() => end(), 100));
  end = setSharedInterval(ended, 100);
  vi.advanceTimersByTime(1_000);
  expect(ended).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(1);
  for (const one of ends.splice(0)) one();
  expect(vi.getTimerCount()).toBe(0);
});
