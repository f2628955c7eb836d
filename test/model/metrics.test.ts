// Goal: what an operator reads in the table of metrics is well-formed, and every row is counted.
// Method: check the rows against the customs of Prometheus, and look for their keys in the sources.
import { expect, test } from 'vitest';
import type { MetricRow } from '../../src/base/metrics/table.ts';
import { errorNumber, THREAD_KINDS } from '../../src/model/metric-labels.ts';
import { metricsTable } from '../../src/model/metrics.ts';
import { sourceFiles } from '../contract/sources.ts';

const rows: [string, MetricRow][] = Object.entries(metricsTable.rows);

test('every row is written by some thread', () => {
  const texts = sourceFiles(['src']).map(({ lines }) => lines.join('\n'));
  const written = rows.filter(([key]) =>
    texts.some((text) => new RegExp(`metrics\\s*\\.${key}\\b|setFor\\('${key}'`).test(text)),
  );
  expect(written.map(([key]) => key)).toEqual(rows.map(([key]) => key));
});

test('names are words in small letters, each there once, and durations are in seconds', () => {
  const names = rows.map(([, { name }]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [, { name, kind }] of rows) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    // What the text adds.
    expect(name).not.toMatch(/^footfall|_total$|_count$|_sum$|_bucket$/);
    if (kind === 'timer') expect(name).toMatch(/_seconds$/);
    if (kind === 'histogram') expect(name).toMatch(/_bytes$/);
  }
});

test('help is a sentence', () => {
  for (const [, { help }] of rows) expect(help).toMatch(/^[A-Z].{20,}\.$/);
});

test('labels have names of their own and no value twice', () => {
  for (const [, { labels = {} }] of rows) {
    for (const [name, values] of Object.entries(labels)) {
      expect(name).toMatch(/^[a-z]+$/);
      expect(['le', 'thread', 'job', 'instance']).not.toContain(name);
      expect(new Set(values).size).toBe(values.length);
    }
  }
});

test('an error that nobody knows counts as a fault of ours', () => {
  const codes = metricsTable.rows.collectRefused.labels.code;
  expect(codes[errorNumber('BODY_NOT_JSON')]).toBe('BODY_NOT_JSON');
  expect(codes[errorNumber('no code')]).toBe('INTERNAL');
});

test('the kinds of threads are those of the process', () => {
  expect(new Set(THREAD_KINDS).size).toBe(THREAD_KINDS.length);
});
