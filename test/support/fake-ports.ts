/**
 * Ports for tests of the endpoints and the edge: one account with two domains, one clock that
 * stands, and everything that leaves the endpoints kept for inspection.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ports } from '../../src/api/ports.ts';
import type { Look } from '../../src/control/descriptor/resource.ts';
import type { Domain } from '../../src/control/resources/domain.ts';
import { Uploads } from '../../src/imports/uploads.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import type { ExportParts, ImportParts } from '../../src/jobs/job.ts';
import type { SiteNumbers } from '../../src/jobs/site-numbers.ts';
import { createHit } from '../../src/model/blank-hit.ts';
import type { Credential } from '../../src/model/credential.ts';
import { dropReason } from '../../src/model/drop-reasons.ts';
import type { Erasure } from '../../src/model/erasure.ts';
import { errors } from '../../src/model/errors.ts';
import type { HitGroup } from '../../src/model/hit.ts';
import { type Role, SCOPE_AREAS, type Scope, type Scopes } from '../../src/model/rights.ts';
import type { StatisticsQuery } from '../../src/query/question/request.ts';

/** Imports of nobody. */
export const NO_IMPORTS: ImportParts = {
  dataDir: join(tmpdir(), 'footfall-fake-ports'),
  read: async () => true,
  hasOwnKeys: false,
  log: {
    submit: (_, done) => done(null),
    submitErasure: (_, done) => done(null),
    submitImport: (_, done) => done(null),
  },
  backlogBytes: () => 0,
  firstRowMs: async () => null,
  isStopping: () => false,
};

/** Exports of nobody. */
export const NO_EXPORTS: ExportParts = {
  ...{ dataDir: join(tmpdir(), 'footfall-fake-ports'), place: '' },
  write: () => Promise.resolve(null),
  isStopping: () => false,
};

/** When everything happens: 2026-11-20T12:00:00Z. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Whom every user agent belongs to. */
export const BOT_NAME = 'Somebot';

/** A user agent the fake pipeline lets pass; one that contains `bot` is dropped. */
export const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A domain with sensible defaults. */
export function makeDomain(fields: Partial<Domain> & { id: string; hostname: string }): Domain {
  return {
    createdMs: NOW_MS - 1_000,
    modifiedMs: NOW_MS,
    userId: 'user-1',
    organizationId: null,
    subdomain: fields.id,
    identificationCode: 'c'.repeat(32),
    isPublic: false,
    timezone: 'UTC',
    groupByTitle: false,
    activeVisitorsSeconds: 600,
    disableScripts: false,
    metadata: {},
    newOwner: null,
    filter: { ipBlock: [], ipAllow: [] },
    themeId: null,
    customDomain: null,
    ...{ trafficSpike: false, trafficSpikeThreshold: 0 },
    ...{ trafficWarning: false, trafficWarningThreshold: 0 },
    ...{ retentionDays: 0, retainedFrom: null },
    ...fields,
  };
}

/** The same right in every area, but for the exceptions. */
export function makeScopes(scope: Scope, exceptions: Partial<Scopes> = {}): Scopes {
  const all = Object.fromEntries(SCOPE_AREAS.map((area) => [area, scope])) as Scopes;
  return { ...all, ...exceptions };
}

/** Bearers that the fake knows. */
export const BEARERS = {
  account: 'account-token',
  domain: 'domain-token',
  readOnly: 'read-only-token',
  accessKey: 'pa_access-key',
  hitKey: 'pa_hit-only',
} as const;

