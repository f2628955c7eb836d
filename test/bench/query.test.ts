/** The query benchmark's own parts: who visits, and whether two answers agree. */
import { describe, expect, test } from 'vitest';
import { Visits } from '../../bench/harness/data/visits.ts';
import { agree } from '../../bench/harness/report/agreement.ts';
import { type Figure, isMet, reaches } from '../../bench/harness/report/figures.ts';
import { toMarkdown } from '../../bench/harness/report/report.ts';
import { HitKind } from '../../src/model/hit.ts';
import { DAY_MS } from '../../src/model/limits.ts';

// Goal: a comparison of wrong answers fails, and the rows under it are those of a seeded site.
// Method: answers with one difference each; two days of visits from one seed, counted.

describe('two answers', () => {
  const answer = [{ country: 'de', country_code: 'de', visitors: 3, relative_visitors: 0.75 }];
  const rows = [{ country: 'de', visitors: 3n, relative_visitors: 0.75 + 1e-12 }];

  test('agree when every column of the rows has the value of the field', () => {
    expect(agree('country', answer, rows)).toEqual(['country', 'visitors', 'relative_visitors']);
  });

  test.each([
    { what: 'a count', row: { country: 'de', visitors: 4n }, fault: 'visitors is 3' },
    { what: 'a text', row: { country: 'fr' }, fault: 'country is "de"' },
    { what: 'a rate', row: { relative_visitors: 0.7500001 }, fault: 'relative_visitors is 0.75' },
    { what: 'a field that is missing', row: { region: '' }, fault: 'region is undefined' },
  ])('differ in $what', ({ row, fault }) => {
    expect(() => agree('country', answer, [row])).toThrow(fault);
  });

  test('differ in the number of rows', () => {
    expect(() => agree('country', answer, [])).toThrow('1 rows, DuckDB has 0');
  });

  test('agree on buckets, lists of texts and metadata in any order of keys', () => {
    const day = '2026-01-01T00:00:00Z';
    agree('visitor', [{ day, week: null, month: null, year: null }], [{ bucket: day }]);
    agree('hours', [{ hour: 0 }], [{ bucket: 0n }]);
    agree('options/tag', ['author'], [{ value: 'author' }]);
    agree('event/list', [{ meta: { b: '2', a: '1' } }], [{ meta: '{"a":"1","b":"2"}' }]);
    expect(() => agree('options/tag', ['author'], [{ value: 'kind' }])).toThrow('value');
  });
});

describe('a figure beside another product', () => {
  const spread = (median: number) => ({ median, min: median, max: median });
  const figure: Figure = {
    group: 'Statistics, no filter',
    name: 'total',
    unit: 'ms',
    value: spread(4),
    p99: 9,
    rival: { name: 'DuckDB', value: spread(160), compared: ['views'] },
    target: { of: 'value', atMost: 250 },
    goals: [
      { of: 'value', atMost: 3 },
      { of: 'advantage', atLeast: 50 },
      { of: 'p99', atMost: 10 },
    ],
  };

  test('is shown with how many times faster it is and which goals it misses', () => {
    const machine = { date: '', commit: '', cpu: '', cores: 2, memoryGb: 8, system: '', node: '' };
    const versions = { uWebSockets: '', lmdb: '', load: '', loadBefore: 0 };
    const results = { machine: { ...machine, ...versions }, options: {}, micro: [] };
    expect(toMarkdown({ ...results, figures: [figure] })).toContain(
      '| total | 4 ms | 9 ms | 160 ms | 40 × | ≤ 250 ms: met | **missed:** ≤ 3 ms, ≥ 50 × |',
    );
  });

  test('is judged at its bounds, and not against a product that was not there', () => {
    expect(isMet({ ...figure, value: spread(250) })).toBe(true);
    expect(isMet({ ...figure, value: spread(250.1) })).toBe(false);
    const { rival: _, ...alone } = figure;
    expect(reaches(alone, { of: 'advantage', atLeast: 50 })).toBe(true);
    expect(reaches({ ...figure, value: spread(3.2) }, { of: 'advantage', atLeast: 50 })).toBe(true);
    expect(reaches({ ...figure, value: spread(3.3) }, { of: 'advantage', atLeast: 50 })).toBe(
      false,
    );
  });
});

describe('visits', () => {
  const FIRST_DAY = 20_500;
  const plan = { seed: 42, viewsPerDay: 3_000, firstDay: FIRST_DAY, hostname: 'example.org' };
  const twoDays = () => {
    const visits = new Visits(plan);
    return [visits.day(FIRST_DAY), visits.day(FIRST_DAY + 1)] as const;
  };
  const [first, second] = twoDays();

  test('are the same for the same seed, in order of time, each day to itself', () => {
    expect(twoDays()).toEqual([first, second]);
    for (const [offset, hits] of [first, second].entries()) {
      const times = hits.map((hit) => hit.timeMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((timeMs) => Math.floor(timeMs / DAY_MS) === FIRST_DAY + offset)).toBe(
        true,
      );
    }
  });

  test('have a twentieth of events and of tagged views', () => {
    const hits = [...first, ...second];
    const events = hits.filter((hit) => hit.kind === HitKind.Event);
    const tagged = hits.filter((hit) => hit.kind === HitKind.PageView && hit.pairs !== null);
    expect(events.every((event) => (event.pairs?.length ?? 0) >= 2)).toBe(true);
    const views = hits.length - events.length;
    for (const some of [events, tagged]) {
      expect(some.length / views).toBeGreaterThan(0.04);
      expect(some.length / views).toBeLessThan(0.06);
    }
  });

  test('bring some visitors back on the same day', () => {
    const sessions = first.filter((hit) => hit.referrer !== '' || hit.utmCampaign !== '');
    const visitors = new Set(sessions.map((hit) => `${hit.visitorLow} ${hit.visitorHigh}`));
    expect(visitors.size).toBeLessThan(sessions.length);
  });
});
