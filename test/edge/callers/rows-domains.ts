/** The table's rows of domains and what belongs to them. */
import {
  AS_OWNER,
  CHANGE,
  ITSELF,
  LOOK_UP,
  NOBODY_SEES,
  ORGANIZATION_ADMIN,
  OWN_DOMAINS,
  READ,
  READ_AS_ADMIN,
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

/** That a code is wrong for another domain is said of ids only (M-20). */
const NOT_BY_ID = null;

const reading: readonly Row[] = [
  { ...READ, at: 'GET domain', how: 'all', people: { ...VIEWER, stranger: 200 } },
  { ...READ, at: 'GET domain', how: 'by id', query: idQuery },
  {
    ...{ ...READ, at: 'GET domain', how: 'by subdomain' },
    query: ({ subdomain }) => ({ subdomain }),
    otherCode: NOT_BY_ID,
  },
  {
    ...{ ...READ, at: 'GET domain', how: 'by custom hostname' },
    query: ({ customHostname }) => ({ domain: customHostname }),
    otherCode: NOT_BY_ID,
  },
  { ...LOOK_UP, at: 'GET domain/custom', query: () => ({ domain: 'free.test' }) },
];

const making: readonly Row[] = [
  {
    ...{ ...OWN_DOMAINS, at: 'POST domain' },
    body: () => ({ hostname: 'made.test', subdomain: '', timezone: 'Europe/Berlin' }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'POST domain', how: 'in an organization', people: ORGANIZATION_ADMIN },
    body: ({ organization }) => ({ hostname: 'made.test', organization_id: organization }),
  },
  { ...AS_OWNER, at: 'DELETE domain', query: idQuery },
  { ...CHANGE, at: 'PUT domain', body: ({ domain }) => ({ id: domain }) },
];

const changing: readonly Row[] = [
  ['hostname', { hostname: 'moved.test' }] as const,
  ['public', {}] as const,
  ['scripts', {}] as const,
  ['title', {}] as const,
  ['active', { time: 300 }] as const,
  ['retention', { days: 400 }] as const,
  ['timezone', { timezone: 'Asia/Kolkata' }] as const,
  ['metadata', { metadata: { team: 'a' } }] as const,
  ['filter', { ip_block: ['192.0.2.0/24'], ip_allow: [] }] as const,
].map(([name, extra]) => ({ ...CHANGE, at: `POST domain/${name}`, body: onDomain(extra) }));

/** No two dashboards have them. */
const naming: readonly Row[] = [
  {
    ...{ ...CHANGE, at: 'POST domain/subdomain' },
    body: ({ domain, number }) => ({ domain_id: domain, subdomain: `moved-${number}` }),
  },
  {
    ...{ ...CHANGE, at: 'POST domain/custom' },
    body: ({ domain, number }) => ({ domain_id: domain, hostname: `stats-${number}.moved.test` }),
  },
];

const transfer: readonly Row[] = [
  {
    ...{ ...AS_OWNER, at: 'POST domain/transfer' },
    body: (world, own) => onDomain({ email: own.other.email })(world),
  },
  { ...AS_OWNER, at: 'DELETE domain/transfer', query: domainQuery },
  { ...OWN_DOMAINS, at: 'GET domain/transfer', scopes: ['domains r'] },
  {
    ...{ ...OWN_DOMAINS, at: 'PUT domain/transfer', how: 'of what is offered to the caller' },
    body: (_, own) => ({ domain_id: own.offered }),
  },
  {
    ...{ ...OWN_DOMAINS, at: 'PUT domain/transfer', how: 'of what is offered to another' },
    ...{ people: { ...VIEWER, ...allForbidden() }, body: onDomain() },
  },
];

/** Who sees the domain is told that it is not offered to them; a stranger hears of no domain (M-4). */
function allForbidden() {
  const seen = ['owner', 'admin', 'viewer', 'orgOwner', 'orgAdmin', 'orgViewer'] as const;
  return Object.fromEntries(seen.map((person) => [person, 403 as const]));
}

const ofUsers: readonly Row[] = [
  { ...ITSELF, at: 'POST user/favorite', people: VIEWER, body: ({ domain }) => ({ id: domain }) },
  { ...ITSELF, at: 'POST user/pin', people: VIEWER, body: ({ domain }) => ({ id: domain }) },
  {
    ...{ ...ITSELF, at: 'POST user/notification', people: VIEWER },
    body: ({ domain }) => ({ id: domain, kind: 'goal', muted: true }),
  },
  { ...ITSELF, at: 'GET user/notification' },
];

const links: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET domain/link', query: domainQuery },
  { ...CHANGE, at: 'POST domain/link', body: onDomain({ description: 'for the press' }) },
  { ...CHANGE, at: 'PUT domain/link', body: ({ link }) => ({ id: link, description: 'other' }) },
  { ...CHANGE, at: 'DELETE domain/link', query: ({ link }) => ({ id: link }) },
];

