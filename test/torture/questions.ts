/**
 * What is asked after a round: every statistic of the table, without a filter and with random
 * ones.
 */
import { STATISTICS } from '../../src/query/question/statistics.ts';
import type { RawParameters } from '../support/oracle/question.ts';
import type { Stream } from './random.ts';
import { dayOf, type Site } from './sites.ts';
import { EVENT_NAMES, PATHS } from './visits.ts';

const DAY_MS = 86_400_000;

/** One question. */
export interface Question {
  name: string;
  parameters: RawParameters;
}

/** Not asked by themselves: of one session, which the list of sessions names. */
const UNASKED = ['session/details'];
/** Not of a live domain: what is made of, or in the order of, times that only the service knows. */
const OF_TIMES = [
  ...['hours', 'minutes', 'duration/session', 'duration/page', 'growth'],
  'session/list',
];
/** Figures by day, which nobody knows of hits around midnight. */
const OF_DAYS = ['visitor', 'overview'];

/** What a statistic is empty without (S-66). */
const NEEDED: Readonly<Record<string, RawParameters>> = {
  'event/page': { event: '!none' },
  'event/meta': { event: '!none', event_meta_key: 'k' },
  'tag/details': { tag: 'k' },
  'options/tag/value': { tag: 'k' },
};

const ZONES = ['', '', 'UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati'];

/** A filter's values as they are, negated and contained (F-20). */
const FILTERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['path', [...PATHS, '!/a', '~a', '^docs']],
  ['pattern', ['^/a', '(?i)^/[ab]$', '!^/docs', '/$']],
  ['entry_path', ['/', '/a', '!/b']],
  ['exit_path', ['/', '~docs']],
  ['event', [...EVENT_NAMES, '!order', 'null', '!null']],
  ['event_meta_key', ['k', 'l', '!k']],
  ['meta_k', ['1', '2', 'null', '!1']],
  ['tag', ['k', 'K', '!l']],
  ['tag_k', ['1', '!2']],
  ['country', ['de', 'gb', 'null', '!de', '~de,gb']],
  ['region', ['England', 'null']],
  ['city', ['London', '~o']],
  ['language', ['de', 'en', 'null']],
  ['referrer', ['Google', 'https://blog.dev', 'null']],
  ['referrer_name', ['Google', 'nl', '!null']],
  ['os', ['Windows', 'iOS', '!Linux']],
  ['browser', ['Chrome', '!Firefox', '~e']],
  ['platform', ['desktop', 'mobile', '!unknown']],
  ['screen_class', ['S', 'XL', 'null']],
  ['utm_source', ['nl', 'null']],
  ['utm_campaign', ['x', '!x']],
  ['channel', ['Direct', '~Search']],
  ['search', ['o', '!/a']],
];

/** The days that a round's hits of a site lie in. */
export function rangeOf(site: Site, round: number): { from: string; to: string } {
  const [firstMs, lastMs] = site.isLive
    ? [Date.now() - DAY_MS, Date.now() + DAY_MS]
    : [dayOf(round) - DAY_MS, dayOf(round) + 2 * DAY_MS];
  return { from: dateOf(firstMs), to: dateOf(lastMs) };
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Statistics that a site is asked for. */
function namesFor(site: Site, isOneDay: boolean): string[] {
  return STATISTICS.map(({ name }) => name).filter((name) => {
    if (UNASKED.includes(name)) return false;
    if (!site.isLive) return name !== 'active' && name !== 'overview';
    if (name === 'active' && site.hasClockSteps) return false;
    return !OF_TIMES.includes(name) && (isOneDay || !OF_DAYS.includes(name));
  });
}

/** Each statistic twice: without a filter, and with one to three and other days and zones. */
export function questionsOf(
  site: Site,
  round: number,
  random: Stream,
  isOneDay: boolean,
): Question[] {
  return namesFor(site, isOneDay).flatMap((name) => {
    const range = rangeOf(site, round);
    const needed = NEEDED[name] ?? {};
    return [
      { name, parameters: { ...needed, ...windowOf(name, range) } },
      { name, parameters: { ...filtersOf(random, needed), ...variant(site, round, name, random) } },
    ];
  });
}

function windowOf(name: string, range: RawParameters): RawParameters {
  if (name === 'active') return { start: 3_600 };
  return name === 'overview' ? {} : range;
}

function filtersOf(random: Stream, needed: RawParameters): RawParameters {
  const filters: Record<string, string | string[]> = {};
  for (let count = random.whole(1, 3); count > 0; count--) {
    const [name, values] = random.pick(FILTERS);
    filters[name] = random.chance(0.3)
      ? [random.pick(values), random.pick(values)]
      : random.pick(values);
  }
  return { ...filters, ...needed };
}

/** Other days of the round, zones, scales and presentation; a live site's days are all it has. */
function variant(site: Site, round: number, name: string, random: Stream): RawParameters {
  const range = rangeOf(site, round);
  if (site.isLive) return windowOf(name, range);
  const day = dateOf(dayOf(round) + DAY_MS);
  const days = random.weighted<RawParameters>([
    [3, range],
    [1, { from: dateOf(dayOf(round)), to: day }],
    [1, { from: day, to: day }],
    [1, { from: day, to: day, from_time: '00:10', to_time: '05:59' }],
  ]);
  const tz = random.pick(ZONES);
  const scale = random.pick(['', '', 'week', 'month']);
  return {
    ...days,
    ...(tz === '' ? {} : { tz }),
    ...(scale === '' ? {} : { scale }),
    ...(random.chance(0.5) ? { include_avg_time_on_page: 'true' } : {}),
    ...(random.chance(0.3) ? { include_title: 'true' } : {}),
    ...(random.chance(0.2) && name !== 'session/list' ? { limit: 5, offset: 1 } : {}),
  };
}
