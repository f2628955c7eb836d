/**
 * The oracle's statistics: one function per endpoint, in the words of the semantics.
 *
 * `answer` is the entry. Statistics of later issues are added as rows of `STATISTICS`.
 */

import {
  type Dimensions,
  type EventRow,
  type ModelSum,
  type PageView,
  SUM_DIMENSIONS,
  type World,
} from '../world.ts';
import { addDays, bucketOf, bucketsBetween, localClock, localDate } from '../zone.ts';
import { funnel, goals } from './conversions.ts';
import { eventList, eventMeta, eventPage, events } from './events.ts';
import { matchingEvents, passesSearch, rowsOf, scopedEvents, viewsInRange } from './filters.ts';
import { growth, overview } from './growth.ts';
import { addRows, addSums, platformOf, summed, sumsOf, totalSums } from './imported.ts';
import { atLeastOne, groupBy, ordered, type Row } from './lists.ts';
import {
  allSharing,
  allVisitors,
  averageSessionDuration,
  averageTimeOnPage,
  bouncesOf,
  eventTotals,
  hasCustomMetric,
  sessionsOf,
  totals,
  visitorsOf,
} from './metrics.ts';
import { OPTIONS } from './options.ts';
import { active, page, pageEntry, pageExit } from './pages.ts';
import { type Context, type Question, type RawParameters, readQuestion } from './question.ts';
import { sessionDetails, sessionList } from './sessions.ts';
import { tagDetails, tags } from './tags.ts';

type Statistic = (question: Question, world: World) => unknown;

/** What a statistic is computed over: page views, or events with a custom metric (S-2, S-8). */
function scopedRows(question: Question, world: World): readonly (PageView | EventRow)[] {
  return hasCustomMetric(question) ? scopedEvents(question, world) : rowsOf(question, world);
}

/** S-20. */
function total(question: Question, world: World): unknown {
  if (hasCustomMetric(question)) {
    const events = scopedEvents(question, world);
    return eventTotals(question, events, viewsInRange(question, world));
  }
  const own = totals(rowsOf(question, world), allVisitors(question, world));
  return addSums(own, totalSums(question, world));
}

/** The four fields of a bucket, one of them set (S-21). */
function bucketFields(question: Question, bucket: string): Row {
  const unset = { day: null, week: null, month: null, year: null };
  return { ...unset, [question.scale]: `${bucket}T00:00:00Z` };
}

/** One row per bucket of S-21 with its page views: those given, and all of the domain. */
function series(
  question: Question,
  world: World,
  fieldsOf: (rows: PageView[], all: PageView[], bucket: string) => Row,
): Row[] {
  const rows = byBucket(question, rowsOf(question, world));
  const all = byBucket(question, viewsInRange(question, world));
  return bucketsBetween(question.from, question.to, question.scale).map((bucket) => ({
    ...bucketFields(question, bucket),
    ...fieldsOf(rows.get(bucket) ?? [], all.get(bucket) ?? [], bucket),
  }));
}

/** Rows by the first date of their bucket (S-1, S-21). */
function byBucket<RowOfTime extends { timeMs: number }>(
  question: Question,
  rows: readonly RowOfTime[],
): Map<string, RowOfTime[]> {
  return new Map(
    groupBy(rows, (row) => bucketOf(localDate(row.timeMs, question.zone), question.scale)),
  );
}

/** S-21, S-22; T_v is that of the same bucket (S-6). */
function visitor(question: Question, world: World): unknown {
  const isOfEvents = hasCustomMetric(question);
  const events = byBucket(question, isOfEvents ? scopedEvents(question, world) : []);
  return series(question, world, (rows, all, bucket) => {
    if (!isOfEvents) {
      const sums = totalSums(question, world).filter(
        ({ date }) => bucketOf(date, question.scale) === bucket,
      );
      return addSums(totals(rows, visitorsOf(all)), sums);
    }
    return eventTotals(question, events.get(bucket) ?? [], all);
  });
}

/** S-31, S-33. */
function durationSession(question: Question, world: World): unknown {
  return series(question, world, (rows) => ({
    average_time_spent_seconds: averageSessionDuration(rows),
  }));
}

/** S-32; `path` echoes a single plain path filter. */
function durationPage(question: Question, world: World): unknown {
  const paths = question.values.path ?? [];
  const isPlain = paths.length === 1 && !/^[!~^]|^null$/i.test(paths[0] ?? '');
  return series(question, world, (rows) => ({
    path: isPlain ? paths[0] : '',
    average_time_spent_seconds: averageTimeOnPage(world, rows),
  }));
}

/** hours since the local Monday began. */
function hourOfWeek(timeMs: number, zone: string): number {
  const sundayFirst = new Date(`${localDate(timeMs, zone)}T12:00:00Z`).getUTCDay();
  return ((sundayFirst + 6) % 7) * 24 + localClock(timeMs, zone).hour;
}

