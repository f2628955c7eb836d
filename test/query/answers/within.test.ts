// Goal: filters that an access link pins hold for every statistic, whatever is asked (D-19): totals,
// rates, options, details of a session, comparisons.
// Method: a question within a pin against the same question over data that has nothing else.
import { describe, expect, test } from 'vitest';
import { runStatistics } from '../../../src/query/answers/run.ts';
import { STATISTICS, statisticNamed } from '../../../src/query/answers/statistics.ts';
import { parseFilters, type QueryFilters } from '../../../src/query/question/filters.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import { parseStatisticsRequest } from '../../../src/query/question/request.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { DOMAIN } from '../ask.ts';
import { SegmentBuilder } from '../segment-builder.ts';

const NOW_MS = Date.parse('2026-01-03T12:00:00Z');
const NOBODY = parseFilters(parseQueryString(''), new Map());

/** Two days of visits of two countries; everything of France has `secret` in it. */
function dataOf(countries: readonly string[]): Segment[] {
  return ['2026-01-02', '2026-01-03'].map((date, day) => {
    const built = new SegmentBuilder(date);
    for (let person = 0; person < 12; person++) {
      // First, so that their ids are the same without the others.
      const isGerman = person < 8;
      const country = isGerman ? 'de' : 'fr';
      if (!countries.includes(country)) continue;
      const word = isGerman ? 'open' : 'secret';
      const hour = 10 + (person % 4);
      built.session(
        `${country}${person}`,
        [
          { at: `${hour}:00`, view: '/', title: word, tags: { [`t-${word}`]: word } },
          { at: `${hour}:05`, view: `/${word}`, title: word },
          {
            ...{
              at: `${hour}:06`,
              event: person % 2 === 0 ? 'buy' : `buy-${word}`,
              on: `/${word}`,
            },
            ...{ meta: { size: word, price: '7' }, duration: 5 + day },
          },
        ],
        {
          ...{ country, city: word, referrer: `https://${word}.example/`, referrerName: word },
          ...{ browser: word, os: word, utmSource: word, utmCampaign: word, platform: 'Desktop' },
        },
      );
    }
    return built.segment;
  });
}

function answer(
  segments: readonly Segment[],
  name: string,
  asked: string,
  { within, way }: { within: QueryFilters | null; way?: 'best' | 'scan' | 'index' },
): unknown {
  const registered = {
    ...{ memberCount: 1, goals: [GOAL] },
    funnel: { definition: {}, steps: [NOBODY, filtersOf('path=/open'), filtersOf('event=buy')] },
  };
  const context = { domain: DOMAIN, registered, nowMs: NOW_MS, within };
  const query = parseStatisticsRequest(statisticNamed(name), parseQueryString(asked), context);
  return JSON.parse(JSON.stringify(runStatistics(structuredClone(query), segments, null, way)));
}

const filtersOf = (text: string) => parseFilters(parseQueryString(text), new Map());
const GOAL = { shape: {}, name: 'buys', filters: filtersOf('event=buy'), metric: null };
const RANGE = 'from=2026-01-03&to=2026-01-03';
const QUESTIONS = [
  ...['', 'path=/open', 'path=/secret', 'country=fr', 'country=!de', 'event=buy', 'event=!buy'],
  ...['event=buy&event_meta_key=size', 'event=~secret&event_meta_key=size', 'tag=t-secret'],
  ...['referrer_name=~e', 'search=e', 'scale=hour', 'entry_path=/', 'tag=t-open'],
  ...['event=buy&custom_metric_key=price&custom_metric_type=integer', 'include_title=true'],
  'from=2026-01-02&to=2026-01-03&include_avg_time_on_page=true',
  'path=&country=&pattern=%2F.*',
];

describe('within pinned filters (D-19, S-5)', () => {
  const all = dataOf(['de', 'fr']);
  const own = dataOf(['de']);
  const within = filtersOf('country=de');

  test.each(STATISTICS.map(({ name }) => name))('%s tells of nothing else', (name) => {
    for (const question of QUESTIONS) {
      const asked = `${RANGE}&${question}`;
      const expected = answer(own, name, asked, { within: null, way: 'scan' });
      for (const way of ['best', 'scan', 'index', 'best'] as const) {
        const found = answer(all, name, asked, { within, way });
        expect(found, `${way} ${question}`).toEqual(expected);
      }
      // What was asked for by its name is said again by some.
      if (!question.includes('secret')) expect(JSON.stringify(expected)).not.toContain('secret');
    }
  });

  test('the details of a session that does not pass are not there', () => {
    const rows = answer(all, 'session/list', `${RANGE}&country=fr`, {
      ...{ within: null, way: 'scan' },
    }) as {
      visitor_id: string;
      session_id: number;
    }[];
    expect(rows.length).toBeGreaterThan(0);
    for (const { visitor_id: visitor, session_id: session } of rows) {
      const asked = `${RANGE}&visitor_id=${visitor}&session_id=${session}`;
      expect(answer(all, 'session/details', asked, { within: null })).not.toEqual([]);
      expect(answer(all, 'session/details', asked, { within })).toEqual([]);
    }
  });

  test('a pinned page is the only one that any list names', () => {
    const page = filtersOf('path=/open');
    const names = ['page', 'options/page', 'event/page', 'session/details', 'options/event'];
    for (const name of names.filter((one) => STATISTICS.some((known) => known.name === one))) {
      for (const question of QUESTIONS) {
        const found = JSON.stringify(answer(all, name, `${RANGE}&${question}`, { within: page }));
        expect(found, `${name} ${question}`).not.toContain('secret');
        expect(found, `${name} ${question}`).not.toContain('"/"');
      }
    }
  });

  test('a pinned event holds beside an event that is asked for', () => {
    const pinned = filtersOf('event=buy');
    const names = ['event', 'event/list', 'options/event'];
    for (const name of names.filter((one) => STATISTICS.some((known) => known.name === one))) {
      const found = JSON.stringify(answer(all, name, `${RANGE}&event=~buy`, { within: pinned }));
      expect(found, name).toContain('buy');
      expect(found, name).not.toContain('buy-');
    }
  });
});
