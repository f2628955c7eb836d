// Goal: whatever comes as a body, however it comes, is answered in the shape of A-11 or taken once.
// Method: raw sockets and fetch against an edge over fake ports; after each insult a good hit.
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  BATCH_BODY_BYTES_MAX,
  BODY_BYTES_MAX,
  JSON_DEPTH_MAX,
  JSON_SMALL_BYTES_MAX,
} from '../../../src/model/limits.ts';
import { sendRaw } from '../../support/clients/raw-socket.ts';
import { AGENT, BEARERS, overloaded } from '../../support/fake-ports.ts';
import { pageView, rawRequest, useEdge } from '../edge.ts';

const edge = useEdge();
const HIT = '/api/v1/hit';
const BATCH = '/api/v1/hit/batch';
const GOOD = JSON.stringify(pageView());

afterEach(async () => {
  edge.fake.submitError = null;
  edge.fake.holdsBack = false;
  expect((await edge.post(HIT, pageView())).status).toBe(200);
});

describe('malformed bodies', () => {
  test.each([
    ['nothing', ''],
    ['half an object', '{"url":'],
    ['two values', '{} {}'],
    ['a form', 'url=https%3A%2F%2Fexample.org'],
    ['two byte order marks', `\ufeff\ufeff${GOOD}`],
    ['white space before a byte order mark', ` \ufeff${GOOD}`],
    ['a byte order mark and nothing', '\ufeff'],
    ['bare NaN', '{"url":NaN}'],
    ['a lone backslash', '{"url":"\\"}'],
    ['a control character', '{"url":"\u0001"}'],
    ['brackets without end', '['.repeat(200_000)],
  ])('%s is a 400 that says so', async (_, body) => {
    const reply = await edge.post(HIT, body);
    expect(reply.status).toBe(400);
    expect(reply.json.validation).toEqual({});
    expect(reply.json.error[0]).toMatch(/^the body is not valid JSON: /);
    expect(edge.fake.submitted).toEqual([]);
  });

  test.each([
    ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ])('%s is a 400 that asks for UTF-8', async (_, body) => {
    const reply = await edge.post(HIT, body);
    expect(reply.status).toBe(400);
    expect(reply.json.error[0]).toContain('not UTF-8');
  });

  test.each([['null'], ['3'], ['"text"'], ['true'], ['[]'], [`[${GOOD}]`]])(
    'the JSON value %s is no page view: 400 validation.body',
    async (body) => {
      const reply = await edge.post(HIT, body);
      expect(reply.status).toBe(400);
      expect(reply.json.validation).toEqual({ body: 'must be an object' });
    },
  );

  test.each(['{}', 'null', '3', '"text"'])('the JSON value %s is no batch', async (body) => {
    const reply = await edge.post(BATCH, body);
    expect(reply.status).toBe(400);
    expect(reply.json.validation).toEqual({ body: 'must be an array' });
  });

  test('names of the language mean nothing: __proto__ and constructor are unknown keys', async () => {
    const body = `{"__proto__":{"url":"https://example.org/"},"constructor":{"prototype":{}},${GOOD.slice(1)}`;
    expect((await edge.post(HIT, body)).status).toBe(200);
    const only = `{"__proto__":${GOOD}}`;
    const reply = await edge.post(HIT, only);
    expect(Object.keys(reply.json.validation).toSorted()).toEqual(['ip', 'url', 'user_agent']);
    expect(({} as Record<string, unknown>)['url']).toBeUndefined();
  });

  test('a JSON body needs no content type (A-4)', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await edge.post(HIT, pageView(), { headers })).status).toBe(200);
  });
});