/** S-25: whether a page view of a selected session counts in its bucket. */
function countsAmongEvents(
  question: Question,
  world: World,
  positionOf: (timeMs: number) => number,
): (view: PageView) => boolean {
  const matching = matchingEvents(question, world);
  if (matching === null) return () => true;
  return (view) => {
    const own = matching.filter((event) => event.session === view.session);
    const position = positionOf(view.timeMs);
    // A selected session without any matching event is one of `event=null`.
    return own.length === 0 || own.some((event) => positionOf(event.timeMs) === position);
  };
}

/** S-23, S-24, X-9: by a hand of the local clock, all days pooled. */
function clock(
  count: number,
  readOf: (timeMs: number, zone: string) => number,
  fieldsOf: (position: number) => Record<string, number>,
): Statistic {
  return (question, world) => {
    const positionOf = (timeMs: number): number => readOf(timeMs, question.zone);
    const counts = countsAmongEvents(question, world, positionOf);
    const rows = rowsOf(question, world).filter(counts);
    const all = viewsInRange(question, world);
    const events = hasCustomMetric(question) ? scopedEvents(question, world) : null;
    return Array.from({ length: count }, (_, position) => {
      const isAt = ({ timeMs }: { timeMs: number }): boolean => positionOf(timeMs) === position;
      const allAt = all.filter(isAt);
      const figures =
        events === null
          ? totals(rows.filter(isAt), visitorsOf(allAt))
          : eventTotals(question, events.filter(isAt), allAt);
      return { ...fieldsOf(position), ...figures };
    });
  };
}

/** S-50. */
function referrer(question: Question, world: World): unknown {
  const totalVisitors = atLeastOne(allSharing(question, world));
  const isByUrl =
    question.values.referrer !== undefined || question.values.referrer_name !== undefined;
  const groups = groupBy(scopedRows(question, world), ({ session: { dimensions } }) =>
    JSON.stringify([dimensions.referrerName, isByUrl ? dimensions.referrer : '']),
  ).map(([key, views]) => {
    const [name] = JSON.parse(key) as [string, string];
    const urls = views.map((view) => view.session.dimensions.referrer).filter((url) => url !== '');
    return {
      referrer: urls.sort()[0] ?? '',
      referrer_name: name,
      referrer_icon: '',
      visitors: visitorsOf(views),
      sessions: sessionsOf(views),
      bounces: bouncesOf(views),
    };
  });
  const all = addRows(groups, sumsOf(question, world, 'referrer'), {
    keys: isByUrl ? ['referrer_name', 'referrer'] : ['referrer_name'],
    counts: ['visitors', 'sessions', 'bounces'],
    rowOf: (sums) => ({
      ...{ referrer: '', referrer_name: sums[0]?.value, referrer_icon: '' },
      ...{ visitors: summed(sums, 'visitors'), sessions: summed(sums, 'sessions') },
      bounces: summed(sums, 'bounces'),
    }),
  })
    // Bounces without a session are no row.
    .filter((row) => Number(row['visitors']) > 0 || Number(row['sessions']) > 0)
    .map((row) => ({
      ...row,
      relative_visitors: Number(row['visitors']) / totalVisitors,
      bounce_rate: Number(row['bounces']) / atLeastOne(Number(row['sessions'])),
    }));
  // F-32: the shown name and URL are tested.
  const shown = all.filter((row: Row) =>
    passesSearch(question, String(row['referrer_name']), String(row['referrer'])),
  );
  return ordered(question, shown, ['-visitors', 'referrer_name', 'referrer']);
}

type Value = readonly [name: string, field: keyof Dimensions];

/** S-51, S-52, S-55: by values; `country_code` stands beside `country` (S-56). */
function values(...columns: readonly Value[]): Statistic {
  const [[, first]] = columns as [Value];
  const hasPlace = columns.length > 1 && columns.at(-1)?.[1] === 'country';
  const valuesOf = ({ session: { dimensions } }: PageView | EventRow): string[] =>
    // S-52, S-55: what lies around an unknown place is blank.
    columns.map(([, field]) => (hasPlace && dimensions[first] === '' ? '' : dimensions[field]));
  return (question, world) => {
    const totalVisitors = atLeastOne(allSharing(question, world));
    const isFound = ([value = '']: string[]): boolean => passesSearch(question, value);
    const rows = scopedRows(question, world).filter((row) => isFound(valuesOf(row)));
    const groups = groupBy(rows, (row) => JSON.stringify(valuesOf(row))).map(([key, views]) => {
      const texts = JSON.parse(key) as string[];
      const fields = Object.fromEntries(columns.map(([name], index) => [name, texts[index]]));
      return {
        ...fields,
        ...('country' in fields ? { country_code: fields.country } : {}),
        visitors: visitorsOf(views),
      };
    });
    const names = columns.map(([name]) => name);
    const all = addRows(groups, importedValues(question, world, names), {
      ...{ keys: names, counts: ['visitors'] },
      rowOf: (sums) => valueRow(names, sums),
    }).map((row) => ({ ...row, relative_visitors: Number(row['visitors']) / totalVisitors }));
    return ordered(question, all, ['-visitors', ...names]);
  };
}

