// Goal: whatever a receiver answers, an attempt comes to its end in time, takes little, and counts as
// taken after a 2xx only (O-2, O-11); looking names up holds nobody else up (O-12).
// Method: servers that write bytes as they please; a DNS server that says nothing, or what it is told.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { HttpSender } from '../../src/delivery/http/http-sender.ts';
import { resolveByServers } from '../../src/delivery/http/resolve.ts';
import { dnsServer } from './dns-server.ts';

type Answer = (socket: Socket, requests: number) => void;

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const closers: (() => void)[] = [];
let connections = 0;

afterEach(() => {
  for (const close of closers.splice(0)) close();
  connections = 0;
});

/** A server that says what it is told once a request has come whole. @returns its address. */
async function serve(answer: Answer): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    let requests = 0;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      text += part.toString();
      if (!text.endsWith('{}')) return;
      text = '';
      requests++;
      answer(socket, requests);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function senderOf(timeMsMax = 10_000): HttpSender {
  const sender = new HttpSender({ allowsPrivate: true, timeMsMax });
  closers.push(() => sender.close());
  return sender;
}

async function post(answer: Answer, timeMsMax?: number) {
  const sender = senderOf(timeMsMax);
  return sender.post({ url: await serve(answer), headers: {}, body: '{}' });
}

/** Writes the same for as long as somebody reads. */
function flood(socket: Socket, piece: string): void {
  const chunk = piece.repeat(Math.ceil(65_536 / piece.length));
  const more = () => {
    if (socket.destroyed) return;
    if (socket.write(chunk)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
}

const REFUSED: readonly (readonly [what: string, answer: Answer, words: RegExp])[] = [
  ['nothing, and goes', (socket) => socket.end(), /hang up|ended/],
  ['a reset', (socket) => socket.resetAndDestroy(), /ECONNRESET|hang up/],
  ['garbage', (socket) => socket.end('\u0000\u0001 no protocol \r\n\r\n'), /Parse Error/],
  ['half of a head', (socket) => socket.end('HTTP/1.1 200 O'), /hang up|Parse|ended/],
  ['a status that there is not', (socket) => socket.end('HTTP/1.1 999999 X\r\n\r\n'), /Parse/],
  [
    '101, unasked',
    (s) => s.end('HTTP/1.1 101 X\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n'),
    /./,
  ],
  [
    '101 and stays',
    (s) => s.write('HTTP/1.1 101 X\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n'),
    /./,
  ],
  ['endless 1xx', (socket) => flood(socket, 'HTTP/1.1 103 Early\r\nlink: <a>\r\n\r\n'), /1xx/],
  ['endless 100', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), /1xx/],
  [
    'endless headers',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, 'a: b\r\n');
    },
    /Header overflow/i,
  ],
  [
    'one header without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      flood(socket, 'y');
    },
    /Header overflow/i,
  ],
  ['two lengths', (s) => s.end(OK.replace('\r\n\r\n', '\r\ncontent-length: 3\r\n\r\n')), /Parse/],
];

test.each(REFUSED)('O-11: %s is a failure that says why', async (_, answer, words) => {
  const outcome = await post(answer);
  expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(words) });
});

const TAKEN: readonly (readonly [what: string, answer: Answer, response: RegExp])[] = [
  ['HTTP/1.0', (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold'), /^old$/],
  ['204', (socket) => socket.write('HTTP/1.1 204 No\r\n\r\n'), /^$/],
  ['some 1xx before', (s) => s.write(`HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\n\r\n${OK}`), /^ok$/],
  [
    'ten gigabytes',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n');
      flood(socket, 'x');
    },
    /^x{500}$/,
  ],
  [
    'chunks without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, '1\r\nz\r\n');
    },
    /^z{500}$/,
  ],
  [
    'trailers without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nz\r\n0\r\n');
      flood(socket, 'a: b\r\n');
    },
    /^z$/,
  ],
  ['a body that is cut', (s) => s.end(`${OK.replace('th: 2', 'th: 9')}`), /^ok$/],
];

test.each(TAKEN)('O-11: a 2xx counts: %s', async (_, answer, response) => {
  const outcome = await post(answer);
  expect(outcome).toMatchObject({ status: 200 + (outcome.status === 204 ? 4 : 0), error: '' });
  expect(outcome.response).toMatch(response);
});

