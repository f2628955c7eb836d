// Goal: how a question is answered is decided in one place, and stays decided that way.
// Method: a table of typical questions and their plans, one line each; then what a segment is read by,
// and that an answer with its plan is the answer without.

import { describe, expect, test } from 'vitest';
import { planFor, runStatistics } from '../../../src/query/answers/run.ts';
import { statisticNamed } from '../../../src/query/answers/statistics.ts';
import type { ExplainedAnswer } from '../../../src/query/plan/explain.ts';
import {
  type IndexUse,
  isBoundedByRows,
  planLine,
  planOf,
  type Way,
} from '../../../src/query/plan/planner.ts';
import {
  cutWay,
  indexWay,
  narrowestTest,
  pageCountWay,
  splitSettled,
  timeCountWay,
  viewedWay,
  viewWay,
} from '../../../src/query/plan/segment-planner.ts';
import { queryOf } from '../ask.ts';
import { SegmentBuilder } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-10';
const METRIC = 'event=buy&custom_metric_key=amount&custom_metric_type=float';

/** statistic ? parameters → plan. */
const PLANS = `
  total                                → total: rollups, short queue
  visitor ? scale=week                 → visitor: rollups, short queue
  growth                               → growth: rollups, short queue
  overview ? country=de                → overview: rollups, short queue
  hours                                → hours: rollups, short queue
  minutes ? tz=Asia/Kolkata            → minutes: rollups, short queue
  duration/session                     → duration/session: rollups, short queue
  duration/page                        → duration/page: rollups, short queue
  platform                             → platform: rollups, short queue
  page                                 → page: rollups, long queue
  page ? include_title=1&sort=views    → page: rollups, long queue
  page/entry ? search=a                → page/entry: rollups, long queue
  referrer                             → referrer: rollups, long queue
  city                                 → city: rollups, long queue
  events                               → events: rollups, long queue
  event/list                           → event/list: rollups, long queue
  tags                                 → tags: rollups, long queue
  options/page ? search=a              → options/page: rollups, long queue
  active                               → active: rows of views, long queue

  keywords                             → keywords: nothing, long queue
  event/page                           → event/page: nothing, long queue
  event/meta ? event=buy               → event/meta: nothing, long queue
  tag/details ? tag=!author            → tag/details: nothing, long queue
  session/details ? visitor_id=1       → session/details: nothing, long queue
  options/tag/value                    → options/tag/value: nothing, long queue

  total ? country=de                   → total: rows of sessions, filtered, long queue
  total ? event=buy                    → total: rows of sessions, filtered, long queue
  total ? path=/a                      → total: rows of views, filtered, long queue
  total ? ${METRIC}                    → total: rows of events, filtered, long queue
  growth ? country=de                  → growth: rows of sessions, filtered, long queue
  growth ? tag=author                  → growth: rows of views, filtered, time spent in views, long queue
  growth ? event=buy&path=/a           → growth: rows of views, filtered, time spent in events, long queue
  hours ? browser=Chrome               → hours: rows of sessions, filtered, long queue
  hours ? event=buy                    → hours: rows of views, filtered, long queue
  page ? search=a                      → page: rows of views, long queue
  page ? pattern=^/a                   → page: rows of views, filtered, long queue
  page ? ${METRIC}                     → page: rows of events, filtered, long queue
  page/entry ? entry_path=/a           → page/entry: rows of sessions, filtered, pages of rollups, long queue
  page/exit ? country=de               → page/exit: rows of sessions, filtered, long queue
  referrer ? country=de                → referrer: rows of sessions, filtered, long queue
  referrer ? referrer_name=x           → referrer: rows of sessions, filtered, by URL, long queue
  country ? ${METRIC}                  → country: rows of events, filtered, long queue
  events ? event=buy                   → events: rows of events, filtered, long queue
  goals                                → goals: rows of sessions, long queue
  funnel                               → funnel: rows of sessions, long queue
  active ? path=/a                     → active: rows of views, filtered, long queue

  session/list                         → session/list: rows of sessions, oldest days, first 100 by lastMs asc, long queue
  session/list ? sort=start&direction=desc&limit=20 → session/list: rows of sessions, newest days, first 20 by startMs desc, long queue
  session/list ? offset=100000         → session/list: rows of sessions, oldest days, long queue
  session/list ? country=de            → session/list: rows of sessions, filtered, first 100 by lastMs asc, long queue
  session/list ? sort=entry_path       → session/list: rows of sessions, long queue
`
  .split('\n')
  .filter((line) => line.includes('→'))
  .map((line) => line.split('→').map((side) => side.trim()) as [string, string]);