describe('nesting', () => {
  const nested = (depth: number, fill: number): string =>
    `[${pad(fill)}${'['.repeat(depth - 1)}${']'.repeat(depth)}`;
  const pad = (bytes: number): string => `"${'x'.repeat(bytes)}",`;

  test.each([
    { depth: JSON_DEPTH_MAX - 1, isDeep: false },
    { depth: JSON_DEPTH_MAX, isDeep: false },
    { depth: JSON_DEPTH_MAX + 1, isDeep: true },
  ])(
    'a large body nested $depth deep is refused as too deep: $isDeep',
    async ({ depth, isDeep }) => {
      const reply = await edge.post(BATCH, nested(depth, JSON_SMALL_BYTES_MAX));
      expect(reply.status).toBe(400);
      expect(String(reply.json.error[0] ?? '').includes('levels deep')).toBe(isDeep);
    },
  );

  test('brackets in texts do not nest, nor do escaped quotes end a text', async () => {
    const title = `\\"${'['.repeat(1_000)}`;
    const fields = Array.from({ length: 20 }, (_, index) => `"k${index}":"${title.repeat(8)}"`);
    const body = `{${fields.join(',')},${GOOD.slice(1)}`;
    expect(body.length).toBeGreaterThan(JSON_SMALL_BYTES_MAX);
    expect((await edge.post(HIT, body)).status).toBe(200);
  });

  test('a megabyte of nested arrays in an unknown key does not bring the edge down', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect((await edge.post(HIT, `{"x":${deep},${GOOD.slice(1)}`)).status).toBe(200);
  });
});

describe('limits', () => {
  const filled = (bytes: number): string => {
    const rest = `,"x":""}`;
    const open = GOOD.slice(0, -1);
    return `${open},"x":"${'x'.repeat(bytes - open.length - rest.length)}"}`;
  };

  test.each([
    { bytes: BODY_BYTES_MAX - 1, status: 200 },
    { bytes: BODY_BYTES_MAX, status: 200 },
    { bytes: BODY_BYTES_MAX + 1, status: 413 },
  ])('a single request of $bytes bytes gets $status (A-9)', async ({ bytes, status }) => {
    const reply = await edge.post(HIT, filled(bytes));
    expect(reply.status).toBe(status);
    if (status === 413) expect(reply.json.error[0]).toContain(String(BODY_BYTES_MAX));
    expect(edge.fake.submitted.length).toBe(status === 200 ? 1 : 0);
  });

  test.each([
    { bytes: BATCH_BODY_BYTES_MAX, status: 400 },
    { bytes: BATCH_BODY_BYTES_MAX + 1, status: 413 },
  ])('a batch of $bytes bytes gets $status (A-9)', async ({ bytes, status }) => {
    const reply = await edge.post(BATCH, filled(bytes));
    expect(reply.status).toBe(status);
    if (status === 413) expect(reply.json.error[0]).toContain(String(BATCH_BODY_BYTES_MAX));
  });

  test('the limit holds without a Content-Length too', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 20; sent++) controller.enqueue(Buffer.alloc(65_536, 'x'));
        controller.close();
      },
    });
    const response = await fetch(edge.baseUrl + HIT, {
      method: 'POST',
      headers: { authorization: `Bearer ${BEARERS.domain}` },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(edge.fake.submitted).toEqual([]);
  });

  test('a refused body passes by, and the connection serves the next request', async () => {
    const large = 'x'.repeat(BODY_BYTES_MAX + 1);
    const socket = new RawClient(edge.handle.port);
    socket.send(rawRequest(HIT, large));
    expect(await socket.answer()).toContain('HTTP/1.1 413 ');
    socket.send(rawRequest(HIT, GOOD));
    expect(await socket.answer()).toContain('HTTP/1.1 200 OK');
    socket.close();
  });

  test('a client that announces a gigabyte is answered and cut off', async () => {
    const request = rawRequest(HIT, '', ['Content-Length: 1000000000']);
    const answer = await sendRaw(edge.baseUrl, request);
    expect(answer).toContain('HTTP/1.1 413 ');
    expect(answer.toLowerCase()).toContain('connection: close');
  });
});

