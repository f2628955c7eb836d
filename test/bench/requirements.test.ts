/** The table of requirements and what a run leaves: the parts that could flatter us. */
import { describe, expect, test } from 'vitest';
import { toSvg } from '../../bench/harness/report/chart.ts';
import type { Figure } from '../../bench/harness/report/figures.ts';
import { judge, requirementsTable } from '../../bench/harness/report/requirements.ts';
import { spreadOf } from '../../bench/harness/report/samples.ts';
import { withResults } from '../../bench/harness/report/written.ts';

// Goal: no line of the table says met that was not measured and met.

const measured = (fields: Partial<Figure>): Figure => ({
  ...{ group: 'g', name: 'n', unit: 'ms', value: spreadOf([1]) },
  ...fields,
});
const lineOf = (id: string, figures: Figure[]) => judge(figures).find((line) => line.id === id)!;

describe('the table of requirements', () => {
  test.each([
    [1.59, true, true],
    [1.6, true, true],
    [1.61, true, false],
    [1.9, true, false],
    [1.91, false, false],
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
  test.each(['light', 'dark'] as const)(
    'the %s picture has hits a second and milliseconds',
    (look) => {
      const statistic = (name: string, own: number, theirs: number) =>
        measured({
          ...{ group: 'Statistics, no filter', name, value: spreadOf([own]) },
          rival: { name: 'DuckDB', value: spreadOf([theirs]), compared: [] },
        });
      const throughput = (who: string, rate: number) =>
        measured({
          ...{ group: 'Batches of 100 of a site, on disk', name: `${who}: throughput` },
          ...{ unit: 'hits/s', value: spreadOf([rate]) },
        });
      const figures = [statistic('total', 4.28, 1_690), throughput('Footfall', 187_123)];
      const svg = toSvg([...figures, throughput('SQLite', 61_000)], look) ?? '';
      expect(svg).toMatch(/^<svg /);
      for (const said of [
        '187,000/s',
        'a server into SQLite, batches of 100',
        '4.28 ms',
        '1,690 ms',
      ]) {
        expect(svg).toContain(said);
      }
      expect(toSvg([measured({})], look)).toBeNull();
    },
  );

  test('results replace those of the run before, and nothing around them', () => {
    const begin = '<!-- results: written by `npm run bench -- --full --write` -->';
    const readme = `# Head\n\n${begin}\nold\n<!-- end of results -->\n\ntail\n`;
    const once = withResults(readme, 'new\n');
    expect(once).toBe(`# Head\n\n${begin}\n\nnew\n\n<!-- end of results -->\n\ntail\n`);
    expect(withResults(once, 'new\n')).toBe(once);
    expect(() => withResults('# Head', 'new')).toThrow('no place');
  });
});