describe('plans', () => {
  test.each(PLANS)('%s                 → %s', (question, plan) => {
    const [name = '', parameters = ''] = question.split('?').map((side) => side.trim());
    const period = name === 'active' ? '' : DAYS;
    expect(planLine(planFor(queryOf(name, `${period}&${parameters}`)))).toBe(plan);
  });

  test('only the actor has counters of who is active, and of what is not filtered', () => {
    const active = (parameters: string) =>
      planLine(planOf(statisticNamed('active'), queryOf('active', parameters), 'best', 'actor'));
    expect(active('')).toBe('active: counters, long queue');
    expect(active('path=/a')).toBe('active: rows of views, filtered, long queue');
  });

  test('a plan names the rewrites that made it, in their order', () => {
    expect(planFor(queryOf('total', `${DAYS}&path=/a&country=de`)).rewrites).toEqual([
      'a filter asks for denominators of their own',
      'a filter on pages, tags or a search tests page views',
      'unfiltered totals are in the pre-aggregates',
      'days that do not change are counted once',
    ]);
  });

  test.each<[Way, string]>([
    ['scan', 'total: rows of sessions, only by scan, long queue'],
    ['index', 'total: rows of sessions, only by index, long queue'],
  ])('left only %s, a question looks at rows and keeps nothing', (way, line) => {
    const plan = planOf(statisticNamed('total'), queryOf('total', DAYS), way);
    expect(planLine(plan)).toBe(line);
    expect(plan).toMatchObject({ aggregates: 'counted', denominators: 'rows' });
    expect(plan.indexes).toBe(way === 'index' ? 'always' : 'never');
  });

  test.each([
    ['total', '', false],
    ['total', '&country=de', true],
    ['session/list', '', false],
    ['session/list', '&sort=entry_path', true],
    ['keywords', '', false],
  ])('%s%s is bounded by the rows that it reads: %s', (name, parameters, isBounded) => {
    expect(isBoundedByRows(planFor(queryOf(name, DAYS + parameters)))).toBe(isBounded);
  });
});

describe('segments', () => {
  test.each([
    [[90, 50, 60], 100, 1],
    [[51, 90], 100, -1],
    [[Number.POSITIVE_INFINITY], 100, -1],
    [[0], 0, -1],
    [[], 100, -1],
  ])('of tests that leave %j of %i sessions the narrowest is %i', (counts, sessions, at) => {
    expect(narrowestTest(counts, sessions)).toBe(at);
  });

  test.each([
    [{ ofPaths: 100, ofTags: 100, ofSessions: 100 }, 'a pass'],
    [{ ofPaths: 51, ofTags: 100, ofSessions: 100 }, 'a pass'],
    [{ ofPaths: 50, ofTags: 100, ofSessions: 100 }, 'the index of paths'],
    [{ ofPaths: 50, ofTags: 40, ofSessions: 100 }, 'the index of tags'],
    [{ ofPaths: 50, ofTags: 100, ofSessions: 13 }, 'the index of paths'],
    [{ ofPaths: 50, ofTags: 100, ofSessions: 12 }, 'the index of sessions'],
  ])('page views of estimates %j are found by %s', (estimates, way) => {
    expect(viewWay({ rowCount: 100, ...estimates })).toBe(way);
  });

  test.each([
    [true, false, false, 'whole sessions'],
    [false, false, false, 'sessions and their ends'],
    [true, true, true, 'paths'],
    [false, true, true, 'page views'],
    [true, true, false, 'page views'],
  ])('a whole day (%s), tests of views (%s), of paths only (%s): %s', (...row) => {
    const [isWholeDay, testsViews, testsPathsOnly, way] = row;
    expect(viewedWay(isWholeDay, { testsViews, testsPathsOnly })).toBe(way);
  });

  test.each<[IndexUse, number, boolean, string]>([
    ['never', 7, false, 'none'],
    ['second use', 7, true, 'none'],
    ['second use', 7, false, 'made and held'],
    ['second use', 0, false, 'none'],
    ['always', 7, true, 'made and held'],
    ['always', 0, true, 'made for the question'],
  ])('an index of use %s, revision %i, first use %s, is %s', (use, revision, isFirst, way) => {
    expect(indexWay(use, { revision } as never, isFirst)).toBe(way);
  });

  test('pages are counted by row where a quarter of the views or less is left', () => {
    const wayOf = (ofPaths: number) => pageCountWay({ ofPaths, rowCount: 100 });
    expect([24, 25, 26].map(wayOf)).toEqual(['by row', 'by row', 'by session']);
  });

  test('time is counted by session unless page views are tested', () => {
    expect([true, false].map(timeCountWay)).toEqual(['by row', 'by session']);
  });

  test.each([
    [false, false, false, false, 'by first page view'],
    [false, true, false, true, 'by first page view'],
    [false, true, true, false, 'a pass'],
    [true, false, true, false, 'by last page view'],
    [true, false, false, true, 'a pass'],
    [true, true, true, true, 'a pass'],
  ])('a part of a day, views before %s, after %s, cut at quarters %s %s: %s', (...row) => {
    const [before, after, startsQuarter, endsQuarter, way] = row;
    expect(cutWay({ before, after, startsQuarter, endsQuarter })).toBe(way);
  });

  test('the two newest days change, and whatever has no revision', () => {
    const days = [10, 11, 12, 13].map((day, at) => ({ day, revision: at === 0 ? 0 : 7 }));
    const { settled, changing } = splitSettled(days as never);
    expect(settled.map(({ day }) => day)).toEqual([11]);
    expect(changing.map(({ day }) => day)).toEqual([10, 12, 13]);
  });
});

