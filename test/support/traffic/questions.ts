/**
 * Random statistics questions about a scenario: names, ranges, zones, filters, order and paging.
 */
import fc from 'fast-check';
import type { RawParameters } from '../oracle/answers/question.ts';
import { addDays, localClock, localDate } from '../oracle/zone.ts';
import { type FilterValues, filters } from './question-filters.ts';
import { SCENES, type Scenario } from './scenario.ts';

const MINUTE_MS = 60_000;

/** The statistics that are compared, with the fields they can be sorted by. */
export const SORT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  total: [],
  visitor: [],
  growth: [],
  hours: [],
  'hours/week': [],
  minutes: [],
  'duration/session': [],
  'duration/page': [],
  platform: [],
  // Its order hangs on ids, so it is asked whole.
  'session/list': [],
  page: [
    ...['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'],
    ...['relative_visitors', 'relative_views', 'average_time_spent_seconds'],
  ],
  'page/entry': [
    ...['path', 'title', 'visitors', 'sessions', 'entries', 'entry_rate'],
    'average_time_spent_seconds',
  ],
  'page/exit': ['path', 'title', 'visitors', 'sessions', 'exits', 'exit_rate'],
  referrer: [
    ...['referrer', 'referrer_name', 'referrer_icon', 'visitors', 'sessions', 'bounces'],
    ...['bounce_rate', 'relative_visitors'],
  ],
  country: ['country', 'country_code', 'visitors', 'relative_visitors'],
  browser: ['browser', 'visitors', 'relative_visitors'],
  os: ['os', 'visitors', 'relative_visitors'],
  language: ['language', 'visitors', 'relative_visitors'],
  screen: ['screen_class', 'visitors', 'relative_visitors'],
  region: ['region', 'country', 'country_code', 'visitors', 'relative_visitors'],
  city: ['city', 'region', 'country', 'country_code', 'visitors', 'relative_visitors'],
  'browser/version': ['browser', 'browser_version', 'visitors', 'relative_visitors'],
  'os/version': ['os', 'os_version', 'visitors', 'relative_visitors'],
  'utm/source': ['utm_source', 'visitors', 'relative_visitors'],
  'utm/medium': ['utm_medium', 'visitors', 'relative_visitors'],
  'utm/campaign': ['utm_campaign', 'visitors', 'relative_visitors'],
  'utm/content': ['utm_content', 'visitors', 'relative_visitors'],
  'utm/term': ['utm_term', 'visitors', 'relative_visitors'],
  channel: ['channel', 'visitors', 'relative_visitors'],
  hostname: ['hostname', 'visitors', 'relative_visitors'],
  device: ['device', 'visitors', 'relative_visitors'],
  events: ['name', 'count', 'visitors', 'views', 'cr', 'average_duration_seconds'],
  'event/page': [
    ...['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'],
    ...['relative_visitors', 'relative_views', 'average_time_spent_seconds'],
  ],
  'event/meta': [
    ...['meta_value', 'name', 'count', 'visitors', 'views', 'cr'],
    'average_duration_seconds',
  ],
  'event/list': ['name', 'visitors', 'count'],
  goals: ['name', 'visitors', 'views', 'cr', 'custom_metric_avg', 'custom_metric_total'],
  funnel: [],
  tags: ['key', 'visitors', 'views', 'relative_visitors', 'relative_views'],
  'tag/details': ['key', 'value', 'visitors', 'views', 'relative_visitors', 'relative_views'],
};

/** Options cannot be sorted; they are asked with a search (S-95). */
export const OPTION_KINDS: readonly string[] = [
  ...['page', 'event', 'metadata', 'tag', 'tag/value', 'referrer', 'referrer/name', 'channel'],
  ...['country', 'region', 'city', 'language', 'hostname', 'device'],
  ...['source', 'medium', 'campaign', 'content', 'term'].map((field) => `utm/${field}`),
];
const OPTIONS = OPTION_KINDS.map((kind) => `options/${kind}`);
const NAMES = Object.keys(SORT_FIELDS);
/** Fewer of the many options. */
const NAME = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...OPTIONS) },
  // Each has many conditions of its own.
  { weight: 1, arbitrary: fc.constantFrom('goals', 'funnel') },
);

