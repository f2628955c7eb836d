// Goal: what every answer says beside its body: HEAD as GET, headers, compression, encodings, origins.
// Method: fetch and raw sockets against an edge over fake ports; what is long is compared unpacked.

import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { acceptedCodings } from '../../src/edge/http/accept-encoding.ts';
import { startEdge } from '../../src/edge/server.ts';
import { errors } from '../../src/model/errors.ts';
import { sendRaw } from '../support/clients/raw-socket.ts';
import { BEARERS, fakePorts } from '../support/fake-ports.ts';
import { pageView, rawRequest, useEdge } from './edge.ts';

const edge = useEdge();
const HIT = '/api/v1/hit';
const TOTAL = '/api/v1/statistics/total?id=domain-1&from=2026-11-01&to=2026-11-20';
const AUTHORIZATION = { authorization: `Bearer ${BEARERS.domain}` };
const GZIP = { ...AUTHORIZATION, 'accept-encoding': 'gzip' };
const TOKEN = { client_id: 'id', client_secret: 'secret' };
const LONG = JSON.stringify({ text: 'ä'.repeat(50_000) });

const answerWith = (json: string): void => {
  edge.fake.statistic = async () => Buffer.from(json);
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(() => agent.destroy());

interface Answer {
  status: number;
  /** The head, line by line. */
  lines: string[];
  body: Buffer;
}

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'text/event-stream';

/** Asks over one connection, so that an answer out of step is noticed. Of a stream only its head. */
function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(edge.baseUrl + path, { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      // A stream ends by no word of the service; its connection ends with it.
      if (method === 'GET' && isStream(response)) response.destroy();
      response.on('close', () => {
        const lines = response.rawHeaders.flatMap((name, index, all) =>
          index % 2 === 0 && name !== 'Date' ? [`${name}: ${all[index + 1]}`] : [],
        );
        const status = response.statusCode ?? 0;
        resolve({ status, lines: lines.toSorted(), body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** A request without a body, as bytes. */
const bytesOf = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('HEAD', () => {
  const paths = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const withoutFraming = (lines: string[]): string[] =>
    lines.filter((line) => line !== 'Transfer-Encoding: chunked');

  test.each(paths)('%s is answered like GET, without the body', async (path) => {
    for (const headers of [{}, AUTHORIZATION]) {
      const asked = `${path}?id=domain-1&from=2026-11-01&to=2026-11-20`;
      const get = await ask('GET', asked, headers);
      const head = await ask('HEAD', asked, headers);
      const isStream = get.lines.includes('Content-Type: text/event-stream');
      // How a body without a length is framed is left out where there is none (RFC 9110, 9.3.2).
      const lines = isStream ? withoutFraming(get.lines) : get.lines;
      expect(head).toEqual({ status: get.status, lines, body: Buffer.alloc(0) });
      if (!isStream) expect(head.lines).toContain(`Content-Length: ${get.body.length}`);
    }
  });

  test('of a compressed answer says the compressed length', async () => {
    answerWith(LONG);
    const get = await ask('GET', TOTAL, GZIP);
    const head = await ask('HEAD', TOTAL, GZIP);
    expect(head).toEqual({ ...get, body: Buffer.alloc(0) });
    expect(head.lines).toContain('Content-Encoding: gzip');
  });

  test.each([
    [HIT, 405],
    ['/nowhere/here', 404],
    ['/livez', 200],
    [TOTAL, 401],
  ])('%s is a %d, and the connection stays in step', async (path, status) => {
    const both = bytesOf('HEAD', path) + bytesOf('GET', '/livez');
    const answer = await sendRaw(edge.baseUrl, both, { waitMs: 200 });
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nContent-Length: [1-9]\d*\r\n/);
    expect(answer).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });
});

describe('every answer', () => {
  test.each([
    ['an unknown path', 'GET', '/nowhere/here', 404],
    ['another method', 'PUT', HIT, 405],
    ['no credentials', 'GET', '/api/v1/domain', 401],
    ['a statistic', 'GET', TOTAL, 200],
    ['a check', 'GET', '/readyz', 200],
    ['no body', 'POST', HIT, 400],
  ])('(%s) forbids sniffing and does not name the engine', async (_, method, path, status) => {
    const answer = await ask(method, path, status === 401 ? {} : AUTHORIZATION);
    expect(answer.status).toBe(status);
    expect(answer.lines).toContain('X-Content-Type-Options: nosniff');
    expect(answer.lines).toContain('Content-Type: application/json');
    expect(answer.lines).toContain('Keep-Alive: timeout=7');
    expect(answer.lines.join('\n')).not.toMatch(/uwebsockets|access-control|origin/i);
  });

  test('to a hit says no more than it must', async () => {
    const answer = await sendRaw(edge.baseUrl, rawRequest(HIT, JSON.stringify(pageView())));
    const names = [...answer.matchAll(/^([\w-]+): /gm)].map((match) => match[1]);
    expect(names).toEqual([
      ...['Content-Type', 'X-Content-Type-Options', 'Keep-Alive', 'Date', 'Content-Length'],
    ]);
  });

  test('keeps its word: after 7 idle seconds the connection still answers', async () => {
    const socket = connect(edge.handle.port, '127.0.0.1');
    const answered = () => new Promise((resolve) => socket.once('data', resolve));
    for (const waitMs of [0, 7_000]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      socket.write(bytesOf('GET', '/livez'));
      expect(String(await answered())).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });

  test.each([
    [TOTAL, 'private, no-store'],
    ['/api/v1/domain', 'private, no-store'],
    ['/api/v1/goal?id=domain-1', 'private, no-store'],
    ['/livez', 'no-store'],
    ['/api/v1', 'no-store'],
    ['/nowhere/here', 'no-store'],
    ['/api/v1/statistics/total', 'private, no-store'],
  ])('to GET %s says Cache-Control: %s', async (path, expected) => {
    expect((await edge.get(path)).headers.get('cache-control')).toBe(expected);
  });

  test('with a token may not be kept, nor one that refuses it', async () => {
    const known = { client_id: 'a'.repeat(32), client_secret: 'b'.repeat(64) };
    for (const body of [TOKEN, known]) {
      const reply = await edge.post('/api/v1/token', body, { bearer: '' });
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('GET /api/v1 says what this is and where to read on, also while starting', async () => {
    edge.fake.unreadyReason = 'it is replaying the log';
    const reply = await edge.get('/api/v1', '');
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ name: 'footfall', api: '/api/v1', livez: '/livez' });
    expect(reply.json.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(reply.json.documentation).toBe('/docs');
  });
});

describe('compression', () => {
  test.each([
    ['', ''],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, br', 'br, gzip'],
    ['gzip, br;q=0.9', 'gzip, br'],
    ['deflate, gzip;q=1.0, *;q=0.5', 'gzip, br'],
    ['gzip;q=0', ''],
    ['gzip;q=0.000', ''],
    ['gzip ; q=0.001', 'gzip'],
    ['gzip;q=2', ''],
    ['gzip;q=x', ''],
    ['*', 'br, gzip'],
    ['*;q=0', ''],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['identity', ''],
    ['identity;q=1, gzip;q=0.5', ''],
    ['identity;q=0.5, gzip', 'gzip'],
    ['BR', 'br'],
    [',;,', ''],
  ])('Accept-Encoding: %j takes %j (RFC 9110, 12.5.3)', (header, expected) => {
    expect(acceptedCodings(header).join(', ')).toBe(expected);
    expect(acceptedCodings(header).join(', ')).toBe(expected);
  });

  test.each([
    [1_022, false],
    [1_023, false],
    [1_024, true],
  ])('an answer of %d bytes is compressed: %s', async (bytes, isCompressed) => {
    const json = JSON.stringify('x'.repeat(bytes - 2));
    answerWith(json);
    const { lines, body } = await ask('GET', TOTAL, GZIP);
    expect(lines.includes('Content-Encoding: gzip')).toBe(isCompressed);
    expect(lines).toContain('Vary: Accept-Encoding');
    expect(String(isCompressed ? gunzipSync(body) : body)).toBe(json);
  });

  test('a client that does not ask for it gets none, and is told that others do', async () => {
    answerWith(LONG);
    for (const header of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0' }]) {
      const { lines } = await ask('GET', TOTAL, { ...AUTHORIZATION, ...header });
      expect(lines.join('\n')).not.toContain('Content-Encoding');
      expect(lines).toContain('Vary: Accept-Encoding');
      expect(lines).toContain(`Content-Length: ${Buffer.byteLength(LONG)}`);
    }
  });

  test('long errors are compressed, too', async () => {
    const items = Array.from({ length: 100 }, () => ({ url: 1 }));
    const headers = { 'accept-encoding': 'gzip' };
    const reply = await edge.post('/api/v1/hit/batch', items, { headers });
    expect(reply.status).toBe(400);
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(Object.keys(reply.json.validation)).toHaveLength(100);
  });

  test('a client that leaves while its answer is compressed leaves nothing behind', async () => {
    answerWith(JSON.stringify('x'.repeat(8_000_000)));
    const head = Object.entries(GZIP).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = `GET ${TOTAL} HTTP/1.1\r\nHost: a\r\n${head.join('')}\r\n`;
    await sendRaw(edge.baseUrl, bytes, { afterwards: 'destroy' });
    answerWith('{}');
    expect((await edge.get(TOTAL)).status).toBe(200);
    const startMs = performance.now();
    await edge.handle.stop(30_000);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});

describe('the body of a request', () => {
  test.each(['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'x'.repeat(500)])(
    'with Content-Encoding: %s is a 415 that says what to change',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      for (const path of [HIT, '/api/v1/hit/batch', '/api/v1/token', '/api/v1/goal']) {
        const reply = await edge.post(path, pageView(), { headers });
        expect(reply.status).toBe(415);
        expect(reply.json).toMatchObject({ validation: {}, context: {} });
        expect(reply.json.error[0]).toContain('without that header');
        expect(reply.json.error[0].length).toBeLessThan(150);
      }
      expect(edge.fake.submitted).toEqual([]);
    },
  );

  test.each(['identity', 'Identity', ''])('with Content-Encoding: %j is read', async (encoding) => {
    const bytes = rawRequest(HIT, JSON.stringify(pageView()), [`Content-Encoding: ${encoding}`]);
    expect(await sendRaw(edge.baseUrl, bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('may begin with a byte order mark', async () => {
    const time = '2026-11-20T10:00:00Z';
    const token = JSON.stringify(TOKEN);
    const sent: [string, string][] = [
      [HIT, JSON.stringify(pageView())],
      ['/api/v1/hit/batch', JSON.stringify([pageView({ time })])],
      ['/api/v1/token', token],
    ];
    for (const [path, body] of sent) {
      expect((await edge.post(path, `\ufeff${body}`)).status).toBe(200);
    }
  });
});

describe('what a client is not told', () => {
  test('is logged for the operator, once a minute', async () => {
    const reason = "ENOSPC: no space left on device, write '/var/lib/footfall/log/1'";
    edge.fake.submitError = errors.LOG_WRITE_FAILED({ reason });
    for (let count = 0; count < 3; count++) {
      const reply = await edge.post(HIT, pageView());
      expect(reply.status).toBe(503);
      expect(JSON.stringify(reply.json)).not.toMatch(/ENOSPC|\/var/);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    expect(edge.fake.logged).toHaveLength(1);
    expect(String(edge.fake.logged[0]?.error)).toContain(reason);
  });
});

describe('cross-origin requests', () => {
  const APP = 'https://app.example.org';
  const OTHER = 'https://evil.example';

  async function withOrigins(origins: string[], check: (url: string) => Promise<void>) {
    const { ports } = fakePorts();
    const own = await startEdge({ host: '127.0.0.1', port: 0, ports, corsOrigins: origins });
    try {
      await check(`http://127.0.0.1:${own.port}`);
    } finally {
      await own.stop(0);
    }
  }

  const preflight = (url: string, path: string, origin: string) =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test('are not spoken of unless origins are set', async () => {
    const response = await preflight(edge.baseUrl, HIT, APP);
    expect(response.status).toBe(405);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('of a listed origin are allowed, with preflight, also on errors', async () => {
    await withOrigins([APP, 'http://localhost:3000'], async (url) => {
      const allowed = await preflight(url, HIT, APP);
      expect(allowed.status).toBe(204);
      expect(Object.fromEntries(allowed.headers)).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
        'access-control-max-age': '7200',
        vary: 'Origin',
      });
      for (const [path, status] of [
        [TOTAL, 401],
        ['/nowhere/here', 404],
        ['/readyz', 200],
        [HIT, 405],
      ] as const) {
        const response = await fetch(url + path, { headers: { origin: APP } });
        expect(response.status).toBe(status);
        expect(response.headers.get('access-control-allow-origin')).toBe(APP);
        expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
        expect(response.headers.get('vary')).toContain('Origin');
      }
    });
  });

  test('of another origin are answered without a word that lets its scripts read', async () => {
    await withOrigins([APP], async (url) => {
      for (const origin of [OTHER, 'null', `${APP}.evil.example`, APP.toUpperCase()]) {
        for (const response of [
          await preflight(url, HIT, origin),
          await fetch(`${url}/livez`, { headers: { origin } }),
        ]) {
          expect(response.ok).toBe(true);
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
          expect(response.headers.get('vary')).toContain('Origin');
        }
      }
    });
  });

  test('are allowed to anybody by *', async () => {
    await withOrigins(['*'], async (url) => {
      expect((await preflight(url, HIT, OTHER)).headers.get('access-control-allow-origin')).toBe(
        '*',
      );
      for (const path of ['/livez', '/nowhere/here', TOTAL]) {
        const response = await fetch(url + path, { headers: { origin: OTHER } });
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
      }
    });
  });
});

describe('the OpenAPI document', () => {
  const PATH = '/api/v1/openapi.json';

  test('is there for everybody, compressed where a client takes it', async () => {
    const plain = await ask('GET', PATH);
    const packed = await ask('GET', PATH, { 'accept-encoding': 'gzip' });
    expect(JSON.parse(String(plain.body))).toMatchObject({ openapi: '3.1.0' });
    expect(packed.lines).toContain('Content-Encoding: gzip');
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect((await ask('HEAD', PATH)).lines).toContain(`Content-Length: ${plain.body.length}`);
  });

  test('is the document of the endpoints that are served', async () => {
    const served = JSON.parse(String((await ask('GET', PATH)).body)) as unknown;
    expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument(endpoints))));
  });

  test('is answered while the service is starting', async () => {
    edge.fake.unreadyReason = 'it is starting';
    expect((await ask('GET', PATH)).status).toBe(200);
  });
});
