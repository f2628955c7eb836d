/**
 * Worked examples: growth and the period it compares with.
 */
import { expect } from 'vitest';
import type { RawParameters } from '../oracle/answers/question.ts';
import { Cast, type Item, parseNotation } from '../traffic/notation.ts';
import { days, rows, site, type WorkedExample } from './steps.ts';

/** So many page views of a day, ten by each visitor. */
function views(day: string, count: number, cast: Cast): Item[] {
  const hits = Array.from(
    { length: count },
    (_, index) => `v${Math.floor(index / 10)} ${day} 10:00:0${index % 10} pv /${index % 3}`,
  );
  return parseNotation(hits.join(' ; '), cast);
}

/** W-34's table: page views of a Monday and of the one before, and what they grew by. */
const GROWTHS: readonly [
  day: string,
  before: string,
  current: number,
  previous: number,
  g: number,
][] = [
  ['05-08', '05-01', 0, 0, 0],
  ['05-09', '05-02', 1_000, 0, 1],
  ['05-10', '05-03', 0, 1_000, -1],
  ['05-11', '05-04', 100, 50, 1],
  ['05-12', '05-05', 50, 100, -0.5],
];

/** W-36: page views by day. Each sum of a range is made by one range only. */
const BY_DAY: readonly (readonly [day: string, views: number])[] = [
  ['04-24', 64],
  ['04-25', 1],
  ['04-28', 2],
  ['04-30', 4],
  ['05-01', 7],
  ['05-05', 4],
  ['05-06', 3],
  ['05-07', 32],
];

/** Range, then page views in it and in the period before. */
const PERIODS: readonly (readonly [range: RawParameters, current: number, previous: number])[] = [
  [days('05-01', '05-06'), 14, 7],
  [days('05-05'), 4, 2],
  [days('05-06', '05-07'), 35, 4],
  [{ ...days('05-07'), from_time: '09:59', to_time: '10:00' }, 32, 3],
];

/** W-34, W-36; `start` of W-36 and W-37 need the present and are written out where they run. */
export const GROWTH: readonly WorkedExample[] = [
  {
    id: 'W-34',
    title: 'growth is the difference by what was, 1 from nothing and 0 where nothing was',
    run: async (open) => {
      const [bench, cast] = [await open(), new Cast()];
      for (const [day, before, current, previous, wanted] of GROWTHS) {
        await bench.send([...views(before, previous, cast), ...views(day, current, cast)]);
        expect(await bench.ask('growth', days(day))).toMatchObject({ views_growth: wanted });
      }
    },
  },
  {
    id: 'W-36',
    title: 'several days are compared with as many before, one day with the week before',
    run: async (open) => {
      const cast = new Cast();
      const bench = await site(open, '', cast);
      await bench.send(BY_DAY.flatMap(([day, count]) => views(day, count, cast)));
      const counted = await rows(bench, 'visitor', days('04-24', '05-07'));
      expect(counted.filter((row) => row.views !== 0)).toHaveLength(BY_DAY.length);
      for (const [range, current, previous] of PERIODS) {
        const wanted = { views_growth: (current - previous) / previous };
        expect(await bench.ask('growth', range)).toMatchObject(wanted);
      }
    },
  },
];
