// Goal: a stream is written as fast as its client reads, and who does not read costs no more than a
//   bound, and nobody else (O-51); how streams begin, end and are refused, as HTTP/1.1 has it.
// Method: an edge with an endpoint whose events the test sends, and clients on raw sockets.
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Endpoint, EventSink } from '../../src/api/endpoint.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { must } from '../../src/base/assert.ts';
import {
  LIVE_STREAM_COUNT_MAX,
  LIVE_STREAM_OF_DOMAIN_COUNT_MAX,
  LIVE_STREAM_OF_NETWORK_COUNT_MAX,
  LIVE_UNREAD_BYTES_MAX,
} from '../../src/model/limits.ts';
import { BEARERS } from '../support/fake-ports.ts';
import { pause, until } from '../support/until.ts';
import { useEdge } from './edge.ts';

const PATH = '/stream';
const live = must(
  endpoints.find(({ path }) => path === '/api/v1/statistics/live'),
  'there is an endpoint of streams',
);

/** What the endpoint has opened, in order. */
let opened: OpenStream[] = [];
let isAllowed = true;
let clients: Client[] = [];

class OpenStream {
  readonly sink: EventSink;
  sent = 0;
  isClosed = false;

  constructor(sink: EventSink) {
    this.sink = sink;
  }

  /** Numbered events of about so many bytes. */
  send(count: number, bytes: number): void {
    for (let at = 0; at < count && !this.isClosed; at++) {
      this.sink.send('n', `${this.sent++} ${'x'.repeat(bytes)}`);
    }
  }
}

const endpoint: Endpoint = {
  ...live,
  path: PATH,
  parameters: [],
  handle: ({ query }) => ({
    of: query,
    headers: { 'Content-Type': 'text/event-stream' },
    isAllowed: () => isAllowed,
    open: (sink) => {
      const stream = new OpenStream(sink);
      opened.push(stream);
      return () => {
        stream.isClosed = true;
      };
    },
  }),
};
const others = endpoints.filter(({ path }) => path === '/livez');
// What the test's proxy says of an address counts; its own address, that of the machine, is nobody's.
const edge = useEdge([endpoint, ...others], { trustedProxies: ['127.0.0.1'] });

beforeEach(() => {
  opened = [];
  isAllowed = true;
  clients = [];
});
afterEach(() => {
  for (const { socket } of clients) socket.destroy();
});

/** A connection, and what came over it. */
class Client {
  readonly socket: Socket;
  text = '';
  isOver = false;