/** The fake with what it recorded. */
export interface FakePorts {
  readonly ports: Ports;
  /** Every submit, in order. */
  readonly submitted: (readonly HitGroup[])[];
  /** Every deletion, in order. */
  readonly erased: Erasure[];
  readonly queries: StatisticsQuery[];
  readonly logged: { error: unknown; request: string }[];
  readonly domains: Domain[];
  /** Null: ready. */
  unreadyReason: string | null;
  /** What a client of a domain is there. */
  role: Role;
  /** How the node stands among others. */
  readonly cluster: { unreadyReason: string | null; missing: string[] };
  /** What `submit` calls back with. */
  submitError: Error | null;
  /** True: `submit` calls back only when `release` is called. */
  holdsBack: boolean;
  /** Calls back everything held back. */
  release(): void;
  /** What statistics answer. */
  statistic: () => Promise<Uint8Array>;
}

/** A registry in which nothing stands. */
export const NO_RECORDS: Look = {
  policy: { allowsPrivateTargets: false },
  find: () => null,
  has: () => false,
  by: () => null,
  of: () => [],
  named: () => ({ find: () => null, of: () => [] }),
  countOf: () => 0,
};

const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = { 'domain-1': ['*.shop.test'] };
/** Nothing was told; what is to be told again is taken. */
const NO_DELIVERIES: Ports['deliveries'] = {
  attempts: async () => [],
  resend: async () => true,
  test: async () => ({ timeMs: 0, durationMs: 1, status: 200, error: '', response: '' }),
};

const siteOf = ({ id, hostname }: Domain) => siteWith(id, hostname, ALTERNATIVES[id]);
/** What mails that tell no numbers are sent with. */
export const NO_NUMBERS: SiteNumbers = {
  ask: () => {
    throw new Error('no mail of this test has numbers');
  },
};

/** Domains that nobody has visited. */
export const unused: Ports['statistics']['usage'] = async (domainIds) => {
  const usage = { views: 0, events: 0, keepAlives: 0 };
  return new Map(
    domainIds.map((id) => [id, { firstRowMs: null, usage, lastHit: 'never', importedDays: null }]),
  );
};

