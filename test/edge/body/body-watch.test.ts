// Goal: a body that does not come is answered 408 and gives its memory back; a slow one is taken.
// Method: raw sockets against an edge whose sweeps are short, and one with the real seconds.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EdgeHandle, startEdge } from '../../../src/edge/server.ts';
import { type FakePorts, fakePorts } from '../../support/fake-ports.ts';
import { item, pageView, rawRequest } from '../edge.ts';

const HIT = '/api/v1/hit';
const BATCH = '/api/v1/hit/batch';
const GOOD = JSON.stringify(pageView());
/** Ten of them without a byte and a body is late, sixty at the most. */
const SWEEP_MS = 20;

let fake: FakePorts;
let handle: EdgeHandle;

async function start(bodySweepMs?: number): Promise<void> {
  fake = fakePorts();
  const where = { host: '127.0.0.1', port: 0, ports: fake.ports };
  handle = await startEdge(bodySweepMs === undefined ? where : { ...where, bodySweepMs });
}

beforeEach(() => start(SWEEP_MS));
afterEach(() => handle.stop(0));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection and all that came back until it ended. */
function open(): { socket: Socket; ended: Promise<string> } {
  const socket = connect(handle.port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => {
    text += String(part);
  });
  // A connection that the other side ends may break while it is written to.
  socket.on('error', () => undefined);
  return { socket, ended: new Promise((resolve) => socket.on('close', () => resolve(text))) };
}

/** The status and the body of an answer after which the connection ended. */
function parse(answer: string): { status: number; json: unknown; head: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), json: JSON.parse(body), head };
}

const LATE = {
  validation: {},
  error: ['the body did not arrive within 20 seconds; send it again on another connection'],
  context: {},
};

describe('a body that does not come', () => {
  test.each([
    ['at all', 0],
    ['beyond its first byte', 1],
    ['beyond its half', GOOD.length / 2],
    ['for its last byte', GOOD.length - 1],
  ])('(%s) is a 408 and the end of the connection', async (_, bytes) => {
    const { socket, ended } = open();
    const whole = rawRequest(HIT, GOOD);
    socket.write(whole.slice(0, whole.length - GOOD.length + Math.floor(bytes)));
    const { status, json, head } = parse(await ended);
    expect(status).toBe(408);
    expect(json).toEqual(LATE);
    expect(head).toMatch(/\r\nConnection: close/i);
    expect(head).not.toContain('Keep-Alive');
    expect(fake.submitted).toEqual([]);
  });

  test('is a 408 for each of many, whoever else sends meanwhile', async () => {
    const late = Array.from({ length: 50 }, () => {
      const { socket, ended } = open();
      socket.write(rawRequest(BATCH, `[${GOOD}`, ['Content-Length: 100000']));
      return ended;
    });
    const other = open();
    const timer = setInterval(() => other.socket.write(rawRequest(HIT, GOOD)), 5);
    const answers = await Promise.all(late);
    clearInterval(timer);
    other.socket.end();
    expect(answers.map((answer) => parse(answer).status)).toEqual(late.map(() => 408));
    const good = (await other.ended).match(/HTTP\/1\.1 200/g) ?? [];
    expect(good.length).toBeGreaterThan(10);
    expect(fake.submitted).toHaveLength(good.length);
  });

  test('that was refused already is told why, not that it is late', async () => {
    const { socket, ended } = open();
    const chunk = 'x'.repeat(1_100_000);
    socket.write(rawRequest(HIT, '', ['Transfer-Encoding: chunked']));
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expect(parse(await ended).status).toBe(413);
  });

  test('however often a byte of it comes, is late in the end', { timeout: 20_000 }, async () => {
    const { socket, ended } = open();
    socket.write(rawRequest(BATCH, '[', ['Content-Length: 100000']));
    const timer = setInterval(() => socket.write(' '), SWEEP_MS / 2);
    const { status, json } = parse(await ended);
    clearInterval(timer);
    expect(status).toBe(408);
    expect(json).toMatchObject({ error: [expect.stringContaining('within 120 seconds')] });
  });

  test('holds no memory afterwards', async () => {
    // Each is most of what one site may hold of an edge, if the one before it still counted.
    for (let round = 0; round < 3; round++) {
      const waiting = Array.from({ length: 7 }, () => {
        const { socket, ended } = open();
        socket.write(rawRequest(BATCH, 'x'.repeat(7_000_000), ['Content-Length: 8000000']));
        return ended;
      });
      const answers = await Promise.all(waiting);
      expect(answers.map((answer) => parse(answer).status)).toEqual(waiting.map(() => 408));
    }
  });
});

test('a body that comes slowly is taken, for much longer than the engine would wait', {
  timeout: 40_000,
}, async () => {
  await handle.stop(0);
  await start();
  const { socket, ended } = open();
  const bytes = rawRequest(BATCH, JSON.stringify([item('10:00:00')]));
  socket.write(bytes.slice(0, -20));
  for (let place = -20; place < 0; place++) {
    await pause(900);
    socket.write(place === -1 ? bytes.slice(-1) : bytes.slice(place, place + 1));
  }
  await pause(200);
  socket.end();
  expect(parse(await ended)).toMatchObject({ status: 200, json: { accepted: 1 } });
  expect(fake.submitted).toHaveLength(1);
});