/** Filters without which a statistic is empty (S-66); a random filter of the name joins them. */
const NEEDED: Readonly<Record<string, Ask['filters']>> = {
  'tag/details': [['tag', ['k']]],
  'event/page': [['event', ['!none']]],
  'event/meta': [
    ['event', ['!none']],
    ['event_meta_key', ['k']],
  ],
};

/** Filters that are worth more questions: only events say which hours count (S-25). */
const OFTEN: Readonly<Record<string, Ask['filters']>> = {
  hours: [['event', ['order', 'scroll']]],
  'hours/week': [['event', ['order', 'scroll']]],
  minutes: [['event', ['order', 'scroll']]],
};

export interface Ask {
  name: string;
  search: string;
  /** Days after the scene's date. */
  fromDay: number;
  toDay: number;
  /** `from_time` and `to_time`, '' is none (F-5). */
  times: readonly [string, string];
  /** Instead: a window of one day around two hits, by their places in the traffic; null is none. */
  window: { hits: readonly [number, number]; minutes: readonly [number, number] } | null;
  /** Sends timestamps instead of dates (F-1). */
  hasTimestamps: boolean;
  /** A zone, or an index into the scene's; −1 leaves `tz` out. */
  zone: number | string;
  scale: string;
  filters: readonly FilterValues[];
  /** Key and type of a custom metric, '' is none (S-8). */
  metric: readonly [string, string];
  /** Which session of the range is asked for alone; −1 is none, −2 sends half of its ids (F-31). */
  session: number;
  includesTime: boolean;
  includesTitle: string;
  sort: number;
  direction: string;
  limit: string;
  offset: string;
}

/** Days after the scene's date: around it, or years from it but within five of each other (F-3). */
const DAYS: fc.Arbitrary<Pick<Ask, 'fromDay' | 'toDay'>> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      fromDay: fc.integer({ min: -1, max: 4 }),
      toDay: fc.integer({ min: -1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: -1_826, max: 1 }), fc.constantFrom(0, 27, 366, 1_461, 1_826))
      .map(([fromDay, length]) => ({ fromDay, toDay: fromDay + length })),
  },
);

const CLOCK = fc.constantFrom(
  ...['', '00:00', '00:30', '01:30', '02:00', '02:15', '02:30', '03:00', '05:45', '09:07'],
  ...['12:00', '18:44', '22:59', '23:00', '23:30', '23:59'],
);

/** Every zone of the platform, quarter hours and half-hour clock changes among them (F-4). */
const ZONES = Intl.supportedValuesOf('timeZone');

/** Questions on any scenario. */
export function asks(): fc.Arbitrary<Ask> {
  const none = <Value>(value: Value): { weight: number; arbitrary: fc.Arbitrary<Value> } => ({
    weight: 5,
    arbitrary: fc.constant(value),
  });
  const others = fc.record({
    name: NAME,
    search: fc.oneof(none(''), fc.constantFrom('o', '/A', '!e', ' ', '1', '!', 'L', '!/', 'ü')),
    times: fc.oneof(none<Ask['times']>(['', '']), fc.tuple(CLOCK, CLOCK)),
    window: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Ask['window']>(null) },
      fc.record({
        hits: fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })),
        minutes: fc.tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 })),
      }),
    ),
    hasTimestamps: fc.oneof(none(false), fc.constant(true)),
    zone: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: -1, max: 6 }) },
      fc.constantFrom(...ZONES),
    ),
    scale: fc.constantFrom('', '', 'day', 'week', 'month', 'year', 'decade'),
    filters: filters(),
    metric: fc.oneof(
      none<Ask['metric']>(['', '']),
      fc.tuple(fc.constantFrom('k', 'K', 'l', ''), fc.constantFrom('integer', 'float', 'complex')),
    ),
    session: fc.oneof({ weight: 12, arbitrary: fc.constant(-1) }, fc.integer({ min: -2, max: 9 })),
    includesTime: fc.boolean(),
    includesTitle: fc.constantFrom('', '', 'true', '1', 'false', '0', 'maybe'),
    sort: fc.integer({ min: -6, max: 9 }),
    direction: fc.constantFrom('', 'asc', 'desc', 'ASC', 'sideways'),
    limit: fc.constantFrom('', '', '', '1', '3', '0', '-1', '101', 'many'),
    offset: fc.constantFrom('', '', '', '1', '2', '-1', 'x'),
  });
  return fc.tuple(DAYS, others).map(([days, rest]) => {
    const isOfOneDay = rest.times.some((time) => time !== '') && rest.sort % 3 !== 0;
    return { ...rest, ...days, ...(isOfOneDay ? { toDay: days.fromDay } : {}) };
  });
}