/** A fresh fake. */
export function fakePorts(): FakePorts {
  const domains = [
    makeDomain({ id: 'domain-1', hostname: 'example.org' }),
    makeDomain({
      ...{ id: 'domain-2', hostname: 'other.test', createdMs: NOW_MS - 500 },
      identificationCode: 'd'.repeat(32),
    }),
  ];
  const credential = (fields: Partial<Credential>): Credential => ({
    clientId: 'client',
    userId: 'user-1',
    domainId: 'domain-1',
    kind: fields.domainId === null ? 'user' : 'domain',
    sessionId: '',
    scopes: makeScopes('w'),
    pinned: null,
    ...fields,
  });
  const collectScopes = makeScopes('', { hit: 'w', event: 'w', session: 'w' });
  const credentials = new Map<string, Credential>([
    [BEARERS.account, credential({ domainId: null })],
    [BEARERS.domain, credential({})],
    [BEARERS.readOnly, credential({ scopes: makeScopes('r') })],
    [BEARERS.accessKey, credential({ kind: 'key', scopes: collectScopes })],
    [BEARERS.hitKey, credential({ kind: 'key', scopes: makeScopes('', { hit: 'w' }) })],
  ]);
  const held: (() => void)[] = [];
  const fake: FakePorts = {
    submitted: [],
    erased: [],
    queries: [],
    logged: [],
    domains,
    unreadyReason: null,
    role: 'Admin',
    cluster: { unreadyReason: null, missing: [] },
    submitError: null,
    holdsBack: false,
    release: () => {
      for (const done of held.splice(0)) done();
    },
    statistic: async () => Buffer.from('{"visitors":1}'),
    ports: {
      nowMs: () => NOW_MS,
      registry: { keepUp: () => undefined, lookAgain: async () => false },
      access: {
        authenticate: (bearer) => credentials.get(bearer) ?? null,
        person: () => null,
        visitor: () => null,
        framesOf: () => [],
        viewing: ({ userId }) => ({ view: viewOf(domains), userId, roleOn: () => fake.role }),
        issueToken: (oauthId, secret, nowMs) =>
          oauthId === 'id' && secret === 'secret'
            ? { accessToken: 'token', expiresMs: nowMs + 3_600_000 }
            : null,
        issueVisit: () => null,
        dashboardAt: () => null,
        domainOfCode: (code) =>
          domains.find(({ identificationCode }) => identificationCode === code) ?? null,
        domain: (id) => domains.find((domain) => domain.id === id) ?? null,
        domainsOf: ({ domainId }) =>
          domains.filter((domain) => domainId === null || domain.id === domainId),
        memberCount: () => 3,
        organizationsOf: () => [],
        roleOn: ({ domainId }, { id }) => {
          if (!domains.some((domain) => domain.id === id)) return null;
          if (domainId === null) return 'Owner';
          return domainId === id ? fake.role : null;
        },
        siteOf,
        domainForHostname: (_, hostname) =>
          domains.find((domain) => domain.hostname === hostname) ??
          domains.find((domain) => siteOf(domain).alternatives.has(hostname)) ??
          null,
      },
      // Nothing is made here: test/edge/goal.test.ts and funnel.test.ts have a real registry.
      records: {
        look: () => NO_RECORDS,
        list: () => [],
        audit: () => [],
        find: () => null,
        ...{ create: unreachable, change: unreachable, remove: unreachable, act: unreachable },
        decide: unreachable,
      },
      files: { find: () => null, bytesAt: () => null, keep: unreachable },
      hits: {
        submit: (groups, done) => {
          fake.submitted.push(structuredClone(groups));
          if (fake.holdsBack) held.push(() => done(fake.submitError));
          else done(fake.submitError);
        },
        submitErasure: (erasure, done) => {
          fake.erased.push(erasure);
          done(fake.submitError);
        },
      },
      pipeline: {
        run: (input) => {
          if (input.raw.user_agent.includes('bot')) return dropReason('ua-keyword');
          const hit = createHit(input.kind, input.timeMs);
          hit.path = input.page?.path ?? '';
          hit.hostname = input.page?.hostname ?? '';
          hit.eventName = input.raw.event_name ?? '';
          return hit;
        },
        botOf: () => BOT_NAME,
        kindOfBot: () => 'ai',
      },
      statistics: {
        batch: async (_, entries) => {
          for (const entry of entries) if (!('refused' in entry)) fake.queries.push(entry);
          return Buffer.from('{"position":1,"results":[]}');
        },
        run: (query) => {
          fake.queries.push(query);
          return fake.statistic();
        },
        usage: unused,
        ledger: async () => [],
      },
      deliveries: NO_DELIVERIES,
      live: { watch: () => () => undefined },
      passwords: { hash: async () => '', matches: async () => false },
      sessions: { used: () => false },
      mailEnds: { read: () => null },
      uploads: new Uploads(join(tmpdir(), 'footfall-fake-ports')),
      downloads: {
        open: async ({ bytes }) => ({
          bytesAt: async (offset) => new Uint8Array(bytes - offset),
          close: () => undefined,
        }),
      },
      mailLanguage: 'en',
      publicUrl: 'https://stats.example.org',
      hosts: { own: null, dashboards: null },
      placeCredits: () => [],
      unreadyReason: () => fake.unreadyReason,
      cluster: {
        unreadyReason: () => fake.cluster.unreadyReason,
        missing: () => fake.cluster.missing,
      },
      logError: (error, request) => fake.logged.push({ error, request }),
    },
  };
  return fake;
}

/** A registry in which some domains stand, and can be found by what is unique of them. */
function viewOf(domains: readonly Domain[]): Look {
  const by = (_: unknown, field: string, key: string) =>
    domains.find((one) => one[field as 'subdomain'] === key) ?? null;
  return { ...NO_RECORDS, by: by as Look['by'] };
}

function unreachable(): never {
  throw new Error('this fake makes no records');
}

/** The error an overloaded log calls back with. */
export function overloaded(): Error {
  return errors.OVERLOADED({ reason: 'the log is behind' });
}