  constructor() {
    this.socket = connect(edge.handle.port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text) => {
      this.text += String(text);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isOver = true;
    });
    clients.push(this);
  }

  /** @param from an address of the internet, as a proxy says it; '': that of the machine. */
  ask(path = PATH, version = '1.1', from = ''): void {
    const lines = ['Host: a', `Authorization: Bearer ${BEARERS.domain}`];
    if (from !== '') lines.push(`X-Forwarded-For: ${from}`);
    this.socket.write(`GET ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Numbers of the events that came whole. */
  get numbers(): number[] {
    return [...this.text.matchAll(/event: n\ndata: (\d+) x+\n\n/g)].map((match) =>
      Number(match[1]),
    );
  }
}

/** A client that is listened to by a stream. */
async function listening(query = 'one'): Promise<[Client, OpenStream]> {
  const client = new Client();
  const before = opened.length;
  client.ask(`${PATH}?${query}`);
  await until(() => opened.length > before && client.text.includes('\r\n\r\n'));
  return [client, opened[before] as OpenStream];
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at);

test('is answered before there is any event, and ends at once with the edge (O-51)', async () => {
  const [client] = await listening();
  expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(client.text).toMatch(/\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n(\r\n)?$/);
  const startMs = performance.now();
  await edge.handle.stop(30_000);
  await until(() => client.isOver);
  expect(performance.now() - startMs).toBeLessThan(1_000);
  expect(client.text).toMatch(/\r\n0\r\n\r\n$/);
  expect(opened[0]?.isClosed).toBe(true);
});

test.each([
  [100, 200],
  [20_000, 5],
])(
  'who reads nothing of events of %d bytes is closed at 256 KiB, and nobody else (O-51)',
  async (bytes, atOnce) => {
    const [idle, unread] = await listening();
    const [reader, read] = await listening();
    idle.socket.pause();
    while (!unread.isClosed) {
      unread.send(atOnce, bytes);
      read.send(1, bytes);
      await pause(1);
      expect(unread.sent * bytes).toBeLessThan(50_000_000);
    }
    idle.socket.resume();
    await until(() => idle.isOver);
    // What it is sent and never gets is what the edge kept.
    const lost = (unread.sent - idle.numbers.length) * (bytes + 30);
    expect(idle.numbers).toEqual(numbersTo(idle.numbers.length));
    expect(lost).toBeGreaterThan(LIVE_UNREAD_BYTES_MAX / 2);
    expect(lost).toBeLessThan(LIVE_UNREAD_BYTES_MAX + 4 * (bytes + 30) + 16_384);
    await until(() => reader.numbers.length === read.sent);
    expect([reader.isOver, reader.numbers]).toEqual([false, numbersTo(read.sent)]);
  },
);

test('twenty who read nothing are closed at 256 KiB each; who reads beside them misses nothing (O-51)', async () => {
  const BYTES = 4_000;
  const stalled: [Client, OpenStream][] = [];
  for (let at = 0; at < 20; at++) {
    const one = await listening();
    one[0].socket.pause();
    stalled.push(one);
  }
  const [reader, read] = await listening();
  while (stalled.some(([, { isClosed }]) => !isClosed)) {
    for (const [, stream] of stalled) stream.send(5, BYTES);
    read.send(5, BYTES);
    // Before the next events: nobody waits for those who do not read.
    await until(() => reader.numbers.length === read.sent);
    expect(read.sent * BYTES).toBeLessThan(50_000_000);
  }
  expect([reader.isOver, reader.numbers]).toEqual([false, numbersTo(read.sent)]);
  for (const [{ socket }] of stalled) socket.resume();
  await until(() => stalled.every(([{ isOver }]) => isOver), 30_000);
  for (const [client, stream] of stalled) {
    expect(client.numbers).toEqual(numbersTo(client.numbers.length));
    // Sent and never there: the edge kept it, until it let go.
    const keptBytes = (stream.sent - client.numbers.length) * (BYTES + 30);
    expect(keptBytes).toBeLessThan(LIVE_UNREAD_BYTES_MAX + 8 * (BYTES + 30) + 16_384);
  }
}, 120_000);

test('who reads now and then gets all of it, in order (O-51)', async () => {
  const [client, stream] = await listening();
  for (let round = 0; round < 40; round++) {
    client.socket.pause();
    // More than the kernel takes comes together in some of the rounds.
    stream.send(100, 2_000);
    await pause(5);
    client.socket.resume();
    await until(() => client.numbers.length > stream.sent - 100);
  }
  await until(() => client.numbers.length === stream.sent);
  expect(client.numbers).toEqual(numbersTo(4_000));
});

test('what was kept back comes by itself once the client reads again (O-51)', async () => {
  const BYTES = 60_000;
  const room = await kernelRoom(BYTES);
  const [client, stream] = await listening();
  client.socket.pause();
  for (let at = 0; at < room + 2; at++) {
    stream.send(1, BYTES);
    await pause(1);
  }
  expect(stream.isClosed).toBe(false);
  client.socket.resume();
  // Nothing more is sent: the next comment line would come in 15 seconds.
  await until(() => client.numbers.length === stream.sent, 3_000);
});

/** Events that the kernel takes for a client that does not read. */
async function kernelRoom(bytes: number): Promise<number> {
  const [client, stream] = await listening();
  client.socket.pause();
  while (!stream.isClosed) {
    stream.send(1, bytes);
    await pause(1);
  }
  client.socket.resume();
  await until(() => client.isOver);
  return client.numbers.length;
}

test('ends when the right to listen does, and its connection takes the next request (O-51)', async () => {
  const [client, stream] = await listening();
  isAllowed = false;
  await until(() => stream.isClosed, 3_000);
  await until(() => client.text.endsWith('\r\n0\r\n\r\n'));
  client.ask('/livez');
  await until(() => client.text.includes('{}') || client.text.split('HTTP/1.1 200').length > 2);
  expect(client.isOver).toBe(false);
});

test('what is asked behind a stream on its connection does not break into it', async () => {
  const [client, stream] = await listening();
  client.ask('/livez');
  await pause(50);
  stream.send(3, 10);
  await pause(100);
  const begins = client.text.match(/HTTP\/1\.1 \d+/g) ?? [];
  // Closed or waited for, as the engine has it: never an answer among events.
  expect(begins.length === 1 || client.isOver).toBe(true);
});

test('a client that leaves is let go of', async () => {
  const [client, stream] = await listening();
  client.socket.destroy();
  await until(() => stream.isClosed, 3_000);
  stream.sink.send('n', 'nobody hears it');
});

test('of one site so many, then 503 with Retry-After; of another there is room (O-51)', async () => {
  for (let at = 0; at < LIVE_STREAM_OF_DOMAIN_COUNT_MAX; at++) {
    const client = new Client();
    client.ask(`${PATH}?one`);
  }
  await until(() => opened.length === LIVE_STREAM_OF_DOMAIN_COUNT_MAX, 20_000);
  const refused = await edge.get(`${PATH}?one`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.json).toEqual({
    ...{ validation: {}, context: {} },
    error: [expect.stringContaining('too many streams')],
  });
  await listening('another');
  clients[0]?.socket.destroy();
  await until(() => opened[0]?.isClosed === true);
  await listening('one');
});

test('of those 100 of one network of the internet, whatever its addresses; others have room (O-51)', async () => {
  const network = (at: number) => `2001:4860:1:2::${(at % 50).toString(16)}`;
  for (let at = 0; at < LIVE_STREAM_OF_NETWORK_COUNT_MAX; at++) {
    new Client().ask(`${PATH}?one`, '1.1', network(at));
  }
  await until(() => opened.length === LIVE_STREAM_OF_NETWORK_COUNT_MAX, 20_000);
  const answerTo = async (from: string, query = 'one') => {
    const client = new Client();
    client.ask(`${PATH}?${query}`, '1.1', from);
    await until(() => client.text.includes('\r\n\r\n'));
    return client.text.slice('HTTP/1.1 '.length).slice(0, 3);
  };
  expect(await answerTo('2001:4860:1:2:ffff::1')).toBe('503');
  expect(await answerTo('2001:4860:1:3::1')).toBe('200');
  expect(await answerTo('2001:4860:1:2::1', 'another')).toBe('200');
  expect(await answerTo('81.2.69.142')).toBe('200');
  clients[0]?.socket.destroy();
  await until(() => opened[0]?.isClosed === true);
  expect(await answerTo('2001:4860:1:2:ffff::1')).toBe('200');
});

test('of one edge 4,000 whatever the site, then 503; they hold nothing once they are gone (O-51)', async () => {
  const refusal = {
    ...{ validation: {}, context: {} },
    error: [expect.stringContaining('too many streams')],
  };
  for (let at = 0; at < LIVE_STREAM_COUNT_MAX; at++) {
    new Client().ask(`${PATH}?site-${Math.floor(at / LIVE_STREAM_OF_DOMAIN_COUNT_MAX)}`);
    // As many at once as the kernel lets wait.
    if (at % 100 === 99) await until(() => opened.length === at + 1, 30_000);
  }
  for (let again = 0; again < 3; again++) {
    const refused = await edge.get(`${PATH}?another`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.json).toEqual(refusal);
  }
  expect(opened).toHaveLength(LIVE_STREAM_COUNT_MAX);
  expect((await edge.get('/livez')).status).toBe(200);
  for (const stream of opened) stream.send(1, 100);
  await until(() => clients.every(({ numbers }) => numbers.length === 1), 30_000);

  const held = opened.map(({ sink }) => new WeakRef(sink));
  for (const { socket } of clients) socket.destroy();
  await until(() => opened.every(({ isClosed }) => isClosed), 30_000);
  opened = [];
  clients = [];
  await listening('another');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const leftCount = () => {
    collect();
    return held.filter((one) => one.deref() !== undefined).length;
  };
  // The engine's registers may still hold the last one.
  await until(() => leftCount() <= 1, 30_000);
}, 120_000);

test('an edge that stops takes no further stream, and says so (O-51)', async () => {
  const [kept] = await listening();
  const [client, stream] = await listening();
  // Its connection is there before the stop, its request after.
  const late = new Client();
  await until(() => late.socket.readyState === 'open');
  late.ask('/livez');
  await until(() => late.text.includes('HTTP/1.1 200'));
  const stopped = edge.handle.stop(30_000);
  late.ask(`${PATH}?late`);
  await stopped;
  await until(() => kept.isOver && client.isOver && late.isOver);
  expect(stream.isClosed).toBe(true);
  expect(opened).toHaveLength(2);
});