describe('EXPLAIN', () => {
  function dayWithRevision(day: string, revision: number) {
    const builder = new SegmentBuilder(day);
    builder.session('a', [{ at: '10:00', view: '/a' }], { country: 'de' });
    builder.session('b', [{ at: '11:00', view: '/b' }], { country: 'fr' });
    builder.session('c', [{ at: '12:00', view: '/b' }], { country: 'fr' });
    const { segment } = builder;
    segment.revision = revision;
    return segment;
  }
  const explain = (parameters: string, segments: Parameters<typeof runStatistics>[1]) =>
    runStatistics(queryOf('total', `${parameters}&explain=1`), segments) as ExplainedAnswer;

  test('tells the plan, the days and what each was read by, beside the answer', () => {
    const segments = [dayWithRevision('2024-05-06', 901), dayWithRevision('2024-05-08', 902)];
    const parameters = 'from=2024-05-06&to=2024-05-08&to_time=23:00&country=de';
    const first = explain(parameters, segments);
    const { plan, ms, answer } = first;
    expect(plan).toEqual(planFor(queryOf('total', parameters)));
    expect(ms).toBeGreaterThan(0);
    expect(answer).toEqual(runStatistics(queryOf('total', parameters), segments));
    const steps = ['viewed sessions by: whole sessions', 'sessions by: a pass'];
    expect(first.segments).toEqual([
      { day: '2024-05-06', rows: 6, range: 'whole day', state: 'settled', steps },
      { day: '2024-05-08', rows: 6, range: 'whole day', state: 'changing', steps },
    ]);
  });

  test('a day that was counted before is not read again', () => {
    const segments = [dayWithRevision('2024-05-06', 911), dayWithRevision('2024-05-08', 912)];
    const parameters = 'from=2024-05-06&to=2024-05-08&country=fr';
    runStatistics(queryOf('total', parameters), segments);
    expect(explain(parameters, segments).segments.map(({ steps }) => steps)).toEqual([[], []]);
  });

  test('from its second use on, an index tells which sessions pass', () => {
    const segments = [dayWithRevision('2024-05-06', 921)];
    const parameters = 'from=2024-05-06&to=2024-05-08&country=de';
    runStatistics(queryOf('visitor', parameters), segments);
    expect(explain(`${parameters}&country=nowhere`, segments).segments[0]?.steps).toContain(
      'sessions by: the index of country',
    );
  });

  test('what was selected last is selected for the next question under the same filters', () => {
    const day = dayWithRevision('2024-05-06', 931);
    const parameters = 'from=2024-05-06&to=2024-05-08&country=de';
    const stepsOfTotal = () => explain(parameters, [day]).segments[0]?.steps;
    runStatistics(queryOf('browser', parameters), [day]);
    expect(stepsOfTotal()).toContain('viewed sessions by: the same filters before');
    // The rows are others with the next state of the day.
    day.revision = 932;
    expect(stepsOfTotal()).not.toContain('viewed sessions by: the same filters before');
  });

  test('is nothing that an answer shows unasked', () => {
    expect(JSON.stringify(runStatistics(queryOf('total', DAYS), []))).not.toContain('plan');
  });
});
