/** The load at a fixed rate, and the table of requirements: the parts that could flatter us. */
import { describe, expect, test } from 'vitest';
import { Bodies } from '../../bench/harness/load/bodies.ts';
import { Pacing } from '../../bench/harness/load/pacing.ts';
import { visitAddress } from '../../bench/harness/load/pool.ts';
import { toSvg } from '../../bench/harness/report/chart.ts';
import type { Figure } from '../../bench/harness/report/figures.ts';
import { judge, requirementsTable } from '../../bench/harness/report/requirements.ts';
import { spreadOf } from '../../bench/harness/report/samples.ts';
import { withResults } from '../../bench/harness/report/written.ts';

// Goal: waiting counts as latency, and no line of the table says met that was not measured and met.

describe('paced load', () => {
  test('a request is due at its place in the timetable, whatever was answered before', () => {
    const pacing = new Pacing({ rate: 100, seconds: 1, connections: 3 });
    expect(pacing.take(0)).toBe(0);
    expect(pacing.take(9.9)).toBe(-1);
    expect(pacing.take(10)).toBe(1);
    expect(pacing.take(25)).toBe(2);
    pacing.answered(1, 26);
    pacing.answered(0, 27);
    expect(pacing.latenciesMs).toEqual([16, 27]);
    expect(pacing.sendDelaysMs).toEqual([0, 0, 5]);
  });

  test('what waits for a free connection has waited since it was due', () => {
    const pacing = new Pacing({ rate: 100, seconds: 0.03, connections: 1 });
    expect(pacing.take(0)).toBe(0);
    // The server stalls for 100 ms: two more are due and cannot be sent.
    expect(pacing.take(100)).toBe(-1);
    pacing.answered(0, 100);
    expect(pacing.take(100)).toBe(0);
    pacing.answered(0, 101);
    expect(pacing.take(101)).toBe(0);
    expect(pacing.isDone).toBe(false);
    pacing.answered(0, 102);
    expect(pacing.latenciesMs).toEqual([100, 91, 82]);
    expect(pacing.isDone).toBe(true);
    expect(pacing.take(1_000)).toBe(-1);
  });

  test('bodies come round with new visits, or with the first ones again at the limit', () => {
    const made = ['a visit-000000000 b visit-000000001', 'visit-000000002'];
    const fresh = new Bodies(made, { visitBase: 10 });
    const again = new Bodies(made, { visitBase: 0, visitLimit: 3 });
    const first = again.next();
    expect(fresh.next()).toBe(`a ${visitAddress(10)} b ${visitAddress(11)}`);
    expect(fresh.next()).toBe(visitAddress(12));
    expect(fresh.next()).toBe(`a ${visitAddress(13)} b ${visitAddress(14)}`);
    again.next();
    expect(again.next()).toBe(first);
    expect(new Bodies(['no visit'], { visitBase: 0 }).next()).toBe('no visit');
  });
});

const measured = (fields: Partial<Figure>): Figure => ({
  ...{ group: 'g', name: 'n', unit: 'ms', value: spreadOf([1]) },
  ...fields,
});
const lineOf = (id: string, figures: Figure[]) => judge(figures).find((line) => line.id === id)!;

describe('the table of requirements', () => {
  test.each([
    [1.39, true, true],
    [1.4, true, true],
    [1.41, true, false],
    [1.8, true, false],
    [1.81, false, false],
  ])('CPU per single hit of %f × the baseline: must %s, aim %s', (ratio, isMet, isAimMet) => {
    const figure = measured({ requirement: 'single-cpu', ratio: spreadOf([ratio]) });
    expect(lineOf('single-cpu', [figure])).toMatchObject({
      isMet,
      isAimMet,
      measured: `${ratio} ×`,
    });
  });

  test('throughput is a bound from below', () => {
    const of = (rate: number) =>
      lineOf('batch-rate', [measured({ requirement: 'batch-rate', value: spreadOf([rate]) })]);
    expect(of(199_999)).toMatchObject({ isMet: false });
    expect(of(200_000)).toMatchObject({ isMet: true, isAimMet: false, must: '≥ 200,000 hits/s' });
    expect(of(400_000)).toMatchObject({ isMet: true, isAimMet: true });
  });

  test('one statistic that misses misses the line, and the worst is shown by name', () => {
    const figure = (name: string, median: number, p99: number, theirs: number) =>
      measured({
        ...{ requirement: 'statistic', name, value: spreadOf([median]), p99 },
        rival: { name: 'DuckDB', value: spreadOf([theirs]), compared: [] },
      });
    const good = figure('total', 1, 9, 100);
    expect(lineOf('statistic', [good])).toMatchObject({ isMet: true, isAimMet: true });
    const late = figure('page', 2, 10.5, 90);
    const line = lineOf('statistic', [good, late]);
    expect(line).toMatchObject({ isMet: false, isAimMet: false, figures: 2, missed: ['page'] });
    expect(line.measured).toBe('2 ms (page), p99 10.5 ms (page), 45 × (page)');
    expect(requirementsTable([good, late])).toContain('**missed** by 1 of 2');
  });

  test('what was not measured is neither met nor missed', () => {
    expect(judge([]).map(({ isMet }) => isMet)).toEqual(judge([]).map(() => null));
    const figure = measured({ requirement: 'single-cpu' });
    expect(lineOf('single-cpu', [figure])).toMatchObject({ isMet: false, isAimMet: null });
    const alone = measured({ requirement: 'statistic', p99: 2 });
    expect(lineOf('statistic', [alone])).toMatchObject({ isMet: true, isAimMet: null });
  });
});

describe('what a run leaves', () => {
  test('the chart has a bar with its figure for every line, and none without figures', () => {
    const statistic = (name: string, median: number) =>
      measured({
        ...{ group: 'Statistics, no filter', name, value: spreadOf([median]) },
        rival: { name: 'DuckDB', value: spreadOf([100]), compared: [] },
      });
    const hit = measured({
      ...{ group: 'Single hits, durability sync, 64 connections', name: 'CPU per hit' },
      ratio: spreadOf([1.62]),
    });
    const svg = toSvg([statistic('page/entry', 2), statistic('funnel', 125), hit]) ?? '';
    expect(svg).toMatch(/^<svg /);
    for (const text of ['page/entry', '50 ×', 'funnel', '0.8 ×', 'durability sync', '1.62 ×']) {
      expect(svg).toContain(text);
    }
    expect(toSvg([measured({})])).toBeNull();
  });

  test('results replace those of the run before, and nothing around them', () => {
    const begin = '<!-- results: written by `npm run bench -- --full --write` -->';
    const readme = `# Head\n\n${begin}\nold\n<!-- end of results -->\n\ntail\n`;
    const once = withResults(readme, 'new\n');
    expect(once).toBe(`# Head\n\n${begin}\n\nnew\n\n<!-- end of results -->\n\ntail\n`);
    expect(withResults(once, 'new\n')).toBe(once);
    expect(() => withResults('# Head', 'new')).toThrow('no place');
  });
});