test('O-2: a body that drips does not hold its connection until the end of the time', async () => {
  const open = new Set<Socket>();
  const outcome = await post((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('d'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  expect(outcome).toMatchObject({ status: 200, error: '' });
  expect(outcome.response).toMatch(/^d+$/);
  // 10 s are what the whole attempt has.
  expect(outcome.durationMs).toBeLessThan(8_000);
  // Not `once`: it rejects when the sender has reset what it had enough of.
  for (const socket of open) await new Promise((resolve) => socket.on('close', resolve));
});

test('O-11: no answer within the time is a failure, also when bytes drip in', async () => {
  const drip: Answer = (socket) => {
    const bytes = [...'HTTP/1.1 200 OK\r\n', ...'a: b\r\n'.repeat(1_000)];
    const timer = setInterval(() => socket.write(bytes.shift() ?? 'x'), 10);
    socket.on('close', () => clearInterval(timer));
  };
  for (const answer of [drip, () => undefined]) {
    const outcome = await post(answer, 500);
    expect(outcome).toMatchObject({ status: null, error: expect.stringContaining('no answer') });
  }
});

test('O-1: who has closed all kept connections meanwhile was told nothing', async () => {
  let isGone = false;
  const kept: Socket[] = [];
  const url = await serve((socket) => {
    if (isGone) socket.resetAndDestroy();
    else if (kept.push(socket) === 4) for (const one of kept) one.write(OK);
  });
  const sender = senderOf();
  const all = () =>
    Promise.all(Array.from({ length: 4 }, () => sender.post({ url, headers: {}, body: '{}' })));
  expect((await all()).map(({ error }) => error)).toEqual(['', '', '', '']);
  isGone = true;
  // Each finds a kept connection first.
  for (let turn = 0; turn < 4; turn++) {
    const { status, error } = await sender.post({ url, headers: {}, body: '{}' });
    expect(status).toBeNull();
    expect(error).toMatch(/hang up|ECONNRESET/);
  }
});

test('O-11: a kept connection that is closed under a request costs no attempt', async () => {
  const url = await serve((socket, requests) => {
    if (requests === 1) socket.write(OK);
    else socket.resetAndDestroy();
  });
  const sender = senderOf();
  for (let turn = 0; turn < 3; turn++) {
    const outcome = await sender.post({ url, headers: {}, body: '{}' });
    expect(outcome).toMatchObject({ status: 200, error: '' });
  }
  expect(connections).toBe(3);
});

test('O-11: who does not speak TLS, or has no good certificate, is not told', async () => {
  const plain = await serve((socket) => socket.end(OK));
  const bare = createSecureServer({}).listen(0, '127.0.0.1');
  bare.on('tlsClientError', () => undefined);
  closers.push(() => bare.close());
  await once(bare, 'listening');
  const sender = senderOf(2_000);
  const { port } = bare.address() as AddressInfo;
  for (const url of [plain.replace('http:', 'https:'), `https://127.0.0.1:${port}/`]) {
    const outcome = await sender.post({ url, headers: {}, body: '{}' });
    expect(outcome.status).toBeNull();
    expect(outcome.error).not.toBe('');
  }
});

test('O-2: names whose servers are silent keep no other name from being looked up', async () => {
  const dns = await dnsServer((name) => (name.startsWith('quick') ? ['203.0.113.7'] : null));
  closers.push(() => dns.close());
  const resolve = resolveByServers([dns.address]);
  let isSilent = true;
  const silent = Array.from({ length: 50 }, (_, at) =>
    resolve(`silent-${at}.example`).finally(() => {
      isSilent = false;
    }),
  );
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, at) => resolve(`quick-${at}.example`)),
  );
  expect(isSilent).toBe(true);
  expect(found.flat()).toEqual(Array(20).fill({ address: '203.0.113.7', family: 4 }));
  for (const { status } of await Promise.allSettled(silent)) expect(status).toBe('rejected');
});

test('O-12: names are looked up at each connection, by DNS, and what is private is refused', async () => {
  let asked = 0;
  const dns = await dnsServer((name) => {
    if (name === 'rebind.example') asked++;
    return name === 'rebind.example' ? [asked % 2 === 0 ? '127.0.0.1' : '93.184.216.34'] : null;
  });
  closers.push(() => dns.close());
  const url = new URL(await serve((socket) => socket.end(OK)));
  url.hostname = 'rebind.example';
  const sender = new HttpSender({
    ...{ allowsPrivate: false, timeMsMax: 300 },
    resolve: resolveByServers([dns.address]),
  });
  closers.push(() => sender.close());
  const errors = [];
  for (let turn = 0; turn < 4; turn++) {
    errors.push((await sender.post({ url: url.href, headers: {}, body: '{}' })).error);
  }
  expect(asked).toBe(4);
  expect(errors.filter((error) => error.includes('private network'))).toHaveLength(2);
  expect(connections).toBe(0);
});
