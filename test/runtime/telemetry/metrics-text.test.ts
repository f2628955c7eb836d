// Goal: the text is what Prometheus reads: names, types, buckets, units, and whatever a value contains.
// Method: a small table whose text is known to the letter; the whole table through a strict reader.
import { expect, test } from 'vitest';
import { MetricsTable } from '../../../src/base/metrics/table.ts';
import { THREAD_KINDS } from '../../../src/model/metric-labels.ts';
import { metricsTable } from '../../../src/model/metrics.ts';
import { metricsText } from '../../../src/runtime/telemetry/metrics-text.ts';
import { readPrometheusText, sampleSum } from '../../support/clients/prometheus-text.ts';

test('counters, gauges and threads are one line for each series', () => {
  const table = new MetricsTable({
    hits: {
      kind: 'counter',
      name: 'hits',
      help: 'Counts \\ hits\nby kind.',
      labels: { kind: ['a "b"\\\n', 'c'], way: ['in', 'out'] },
    },
    waiting: { kind: 'gauge', name: 'waiting', help: 'Waits.' },
    turns: { kind: 'counter', name: 'turns', help: 'Turns.', isPerThread: true },
  });
  table.name({ kind: 1, index: 3, systemId: 0 });
  table.writers.hits.add(2 ** 40, 0, 1);
  table.writers.waiting.set(1.5);
  table.writers.turns.add(7);
  const text = metricsText(table, ['main', 'edge']);
  expect(text.split('\n')).toEqual([
    '# HELP footfall_hits_total Counts \\\\ hits\\nby kind.',
    '# TYPE footfall_hits_total counter',
    'footfall_hits_total{kind="a \\"b\\"\\\\\\n",way="in"} 0',
    'footfall_hits_total{kind="a \\"b\\"\\\\\\n",way="out"} 1099511627776',
    'footfall_hits_total{kind="c",way="in"} 0',
    'footfall_hits_total{kind="c",way="out"} 0',
    '# HELP footfall_waiting Waits.',
    '# TYPE footfall_waiting gauge',
    'footfall_waiting 1.5',
    '# HELP footfall_turns_total Turns.',
    '# TYPE footfall_turns_total counter',
    'footfall_turns_total{thread="edge-3"} 7',
    '',
  ]);
  const [first] = readPrometheusText(text).get('footfall_hits_total')!.samples;
  expect(first?.labels).toEqual({ kind: 'a "b"\\\n', way: 'in' });
});

test('a timer is a histogram in seconds, one of bytes in bytes; buckets hold those below them', () => {
  const table = new MetricsTable({
    time: { kind: 'timer', name: 'time_seconds', help: 'Time.', labels: { of: ['a', 'b'] } },
    size: { kind: 'histogram', name: 'size_bytes', help: 'Size.' },
  });
  for (const ms of [0.016, 0.02, 1, 70_000]) table.writers.time.recordMs(ms, 1);
  for (const bytes of [16, 17, 100_000]) table.writers.size.record(bytes);
  const found = readPrometheusText(metricsText(table, []));
  const time = (le: string) => sampleSum(found, 'footfall_time_seconds_bucket', { of: 'b', le });
  expect(['0.000016', '0.000024', '0.001024', '67.108864', '+Inf'].map(time)).toEqual([
    1, 2, 3, 3, 4,
  ]);
  expect(sampleSum(found, 'footfall_time_seconds_sum', { of: 'b' })).toBeCloseTo(70.001036, 9);
  expect(sampleSum(found, 'footfall_time_seconds_count', { of: 'a' })).toBe(0);
  const size = (le: string) => sampleSum(found, 'footfall_size_bytes_bucket', { le });
  expect(['16', '24', '98304', '131072'].map(size)).toEqual([1, 2, 2, 3]);
  expect(sampleSum(found, 'footfall_size_bytes_sum')).toBe(100_033);
});

test('the whole table is text that a strict reader takes', () => {
  const found = readPrometheusText(metricsText(metricsTable, THREAD_KINDS));
  expect(found.size).toBe(Object.keys(metricsTable.rows).length);
  for (const { type, samples } of found.values()) {
    if (type !== 'histogram') expect(samples.every(({ value }) => value >= 0)).toBe(true);
  }
});
