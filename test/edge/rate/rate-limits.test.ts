// Goal: logins and changes are limited per caller and minute, are told so exactly, and change nothing
// when they are too many (M-90).
// Method: an edge over a real registry, its clock moved by the test; every endpoint of the service in
// a table; endpoints made for the test where the service has none yet.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { endpoints } from '../../../src/api/endpoints.ts';
import { json, jsonBody, NOTHING, PUBLIC } from '../../../src/api/presets.ts';
import { rateRuleOf } from '../../../src/api/rate-rules.ts';
import { TEXT } from '../../../src/control/descriptor/fields.ts';
import { RateWindows } from '../../../src/edge/rate/rate-windows.ts';
import { type EdgeHandle, startEdge } from '../../../src/edge/server.ts';
import { errors } from '../../../src/model/errors.ts';
import { USERS } from '../../../src/model/rights.ts';
import { BEARERS, fakePorts, NOW_MS } from '../../support/fake-ports.ts';
import type { Reply } from '../edge.ts';
import { useRegistryEdge } from '../registry-edge.ts';

const windows = { current: RateWindows.create(64) };
const edge = useRegistryEdge({
  trustedProxies: ['127.0.0.1'],
  get rateWindows() {
    return windows.current;
  },
});

beforeEach(() => {
  windows.current = RateWindows.create(64);
});

const told = ({ headers }: Reply) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: headers.get('x-ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
});
const NOT_TOLD = { limit: null, remaining: null, reset: null, retryAfter: null };

const RESET = String(NOW_MS / 1_000 + 60);
const goal = (name = 'a') => ({ domain_id: edge.own.id, name, path_pattern: '/a' });

