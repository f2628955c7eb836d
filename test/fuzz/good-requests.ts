/**
 * Good requests to every endpoint: what the fuzzer begins with.
 */
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import type { Stream } from '../torture/random.ts';
import type { Draft } from './draft.ts';
import type { ManagedWorlds } from './managed.ts';

/** What is known of the service that is asked. */
export interface Target {
  readonly domainId: string;
  readonly hostname: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessKey: string;
  readonly identificationCode: string;
  readonly bearers: readonly string[];
  /** Wall clock at the run's start: batches lie before it. */
  readonly startMs: number;
  readonly managed: ManagedWorlds;
}

/** Makes a good request. */
export type Maker = (random: Stream, target: Target) => Draft;

/** Below /api/v1/statistics. */
const READ = [...STATISTICS.map(({ name }) => name), 'live'];

/** Of browsers and a robot. */
export const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
];
const DAY_MS = 86_400_000;
/** Days before the run that batches reach back: every day is a segment that questions open. */
const DAYS_BACK = 12;

const fields = (random: Stream, { hostname }: Target): Record<string, unknown> => ({
  url: `https://${hostname}/page-${random.whole(1, 200)}?utm_source=s${random.whole(1, 9)}`,
  ip: `81.2.${random.whole(0, 255)}.${random.whole(0, 255)}`,
  user_agent: random.pick(AGENTS),
  accept_language: random.pick(['de-DE,de;q=0.9', 'en', '']),
  sec_ch_ua: '"Chromium";v="126", "Not-A.Brand";v="99"',
  title: `Page ${random.whole(1, 200)}`,
  referrer: random.pick(['https://www.google.com/', 'https://news.example/a', '']),
  screen_width: random.whole(300, 3_000),
  tags: { author: `a${random.whole(1, 5)}` },
});

const eventFields = (random: Stream, target: Target): Record<string, unknown> => ({
  ...fields(random, target),
  event_name: `event ${random.whole(1, 9)}`,
  event_duration: random.whole(0, 100),
  event_meta: {
    plan: random.pick(['free', 'pro']),
    price: random.whole(0, 9_999) / 100,
    paid: true,
  },
  non_interactive: random.chance(0.2),
});

const aliveFields = (random: Stream, target: Target): Record<string, unknown> => {
  const { ip, user_agent } = fields(random, target);
  return { ip, user_agent };
};

const draft = (method: string, path: string, target: Target): Draft => ({
  ...{ method, path, query: [], body: undefined, headers: [] },
  bearer: target.bearers[0] ?? '',
});

function collecting(name: string, make: (random: Stream, target: Target) => unknown): Maker[] {
  const single: Maker = (random, target) => ({
    ...draft('POST', `/api/v1/${name}`, target),
    body: make(random, target),
    bearer: random.pick([...target.bearers, target.accessKey]),
  });
  const batch: Maker = (random, target) => {
    const timeMs = target.startMs - random.whole(0, DAYS_BACK * DAY_MS);
    const items = Array.from({ length: random.whole(0, 8) }, (_, index) => ({
      ...(make(random, target) as object),
      time: new Date(timeMs + index * 1_000).toISOString(),
    }));
    return { ...single(random, target), path: `/api/v1/${name}/batch`, body: items };
  };
  return [single, batch];
}

const STATISTIC: Maker = (random, target) => {
  const day = (back: number): string =>
    new Date(target.startMs - back * DAY_MS).toISOString().slice(0, 10);
  const from = random.whole(0, DAYS_BACK);
  const query: [string, string][] = [
    ['id', target.domainId],
    ['from', day(from)],
    ['to', day(random.whole(0, from))],
  ];
  for (const [name, value] of OPTIONAL) {
    if (random.chance(0.06)) query.push([name, value]);
  }
  const name = random.pick(READ);
  return { ...draft('GET', `/api/v1/statistics/${name}`, target), query };
};

const OPTIONAL: readonly [string, string][] = [
  ...([
    ['tz', 'Europe/Berlin'],
    ['scale', 'week'],
    ['path', '/page-1'],
    ['entry_path', '~page'],
    ['pattern', '^/page-[0-9]+$'],
    ['event', 'event 1'],
    ['event_meta_key', 'plan'],
    ['meta_plan', 'pro'],
    ['tag_author', 'a1'],
    ['country', 'gb'],
    ['browser', 'Chrome'],
    ['search', 'page'],
    ['sort', 'visitors'],
    ['direction', 'asc'],
    ['offset', '5'],
    ['limit', '10'],
    ['start', '600'],
    ['include_avg_time_on_page', 'true'],
    ['custom_metric_key', 'price'],
    ['custom_metric_type', 'float'],
    ['funnel_id', 'none'],
    ['visitor_id', '1'],
    ['session_id', '1'],
    ['from_time', '09:00'],
    ['to_time', '17:00'],
  ] as [string, string][]),
];

const goal: Maker = (random, target) => ({
  ...draft('POST', '/api/v1/goal', target),
  body: {
    domain_id: target.domainId,
    name: `goal ${random.whole(1, 1_000)}`,
    path_pattern: '/page-*',
    event_name: random.pick(['', 'event 1']),
    visitors: random.whole(0, 100),
    cr: 0.5,
  },
});

const funnel: Maker = (random, target) => ({
  ...draft(random.pick(['POST', 'PUT']), '/api/v1/funnel', target),
  body: {
    ...{ id: 'none', domain_id: target.domainId, name: `funnel ${random.whole(1, 1_000)}` },
    steps: [
      { name: 'one', filter: { path: ['/page-1'] } },
      { name: 'two', filter: { event: ['event 1'] } },
    ],
  },
});

const reading = (method: string, path: string): Maker => {
  return (_, target) => ({ ...draft(method, path, target), query: [['id', target.domainId]] });
};

const token: Maker = (_, target) => ({
  ...draft('POST', '/api/v1/token', target),
  body: { client_id: target.clientId, client_secret: target.clientSecret },
});

/** A deletion of a day long ago, so that data remain. */
const erasure: Maker = (random, target) => ({
  ...draft('DELETE', '/api/v1/statistics', target),
  query: [
    ['id', target.domainId],
    ['kind', random.pick(['', 'all', 'events', 'imported'])],
    ...([
      ['from', '2020-01-01'],
      ['to', '2020-01-02'],
    ] as [string, string][]),
  ],
});

/** Whatever is managed, by any caller. */
export const managed: Maker = (random, target) => target.managed.draft(random);

/** Makers by how often they come. */
export type Makers = readonly (readonly [weight: number, maker: Maker])[];

/** What programs send. */
export const COLLECTING_AND_READING: Makers = [
  ...collecting('hit', fields).map((maker) => [8, maker] as const),
  ...collecting('event', eventFields).map((maker) => [8, maker] as const),
  ...collecting('session', aliveFields).map((maker) => [4, maker] as const),
  [30, STATISTIC],
  [3, goal],
  [3, funnel],
  [3, token],
  [2, erasure],
  ...['/api/v1/domain', '/api/v1/goal', '/api/v1/funnel', '/', '/livez', '/readyz'].map(
    (path) => [2, reading('GET', path)] as const,
  ),
  [1, reading('DELETE', '/api/v1/funnel')],
];
