/** An edge in this process over a real registry, with the clients that its tests need. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Ports } from '../../src/api/ports.ts';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Files } from '../../src/control/files.ts';
import { readMailEnd } from '../../src/control/people/mail-ends.ts';
import { Passwords } from '../../src/control/people/passwords.ts';
import { SessionUses } from '../../src/control/people/sessions.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type Client, client } from '../../src/control/resources/client.ts';
import { type EdgeHandle, type EdgeOptions, startEdge } from '../../src/edge/server.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import { runStatistics } from '../../src/query/answers/run.ts';
import type { BatchEntry } from '../../src/query/question/batch.ts';
import type { StatisticsQuery } from '../../src/query/question/request.ts';
import { checkAnswer } from '../support/clients/answer-check.ts';
import { fakePorts, makeScopes, NO_NUMBERS, NOW_MS, unused } from '../support/fake-ports.ts';
import type { Reply } from './edge.ts';

/** A mail as it was handed over. */
export interface SentMail {
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly link: string;
}

/** A running edge with its registry, for the test at hand. */
export interface RegistryEdge {
  baseUrl: string;
  registry: Registry;
  /** Where the registry is. */
  directory: string;
  /** Id of the client behind a bearer. */
  clientIdOf(bearer: string): string;
  /** The time that requests arrive at; tests move it. */
  nowMs: number;
  /** Domains of one user, and of another. */
  own: { id: string; second: string };
  foreign: { id: string };
  queries: StatisticsQuery[];
  /** Every mail that was sent, in order; what an answer caused has been sent when it is there. */
  mails: SentMail[];
  /** Resolves when every mail that answers caused has been sent. */
  settled(): Promise<void>;
  /** What domains used; tests say something else. */
  usage: Ports['statistics']['usage'];
  /** What became of what domains were sent; tests say something else. */
  ledger: Ports['statistics']['ledger'];
  /** Bearers by what they may. */
  bearers: { account: string; domain: string; viewer: string; foreign: string; key: string };
  /** What links begin with; a test may make it https. */
  publicUrl: string;
  /** A path below /api/v1, unless it begins with a slash. */
  send(method: string, path: string, body?: unknown, bearer?: string): Promise<Reply>;
  /** The same with headers of one's own, and no bearer: how a browser comes. */
  browse(method: string, path: string, sent?: Browsing): Promise<Reply>;
}

