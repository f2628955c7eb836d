// Goal: a thread with a floor does not collect its old generation below it; one without does.
// Method: two threads make the same garbage, which gets old, and count their whole collections.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { withHeapFloor } from '../../src/base/heap.ts';

const MIB = 1_024 * 1_024;
/** Some 80 MB of objects, each kept until it is old; the last line gives the observer its turn. */
const GARBAGE = `
  const { constants, PerformanceObserver } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  let whole = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) whole++;
    }
  }).observe({ entryTypes: ['gc'] });
  const kept = [];
  for (let at = 0; at < 1_000_000; at++) kept[at % 100_000] = { at, of: [at] };
  setTimeout(() => parentPort.postMessage(whole), 50);
`;

async function wholeCollections(floor: number): Promise<number> {
  return withHeapFloor(floor, async () => {
    const worker = new Worker(GARBAGE, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 3 },
    });
    const [whole] = (await once(worker, 'message')) as [number];
    await worker.terminate();
    return whole;
  });
}

test('a thread is not collected as a whole below its floor', async () => {
  expect(await wholeCollections(0)).toBeGreaterThan(0);
  expect(await wholeCollections(192 * MIB)).toBe(0);
  expect(await wholeCollections(0)).toBeGreaterThan(0);
});
