// Goal: each product is sent what its documentation asks for, and its answers are understood: what it
// drops behind a 2xx is not accepted.
// Method: small servers that record what comes and check it as the documentation describes it; the
// shapes are from the pages named in `src/load/products/`.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { LimitSearch } from '../../src/load/limit-search.ts';
import { PRODUCTS } from '../../src/load/products/products.ts';
import { LoadRun } from '../../src/load/run.ts';
import type { LoadWish } from '../../src/load/wish.ts';

interface Recorded {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

const AGENT = /^Mozilla\/5\.0 /;
const ADDRESS = /^\d{3}(\.\d{3}){3}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function record(answer: (request: Recorded) => [number, string, Record<string, string>?]) {
  const requests: Recorded[] = [];
  server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    incoming.on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://x');
      const request = {
        ...{ method: incoming.method ?? '', path: pathname, query: searchParams },
        ...{ headers: incoming.headers, body },
      };
      requests.push(request);
      const [status, text, headers] = answer(request);
      response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, requests };
}

function wish(name: string, url: URL, fields: Partial<LoadWish> = {}): LoadWish {
  const product = PRODUCTS.find((each) => each.name === name)!;
  return {
    target: {
      ...{ product, url, hostname: 'shop.example', site: 'site-1', key: 'key-1' },
      ...{ clientId: '', clientSecret: '' },
    },
    ...{ rate: 100, seconds: 1, warmUpSeconds: 0, batch: 1, connections: 4, seed: 42 },
    ...{ mix: 'site', limitMs: null, queries: null, patienceMs: 5_000, ...fields },
  };
}

const watch = { tell: () => undefined, onSecond: () => undefined };

/** Runs it to its end. @returns what was recorded, parsed, and the first step. */
async function load(
  name: string,
  answer: (request: Recorded) => [number, string, Record<string, string>?],
  fields: Partial<LoadWish> = {},
) {
  const { url, requests } = await record(answer);
  const report = await new LoadRun(wish(name, url, fields), watch).run();
  return { requests, step: report.steps[0]! };
}

const isEvent = (text: string) => text.includes('seats');