const alternatives: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET domain/alternative', query: domainQuery },
  { ...CHANGE, at: 'POST domain/alternative', body: onDomain({ hostname: '*.shop.test' }) },
  {
    ...{ ...CHANGE, at: 'PUT domain/alternative' },
    body: ({ alternative }) => ({ id: alternative, hostname: 'other.shop.test' }),
  },
  { ...CHANGE, at: 'DELETE domain/alternative', query: ({ alternative }) => ({ id: alternative }) },
];

const snippets: readonly Row[] = [
  {
    ...{ ...READ_AS_ADMIN, at: 'GET domain/snippet' },
    query: ({ domain }) => ({ domain_id: domain, type: 'page view' }),
  },
  {
    ...{ ...CHANGE, at: 'POST domain/snippet' },
    body: onDomain({
      ...{ type: 'event', dev: true, include: '/a,/b', exclude: '' },
      ...{ domains: '', endpoint: '', sample: '' },
    }),
  },
];

const themes: readonly Row[] = [
  { ...CHANGE, at: 'PUT domain/theme', body: onDomain({ theme_id: '' }) },
  {
    ...{ ...CHANGE, at: 'POST domain/theme' },
    form: (world) => [
      {
        name: 'data',
        content: JSON.stringify(onDomain({ settings: { color: '#123456' } })(world)),
      },
    ],
  },
];

const imports: readonly Row[] = [
  { ...READ_AS_ADMIN, at: 'GET external/keywords', query: domainQuery },
  {
    ...{ ...CHANGE, at: 'POST external/upload', query: domainQuery, body: () => 'a' },
    headers: { 'x-filename': 'a.csv' },
  },
  { ...READ_AS_ADMIN, at: 'GET external/import/profile', query: domainQuery },
  {
    ...{ ...CHANGE, at: 'POST external/import', unseen: ['domain'] },
    body: ({ domain, upload }) => ({ domain_id: domain, property: upload }),
  },
  { ...READ_AS_ADMIN, at: 'GET external/import', query: domainQuery },
  { ...READ_AS_ADMIN, at: 'GET external/import/job', query: domainQuery },
  { ...CHANGE, at: 'DELETE external/import/job', query: domainQuery },
];

const exported = ({ exportJob }: World) => ({ id: exportJob });

const exports: readonly Row[] = [
  { ...CHANGE, at: 'POST export', body: onDomain({ what: 'views', format: 'ndjson' }) },
  { ...READ_AS_ADMIN, at: 'GET export', query: ({ domain }) => ({ id: domain }) },
  {
    ...{ ...READ_AS_ADMIN, at: 'GET export/file' },
    query: (world) => ({ ...exported(world), name: 'manifest.json' }),
  },
  { ...CHANGE, at: 'DELETE export', query: exported },
];

/** Whoever is not on the domain at all cannot name what is another's either. */
const foreign: readonly Row[] = [
  {
    ...{ ...READ, at: 'GET domain', how: 'of a domain that is not there', people: NOBODY_SEES },
    ...{ query: () => ({ id: 'none' }), domainClient: 404, code: 401 },
  },
  {
    ...{ ...CHANGE, at: 'POST domain/public', how: 'of a domain that is not there' },
    ...{ people: NOBODY_SEES, body: () => ({ domain_id: 'none' }), domainClient: 404 },
  },
];

export const DOMAIN_ROWS: readonly Row[] = [
  ...[...reading, ...making, ...changing, ...naming, ...transfer, ...ofUsers],
  ...[...links, ...alternatives, ...snippets, ...themes, ...imports],
  ...[...exports, ...foreign],
];
