/**
 * Metrics: what one count and one duration cost a thread, beside the ways that were not taken.
 *
 * Elements are writes. The clock is what a duration needs beside, twice.
 */
import { createHistogram } from 'node:perf_hooks';
import { monotonicMs } from '../../src/base/clock.ts';
import { MetricsTable } from '../../src/base/metrics/table.ts';
import { benchmark } from '../harness/suite.ts';

/** Values of the second label. */
const WAYS = ['a', 'b', 'c'];

benchmark('base/metrics: write', ({ size }) => {
  const elements = size({ smoke: 1_000, full: 100_000 });
  const table = new MetricsTable({
    hits: { kind: 'counter', name: 'hits', help: 'Hits.', labels: { kind: WAYS, way: WAYS } },
    time: { kind: 'timer', name: 'time_seconds', help: 'Time.' },
  });
  const { hits, time } = table.writers;
  const shared64 = new BigInt64Array(new SharedArrayBuffer(9 * 8));
  const shared32 = new Int32Array(new SharedArrayBuffer(9 * 4));
  const histogram = createHistogram();
  let clock = 0;
  // A loop of its own for each, since one that calls any of them is compiled for none.
  return {
    'a count': {
      elements,
      run() {
        for (let index = 0; index < elements; index++) hits.add(1, index % 3, 1);
        return elements;
      },
    },
    'a count, 32-bit atomic': {
      elements,
      run() {
        for (let index = 0; index < elements; index++)
          Atomics.add(shared32, (index % 3) * 3 + 1, 1);
        return elements;
      },
    },
    'a count, 64-bit atomic': {
      elements,
      run() {
        for (let index = 0; index < elements; index++)
          Atomics.add(shared64, (index % 3) * 3 + 1, 1n);
        return elements;
      },
    },
    'a duration': {
      elements,
      run() {
        for (let index = 0; index < elements; index++) time.recordMs((index % 1_000) * 0.01);
        return elements;
      },
    },
    'a duration, createHistogram': {
      elements,
      run() {
        for (let index = 0; index < elements; index++) histogram.record((index % 1_000) * 10 + 1);
        return elements;
      },
    },
    'the clock': {
      elements,
      run() {
        for (let index = 0; index < elements; index++) clock += monotonicMs();
        return clock > 0 ? elements : 0;
      },
    },
  };
});
