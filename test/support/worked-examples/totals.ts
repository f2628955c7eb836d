/**
 * Worked examples: totals, series and filters.
 */
import { expect } from 'vitest';
import type { Bench } from '../judge/bench.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import {
  DAY,
  days,
  expectClose,
  expectDurations,
  expectTotal,
  pick,
  rows,
  site,
  type WorkedExample,
} from './steps.ts';

const SERIES_HITS = `
  u1 05-02 10:00 pv /bar ; u1 05-02 10:05 pv / ; u1 05-02 12:00 pv /
  u2 05-02 10:00 pv / ; u2 05-02 12:00 pv /bar
  u3 05-02 10:00 pv / ; u4 05-02 10:00 pv /
  u5 05-04 10:00 pv /bar ; u5 05-04 10:05 pv /bar ; u5 05-04 10:05 ev e @/bar
  u6 05-04 10:00 pv / ; u6 05-04 10:10 pv /bar
  u7 05-04 10:00 pv / ; u8 05-04 10:00 pv / ; u9 05-06 10:00 pv /`;

const SERIES_FIELDS = ['visitors', 'sessions', 'views', 'bounces', 'bounce_rate', 'cr'];
const ZEROES = [0, 0, 0, 0, 0, 0];
const ONES = [1, 1, 1, 1, 1, 1];

/** W-18's table: filter, then the rows of 05-02, 05-04 and the total. */
const SERIES_ROWS: readonly [RawParameters, number[], number[], number[]][] = [
  [{}, [4, 6, 7, 5, 0.8333, 1], [4, 4, 6, 2, 0.5, 1], [9, 11, 14, 8, 0.7273, 1]],
  [{ path: '/' }, [4, 5, 5, 4, 0.8, 1], [3, 3, 3, 2, 0.6667, 0.75], [8, 9, 9, 7, 0.7778, 0.8889]],
  [
    { entry_path: '/' },
    [4, 4, 4, 4, 1, 1],
    [3, 3, 4, 2, 0.6667, 0.75],
    [8, 8, 9, 7, 0.875, 0.8889],
  ],
];

const FILTER_FIELDS = ['visitors', 'sessions', 'views', 'bounces', 'cr'];

/** W-21's table. */
const PATH_FILTERS: readonly [RawParameters, number[]][] = [
  [{}, [3, 3, 5, 2, 1]],
  [{ path: '/x' }, [2, 2, 2, 1, 0.6667]],
  [{ path: '/' }, [2, 2, 3, 1, 0.6667]],
  [{ path: ['/', '/x'] }, [3, 3, 5, 2, 1]],
  [{ path: '!/' }, [2, 2, 2, 1, 0.6667]],
  [{ entry_path: '/' }, [2, 2, 4, 1, 0.6667]],
  [{ exit_path: '/x' }, [2, 2, 3, 1, 0.6667]],
];