/** What a browser sends beside method and path. */
export interface Browsing {
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Starts an edge on a registry of its own before each test; statistics run over no data.
 *
 * @param options of the edge; by default nobody's requests are limited.
 */
export function useRegistryEdge(options: Partial<EdgeOptions> = {}): RegistryEdge {
  const edge = {} as RegistryEdge;
  let directory: string;
  let handle: EdgeHandle;
  let queue: MailQueue;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'footfall-edge-'));
    edge.directory = directory;
    edge.registry = Registry.open(directory, NOW_MS);
    edge.nowMs = NOW_MS;
    edge.queries = [];
    edge.mails = [];
    edge.publicUrl = 'http://stats.test';
    edge.usage = unused;
    edge.ledger = async () => [];
    await fill(edge);
    const access = new Access(edge.registry);
    edge.clientIdOf = (bearer) => access.authenticate(bearer, NOW_MS)?.clientId ?? '';
    const records = new Records(edge.registry);
    const ports = {
      ...fakePorts().ports,
      ...{ registry: edge.registry, access, records },
      files: new Files(edge.registry),
      ...{ passwords: new Passwords(), sessions: new SessionUses(edge.registry) },
      mailEnds: { read: (token: string) => readMailEnd(token, edge.registry.tokenKey) },
      get publicUrl() {
        return edge.publicUrl;
      },
      nowMs: () => edge.nowMs,
      statistics: {
        usage: (...asked: Parameters<RegistryEdge['usage']>) => edge.usage(...asked),
        batch: async (_: string, entries: readonly BatchEntry[]) => {
          const results = entries.map((entry) => {
            if ('refused' in entry) return JSON.parse(entry.refused);
            edge.queries.push(entry);
            return runStatistics(structuredClone(entry), []);
          });
          return Buffer.from(JSON.stringify({ position: 0, results }));
        },
        ledger: (...asked: Parameters<RegistryEdge['ledger']>) => edge.ledger(...asked),
        run: async (query: StatisticsQuery) => {
          edge.queries.push(query);
          return Buffer.from(JSON.stringify(runStatistics(structuredClone(query), [])));
        },
      },
    };
    queue = mailQueue(edge);
    handle = await startEdge({ host: '127.0.0.1', port: 0, ports, ...options });
    edge.baseUrl = `http://127.0.0.1:${handle.port}`;
  });
  afterEach(async () => {
    await handle.stop(0);
    await queue.stop();
    await edge.registry.close();
    rmSync(directory, { recursive: true });
  });
  edge.settled = () => queue.settled();
  edge.send = (method, path, body, bearer = edge.bearers.domain) =>
    edge.browse(method, path, { body, headers: { authorization: `Bearer ${bearer}` } });
  edge.browse = async (method, path, { body, headers = {} } = {}) => {
    const place = path.startsWith('/') ? path : `/api/v1/${path}`;
    const response = await fetch(edge.baseUrl + place, {
      ...{ method, headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    await queue.settled();
    const json = text === '' ? null : JSON.parse(text);
    if (text !== '') checkAnswer(method, place, response.status, json);
    return { status: response.status, headers: response.headers, json };
  };
  return edge;
}

/** Sends into `edge.mails`. */
function mailQueue(edge: RegistryEdge): MailQueue {
  return new MailQueue({
    ...{ registry: edge.registry, isAlone: true, nowMs: () => edge.nowMs },
    ...{ numbers: NO_NUMBERS, dashboardHost: null, language: 'en' },
    get publicUrl() {
      return edge.publicUrl;
    },
    door: {
      needsLinks: true,
      async send({ kind, to, mail: { subject } }, link) {
        edge.mails.push({ kind, to, subject, link: link ?? '' });
        return { kind: 'sent', answer: '250 ok' };
      },
    },
    onOutcome: () => {
      throw new Error('what is taken has no other outcome');
    },
    onFault: (error) => {
      throw error;
    },
  });
}

async function fill(edge: RegistryEdge): Promise<void> {
  const { registry } = edge;
  const tokenOf = (made: { clientId: string; clientSecret: string }): string => {
    const access = new Access(registry);
    return access.issueToken(made.clientId, made.clientSecret, NOW_MS)?.accessToken ?? '';
  };
  const make = (email: string, hostname: string) =>
    createDomain(registry, { email, hostname }, NOW_MS);
  const account = await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  await createAccount(registry, { email: 'bob@example.org' }, NOW_MS);
  const own = await make('ada@example.org', 'example.org');
  const second = await make('ada@example.org', 'second.test');
  const foreign = await make('bob@example.org', 'foreign.test');
  edge.own = { id: own.domain.id, second: second.domain.id };
  edge.foreign = { id: foreign.domain.id };
  // No endpoint makes clients with chosen scopes yet; the viewer shares the account's secret.
  const model = registry.view.by(client, 'clientId', account.clientId) as Client;
  const viewer: Client = {
    ...{ ...model, id: 'viewer'.padEnd(20, '0'), clientId: 'v'.repeat(32) },
    scopes: makeScopes('r', { hit: '', event: '', session: '' }),
  };
  await registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
    { kind: 'client-created', payload: viewer },
  ]);
  edge.bearers = {
    account: tokenOf(account),
    domain: tokenOf(own),
    viewer: tokenOf({ clientId: viewer.clientId, clientSecret: account.clientSecret }),
    foreign: tokenOf(foreign),
    key: own.accessKey,
  };
}