describe('bodies in pieces', () => {
  test('a body byte by byte is the same body', async () => {
    const socket = new RawClient(edge.handle.port);
    const request = rawRequest(HIT, JSON.stringify(pageView({ title: 'Straße 😀' })));
    const head = request.indexOf('\r\n\r\n') + 4;
    socket.send(request.slice(0, head));
    for (const byte of Buffer.from(request.slice(head))) {
      socket.send(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await socket.answer()).toContain('HTTP/1.1 200 OK');
    socket.close();
    expect(edge.fake.submitted.length).toBe(1);
  });

  test('a chunked body of one-byte chunks is the same body', async () => {
    const chunks = Array.from(GOOD, (byte) => `1\r\n${byte}\r\n`).join('');
    const request = rawRequest(HIT, `${chunks}0\r\n\r\n`, ['Transfer-Encoding: chunked']);
    expect(await sendRaw(edge.baseUrl, request)).toContain('HTTP/1.1 200 OK');
    expect(edge.fake.submitted.length).toBe(1);
  });

  test.each([
    ['401 to a stranger', HIT, 'Bearer nobody', '401'],
    ['404 of an address that nothing is at', '/api/v1/nothing', `Bearer ${BEARERS.domain}`, '404'],
    ['405 of an address that is asked otherwise', '/livez', `Bearer ${BEARERS.domain}`, '405'],
  ])('a refusal is read by who still sends chunks: %s', async (_, path, bearer, status) => {
    const socket = new RawClient(edge.handle.port);
    const chunk = 'x'.repeat(1_000);
    const piece = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
    const head = rawRequest(path, piece, ['Transfer-Encoding: chunked']);
    socket.send(head.replace(/Bearer \S+/, bearer));
    // A connection that is closed now is reset by what comes next.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(socket.received).toBe('');
    socket.send(`${piece}0\r\n\r\n`);
    const answer = await socket.answer();
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer.toLowerCase()).toContain('connection: close');
    socket.close();
  });

  test('a large batch in many pieces is taken whole', async () => {
    const items = Array.from({ length: 10_000 }, (_, second) =>
      pageView({
        title: 'x'.repeat(500),
        time: new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString(),
      }),
    );
    const reply = await edge.post(BATCH, items);
    expect(reply.json).toEqual({ accepted: 10_000, rejected: [] });
    expect(edge.fake.submitted[0]?.[0]?.hits.length).toBe(10_000);
  });

  test('a connection that breaks in the middle of a body stores nothing', async () => {
    const request = rawRequest(HIT, GOOD);
    await sendRaw(edge.baseUrl, request.slice(0, -10), { afterwards: 'destroy' });
    await until(() => edge.get('/livez').then(({ status }) => status === 200));
    expect(edge.fake.submitted).toEqual([]);
  });

  test('garbage instead of HTTP closes that connection only', async () => {
    for (const bytes of ['\u0016\u0003\u0001\u0002\u0000', 'hello\r\n\r\n', '\0'.repeat(100)]) {
      await sendRaw(edge.baseUrl, bytes, { waitMs: 50, afterwards: 'end' });
    }
    expect((await edge.get('/livez')).status).toBe(200);
  });
});