describe('Umami', () => {
  test('takes views and named events of a website, with the visitor in the payload', async () => {
    const { requests, step } = await load('umami', () => [200, '{"cache":"x"}']);
    expect(step.hits).toMatchObject({ sent: 100, accepted: 100 });
    // The probe is one more.
    expect(requests).toHaveLength(101);
    for (const { method, path, headers, body } of requests) {
      expect([method, path]).toEqual(['POST', '/api/send']);
      expect(headers['user-agent']).toMatch(AGENT);
      const { type, payload } = JSON.parse(body);
      expect([type, payload.website, payload.hostname]).toEqual([
        'event',
        'site-1',
        'shop.example',
      ]);
      expect(payload.url).toMatch(/^\//);
      expect(payload.screen).toMatch(/^\d+x\d+$/);
      expect(payload.language).toMatch(/^[a-z]{2}-[A-Z]{2}$/);
      expect(payload.ip).toMatch(ADDRESS);
      expect(payload.userAgent).toMatch(AGENT);
      expect(payload.name === undefined).toBe(!isEvent(body));
    }
    expect(requests.some(({ body }) => isEvent(body))).toBe(true);
  });

  test('takes batches, and what it refuses of them behind a 200 is not accepted', async () => {
    let count = 0;
    const { requests, step } = await load(
      'umami',
      ({ body }) => {
        const size = (JSON.parse(body) as unknown[]).length;
        const errors = count++ === 3 ? 1 : 0;
        return [200, JSON.stringify({ size, processed: size - errors, errors, details: [] })];
      },
      { batch: 10, rate: 200 },
    );
    expect(requests[0]!.path).toBe('/api/batch');
    expect(JSON.parse(requests[0]!.body)).toHaveLength(10);
    expect(step.hits).toMatchObject({ sent: 200, accepted: 190, refused: 10 });
  });
});

describe('Plausible', () => {
  test('takes the page in the body and the visitor in the headers', async () => {
    const { requests, step } = await load('plausible', () => [202, 'ok']);
    expect(step.hits.accepted).toBe(100);
    for (const { method, path, headers, body } of requests) {
      expect([method, path]).toEqual(['POST', '/api/event']);
      expect(headers['user-agent']).toMatch(AGENT);
      expect(headers['x-forwarded-for']).toMatch(ADDRESS);
      const event = JSON.parse(body);
      expect(event.domain).toBe('site-1');
      expect(event.url).toMatch(/^https:\/\/shop\.example\//);
      expect(event.name === 'pageview').toBe(event.props === undefined);
    }
    expect(new Set(requests.map(({ headers }) => headers['x-forwarded-for'])).size).toBeGreaterThan(
      10,
    );
  });

  test('says in a header that it has dropped what it answers 202, and the probe tells so', async () => {
    const run = load('plausible', () => [202, 'ok', { 'x-plausible-dropped': '1' }]);
    await expect(run).rejects.toMatchObject({
      code: 'BENCH_REFUSED',
      message: expect.stringMatching(/refuses hits: 202 x-plausible-dropped: 1$/),
    });
  });
});

test('GoatCounter takes batches of hits with a token', async () => {
  const { requests, step } = await load('goatcounter', () => [202, ''], { batch: 20, rate: 200 });
  expect(step.hits.accepted).toBe(200);
  for (const { method, path, headers, body } of requests) {
    expect([method, path]).toEqual(['POST', '/api/v0/count']);
    expect(headers.authorization).toBe('Bearer key-1');
    expect(headers['content-type']).toBe('application/json');
    const { hits } = JSON.parse(body);
    expect(hits).toHaveLength(20);
    for (const hit of hits) {
      expect(hit.event === true ? hit.path : hit.path[0]).toMatch(
        hit.event === true ? /^[A-Z]/ : /^\//,
      );
      expect(hit.path).not.toContain('?');
      expect(hit.size).toEqual([expect.any(Number), expect.any(Number), 1]);
      expect([hit.ip, hit.user_agent, hit.created_at]).toEqual([
        ...[
          expect.stringMatching(ADDRESS),
          expect.stringMatching(AGENT),
          expect.stringMatching(TIME),
        ],
      ]);
    }
  }
});

describe('Matomo', () => {
  const checkQuery = (query: URLSearchParams) => {
    expect([query.get('idsite'), query.get('rec'), query.get('apiv')]).toEqual([
      'site-1',
      '1',
      '1',
    ]);
    expect(query.get('url')).toMatch(/^https:\/\/shop\.example\//);
    expect(query.get('cip')).toMatch(ADDRESS);
    expect(query.get('ua')).toMatch(AGENT);
    expect(query.get('res')).toMatch(/^\d+x\d+$/);
    expect(query.get('e_c') === null).toBe(query.get('e_a') === null);
  };

  test('takes a hit in the query and the token beside it', async () => {
    const { requests, step } = await load('matomo', () => [204, '']);
    expect(step.hits.accepted).toBe(100);
    for (const { method, path, query, body } of requests) {
      expect([method, path, body]).toEqual(['POST', '/matomo.php', 'token_auth=key-1']);
      checkQuery(query);
    }
  });

  test('takes lists of such queries, and tells which were invalid', async () => {
    let count = 0;
    const { requests, step } = await load(
      'matomo',
      () => [
        200,
        JSON.stringify({ status: 'success', tracked: 10, invalid: count++ === 2 ? 1 : 0 }),
      ],
      { batch: 10 },
    );
    expect(step.hits).toMatchObject({ accepted: 90, refused: 10 });
    for (const { body } of requests) {
      const { requests: queries, token_auth } = JSON.parse(body);
      expect([queries.length, token_auth]).toEqual([10, 'key-1']);
      for (const query of queries as string[]) checkQuery(new URLSearchParams(query.slice(1)));
    }
  });
});

describe('Footfall', () => {
  test('takes views and events at endpoints of their own, in batches with their time', async () => {
    const { requests } = await load('footfall', () => [200, '{}'], { batch: 10, rate: 3_000 });
    const paths = new Set(requests.map(({ path }) => path));
    expect(paths).toEqual(new Set(['/api/v1/hit/batch', '/api/v1/event/batch']));
    for (const { path, headers, body } of requests) {
      expect(headers.authorization).toBe('Bearer key-1');
      for (const item of JSON.parse(body)) {
        expect(item.time).toMatch(TIME);
        expect(item.event_name !== undefined).toBe(path === '/api/v1/event/batch');
      }
    }
  });

  test.each([
    [401, 'refuses the key: 401'],
    [404, 'refuses hits: 404'],
  ])(
    'that answers %i is told in one sentence before anything is measured',
    async (status, said) => {
      const run = load('footfall', () => [status, '{"error":["no"]}']);
      await expect(run).rejects.toMatchObject({ message: expect.stringContaining(said) });
    },
  );
});

describe('the search for the limit', () => {
  const search = (first: number, capacity: number): number[] => {
    const rates: number[] = [];
    const limit = new LimitSearch();
    let rate: number | null = first;
    while (rate !== null) {
      rates.push(rate);
      rate = limit.after(rate, rate <= capacity);
    }
    return rates;
  };

  test.each([
    [100, 5_000],
    [9_000, 5_000],
    [1, 1],
    [1_000, 1_000],
  ])('from %i finds what holds up to %i, to a few percent', (first, capacity) => {
    const rates = search(first, capacity);
    const best = Math.max(...rates.filter((rate) => rate <= capacity));
    expect(best).toBeGreaterThan(capacity * 0.95);
    expect(new Set(rates).size).toBe(rates.length);
  });

  test('ends, whatever it is told', () => {
    expect(search(1, Number.POSITIVE_INFINITY).length).toBeLessThanOrEqual(30);
    expect(search(1_000, 0).at(-1)).toBe(1);
  });
});
