/** The table's rows of statistics, options and billing. */
import { BILLING, CHANGE, READ, type Row, STATISTIC } from './row.ts';
import type { World } from './world.ts';

const OPTIONS = [
  ...['referrer/name', 'page', 'referrer', 'event', 'country', 'city', 'language', 'metadata'],
  ...['utm/source', 'utm/medium', 'utm/campaign', 'utm/content', 'utm/term', 'tag', 'tag/value'],
  // Ours, as are those at the end of the next list.
  ...['region', 'channel', 'device', 'hostname'],
].map((name) => `options/${name}`);

const NAMES = [
  ...['duration/session', 'duration/page', 'total', 'visitor', 'page', 'page/entry', 'page/exit'],
  ...['utm/source', 'utm/medium', 'utm/campaign', 'utm/content', 'utm/term'],
  ...['event/page', 'goals', 'events', 'event/meta', 'event/list', 'growth', 'active', 'hours'],
  ...['minutes', 'language', 'referrer', 'os', 'browser', 'browser/version', 'country', 'city'],
  ...['platform', 'screen', 'tags', 'tag/details', 'session/list', 'session/details', 'keywords'],
  ...['region', 'channel', 'device', 'hostname', 'os/version', 'hours/week'],
];

/** What a statistic needs beside a domain and a range. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'options/tag/value': { tag: 'author' },
  'event/page': { event: 'sign up' },
  'event/meta': { event: 'sign up', event_meta_key: 'plan' },
  'session/details': { visitor_id: '1', session_id: '1' },
};

/** Of a funnel that is not saved. */
const STEPS = JSON.stringify(['/a', '/b'].map((path) => ({ filter: { path } })));
const RANGE = { from: '2026-11-01', to: '2026-11-02' };

export const STATISTIC_ROWS: readonly Row[] = [
  ...[...OPTIONS, ...NAMES].map((name) => ({
    ...STATISTIC,
    at: `GET statistics/${name}`,
    query: ({ domain }: World) => ({ id: domain, ...RANGE, ...NEEDED[name] }),
  })),
  {
    ...{ ...STATISTIC, at: 'POST statistics/batch' },
    body: ({ domain }) => ({ id: domain, ...RANGE, queries: [{ name: 'total' }] }),
  },
  { ...STATISTIC, at: 'GET statistics/live', query: ({ domain }) => ({ id: domain }) },
  { ...STATISTIC, at: 'GET statistics/overview', query: ({ domain }) => ({ id: domain }) },
  ...['statistics/funnel', '/api/v1//api/v1/statistics/funnel'].map((path) => ({
    ...{ ...STATISTIC, at: `GET ${path}` },
    query: ({ domain, funnel }: World) => ({ id: domain, funnel_id: funnel, ...RANGE }),
  })),
  {
    ...{ ...STATISTIC, at: 'GET statistics/funnel', how: 'that is not saved' },
    query: ({ domain }) => ({ id: domain, steps: STEPS, ...RANGE }),
  },
  {
    ...{ ...CHANGE, at: 'DELETE statistics' },
    query: ({ domain }) => ({ id: domain, kind: 'events', ...RANGE }),
  },
  {
    ...{ ...CHANGE, at: 'POST external/keywords' },
    query: ({ domain }) => ({ domain_id: domain }),
    body: () => 'date,query,clicks,impressions,ctr,position\n2026-11-01,shoes,1,2,50%,3\n',
  },
  {
    ...{ ...CHANGE, at: 'DELETE external/keywords' },
    query: ({ domain }) => ({ domain_id: domain }),
  },
  { ...BILLING, at: 'GET billing' },
  { ...BILLING, at: 'GET billing', how: 'of a range', query: () => RANGE },
  { ...READ, at: 'GET funnel', query: ({ domain }) => ({ id: domain }) },
  { ...READ, at: 'GET /api/v1//api/v1/funnel', query: ({ domain }) => ({ id: domain }) },
];
