/**
 * Worked examples: visitors, sessions, midnights.
 */
import { expect } from 'vitest';
import type { Bench } from '../judge/bench.ts';
import { agentNamed } from '../traffic/known.ts';
import { Cast, parseNotation } from '../traffic/notation.ts';
import {
  DAY,
  days,
  expectDurations,
  expectSession,
  expectTotal,
  pick,
  rows,
  site,
  TIME,
  type WorkedExample,
} from './steps.ts';

async function checkThreePages(bench: Bench): Promise<void> {
  await expectTotal(bench, { visitors: 1, views: 3, sessions: 1, bounces: 0 });
  const pages = await rows(bench, 'page', { ...DAY, ...TIME });
  expect(pick(pages, 'path', 'average_time_spent_seconds')).toEqual([
    ['/', 40],
    ['/p', 80],
    ['/q', 0],
  ]);
  expect(pick(await rows(bench, 'page/entry', DAY), 'path')).toEqual([['/']]);
  expect(pick(await rows(bench, 'page/exit', DAY), 'path')).toEqual([['/q']]);
  await expectSession(bench, { duration_seconds: 120, page_views: 3, is_bounce: false });
  await expectDurations(bench, { session: [120], page: [60] });
}

/** W-1 to W-17, W-49, W-50. */
export const SESSIONS: readonly WorkedExample[] = [
  {
    id: 'W-1',
    title: 'one view is one visitor, one session and one bounce (I-41)',
    run: async (open) => {
      const bench = await site(open, 'a 10:00:00 pv /');
      const wanted = { visitors: 1, views: 1, sessions: 1, bounces: 1, bounce_rate: 1, cr: 1 };
      await expectTotal(bench, wanted);
      const start = '2024-05-06T10:00:00.000Z';
      await expectSession(bench, { start, time: start, duration_seconds: 0, extended: 0 });
      await expectDurations(bench, { session: [0] });
    },
  },
  {
    id: 'W-2',
    title: 'three pages are one session that did not bounce (I-42, I-62)',
    run: async (open) => {
      const text = 'a 10:00:00 pv / ; a 10:00:40 pv /p ; a 10:02:00 pv /q';
      await checkThreePages(await site(open, text));
    },
  },
  {
    id: 'W-3',
    title: 'a reload adds a view and the session stays bounced',
    run: async (open) => {
      const bench = await site(open, 'a 10:00:00 pv / ; a 10:00:20 pv / ; a 10:00:50 pv /');
      await expectTotal(bench, { views: 3, sessions: 1, bounces: 1, bounce_rate: 1 });
      expect(await rows(bench, 'page', { ...DAY, ...TIME })).toEqual([
        expect.objectContaining({
          ...{ path: '/', visitors: 1, sessions: 1, views: 3, bounces: 1 },
          average_time_spent_seconds: 25,
        }),
      ]);
      await expectSession(bench, { page_views: 3, is_bounce: true, duration_seconds: 50 });
      await expectDurations(bench, { session: [50] });
    },
  },
  {
    id: 'W-5',
    title: 'a gap of 29:59 continues the session and a gap of 30:00 does not',
    run: async (open) => {
      const bench = await site(open, 'a 10:00:00 pv / ; a 10:29:59 pv /a ; a 10:59:59 pv /b');
      const wanted = { visitors: 1, views: 3, sessions: 2, bounces: 1, bounce_rate: 0.5 };
      await expectTotal(bench, wanted);
      const entries = await rows(bench, 'page/entry', DAY);
      expect(pick(entries, 'path', 'entries', 'entry_rate')).toEqual([
        ['/', 1, 0.5],
        ['/b', 1, 0.5],
      ]);
      expect(pick(await rows(bench, 'page/exit', DAY), 'path', 'exits')).toEqual([
        ['/a', 1],
        ['/b', 1],
      ]);
    },
  },
  {
    id: 'W-8',
    title: 'a landing page with a campaign reloaded is one bounced session',
    run: async (open) => {
      const text = 'a 10:00 pv /?utm_source=nl ; a 10:05 pv /?utm_source=nl';
      await expectTotal(await site(open, text), { sessions: 1, views: 2, bounces: 1 });
    },
  },
  {
    id: 'W-9',
    title: 'a session across midnight counts on both days with the views of each',
    run: async (open) => {
      const bench = await site(
        open,
        'a 05-06 23:50 pv / ; a 05-07 00:10 pv /a ; a 05-07 00:35 pv /b',
      );
      const next = days('05-07');
      const both = days('05-06', '05-07');
      await expectTotal(bench, { visitors: 1, views: 1, sessions: 1, bounces: 0 });
      await expectTotal(bench, { visitors: 1, views: 2, sessions: 1, bounces: 0 }, next);
      await expectTotal(bench, { visitors: 1, views: 3, sessions: 1, bounces: 0 }, both);
      expect(pick(await rows(bench, 'page', DAY), 'path', 'views')).toEqual([['/', 1]]);
      const entries = await rows(bench, 'page/entry', next);
      expect(pick(entries, 'path', 'entries', 'visitors', 'sessions')).toEqual([['/', 1, 0, 0]]);
      const exits = await rows(bench, 'page/exit', DAY);
      expect(pick(exits, 'path', 'exits', 'visitors', 'sessions')).toEqual([['/b', 1, 0, 0]]);
      const seen = (await rows(bench, 'hours', both)).filter((row) => row.views !== 0);
      expect(pick(seen, 'hour', 'visitors', 'views')).toEqual([
        [0, 1, 2],
        [23, 1, 1],
      ]);
      await expectDurations(bench, { session: [2_700], page: [1_200] });
      await expectDurations(bench, { session: [2_700], page: [1_500] }, next);
    },
  },
  {
    id: 'W-10',
    title: 'keep-alives hold a session alive (I-44)',
    run: async (open) => {
      const bench = await site(open, 'a 10:00 pv / ; a 10:20 ka ; a 10:40 ka ; a 11:05 pv /x');
      await expectTotal(bench, { visitors: 1, sessions: 1, views: 2, bounces: 0 });
      const pages = await rows(bench, 'page', { ...DAY, ...TIME });
      expect(pick(pages, 'path', 'average_time_spent_seconds')).toEqual([
        ['/', 3_600],
        ['/x', 0],
      ]);
      await expectSession(bench, { duration_seconds: 3_900, extended: 2, page_views: 2 });
      const quiet = await site(open, 'a 10:00 pv / ; a 10:20 ka ; a 10:40 ka');
      await expectTotal(quiet, { sessions: 1, views: 1, bounces: 1 });
      const time = '2024-05-06T10:40:00.000Z';
      await expectSession(quiet, { duration_seconds: 2_400, time, is_bounce: true });
      await expectDurations(quiet, { session: [2_400] });
    },
  },
  {
    id: 'W-11',
    title: 'a keep-alive without a session stores nothing',
    run: async (open) => {
      const bench = await open();
      const answers = await bench.send(parseNotation('a 10:00 ka'));
      expect(answers).toEqual([{ accepted: 1, rejected: [] }]);
      await expectTotal(bench, { visitors: 0, views: 0, sessions: 0, bounces: 0, cr: 0 });
      if (bench.dropped() !== null) expect(bench.dropped()).toEqual(['keep-alive-without-session']);
    },
  },
  {
    id: 'W-12',
    title: 'an event opens a session with one view, a second one ends its bounce (I-51, I-57)',
    run: async (open) => {
      const bench = await open();
      const cast = new Cast();
      await bench.send(parseNotation('a 10:00 ev order @/shop', cast));
      await expectTotal(bench, { visitors: 1, views: 1, bounces: 1 });
      expect(pick(await rows(bench, 'page', DAY), 'path', 'views')).toEqual([['/shop', 1]]);
      await bench.send(parseNotation('a 10:01 ev scroll @/shop ni', cast));
      await expectTotal(bench, { views: 1, bounces: 1 });
      await bench.send(parseNotation('a 10:02 ev order @/shop', cast));
      await expectTotal(bench, { views: 1, bounces: 0 });
      const events = await rows(bench, 'events', DAY);
      expect(pick(events, 'name', 'count', 'visitors', 'views')).toEqual([
        ['order', 2, 1, 1],
        ['scroll', 1, 1, 1],
      ]);
      await expectSession(bench, { page_views: 1, duration_seconds: 120 });
    },
  },
  {
    id: 'W-14',
    title: 'events extend a session like page views do',
    run: async (open) => {
      const bench = await site(open, 'a 10:00 pv / ; a 10:25 ev x @/ ; a 10:50 pv /x');
      await expectTotal(bench, { sessions: 1, views: 2 });
      const pages = await rows(bench, 'page', { ...DAY, ...TIME });
      expect(pick(pages, 'path', 'average_time_spent_seconds')).toEqual([
        ['/', 3_000],
        ['/x', 0],
      ]);
      await expectSession(bench, { duration_seconds: 3_000 });
    },
  },
  {
    id: 'W-16',
    title: 'a visitor is an address and a user agent on one domain',
    run: async (open) => {
      const cast = new Cast();
      const a = cast.add('a', 'de');
      const items = parseNotation('a 10:00 pv / ; b 10:00 pv /', cast);
      const b = { ...a, name: 'b', agent: agentNamed('firefox') };
      const first = await open();
      await first.send(items.map((item) => (item.person === a ? item : { ...item, person: b })));
      await expectTotal(first, { visitors: 2, sessions: 2, views: 2 });
      const domains = [await open(), await open()];
      for (const bench of domains) {
        await bench.send(items.slice(0, 1));
        await expectTotal(bench, { visitors: 1, sessions: 1, views: 1 });
      }
    },
  },
  {
    id: 'W-17',
    title: 'a batch in any order counts like one in order of time',
    run: async (open) => {
      const text = 'a 10:02:00 pv /q ; a 10:00:00 pv / ; a 10:00:40 pv /p';
      await checkThreePages(await site(open, text));
    },
  },
  {
    id: 'W-49',
    title: 'a campaign after midnight opens a session of the visitor of the day before',
    run: async (open) => {
      const bench = await site(
        open,
        `a 05-06 23:50 pv / ; a 05-07 00:10 ka
         a 05-07 00:15 pv /n?utm_campaign=x ; a 05-07 15:00 pv /z`,
      );
      await expectTotal(bench, { visitors: 1, sessions: 1, views: 1 });
      await expectTotal(bench, { visitors: 2, sessions: 2, views: 2 }, days('05-07'));
      const both = days('05-06', '05-07');
      await expectTotal(bench, { visitors: 2, sessions: 3, views: 3, bounces: 3 }, both);
      await expectDurations(bench, { session: [1_200] });
    },
  },
  {
    id: 'W-50',
    title: 'a session kept alive over two midnights is one session of one visitor',
    run: async (open) => {
      const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
      const alive = hours.flatMap((hour) =>
        ['10', '30', '50'].map((minute) => `a 05-07 ${hour}:${minute} ka`),
      );
      const bench = await site(
        open,
        [
          'a 05-06 23:40 pv /',
          'a 05-06 23:55 ka',
          ...alive,
          'a 05-08 00:05 ka',
          'a 05-08 00:20 pv /x',
        ].join('\n'),
      );
      await expectTotal(bench, { visitors: 1, views: 1 });
      await expectTotal(bench, { visitors: 0, views: 0, sessions: 0 }, days('05-07'));
      await expectTotal(bench, { visitors: 1, views: 1 }, days('05-08'));
      const all = days('05-06', '05-08');
      await expectTotal(bench, { visitors: 1, sessions: 1, views: 2 }, all);
      await expectSession(bench, { duration_seconds: 88_800, extended: 74, page_views: 2 }, all);
    },
  },
];