/** The sums that a breakdown shows, by the names of its columns; a search tests the first (F-32). */
function importedValues(question: Question, world: World, names: readonly string[]): ModelSum[] {
  const [first = ''] = names;
  const isVersion = names.some((name) => name.endsWith('_version'));
  const dimension = SUM_DIMENSIONS.find((known) => known === first);
  if (isVersion || dimension === undefined || dimension === 'device') return [];
  const sums = sumsOf(question, world, dimension);
  return sums.filter(({ value }) => passesSearch(question, value));
}

function valueRow([first = '', ...around]: readonly string[], sums: readonly ModelSum[]): Row {
  const { value = '', country = '' } = sums[0] ?? {};
  const places = around.map((name) => [name, name === 'country' ? country : '']);
  const fields: Row = { [first]: value, ...Object.fromEntries(places) };
  const code = 'country' in fields ? { country_code: fields['country'] } : {};
  return { ...fields, ...code, visitors: summed(sums, 'visitors') };
}

/** S-54. */
function platform(question: Question, world: World): unknown {
  const rows = scopedRows(question, world);
  const all = atLeastOne(allSharing(question, world));
  const names = ['desktop', 'mobile', 'unknown'] as const;
  const sums = sumsOf(question, world, 'device');
  const counts = names.map((name) => {
    const own = rows.filter((view) => view.session.dimensions.platform === name);
    const imported = sums.filter(({ value }) => platformOf(value) === name);
    return { name, visitors: visitorsOf(own) + summed(imported, 'visitors') };
  });
  return Object.fromEntries(
    counts.flatMap(({ name, visitors }) => [
      [`platform_${name}`, visitors],
      [`relative_platform_${name}`, visitors / all],
    ]),
  );
}

const STATISTICS: Readonly<Record<string, Statistic>> = {
  total,
  visitor,
  growth,
  overview: (question, world) => overview(question, world, visitor(question, world)),
  hours: clock(
    24,
    (timeMs, zone) => localClock(timeMs, zone).hour,
    (hour) => ({ hour }),
  ),
  minutes: clock(
    60,
    (timeMs, zone) => localClock(timeMs, zone).minute,
    (minute) => ({ minute }),
  ),
  'hours/week': clock(168, hourOfWeek, (position) => ({
    weekday: (position - (position % 24)) / 24,
    hour: position % 24,
  })),
  'duration/session': durationSession,
  'duration/page': durationPage,
  page,
  'page/entry': pageEntry,
  'page/exit': pageExit,
  referrer,
  country: values(['country', 'country']),
  region: values(['region', 'region'], ['country', 'country']),
  city: values(['city', 'city'], ['region', 'region'], ['country', 'country']),
  browser: values(['browser', 'browser']),
  'browser/version': values(['browser', 'browser'], ['browser_version', 'browserVersion']),
  os: values(['os', 'os']),
  'os/version': values(['os', 'os'], ['os_version', 'osVersion']),
  language: values(['language', 'language']),
  screen: values(['screen_class', 'screenClass']),
  'utm/source': values(['utm_source', 'utmSource']),
  'utm/medium': values(['utm_medium', 'utmMedium']),
  'utm/campaign': values(['utm_campaign', 'utmCampaign']),
  'utm/content': values(['utm_content', 'utmContent']),
  'utm/term': values(['utm_term', 'utmTerm']),
  channel: values(['channel', 'channel']),
  hostname: values(['hostname', 'hostname']),
  device: values(['device', 'device']),
  platform,
  events,
  'event/page': eventPage,
  'event/meta': eventMeta,
  'event/list': eventList,
  keywords: () => [],
  active,
  tags,
  'tag/details': tagDetails,
  ...OPTIONS,
  'session/list': sessionList,
  'session/details': sessionDetails,
};

/**
 * What the service must answer.
 *
 * @param name such as `page/entry`.
 * @throws Error for a statistic that the oracle does not know yet.
 */
export function answer(
  world: World,
  name: string,
  parameters: RawParameters,
  context: Context,
): unknown {
  const question = (): Question => readQuestion(meant(name, parameters, context), context);
  const { goals: defined = [], steps = [] } = context.conversions ?? {};
  if (name === 'goals') return goals(question(), world, defined);
  if (name === 'funnel') return funnel(question(), world, steps);
  const statistic = STATISTICS[name];
  if (statistic === undefined) throw new Error(`the oracle does not know '${name}'`);
  return statistic(question(), world);
}

/** What is asked by statistics that do not take every parameter. */
function meant(name: string, parameters: RawParameters, context: Context): RawParameters {
  // S-80: active has no range but its window, 600 s unless `start` says otherwise.
  if (name === 'active') return { ...parameters, start: parameters.start ?? 600 };
  if (name !== 'overview') return parameters;
  // S-74: the 7 days up to and including today, in the domain's zone, without filters.
  const today = localDate(context.nowMs, context.timezone);
  return { from: addDays(today, -6), to: today };
}
