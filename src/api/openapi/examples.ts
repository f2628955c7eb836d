/**
 * An example of every body, as the OpenAPI document and the reference page show it.
 *
 * The order is that of a story: what a body names was made by one before it. A test sends all of them
 * and is answered 200 each time (`test/edge/examples.test.ts`).
 */
import type { Endpoint } from '../endpoint.ts';

/** An id that whoever sends the example replaces by one of their own: `goal0000000000000000`. */
export function exampleId(name: string): string {
  return name.padEnd(20, '0');
}

const domain_id = exampleId('domain');
const IDENTIFICATION_CODE = 'code'.padEnd(32, '0');
const VIEW = {
  url: 'https://example.com/pricing?utm_source=newsletter',
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept_language: 'en-GB,en;q=0.9',
  title: 'Pricing',
  referrer: 'https://www.example.org/',
  screen_width: 1920,
  screen_height: 1080,
};
const EVENT = {
  ...{ ...VIEW, event_name: 'Order', event_duration: 12 },
  event_meta: { plan: 'team', seats: 5 },
};
const SESSION = { ip: VIEW.ip, user_agent: VIEW.user_agent };
const TIME = '2026-11-20T09:30:00Z';
const GOAL = {
  ...{ name: 'Orders of teams', event_name: 'Order', event_meta_key: 'plan' },
  ...{ event_meta_value: 'team', visitors: 100, cr: 2.5 },
};
const STEPS = [
  { name: 'Looked', filter: { path: ['/pricing'] } },
  { name: 'Ordered', filter: { event: ['Order'] } },
];
const PASSWORD = 'a horse that reads statistics';

/** Where the example of an endpoint stands. */
export function exampleKeyOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path.replace('/api/v1/', '')}`;
}

/** By method and path below /api/v1/, unless it begins with a slash. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  'POST password/forgot': { email: 'ada@example.com' },
  'POST password/reset': { token: 'token'.padEnd(32, '0'), password: PASSWORD },
  'POST login': { email: 'ada@example.com', password: PASSWORD },
  'PUT user': { full_name: 'Ada Lovelace' },
  'POST user/totp/confirm': { code: '123456' },
  'POST token': {
    client_id: 'clientid'.padEnd(32, '0'),
    client_secret: 'clientsecret'.padEnd(64, '0'),
  },
  'POST organization': { name: 'Example Ltd' },
  'PUT organization': { id: exampleId('organization'), name: 'Example Group' },
  // Themes are made with forms; without an id there is none, or none any more.
  'PUT organization/theme': { organization_id: exampleId('organization'), theme_id: null },
  'POST domain': { hostname: 'example.com', subdomain: 'example', timezone: 'Europe/Berlin' },
  'POST hit': VIEW,
  'POST hit/batch': [{ ...VIEW, time: TIME }],
  'POST event': EVENT,
  'POST event/batch': [{ ...EVENT, time: TIME }],
  'POST session': { ...SESSION, url: VIEW.url },
  'POST session/batch': [{ ...SESSION, url: VIEW.url, time: TIME }],
  'POST /event': {
    ...{ identification_code: IDENTIFICATION_CODE, event_name: 'Order', event_duration: 12 },
    ...{ event_meta: { plan: 'team', seats: 5 }, url: VIEW.url, title: VIEW.title },
  },
  'POST statistics/batch': {
    ...{ id: domain_id, from: '2026-11-01', to: '2026-11-30', country: ['de', 'fr'] },
    queries: [
      { name: 'total' },
      { name: 'visitor', scale: 'week' },
      { name: 'page', sort: 'views', limit: 10 },
      // Of all countries.
      { name: 'country', country: [] },
    ],
  },
  'PUT domain': { id: domain_id },
  'POST domain/hostname': { domain_id, hostname: 'www.example.com' },
  'POST domain/subdomain': { domain_id, subdomain: 'numbers' },
  'POST domain/public': { domain_id },
  'POST access': { subdomain: 'numbers' },
  'POST domain/scripts': { domain_id },
  'POST domain/title': { domain_id },
  'POST domain/active': { domain_id, time: 300 },
  'POST domain/retention': { domain_id, days: 400 },
  'POST domain/timezone': { domain_id, timezone: 'Europe/London' },
  'POST domain/metadata': { domain_id, metadata: { team: 'shop' } },
  'PUT domain/theme': { domain_id, theme_id: null },
  'POST domain/filter': { domain_id, ip_block: ['198.51.100.0/24'], ip_allow: [] },
  'POST domain/custom': { domain_id, hostname: 'stats.example.com' },
  'POST user/favorite': { id: domain_id },
  'POST user/pin': { id: domain_id },
  'POST user/notification': { id: domain_id, kind: 'spike', muted: true },
  'POST domain/link': { domain_id, description: 'For the board' },
  'PUT domain/link': { id: exampleId('link'), description: 'For the board of 2027' },
  'POST domain/alternative': { domain_id, hostname: '*.example.net' },
  'PUT domain/alternative': { id: exampleId('alternative'), hostname: 'shop.example.net' },
  'POST domain/snippet': { domain_id, type: 'page view', exclude: '^/admin' },
  'POST goal': { domain_id, ...GOAL },
  'PUT goal': { id: exampleId('goal'), ...GOAL, visitors: 200 },
  'POST goal/regex': { regex: '(?i)^/blog/[^/]*$', sample: '/blog/hello' },
  'POST funnel': { domain_id, name: 'Orders', steps: STEPS },
  'PUT funnel': { id: exampleId('funnel'), name: 'Orders of a visit', steps: STEPS },
  'POST view': {
    ...{ domain_id, name: 'Newsletter', from: '2026-11-01', to: '2026-11-30' },
    utm_source: ['newsletter'],
  },
  'POST annotation': { domain_id, time: '2026-11-20T12:00:00Z', text: 'Newsletter sent' },
  'PUT annotation': {
    ...{ id: exampleId('annotation'), time: '2026-11-20T12:00:00Z' },
    text: 'Second newsletter sent',
  },
  'POST report': { domain_id, emails: ['board@example.com'], interval: 1, link_to: '' },
  'PUT report': { id: exampleId('report'), interval: 4, link_to: 'public' },
  'POST external/import': {
    ...{ domain_id, property: exampleId('upload'), from: '2025-01-01', to: '2025-12-31' },
  },
  'POST export': {
    ...{ domain_id, what: 'all', format: 'parquet', from: '2026-01-01', to: '2026-11-30' },
  },
  'POST webhook': {
    ...{ domain_id, event: 'Order', endpoint: 'https://hooks.example.com/orders' },
    description: 'Tells the shop',
  },
  'POST webhook/delivery': { id: `${exampleId('webhook')}-17` },
  'POST webhook/test': { id: exampleId('webhook') },
  'PUT traffic/spike': { domain_id },
  'POST traffic/spike': { domain_id, threshold: 500 },
  'PUT traffic/warning': { domain_id },
  'POST traffic/warning': { domain_id, threshold: 3 },
  'POST client': {
    ...{ domain_id, type: 'oauth', description: 'Monthly figures' },
    scope_statistics: 'r',
  },
  'POST organization/domain': { id: exampleId('organization'), domain_id },
  'POST member': { id: domain_id, emails: ['grace@example.com'] },
  'POST invitation': { id: exampleId('invitation') },
  'PUT member': { id: exampleId('member'), role: 'Admin' },
  'POST domain/transfer': { domain_id, email: 'grace@example.com' },
  'PUT domain/transfer': { domain_id },
};
