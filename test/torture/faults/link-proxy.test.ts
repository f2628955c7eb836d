// Goal: a link does to what is sent over it what its state says, and nothing else.
// Method: an echo server behind a proxy, and a client in front of it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LinkProxy, SOUND } from './link-proxy.ts';

let echo: Server;
let link: LinkProxy;
let client: Socket;
let got = '';

async function open(): Promise<Socket> {
  const socket = connect(link.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** What comes back within so many milliseconds. */
async function after(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return got;
}

beforeEach(async () => {
  got = '';
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  link = new LinkProxy((echo.address() as AddressInfo).port);
  await link.open();
  client = await open();
  client.on('data', (chunk) => {
    got += chunk.toString();
  });
});

afterEach(async () => {
  client.destroy();
  await link.close();
  await new Promise((resolve) => echo.close(resolve));
});

test('a sound link hands on what is sent, in order', async () => {
  for (let index = 0; index < 100; index++) client.write(`${index},`);
  expect(await after(100)).toBe(Array.from({ length: 100 }, (_, index) => `${index},`).join(''));
});

test('a slow link takes its time in both directions and keeps the order', async () => {
  link.become({ ...SOUND, delayMs: 100, jitterMs: 50 });
  for (const word of ['one ', 'two ', 'three']) client.write(word);
  expect(await after(150)).toBe('');
  expect(await after(400)).toBe('one two three');
});

test('a lossy link stalls what it loses and loses nothing for good', async () => {
  link.become({ ...SOUND, lossShare: 1, stallMs: 100 });
  client.write('lost twice');
  expect(await after(120)).toBe('');
  expect(await after(300)).toBe('lost twice');
});

test.each(['isMute', 'isDeaf'] as const)(
  'a link that %s lets nothing through until it heals',
  async (side) => {
    link.become({ ...SOUND, [side]: true });
    client.write('held');
    expect(await after(150)).toBe('');
    link.become(SOUND);
    expect(await after(100)).toBe('held');
  },
);

test('what is held when an end goes away is lost', async () => {
  link.become({ ...SOUND, isDeaf: true });
  client.write('gone');
  await after(50);
  link.cut();
  link.become(SOUND);
  expect(await after(100)).toBe('');
  expect(client.destroyed).toBe(true);
});

test('a closed link resets whoever connects, and goes on with those that are connected', async () => {
  link.become({ ...SOUND, isClosed: true });
  const late = connect(link.port, '127.0.0.1');
  late.on('error', () => undefined);
  await new Promise((resolve) => late.once('close', resolve));
  client.write('still here');
  expect(await after(100)).toBe('still here');
});