/** W-18 to W-25. */
export const TOTALS: readonly WorkedExample[] = [
  {
    id: 'W-18',
    title: 'a daily series is zero-filled and every filter has its own rows and total',
    run: async (open) => {
      const bench = await site(open, SERIES_HITS);
      const range = days('05-02', '05-06');
      for (const [filter, second, fourth, total] of SERIES_ROWS) {
        const series = await rows(bench, 'visitor', { ...range, ...filter });
        expect(series.map((row) => row.day)).toEqual(
          ['02', '03', '04', '05', '06'].map((day) => `2024-05-${day}T00:00:00Z`),
        );
        const wanted = [second, ZEROES, fourth, ZEROES, ONES];
        for (const [index, numbers] of wanted.entries()) {
          const row = series[index] ?? {};
          SERIES_FIELDS.forEach((name, column) => {
            expectClose(row[name], numbers[column] ?? 0);
          });
        }
        const fields = SERIES_FIELDS.map((name, column) => [name, total[column] ?? 0]);
        await expectTotal(bench, Object.fromEntries(fields), { ...range, ...filter });
      }
      await expectDurations(bench, { session: [300, 0, 450, 0, 0] }, range);
    },
  },
  {
    id: 'W-19',
    title: 'the time zone of the request decides on the day of a view',
    run: async (open) => {
      const bench = await site(
        open,
        'u1 05-03 18:00 pv / ; u2 05-04 00:00 pv / ; u3 05-05 19:00 pv /',
      );
      const range = days('05-03', '05-05');
      const inTokyo = { ...range, tz: 'Asia/Tokyo' };
      const visitors = async (parameters: RawParameters): Promise<unknown> =>
        (await rows(bench, 'visitor', parameters)).map((row) => row.visitors);
      expect(await visitors(range)).toEqual([1, 1, 1]);
      expect(await visitors(inTokyo)).toEqual([0, 2, 0]);
      for (const [parameters, hours] of [
        [range, [0, 18, 19]],
        [inTokyo, [3, 9]],
      ] as const) {
        const seen = (await rows(bench, 'hours', parameters)).filter((row) => row.views !== 0);
        expect(seen.map((row) => row.hour)).toEqual(hours);
      }
    },
  },
  {
    id: 'W-21',
    title: 'path, entry path and exit path filters (F-10, F-14, F-15)',
    run: async (open) => {
      const text = 'a 10:00 pv / ; a 10:01 pv /x ; b 10:00 pv /x ; c 10:00 pv / ; c 10:01 pv /';
      const bench = await site(open, text);
      for (const [filter, numbers] of PATH_FILTERS) {
        const fields = FILTER_FIELDS.map((name, column) => [name, numbers[column] ?? 0]);
        await expectTotal(bench, Object.fromEntries(fields), { ...DAY, ...filter });
      }
    },
  },
  {
    id: 'W-22',
    title: 'an event filter keeps the sessions with a matching event (F-19)',
    run: async (open) => {
      const bench = await site(open, 'a 10:00 ev event @/ {bar=2} ; b 10:00 pv /foo');
      const wanted = { visitors: 1, sessions: 1, views: 1, bounces: 1, cr: 0.5 };
      await expectTotal(bench, wanted, { ...DAY, event: 'event' });
      await expectTotal(bench, { visitors: 1 }, { ...DAY, event: '!event' });
      const pages = await rows(bench, 'page', { ...DAY, event: '!event' });
      expect(pick(pages, 'path')).toEqual([['/foo']]);
      const byMetadata: RawParameters[] = [
        { event: 'event', event_meta_key: 'bar' },
        { event: 'event', meta_bar: '2' },
        { meta_bar: '2' },
      ];
      for (const filter of byMetadata) await expectTotal(bench, wanted, { ...DAY, ...filter });
    },
  },
  {
    id: 'W-25',
    title: 'hours count a session in each hour, and with an event filter only beside its events',
    run: async (open) => {
      const text = 'u1 03:50 pv / ; u1 04:10 pv /a ; u2 05:05 pv / ; u3 06:05 pv /';
      const names = ['visitors', 'views', 'sessions', 'bounces'];
      const hoursOf = async (bench: Bench, filter: RawParameters): Promise<unknown[][]> => {
        const hours = await rows(bench, 'hours', { ...DAY, ...filter });
        expect(pick(hours, 'hour').flat()).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
        const [used, unused] = [true, false].map((isUsed) =>
          hours.filter(({ views, visitors }) => (views !== 0 || visitors !== 0) === isUsed),
        );
        expect(new Set(pick(unused ?? [], ...names, 'cr').flat())).toEqual(new Set([0]));
        return pick(used ?? [], 'hour', ...names, 'cr');
      };
      expect(await hoursOf(await site(open, text), {})).toEqual([
        [3, 1, 1, 1, 0, 1],
        [4, 1, 1, 1, 0, 1],
        [5, 1, 1, 1, 1, 1],
        [6, 1, 1, 1, 1, 1],
      ]);
      const bench = await site(open, `${text} ; u1 04:12 ev E @/a ; u2 05:10 ev E @/`);
      expect(await hoursOf(bench, { event: 'E' })).toEqual([
        [4, 1, 1, 1, 0, 1],
        [5, 1, 1, 1, 0, 1],
      ]);
      await expectTotal(bench, { views: 3 }, { ...DAY, event: 'E' });
    },
  },
];
