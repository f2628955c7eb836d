/**
 * Worked examples: pages, tags, platforms.
 */
import { expect } from 'vitest';
import type { RawParameters } from '../oracle/answers/question.ts';
import { agentNamed } from '../traffic/known.ts';
import { Cast } from '../traffic/notation.ts';
import {
  DAY,
  days,
  expectClose,
  expectTotal,
  pick,
  type Row,
  rows,
  site,
  TIME,
  type WorkedExample,
} from './steps.ts';

/** W-27, W-29, W-31, W-32, W-40, W-44, W-46. */
export const PAGES: readonly WorkedExample[] = [
  {
    id: 'W-27',
    title: 'entry and exit pages with their rates and the path as a page (S-44)',
    run: async (open) => {
      const bench = await site(
        open,
        `u1 09:00 pv / ; u1 11:00 pv / ; u2 09:00 pv / ; u3 09:00 pv /
         u4 09:00:00 pv / ; u4 09:00:10 pv /bar ; u5 09:00:00 pv / ; u5 09:00:20 pv /bar
         u6 09:00:00 pv / ; u6 09:00:40 pv /foo ; u7 09:00 pv /bar ; u8 09:00 pv /bar`,
      );
      const entries = await rows(bench, 'page/entry', { ...DAY, ...TIME });
      expect(
        pick(entries, 'path', 'visitors', 'sessions', 'entries', 'average_time_spent_seconds'),
      ).toEqual([
        ['/', 6, 7, 7, 23],
        ['/bar', 4, 4, 2, 0],
      ]);
      [0.7778, 0.2222].forEach((rate, index) => {
        expectClose(entries[index]?.entry_rate, rate);
      });
      const exits = await rows(bench, 'page/exit', DAY);
      expect(pick(exits, 'path', 'visitors', 'sessions', 'exits')).toEqual([
        ['/', 6, 7, 4],
        ['/bar', 4, 4, 4],
        ['/foo', 1, 1, 1],
      ]);
      [0.4444, 0.4444, 0.1111].forEach((rate, index) => {
        expectClose(exits[index]?.exit_rate, rate);
      });
    },
  },
  {
    id: 'W-40',
    title: 'platforms, alone and under filters',
    run: async (open) => {
      const cast = new Cast();
      for (const name of ['a', 'b', 'c']) cast.add(name, 'de', agentNamed('firefox'));
      for (const name of ['d', 'e']) cast.add(name, 'de', agentNamed('iphone'));
      cast.add('f', 'de', agentNamed('chromebook'));
      const bench = await site(
        open,
        `a 10:00 pv /foo ; b 10:00 pv / ; c 10:00 pv / ; d 10:00 pv / ; e 10:00 pv / ; f 10:00 pv /`,
        cast,
      );
      const table: [RawParameters, number[], number[]][] = [
        [{}, [3, 2, 1], [0.5, 0.3333, 0.1667]],
        [{ platform: 'mobile' }, [0, 2, 0], [0, 0.3333, 0]],
        [{ path: '/foo' }, [1, 0, 0], [0.1667, 0, 0]],
      ];
      for (const [filter, counts, shares] of table) {
        const got = (await bench.ask('platform', { ...DAY, ...filter })) as Row;
        for (const [index, name] of ['desktop', 'mobile', 'unknown'].entries()) {
          expect(got[`platform_${name}`]).toBe(counts[index]);
          expectClose(got[`relative_platform_${name}`], shares[index] ?? 0);
        }
      }
    },
  },
  {
    id: 'W-29',
    title: 'a pattern keeps the pages whose path it matches (S-41)',
    run: async (open) => {
      const bench = await site(
        open,
        `a 10:00 pv / ; a 10:01 pv /simple/page ; a 10:02 pv /siMple/page/
         a 10:03 pv /simple/page/with/many/slashes`,
      );
      const patterns: [string, number][] = [
        ['(?i)^/simple/[^/]+$', 1],
        ['(?i)^/simple/[^/]+/.*', 2],
        ['(?i)^/simple/.+/slashes$', 1],
        ['(?i)^/simple/[^/]+/slashes$', 0],
      ];
      for (const [pattern, count] of patterns) {
        expect(await rows(bench, 'page', { ...DAY, pattern })).toHaveLength(count);
      }
    },
  },
  {
    id: 'W-44',
    title: 'a session in the order in which it happened',
    run: async (open) => {
      const text = 'a 10:00:00 pv / ; a 10:00:05 ev x @/ ; a 10:00:10 pv /pricing';
      const bench = await site(open, text);
      const [session] = await rows(bench, 'session/list', DAY);
      const ids = {
        visitor_id: String(session?.visitor_id),
        session_id: Number(session?.session_id),
      };
      const view = { ...ids, tag_keys: [], tag_values: [] };
      expect(await rows(bench, 'session/details', { ...DAY, ...ids })).toEqual([
        {
          page_view: expect.objectContaining({ ...view, path: '/', duration_seconds: 10 }),
          event: null,
        },
        { page_view: null, event: expect.objectContaining({ ...ids, name: 'x', path: '/' }) },
        {
          page_view: expect.objectContaining({ ...view, path: '/pricing', duration_seconds: 0 }),
          event: null,
        },
      ]);
      expect(await rows(bench, 'session/details', DAY)).toEqual([]);
    },
  },
  {
    id: 'W-31',
    title: 'events by name and whole metadata, whatever the order of its keys',
    run: async (open) => {
      const bench = await site(
        open,
        `a 10:00 pv / ; a 10:01 ev event1 @/ {a=foo,b=42} ; a 10:02 ev event1 @/ {b=42,a=foo}
         a 10:03 ev event1 @/ {a=bar,b=42} ; a 10:04 ev event2 @/ {a=foo,b=42}
         a 10:05 ev event2 @/ {a=foo,b=42} ; a 10:06 ev event2 @/ {a=foo,b=56}`,
      );
      expect(await rows(bench, 'event/list', DAY)).toEqual([
        { name: 'event1', meta: { a: 'foo', b: '42' }, visitors: 1, count: 2 },
        { name: 'event2', meta: { a: 'foo', b: '42' }, visitors: 1, count: 2 },
        { name: 'event1', meta: { a: 'bar', b: '42' }, visitors: 1, count: 1 },
        { name: 'event2', meta: { a: 'foo', b: '56' }, visitors: 1, count: 1 },
      ]);
    },
  },
  {
    id: 'W-32',
    title: 'tags by key, and one of them by value',
    run: async (open) => {
      const bench = await site(
        open,
        `u1 10:00 pv / {author=John} ; u1 10:01 pv /a {author=John} ; u1 10:02 pv /b {author=Alice}
         u2 10:00 pv / {author=John,type=blog_post} ; u3 10:00 pv /c {author=Alice,type=blog_post}`,
      );
      await expectTotal(bench, { visitors: 3, views: 5 });
      const tags = await rows(bench, 'tags', DAY);
      expect(pick(tags, 'key', 'visitors', 'views', 'relative_views')).toEqual([
        ['author', 3, 5, 1],
        ['type', 2, 2, 0.4],
      ]);
      const onRoot = await rows(bench, 'tags', { ...DAY, path: '/' });
      expect(pick(onRoot, 'key', 'visitors', 'views')).toEqual([
        ['author', 2, 2],
        ['type', 1, 1],
      ]);
      const authors = await rows(bench, 'tag/details', { ...DAY, tag: 'author' });
      expect(pick(authors, 'key', 'value', 'visitors', 'views', 'relative_views')).toEqual([
        ['author', 'Alice', 2, 2, 0.4],
        ['author', 'John', 2, 3, 0.6],
      ]);
    },
  },
  {
    id: 'W-46',
    title: 'options are the values of the range, and tag values those of one tag (S-96)',
    run: async (open) => {
      const bench = await site(
        open,
        `a 05-02 10:00 pv / ; a 05-04 10:00 pv /foo {key0=v,key1=w} ; a 05-05 10:00 pv /bar`,
      );
      const range = days('05-03', '05-06');
      expect(await bench.ask('options/page', range)).toEqual(['/bar', '/foo']);
      expect(await bench.ask('options/tag/value', range)).toEqual([]);
      expect(await bench.ask('options/tag/value', { ...range, tag: 'key0' })).toEqual(['v']);
    },
  },
];