describe('answers that come later', () => {
  test('the answer waits for the log (I-78)', async () => {
    edge.fake.holdsBack = true;
    let isAnswered = false;
    const reply = edge.post(HIT, pageView()).then((received) => {
      isAnswered = true;
      return received;
    });
    await until(() => edge.fake.submitted.length === 1);
    await edge.get('/livez');
    expect(isAnswered).toBe(false);
    edge.fake.release();
    expect((await reply).json).toEqual({});
  });

  test('a log that cannot take it is a 503 with Retry-After', async () => {
    edge.fake.submitError = overloaded();
    const reply = await edge.post(HIT, pageView());
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  test('a client that leaves before the answer harms nobody', async () => {
    edge.fake.holdsBack = true;
    await sendRaw(edge.baseUrl, rawRequest(HIT, GOOD), { waitMs: 50 });
    await until(() => edge.fake.submitted.length === 1);
    edge.fake.release();
    expect(edge.fake.logged).toEqual([]);
  });

  test('a second request before the first answer ends the connection, never mixes answers', async () => {
    edge.fake.holdsBack = true;
    const answer = await sendRaw(edge.baseUrl, rawRequest(HIT, GOOD) + rawRequest(HIT, GOOD), {
      waitMs: 200,
    });
    expect(answer).toBe('');
    edge.fake.release();
  });

  test('requests one after the other on a connection are all answered', async () => {
    const socket = new RawClient(edge.handle.port);
    for (let sent = 1; sent <= 5; sent++) {
      socket.send(rawRequest(HIT, GOOD));
      expect(await socket.answer()).toContain('HTTP/1.1 200 OK');
      expect(edge.fake.submitted.length).toBe(sent);
    }
    socket.close();
  });
});

describe('stopping', () => {
  test('what is in flight is answered, and the connection ends with the answer', async () => {
    edge.fake.holdsBack = true;
    const reply = edge.post(HIT, pageView({ user_agent: AGENT }));
    await until(() => edge.fake.submitted.length === 1);
    const stopped = edge.handle.stop(5_000);
    edge.fake.release();
    const { status, headers } = await reply;
    expect(status).toBe(200);
    expect(headers.get('connection')).toBe('close');
    await stopped;
    await expect(fetch(`${edge.baseUrl}/livez`)).rejects.toThrow();
    await restart();
  });

  test('what does not end within the grace is cut off', async () => {
    edge.fake.holdsBack = true;
    const reply = edge.post(HIT, pageView());
    const outcome = expect(reply).rejects.toThrow();
    await until(() => edge.fake.submitted.length === 1);
    await edge.handle.stop(20);
    await outcome;
    edge.fake.release();
    await restart();
  });

  test('a request on a connection that is still open is a 503 that closes it', async () => {
    edge.fake.holdsBack = true;
    const socket = new RawClient(edge.handle.port);
    socket.send('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await socket.answer();
    const held = edge.post(HIT, pageView());
    await until(() => edge.fake.submitted.length === 1);
    const stopped = edge.handle.stop(5_000);
    socket.send(rawRequest(HIT, GOOD));
    const answer = await socket.answer();
    expect(answer).toContain('HTTP/1.1 503 ');
    expect(answer).toContain('stopping');
    edge.fake.release();
    await held;
    await stopped;
    await restart();
  });

  /** So that the check after each test finds an edge again. */
  async function restart(): Promise<void> {
    const { startEdge } = await import('../../../src/edge/server.ts');
    const { ports } = edge.fake;
    edge.handle = await startEdge({ host: '127.0.0.1', port: 0, ports });
    edge.baseUrl = `http://127.0.0.1:${edge.handle.port}`;
    edge.fake.holdsBack = false;
  }
});

test('an address that cannot be listened on is refused with ADDRESS_UNUSABLE', async () => {
  const { startEdge } = await import('../../../src/edge/server.ts');
  const started = startEdge({ host: '192.0.2.1', port: 1, ports: edge.fake.ports });
  await expect(started).rejects.toMatchObject({ code: 'ADDRESS_UNUSABLE' });
});

/** Waits for something that comes about on its own. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect.unreachable('it never came about');
}

/** One connection with several requests. */
class RawClient {
  readonly #socket: Socket;
  #text = '';

  get received(): string {
    return this.#text;
  }

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1');
    });
    this.#socket.on('error', () => {});
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  async answer(): Promise<string> {
    const isWhole = (): boolean => {
      const end = this.#text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(this.#text.slice(0, end))?.[1];
      return end >= 0 && this.#text.length >= end + 4 + Number(length ?? 0);
    };
    await until(isWhole);
    const text = this.#text;
    this.#text = '';
    return text;
  }

  close(): void {
    this.#socket.destroy();
  }
}
