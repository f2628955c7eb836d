/** The table's rows of goals, funnels, views, reports, webhooks, notifications, of the audit and the ledger. */
import {
  CHANGE,
  LOOK_UP,
  ORGANIZATION_OWNER,
  READ,
  READ_AS_ADMIN,
  READ_ORGANIZATION,
  type Row,
  VIEWER,
} from './row.ts';
import type { World } from './world.ts';

type Extra = Readonly<Record<string, unknown>>;

const domainQuery = ({ domain }: World) => ({ domain_id: domain });
const idQuery = ({ domain }: World) => ({ id: domain });
const onDomain = (extra: Extra = {}) => {
  return ({ domain }: World) => ({ domain_id: domain, ...extra });
};

const GOAL = { name: 'Bought', path_pattern: '/thanks', visitors: 10, cr: 0.5 };
const STEPS = ['/a', '/b'].map((path) => ({ name: path, filter: { path: [path] } }));

const conversions: readonly Row[] = [
  { ...READ, at: 'GET goal', query: idQuery },
  { ...CHANGE, at: 'POST goal', body: onDomain(GOAL) },
  { ...CHANGE, at: 'PUT goal', body: (world) => ({ ...onDomain(GOAL)(world), id: world.goal }) },
  { ...CHANGE, at: 'DELETE goal', query: ({ goal }) => ({ id: goal }) },
  { ...LOOK_UP, at: 'POST goal/regex', body: () => ({ regex: '^/a', sample: '/abc' }) },
  { ...CHANGE, at: 'POST funnel', body: onDomain({ name: 'Sale', steps: STEPS }) },
  {
    ...{ ...CHANGE, at: 'PUT funnel' },
    body: ({ domain, funnel }) => ({ id: funnel, domain_id: domain, name: 'New', steps: STEPS }),
  },
  { ...CHANGE, at: 'DELETE funnel', query: ({ funnel }) => ({ id: funnel }) },
];

/**
 * A view of one's own needs no more than to read; of another's an Admin's right to change (M-3, M-61).
 * A domain client is nobody whose own a view could be.
 */
const OWN_VIEW: Omit<Row, 'at'> = {
  ...{ who: 'user, domain client', scopes: ['domains w', 'statistics r'], people: VIEWER },
  clientScopes: ['domains w'],
};
const VIEW = { name: 'Berlin', from: '2026-11-01', to: '2026-11-02', city: '!Berlin' };

const views: readonly Row[] = [
  { ...READ, at: 'GET view', query: domainQuery },
  { ...OWN_VIEW, at: 'POST view', how: 'of ones own', body: onDomain(VIEW) },
  {
    ...{ ...OWN_VIEW, at: 'POST view', how: 'that one has made' },
    body: (world, own) => ({ ...onDomain(VIEW)(world), id: own.view }),
  },
  {
    ...{ ...CHANGE, at: 'POST view', how: 'that another has made', isSeenFirst: true },
    body: (world) => ({ ...onDomain(VIEW)(world), id: world.view }),
  },
  {
    ...{ ...OWN_VIEW, at: 'DELETE view', how: 'that one has made' },
    query: (_, own) => ({ id: own.view }),
  },
  {
    ...{ ...CHANGE, at: 'DELETE view', how: 'that another has made', isSeenFirst: true },
    query: ({ view }) => ({ id: view }),
  },
];

const NOTE = { time: '2026-11-20T12:00:00Z', text: 'Newsletter sent' };

const annotations: readonly Row[] = [
  { ...READ, at: 'GET annotation', query: domainQuery },
  { ...CHANGE, at: 'POST annotation', body: onDomain(NOTE) },
  {
    ...{ ...CHANGE, at: 'PUT annotation' },
    body: ({ annotation }) => ({ id: annotation, ...NOTE, text: 'Sent again' }),
  },
  { ...CHANGE, at: 'DELETE annotation', query: ({ annotation }) => ({ id: annotation }) },
];

const reports: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET report', query: idQuery },
  {
    ...{ ...CHANGE, at: 'POST report' },
    body: onDomain({ emails: ['a@example.org', 'b@example.org'], interval: 1, link_to: '' }),
  },
  {
    ...{ ...CHANGE, at: 'PUT report' },
    body: ({ report }) => ({ id: report, interval: 4, link_to: 'dashboard' }),
  },
  { ...CHANGE, at: 'DELETE report', query: ({ report }) => ({ id: report }) },
];

const HOOK = { description: 'shop', event: 'sold', endpoint: 'https://hooks.example.org/a' };

const webhooks: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET webhook', query: domainQuery },
  { ...CHANGE, at: 'POST webhook', body: onDomain(HOOK) },
  {
    ...{ ...CHANGE, at: 'POST webhook', how: 'that is there' },
    body: (world) => ({ ...onDomain(HOOK)(world), id: world.webhook }),
  },
  { ...CHANGE, at: 'DELETE webhook', query: ({ webhook }) => ({ id: webhook }) },
  { ...READ_AS_ADMIN, at: 'GET webhook/delivery', query: ({ webhook }) => ({ id: webhook }) },
  { ...CHANGE, at: 'POST webhook/delivery', body: ({ webhook }) => ({ id: `${webhook}-1` }) },
  { ...CHANGE, at: 'POST webhook/test', body: ({ webhook }) => ({ id: webhook }) },
];

const traffic: readonly Row[] = [
  { ...CHANGE, at: 'PUT traffic/spike', body: onDomain() },
  { ...CHANGE, at: 'POST traffic/spike', body: onDomain({ threshold: 100 }) },
  { ...CHANGE, at: 'PUT traffic/warning', body: onDomain() },
  { ...CHANGE, at: 'POST traffic/warning', body: onDomain({ threshold: 7 }) },
];

const audit: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET audit', how: 'of a domain', query: domainQuery },
  { ...READ_AS_ADMIN, at: 'GET ledger', query: idQuery },
  { ...READ_AS_ADMIN, at: 'GET ledger/bots', query: idQuery },
  {
    ...{ ...READ_ORGANIZATION, at: 'GET audit', how: 'of an organization' },
    ...{ who: 'user, domain client', people: ORGANIZATION_OWNER },
    // It sees no organization, also not that of its domain.
    ...{ clientScopes: ['domains r'], domainClient: 404 },
    query: ({ organization }) => ({ organization_id: organization }),
  },
];

export const RECORD_ROWS: readonly Row[] = [
  ...[...conversions, ...views, ...annotations, ...reports, ...webhooks, ...traffic, ...audit],
];