/** F-5: from the minute of one hit to that of another, or a minute beside, on the first one's date. */
function windowOf(
  { window }: Ask,
  zone: string,
  timesMs: readonly number[],
): Record<string, string> {
  if (window === null || timesMs.length === 0) return {};
  const [first = 0, last = 0] = window.hits.map((hit, end) => {
    const timeMs = timesMs[hit % timesMs.length] ?? 0;
    return timeMs + (window.minutes[end] ?? 0) * MINUTE_MS;
  });
  const [from_time, to_time] = [first, last].map((timeMs) => {
    const { hour, minute } = localClock(timeMs, zone);
    return [hour, minute].map((hand) => String(hand).padStart(2, '0')).join(':');
  }) as [string, string];
  const date = localDate(first, zone);
  return { from: date, to: date, from_time, to_time };
}

/**
 * The parameters of a question about a scenario, without those of a single session.
 *
 * @param timesMs of the scenario's hits.
 */
export function parametersOf(
  ask: Ask,
  scenario: Pick<Scenario, 'scene'>,
  timesMs: readonly number[],
): RawParameters {
  const scene = SCENES[scenario.scene] as (typeof SCENES)[number];
  const clock = ask.hasTimestamps ? 'T23:59:59.999Z' : '';
  const parameters: Record<string, string | readonly string[]> = {
    from: addDays(scene.date, ask.fromDay) + clock,
    to: addDays(scene.date, ask.toDay) + clock,
  };
  const needed = [
    ...(NEEDED[ask.name] ?? []),
    ...(ask.includesTime ? (OFTEN[ask.name] ?? []) : []),
  ];
  for (const [name, values] of [...needed, ...ask.filters]) {
    const earlier = parameters[name];
    parameters[name] = Array.isArray(earlier) ? [...earlier, ...values] : values;
  }
  const fields = SORT_FIELDS[ask.name] ?? [];
  // The order of sessions hangs on ids that only the service has, so they are asked for whole.
  const isCut = ask.name !== 'session/list';
  const sent: Record<string, string | undefined> = {
    tz: typeof ask.zone === 'string' ? ask.zone : scene.zones[ask.zone],
    from_time: ask.times[0],
    to_time: ask.times[1],
    scale: ask.scale,
    custom_metric_key: ask.metric[0],
    custom_metric_type: ask.metric[1],
    visitor_id: ask.session === -2 ? '1' : '',
    include_avg_time_on_page: ask.includesTime ? 'true' : '',
    include_title: ask.includesTitle,
    search: ask.search,
    sort: isCut ? (fields[ask.sort] ?? (ask.sort === -2 ? 'meta_keys' : '')) : '',
    direction: isCut ? ask.direction : '',
    limit: isCut ? ask.limit : '',
    offset: isCut ? ask.offset : '',
  };
  Object.assign(sent, windowOf(ask, sent.tz ?? 'UTC', timesMs));
  for (const [name, value] of Object.entries(sent)) {
    if (value !== undefined && value !== '') parameters[name] = value;
  }
  return parameters;
}
