// Goal: every request is answered as say, in the right order of checks.
// Method: real HTTP to an edge over fake ports.
import { describe, expect, test } from 'vitest';
import { errors } from '../../src/model/errors.ts';
import { sendRaw } from '../support/clients/raw-socket.ts';
import { BEARERS } from '../support/fake-ports.ts';
import { pageView, useEdge } from './edge.ts';

const edge = useEdge();

const HIT = '/api/v1/hit';
const TOTAL = '/api/v1/statistics/total?id=domain-1&from=2026-11-01&to=2026-11-20';

function expectError(reply: { status: number; json: unknown }, status: number): void {
  expect(reply.status).toBe(status);
  expect(Object.keys(reply.json as object)).toEqual(['validation', 'error', 'context']);
}

describe('routing', () => {
  test.each([
    '/index.html',
    '/api/v2',
    '/api/v1/hits',
    '/api/v1/hit/',
    '/api/v1/statistics/',
    '//api/v1/hit',
  ])('the unknown path %s is a 404 (A-10)', async (path) => {
    const reply = await edge.get(path);
    expectError(reply, 404);
    expect(reply.json.error).toEqual([`there is no endpoint ${path}`]);
    expect(reply.headers.get('content-type')).toBe('application/json');
  });

  test.each([
    ['GET', HIT, 'POST'],
    ['PUT', HIT, 'POST'],
    ['DELETE', HIT, 'POST'],
    ['PATCH', HIT, 'POST'],
    ['OPTIONS', HIT, 'POST'],
    ['POST', '/api/v1/statistics/total', 'GET, HEAD'],
    ['POST', '/livez', 'GET, HEAD'],
    ['GET', '/api/v1/statistics', 'DELETE'],
  ])('%s %s is a 405 that allows %s (A-10)', async (method, path, allowed) => {
    const response = await fetch(edge.baseUrl + path, { method });
    expectError({ status: response.status, json: await response.json() }, 405);
    expect(response.headers.get('allow')).toBe(allowed);
  });

  test('a method nobody knows is a 405 on a known path', async () => {
    const answer = await sendRaw(edge.baseUrl, `BREW ${HIT} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer).toContain('HTTP/1.1 405 ');
    expect(answer).toContain('BREW is not allowed; use POST');
  });
});

describe('health', () => {
  test('both checks answer 200 while everything works', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await edge.get(path, '')).toMatchObject({ status: 200, json: { status: 'ok' } });
    }
  });

  test('while starting everything but /livez is a 503 with the reason and Retry-After', async () => {
    edge.fake.unreadyReason = 'it is replaying the log';
    expect((await edge.get('/livez', '')).status).toBe(200);
    for (const reply of [await edge.get('/readyz', ''), await edge.get(TOTAL, '')]) {
      expectError(reply, 503);
      expect(reply.json.error[0]).toContain('it is replaying the log');
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  });

  test('in a cluster /readyz says what is missing, and hits are taken all the same', async () => {
    edge.fake.cluster.missing = ['shards without an owner: 3'];
    const ready = await edge.get('/readyz', '');
    expect(ready).toMatchObject({
      status: 200,
      json: { status: 'ok', missing: ['shards without an owner: 3'] },
    });
    edge.fake.cluster.unreadyReason = 'the board of leases cannot be read';
    const unready = await edge.get('/readyz', '');
    expectError(unready, 503);
    expect(unready.json.error[0]).toContain('the board of leases cannot be read');
    expect((await edge.get(TOTAL)).status).toBe(200);
  });

  test('an unknown path and a wrong method come before 503', async () => {
    edge.fake.unreadyReason = 'starting';
    expect((await edge.get('/nothing/here')).status).toBe(404);
    expect((await edge.get(HIT)).status).toBe(405);
  });
});

describe('credentials', () => {
  test.each([
    ['none', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['no token', { authorization: 'Bearer' }],
    ['a blank token', { authorization: 'Bearer  ' }],
    ['an unknown token', { authorization: 'Bearer nobody' }],
    ['a token without scheme', { authorization: BEARERS.domain }],
    ['a very long token', { authorization: `Bearer ${'x'.repeat(3_000)}` }],
  ])('%s is a 401 (A-10)', async (_, headers) => {
    const response = await fetch(edge.baseUrl + HIT, { method: 'POST', headers, body: '{}' });
    expectError({ status: response.status, json: await response.json() }, 401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(edge.fake.submitted).toEqual([]);
  });

  test('the scheme may be written in any case', async () => {
    const headers = { authorization: `bearer ${BEARERS.domain}` };
    expect((await edge.post(HIT, pageView(), { bearer: '', headers })).status).toBe(200);
  });

  test.each([
    ['access key', BEARERS.accessKey, TOTAL, 403],
    ['access key', BEARERS.accessKey, '/api/v1/domain', 403],
    ['read-only client', BEARERS.readOnly, TOTAL, 200],
    ['client with w', BEARERS.domain, TOTAL, 200],
  ])('a %s (%s) reading %s gets %i (A-17, A-18)', async (_, bearer, path, status) => {
    expect((await edge.get(path, bearer)).status).toBe(status);
  });

  test.each([
    ['access key', BEARERS.accessKey, '/api/v1/event', 200],
    ['access key for hits only', BEARERS.hitKey, HIT, 200],
    ['access key for hits only', BEARERS.hitKey, '/api/v1/event', 403],
    ['access key for hits only', BEARERS.hitKey, '/api/v1/session/batch', 403],
    ['read-only client', BEARERS.readOnly, HIT, 403],
  ])('a %s (%s) sending to %s gets %i (A-17, A-18)', async (_, bearer, path, status) => {
    const body = path.endsWith('batch') ? [] : pageView({ event_name: 'e' });
    expect((await edge.post(path, body, { bearer })).status).toBe(status);
  });

  test('who may not come in is not told what is wrong with the body', async () => {
    expect((await edge.post(HIT, '{', { bearer: 'nobody' })).status).toBe(401);
    expect((await edge.post(HIT, '{', { bearer: BEARERS.readOnly })).status).toBe(403);
  });
});

test('tokens, hits and statistics may be asked for as often as one likes (A-12)', async () => {
  const body = { client_id: 'id', client_secret: 'secret' };
  for (let count = 0; count < 100; count++) {
    const replies = [
      await edge.post('/api/v1/token', body, { bearer: '' }),
      await edge.post(HIT, pageView()),
      await edge.get(TOTAL),
    ];
    for (const { status, headers } of replies) {
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
  }
});

describe('POST /api/v1/token', () => {
  const PATH = '/api/v1/token';

  test('exchanges id and secret for a token that ends in an hour (A-16)', async () => {
    const body = { client_id: 'id', client_secret: 'secret' };
    const reply = await edge.post(PATH, body, { bearer: '' });
    expect(reply.json).toEqual({ access_token: 'token', expires_at: '2026-11-20T13:00:00.000Z' });
  });

  test('a wrong secret is a 401', async () => {
    const body = { client_id: 'id', client_secret: 'wrong' };
    expectError(await edge.post(PATH, body, { bearer: '' }), 401);
  });

  test.each([
    [{}, { client_id: 'is required', client_secret: 'is required' }],
    [
      { client_id: 1, client_secret: '' },
      { client_id: 'must be a string', client_secret: 'must not be blank' },
    ],
    [[], { body: 'must be an object' }],
    ['null', { body: 'must be an object' }],
  ])('%j is refused with what to change', async (body, validation) => {
    const reply = await edge.post(PATH, body, { bearer: '' });
    expectError(reply, 400);
    expect(reply.json.validation).toEqual(validation);
  });
});

describe('GET /api/v1/domain', () => {
  test('is the array of all domains for an account, of one for a domain client (A-19)', async () => {
    const ids = async (bearer: string): Promise<string[]> =>
      (await edge.get('/api/v1/domain', bearer)).json.map((domain: { id: string }) => domain.id);
    expect(await ids(BEARERS.account)).toEqual(['domain-1', 'domain-2']);
    expect(await ids(BEARERS.domain)).toEqual(['domain-1']);
  });

  test.each(['id=domain-2', 'subdomain=domain-2', 'id=&subdomain=domain-2'])(
    'with %s it is one object, and a 404 for who cannot see it (A-19, F-36)',
    async (query) => {
      const path = `/api/v1/domain?${query}`;
      expect((await edge.get(path, BEARERS.account)).json.hostname).toBe('other.test');
      expectError(await edge.get(path, BEARERS.domain), 404);
    },
  );

  test('an unknown id is a 404', async () => {
    expectError(await edge.get('/api/v1/domain?id=x', BEARERS.account), 404);
  });
});

describe('GET /api/v1/statistics', () => {
  test('sends the typed query on and the bytes back', async () => {
    expect(await edge.get(TOTAL)).toMatchObject({ status: 200, json: { visitors: 1 } });
    expect(edge.fake.queries).toMatchObject([{ statistic: 'total', domainId: 'domain-1' }]);
  });

  test('without id it is a 400 that names id', async () => {
    const reply = await edge.get('/api/v1/statistics/total?from=2026-11-01&to=2026-11-20');
    expectError(reply, 400);
    expect(Object.keys(reply.json.validation)).toEqual(['id']);
  });

  test.each(['nothing', 'domain-2'])(
    'of the domain %s a domain client gets 404 (F-36)',
    async (id) => {
      expectError(await edge.get(TOTAL.replace('domain-1', id)), 404);
    },
  );

  test('malformed parameters are a 400 that names each', async () => {
    const reply = await edge.get('/api/v1/statistics/total?id=domain-1&from=x&to=2026-02-30');
    expectError(reply, 400);
    expect(Object.keys(reply.json.validation).toSorted()).toEqual(['from', 'to']);
    expect(reply.json.error).toEqual([]);
  });

  test.each([
    [16_384, 200],
    [16_385, 400],
  ])('a query string of %i bytes gets %i', async (bytes, status) => {
    const query = TOTAL.slice(TOTAL.indexOf('?') + 1);
    const values = `${'&ignored='}${'x'.repeat(8_000)}`;
    const filled = (query + values + values).padEnd(bytes, '&');
    const path = `/api/v1/statistics/total?${filled.slice(0, bytes)}`;
    expect((await edge.get(path)).status).toBe(status);
  });

  test('a query beyond its budget is a 503 with Retry-After (A-10)', async () => {
    edge.fake.statistic = async () => {
      throw errors.QUERY_BUDGET_EXCEEDED({ budget: '10 s' });
    };
    const reply = await edge.get(TOTAL);
    expectError(reply, 503);
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(edge.fake.logged).toEqual([]);
  });

  test('a fault of ours is a 500 that tells nothing, and is logged', async () => {
    const fault = new TypeError('secret detail');
    edge.fake.statistic = async () => {
      throw fault;
    };
    const reply = await edge.get(TOTAL);
    expectError(reply, 500);
    expect(JSON.stringify(reply.json)).not.toContain('secret');
    expect(edge.fake.logged).toMatchObject([
      { error: fault, request: 'GET /api/v1/statistics/total' },
    ]);
    expect((await edge.get('/livez')).status).toBe(200);
  });
});
