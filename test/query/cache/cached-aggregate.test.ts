// Goal: what is kept of earlier questions never shows: an answer is that of the days as they are now.
// Method: days in this process with revisions as a reader gives them, asked again after each kind of
// change, beside a scan that keeps nothing.

import { expect, test } from 'vitest';
import { runStatistics } from '../../../src/query/answers/run.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { queryOf } from '../ask.ts';
import { SegmentBuilder } from '../segment-builder.ts';

const DAY_COUNT = 5;
const COUNTRIES = ['de', 'fr', 'de', 'gb', ''];
const RANGE = 'from=2024-05-06&to=2024-05-10';
const FILTERS = [
  ...['', '&country=de', '&country=!de', '&country=de&country=fr', '&browser=Chrome&country=de'],
  ...['&path=/b', '&pattern=^/b', '&pattern=^/b&country=de', '&path=!/b', '&event=buy'],
  ...[
    '&event=!buy',
    '&event=buy&country=de&path=/a',
    '&event=null',
    '&tag=author',
    '&tag_author=ann',
  ],
  ...['&tag_author=!ann', '&tag=author&country=de', '&platform=mobile&path=/c', '&referrer_name=x'],
  ...[
    '&entry_path=/a',
    '&exit_path=/c&country=de',
    '&event=buy&custom_metric_key=amount&custom_metric_type=float',
  ],
];
const STATISTICS = [
  ...[
    'total',
    'visitor',
    'hours',
    'minutes',
    'duration/session',
    'duration/page',
    'growth',
    'funnel',
  ],
  ...['page', 'page/entry', 'page/exit', 'country', 'city', 'platform', 'referrer', 'events'],
  ...[
    'event/page',
    'event/meta',
    'event/list',
    'tags',
    'tag/details',
    'session/list',
    'options/tag',
    'options/tag/value',
  ],
];

let nextRevision = 1;

function builderOf(day: number): SegmentBuilder {
  return new SegmentBuilder(`2024-05-${String(6 + day).padStart(2, '0')}`);
}

/** Four visitors a day, one of them twice, on pages, with events and tags by turns. */
function fill(builder: SegmentBuilder, day: number): SegmentBuilder {
  for (let visitor = 0; visitor < 5; visitor++) {
    const hour = String(8 + visitor).padStart(2, '0');
    builder.session(
      `visitor-${visitor % 4}`,
      [
        { at: `${hour}:00`, view: visitor % 2 === 0 ? '/a' : '/b', title: 'one' },
        { at: `${hour}:05`, view: '/b', tags: { author: day % 2 === 0 ? 'ann' : 'bob' } },
        ...(visitor < 2
          ? [{ at: `${hour}:06`, event: 'buy', on: '/b', meta: { amount: `${day}.5`, plan: 'x' } }]
          : []),
        { at: `${hour}:59`, view: `/${'abc'[(day + visitor) % 3]}`, title: 'two' },
      ],
      {
        country: COUNTRIES[(day + visitor) % COUNTRIES.length] as string,
        browser: visitor === 3 ? 'Firefox' : 'Chrome',
        platform: visitor === 2 ? 'Mobile' : 'Desktop',
        referrerName: visitor === 1 ? 'x' : '',
      },
    );
  }
  return builder;
}

function atRest({ segment }: SegmentBuilder): Segment {
  segment.revision = nextRevision++;
  return segment;
}

const asked = (filter: string, range = RANGE) =>
  `${range}&event_meta_key=plan&include_avg_time_on_page=true${filter}`;

/** Asks everything: first and again, against a scan and against every index. */
function disagreements(segments: readonly Segment[], range = RANGE): string[] {
  const found: string[] = [];
  for (const statistic of STATISTICS) {
    for (const filter of FILTERS) {
      const query = queryOf(statistic, asked(filter, range));
      const scanned = JSON.stringify(runStatistics(query, segments, null, 'scan'));
      for (const way of ['best', 'best', 'best', 'index'] as const) {
        const answer = JSON.stringify(runStatistics(query, segments, null, way));
        if (answer !== scanned) found.push(`${statistic} ${filter} ${way}`);
      }
    }
  }
  return found;
}

function freshDays(): SegmentBuilder[] {
  return Array.from({ length: DAY_COUNT }, (_, day) => fill(builderOf(day), day));
}

test('S-2: asked again and again, filters of every kind say what a scan says', () => {
  expect(disagreements(freshDays().map(atRest))).toEqual([]);
});

test.each([
  { what: 'today', day: DAY_COUNT - 1 },
  { what: 'yesterday', day: DAY_COUNT - 2 },
  { what: 'a day at rest', day: 0 },
])('read your writes: a hit on $what shows in the next answer (A-64)', ({ day }) => {
  const builders = freshDays();
  const segments = builders.map(atRest);
  expect(disagreements(segments)).toEqual([]);
  const before = JSON.stringify(runStatistics(queryOf('total', asked('&country=de')), segments));
  (builders[day] as SegmentBuilder).session('late', [{ at: '20:00', view: '/b' }], {
    country: 'de',
  });
  (segments[day] as Segment).revision = nextRevision++;
  expect(disagreements(segments)).toEqual([]);
  const after = JSON.stringify(runStatistics(queryOf('total', asked('&country=de')), segments));
  expect(after).not.toBe(before);
});

test('A-81: a day that is rebuilt with fewer rows takes the place of the one before', () => {
  const segments = freshDays().map(atRest);
  expect(disagreements(segments)).toEqual([]);
  // A deletion leaves a segment of its own with a newer state.
  const rebuilt = builderOf(1).session('left', [{ at: '09:00', view: '/b' }], { country: 'fr' });
  segments[1] = atRest(rebuilt);
  expect(disagreements(segments)).toEqual([]);
});

test('F-3 to F-5: ranges that cut a day, and other zones, have sums of their own', () => {
  const segments = freshDays().map(atRest);
  for (const range of [
    RANGE,
    `${RANGE}&from_time=09:30&to_time=10:15`,
    `${RANGE}&tz=Asia/Kolkata`,
    `${RANGE}&tz=America/New_York`,
    'from=2024-05-06&to=2024-05-08',
    'from=2024-05-07&to=2024-05-10&scale=week',
  ]) {
    expect(disagreements(segments, range)).toEqual([]);
  }
});

test('A-72: another definition of a funnel is another question', () => {
  const segments = freshDays().map(atRest);
  const query = queryOf('funnel', asked('&country=de'));
  const step = (path: string) => queryOf('total', `${RANGE}&path=${path}`).filters;
  const visitorsOf = (...paths: string[]) => {
    const funnel = { definition: {}, steps: paths.map(step) };
    const answer = runStatistics({ ...query, funnel }, segments) as {
      data: { visitors: number }[];
    };
    const scanned = runStatistics({ ...query, funnel }, segments, null, 'scan');
    expect(answer).toEqual(scanned);
    return answer.data.map(({ visitors }) => visitors);
  };
  const both = visitorsOf('/a', '/c');
  expect(visitorsOf('/c', '/a')).not.toEqual(both);
  expect(visitorsOf('/a', '/c')).toEqual(both);
  expect(visitorsOf('/a')).toEqual(both.slice(0, 1));
});
