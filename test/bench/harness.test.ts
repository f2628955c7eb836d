/** The benchmarks' own arithmetic. */
import { describe, expect, test } from 'vitest';
import { batchBodies, pooledHits, singleBodies } from '../../bench/harness/load/pool.ts';
import { type Figure, isMet } from '../../bench/harness/report/figures.ts';
import { toJson, toMarkdown } from '../../bench/harness/report/report.ts';
import { percentile, spreadOf } from '../../bench/harness/report/samples.ts';
import { benchmark, runMicro } from '../../bench/harness/suite.ts';
import { ADDRESS_LENGTH, visitAddress } from '../../src/load/hits/placeholders.ts';

// Goal: a figure in the report is the figure that was measured, and verdicts follow from targets.

describe('samples', () => {
  test.each([
    { samples: [3], share: 0.99, expected: 3 },
    { samples: [5, 1, 3, 2, 4], share: 0.5, expected: 3 },
    { samples: [1, 2, 3, 4], share: 0.5, expected: 2 },
    { samples: Array.from({ length: 100 }, (_, index) => 100 - index), share: 0.99, expected: 99 },
    { samples: Array.from({ length: 100 }, (_, index) => index + 1), share: 1, expected: 100 },
  ])(
    'percentile $share of $samples.length samples is $expected',
    ({ samples, share, expected }) => {
      expect(percentile(samples, share)).toBe(expected);
    },
  );

  test('a spread has the median between the two middle ones, and no samples no figure', () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
    expect(spreadOf([]).median).toBeNaN();
  });
});

describe('the pool', () => {
  const hits = pooledHits({ seed: 42, visits: 40 });

  test('three page views in a row share a visitor, and the same seed gives the same pool', () => {
    expect(hits).toHaveLength(120);
    for (let first = 0; first < hits.length; first += 3) {
      const visit = hits.slice(first, first + 3);
      expect(new Set(visit.map((hit) => hit['ip'])).size).toBe(1);
      expect(new Set(visit.map((hit) => hit['user_agent'])).size).toBe(1);
    }
    expect(pooledHits({ seed: 42, visits: 40 })).toEqual(hits);
  });

  test('a placeholder is as long as the address that replaces it', () => {
    for (const hit of hits) expect(String(hit['ip'])).toHaveLength(ADDRESS_LENGTH);
    const addresses = Array.from({ length: 20_000 }, (_, ordinal) => visitAddress(ordinal * 997));
    expect(new Set(addresses).size).toBe(20_000);
    for (const address of addresses) {
      expect(address).toHaveLength(ADDRESS_LENGTH);
      expect(
        address
          .split('.')
          .map(Number)
          .every((part) => part >= 100 && part <= 255),
      ).toBe(true);
    }
  });

  test('bodies are what the collection endpoints take', () => {
    expect(JSON.parse(singleBodies(hits)[7] ?? '')).toEqual(hits[7]);
    const batches = batchBodies(hits, { size: 50, timeMs: 1_000 });
    expect(batches).toHaveLength(2);
    const items = JSON.parse(batches[1] ?? '') as unknown[];
    expect(items).toHaveLength(50);
    expect(items[0]).toEqual({ ...hits[50], time: '1970-01-01T00:00:01.000Z' });
  });
});

describe('the report', () => {
  const figure: Figure = {
    group: 'Single hits',
    name: 'CPU per hit',
    unit: 'µs',
    value: { median: 30, min: 29, max: 31 },
    baseline: { median: 10, min: 10, max: 10 },
    ratio: { median: 2.5, min: 2.4, max: 2.6 },
    target: { of: 'ratio', atMost: 2.5 },
  };
  const machine = {
    ...{ date: '2026-01-01', commit: 'abc', cpu: 'X', cores: 2, memoryGb: 8, system: 'Linux' },
    ...{ node: 'v20', uWebSockets: '1', lmdb: '3', load: 'wrk', loadBefore: 0 },
  };

  test.each([
    { atMost: 2.4, expected: false },
    { atMost: 2.5, expected: true },
    { atMost: 2.6, expected: true },
  ])('a ratio of 2.5 against at most $atMost is met: $expected', ({ atMost, expected }) => {
    expect(isMet({ ...figure, target: { of: 'ratio', atMost } })).toBe(expected);
  });

  test('shows figure, baseline, ratio and verdict in one line', () => {
    const text = toMarkdown({ machine, options: {}, figures: [figure], micro: [] });
    expect(text).toContain('### Single hits');
    expect(text).toContain(
      '| CPU per hit | 30 (29–31) µs | 10 µs | 2.5 (2.4–2.6) × | ≤ 2.5 ×: met |',
    );
  });

  test('judges the p99 where the target is one', () => {
    const slow: Figure = { ...figure, p99: 150.1, target: { of: 'p99', atMost: 150 } };
    expect(isMet(slow)).toBe(false);
    expect(isMet({ ...slow, p99: 150 })).toBe(true);
  });

  test('says the same as JSON', () => {
    const json = JSON.parse(toJson({ machine, options: {}, figures: [figure], micro: [] }));
    expect(json.figures[0]).toMatchObject({ name: 'CPU per hit', isMet: true });
    expect(json.machine.commit).toBe('abc');
  });
});

describe('the suite', () => {
  benchmark('test/steady: says a', ({ size }) => ({
    one: { elements: size({ smoke: 3, full: 300 }), run: () => 'a' },
  }));
  let calls = 0;
  benchmark('test/drifting: counts its runs', () => ({
    one: { elements: 1, run: () => calls++ },
  }));
  const results: string[] = [];
  const run = (filter: string) =>
    runMicro({
      parts: [filter],
      seed: 42,
      isSmoke: true,
      each: (result) => results.push(`${result.name} ${result.elements} ${result.hash}`),
    });

  test('a smoke run takes the small size and gives the hash of the result', () => {
    run('test/steady');
    // The published FNV-1a of 'a'.
    expect(results).toEqual(['one 3 e40c292c']);
  });

  test('a benchmark whose result changes from run to run is refused', () => {
    expect(() => run('test/drifting')).toThrow(
      "'test/drifting: counts its runs: one' returns the same twice",
    );
  });
});
