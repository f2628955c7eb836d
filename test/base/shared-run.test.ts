// Goal: whoever asks is served by a run that began after it asked, and runs are bounded in number.
// Method: a task that says when it begins and ends when the test wants it to.
import { expect, test } from 'vitest';
import { SharedRun } from '../../src/base/shared-run.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('who asks while a run goes on waits for the next one, all of them for the same', async () => {
  const ends: (() => void)[] = [];
  const run = new SharedRun(() => new Promise<void>((end) => ends.push(end)), 0);
  let served = 0;
  const first = run.ask();
  await pause(1);
  const later = Promise.all([run.ask(), run.ask(), run.ask()]).then(() => served++);
  ends[0]?.();
  await first;
  await pause(5);
  expect([ends.length, served]).toEqual([2, 0]);
  ends[1]?.();
  await later;
  expect([ends.length, served]).toEqual([2, 1]);
});

test('however many ask, runs begin the interval apart', async () => {
  const begun: number[] = [];
  const run = new SharedRun(() => void begun.push(performance.now()), 20);
  const asked = Array.from({ length: 100 }, async (_, index) => {
    await pause(index);
    await run.ask();
  });
  await Promise.all(asked);
  expect(begun.length).toBeGreaterThan(2);
  expect(begun.length).toBeLessThan(12);
  for (const [index, atMs] of begun.slice(1).entries()) {
    expect(atMs - (begun[index] as number)).toBeGreaterThan(18);
  }
});

test('a run that fails is told to who waited for it, and the next one begins all the same', async () => {
  let count = 0;
  const run = new SharedRun(async () => {
    count++;
    if (count === 1) throw new Error('not now');
  }, 0);
  const both = [run.ask(), run.ask()];
  for (const one of both) await expect(one).rejects.toThrow('not now');
  await run.ask();
  expect(count).toBe(2);
});