/** A request without credentials, from an address as the proxy in front says it. */
async function visit(address: string, body: unknown = {}): Promise<Reply> {
  const response = await fetch(`${edge.baseUrl}/api/v1/access`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

describe('whoever changes something', () => {
  test('has 60 requests a minute, is told how many are left, and is then answered 429 (M-90)', async () => {
    for (let sent = 0; sent < 60; sent++) {
      const reply = await edge.send('POST', 'goal', goal(`goal ${sent}`));
      expect(reply.status).toBe(200);
      const remaining = String(59 - sent);
      expect(told(reply)).toEqual({ limit: '60', remaining, reset: RESET, retryAfter: null });
    }
    edge.nowMs += 1_000;
    const refused = await edge.send('POST', 'goal', goal('one too many'));
    expect(refused.status).toBe(429);
    expect(told(refused)).toEqual({ limit: '60', remaining: '0', reset: RESET, retryAfter: '59' });
    expect(refused.json).toEqual({
      validation: {},
      error: ['more than 60 requests within a minute; try again in 59 s'],
      context: {},
    });
    const { json: goals } = await edge.send('GET', `goal?id=${edge.own.id}`);
    expect(goals.map(({ name }: { name: string }) => name)).not.toContain('one too many');
  });

  test('goes on once the oldest request is a minute old, not a moment before (M-90)', async () => {
    await edge.send('POST', 'goal', goal());
    edge.nowMs += 30_000;
    for (let sent = 0; sent < 59; sent++) await edge.send('POST', 'goal', goal(`goal ${sent}`));
    edge.nowMs += 29_999;
    const refused = await edge.send('POST', 'goal', goal());
    expect(refused.status).toBe(429);
    expect(told(refused)).toMatchObject({ remaining: '0', retryAfter: '1' });
    edge.nowMs += 1;
    const reply = await edge.send('POST', 'goal', goal());
    expect(reply.status).toBe(200);
    // The others are 30 seconds old.
    const reset = String(NOW_MS / 1_000 + 90);
    expect(told(reply)).toEqual({ limit: '60', remaining: '0', reset, retryAfter: null });
    expect((await edge.send('POST', 'goal', goal())).status).toBe(429);
  });

  test('has one window for all such endpoints, and no other client’s (M-90)', async () => {
    await edge.send('POST', 'goal', goal());
    await edge.send('PUT', 'funnel', { id: 'x', name: 'x', steps: [] });
    const reply = await edge.send('DELETE', 'funnel?id=nothing');
    expect(told(reply)).toMatchObject({ limit: '60', remaining: '57' });
    const other = await edge.send('POST', 'goal', goal(), edge.bearers.account);
    expect(told(other)).toMatchObject({ remaining: '59' });
  });

  test('is told of its window whatever it is answered (M-90)', async () => {
    const { viewer, key } = edge.bearers;
    const replies = [
      [await edge.send('POST', 'goal', { domain_id: edge.own.id }), 400, '59'],
      [await edge.send('POST', 'goal', '{'), 400, '58'],
      [await edge.send('POST', 'goal', { ...goal(), domain_id: edge.foreign.id }), 404, '57'],
      [await edge.send('POST', 'goal', 'x'.repeat(1_100_000)), 413, '56'],
      [await edge.send('POST', 'goal', goal(), viewer), 403, '59'],
      [await edge.send('POST', 'goal', goal(), key), 403, '59'],
      // Whom nobody knows counts for its address.
      [await edge.send('POST', 'goal', goal(), 'x'.repeat(92)), 401, '59'],
      [await edge.send('POST', 'goal', goal(), 'y'.repeat(92)), 401, '58'],
    ] as const;
    for (const [reply, status, remaining] of replies) {
      expect(reply.status).toBe(status);
      expect(told(reply)).toEqual({ limit: '60', remaining, reset: RESET, retryAfter: null });
    }
  });

  test('is not limited where it reads, collects, gets tokens or deletes statistics (M-90, A-12)', async () => {
    const range = `id=${edge.own.id}&from=2026-11-01&to=2026-11-02`;
    const body = { client_id: 'x', client_secret: 'y' };
    for (let sent = 0; sent < 61; sent++) {
      for (const reply of [
        await edge.send('GET', `goal?id=${edge.own.id}`),
        await edge.send('GET', `statistics/total?${range}`),
        await edge.send('DELETE', `statistics?${range}`),
        await edge.send('POST', 'token', body),
      ]) {
        expect(reply.status).not.toBe(429);
        expect(told(reply)).toEqual(NOT_TOLD);
      }
    }
  });
});

describe('whoever asks without credentials', () => {
  test('has 10 requests a minute for its address (M-90, A-42)', async () => {
    for (let sent = 0; sent < 10; sent++) {
      const reply = await visit('81.2.69.142', { subdomain: 'nobody' });
      expect(reply.status).toBe(401);
      const remaining = String(9 - sent);
      expect(told(reply)).toEqual({ limit: '10', remaining, reset: RESET, retryAfter: null });
    }
    expect((await visit('81.2.69.142')).status).toBe(429);
    expect((await visit('81.2.69.143')).status).toBe(400);
    // No list of addresses that the client wrote itself makes another one of it.
    expect((await visit('9.9.9.9, 81.2.69.142')).status).toBe(429);
    edge.nowMs += 60_000;
    expect((await visit('81.2.69.142')).status).toBe(400);
  });

  test('is one caller with all addresses of its IPv6 network', async () => {
    for (let sent = 0; sent < 10; sent++) await visit(`2a02:db9:0:7::${sent}`);
    expect((await visit('2a02:db9:0:7:ffff::1')).status).toBe(429);
    expect((await visit('2a02:db9:0:8::1')).status).toBe(400);
  });

  test('does not use up what those with credentials have', async () => {
    for (let sent = 0; sent < 11; sent++) await visit('127.0.0.1');
    expect(told(await edge.send('POST', 'goal', goal()))).toMatchObject({ remaining: '59' });
  });
});

test('a hundred requests at once are let in ten times', async () => {
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => visit('81.2.69.142', { subdomain: 'nobody' })),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([
    ...Array.from({ length: 10 }, () => 401),
    ...Array.from({ length: 90 }, () => 429),
  ]);
});

test('one address tries 60 tokens of mails a minute; looking at their page counts for nothing (O-21, M-90)', async () => {
  const url = `${edge.baseUrl}/api/v1/unsubscribe?token=${'x'.repeat(99)}`;
  const headers = { 'x-forwarded-for': '81.2.69.142' };
  const statuses: number[] = [];
  for (let sent = 0; sent < 61; sent++) {
    statuses.push((await fetch(url, { method: 'POST', headers })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429]);
  expect((await fetch(url, { headers })).status).toBe(400);
  const elsewhere = { 'x-forwarded-for': '81.2.69.143' };
  expect((await fetch(url, { method: 'POST', headers: elsewhere })).status).toBe(400);
  edge.nowMs += 60_000;
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(400);
});

const kindOf = (method: string, path: string) =>
  rateRuleOf({ method: method as Endpoint['method'], path, auth: null });

test('which endpoints have which limit is a table (M-90)', () => {
  for (const path of [
    'login',
    'logout',
    'logout/all',
    'password/forgot',
    'password/reset',
    'access',
  ])
    expect(kindOf('POST', `/api/v1/${path}`)).toEqual({ kind: 'security' });
  for (const path of ['user/totp', 'user/totp/confirm'])
    expect(kindOf('POST', `/api/v1/${path}`)).toEqual({ kind: 'security' });
  expect(kindOf('DELETE', '/api/v1/user/totp')).toEqual({ kind: 'security' });
  expect(kindOf('PUT', '/api/v1/user')).toEqual({ kind: 'change', securityField: 'password' });
  for (const name of [
    ...['DELETE user', 'POST user/pin', 'POST user/notification', 'POST goal/regex'],
    ...['POST report', 'POST unsubscribe', 'POST webhook/test', 'POST webhook/delivery'],
  ]) {
    const [method = '', path = ''] = name.split(' ');
    expect(kindOf(method, `/api/v1/${path}`)).toEqual({ kind: 'change' });
  }
  for (const name of ['POST token', 'DELETE statistics', 'GET user', 'GET domain/custom']) {
    const [method = '', path = ''] = name.split(' ');
    expect(kindOf(method, `/api/v1/${path}`)).toBe(null);
  }
});

test('every endpoint that changes something has a limit, and no other has (M-90)', () => {
  const FREE =
    /^(POST (\/api\/v1)?\/(token|(hit|event|session)(\/batch)?)|DELETE \/api\/v1\/statistics)$/;
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const isReading = endpoint.method === 'GET' || endpoint.isReading === true;
    const isLimited = !isReading && !FREE.test(name);
    expect([name, rateRuleOf(endpoint) !== null]).toEqual([name, isLimited]);
  }
  expect(endpoints.filter((endpoint) => rateRuleOf(endpoint) !== null).length).toBeGreaterThan(4);
});

describe('endpoints of people', () => {
  const fields = { email: TEXT, password: TEXT };
  const login: Endpoint = {
    ...{ ...PUBLIC, method: 'POST', path: '/api/v1/login', summary: 'Logs in.', needsReady: true },
    ...{ body: jsonBody({ required: [], fields }), answer: json(NOTHING) },
    handle: async (call) => {
      const { email, password } = call.body as { email: string; password: string };
      const giveBack = call.countAs(`login of ${email}`);
      // As long as hashing takes.
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (password !== 'right') throw errors.SESSION_ENDED({});
      giveBack();
      return '{}';
    },
  };
  const change: Endpoint = {
    ...{ ...login, ...PUBLIC, method: 'PUT', path: '/api/v1/user', summary: 'Changes a person.' },
    auth: { callers: USERS, scopes: [], role: null },
    handle: () => '{}',
  };
  let handle: EdgeHandle;
  beforeEach(async () => {
    handle = await startEdge({
      ...{ host: '127.0.0.1', port: 0, ports: fakePorts().ports, endpoints: [login, change] },
      ...{ trustedProxies: ['127.0.0.1'], rateWindows: windows.current },
    });
  });
  afterEach(() => handle.stop(0));

  const send = async (method: string, path: string, body: unknown, headers: object) => {
    const response = await fetch(`http://127.0.0.1:${handle.port}/api/v1/${path}`, {
      ...{ method, headers: { ...headers }, body: JSON.stringify(body) },
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  let hosts = 0;
  const logIn = (email: string, password: string, address = `81.2.70.${hosts++ % 256}`) =>
    send('POST', 'login', { email, password }, { 'x-forwarded-for': address });

  test('ten failed logins of a person end its logins from everywhere, for a minute (M-90)', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => logIn('ada@example.org', 'wrong')),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const reply of refused) {
      expect(told(reply)).toEqual({ limit: '10', remaining: '0', reset: RESET, retryAfter: '60' });
    }
    expect((await logIn('ada@example.org', 'right')).status).toBe(429);
    expect((await logIn('bob@example.org', 'right')).status).toBe(200);
  });

  test('logins that succeed do not count for the person, only for the address (M-90)', async () => {
    for (let sent = 0; sent < 25; sent++) {
      const reply = await logIn('ada@example.org', 'right');
      expect(reply.status).toBe(200);
      expect(told(reply)).toMatchObject({ limit: '10', remaining: '9' });
    }
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent++) {
      statuses.push((await logIn(`person${sent}@example.org`, 'wrong', '81.2.69.142')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await logIn('ada@example.org', 'right', '81.2.69.142')).status).toBe(429);
  });

  test('a change of the user counts as a login when it has a password (M-90)', async () => {
    const put = (body: object, bearer: string = BEARERS.account) =>
      send('PUT', 'user', body, { authorization: `Bearer ${bearer}` });
    expect(told(await put({ email: 'x' }))).toMatchObject({ limit: '60', remaining: '59' });
    for (let sent = 0; sent < 10; sent++) {
      const remaining = String(9 - sent);
      expect(told(await put({ password: 'x' }))).toMatchObject({ limit: '10', remaining });
    }
    expect((await put({ password: 'x' })).status).toBe(429);
    expect(told(await put({ email: 'x' }))).toMatchObject({ limit: '60', remaining: '58' });
    // Refused before anybody read the body.
    const unknown = await put({ password: 'x' }, 'nobody');
    expect(unknown.status).toBe(401);
    expect(told(unknown)).toMatchObject({ limit: '60', remaining: '59' });
  });
});
