// Goal: waiting counts as latency. A target that stalls shows in the percentiles of an open load, though
// none of its answers took long once the request was sent.
// Method: the timetable by hand; then a real server that stands still for half a second.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { endpointOf } from '../../src/load/send/connection.ts';
import { Latencies } from '../../src/load/send/latencies.ts';
import { Requests, requestBytes } from '../../src/load/send/requests.ts';
import { Schedule } from '../../src/load/send/schedule.ts';
import { Stream, type StreamPlan } from '../../src/load/send/stream.ts';

describe('the timetable', () => {
  test('a request is due at its place, whatever was answered before', () => {
    const schedule = new Schedule({ rate: 100, seconds: 1, connections: 3 });
    for (const connection of [2, 1, 0]) schedule.free(connection, 0);
    expect(schedule.take(0)).toBe(0);
    expect(schedule.take(9.9)).toBe(-1);
    expect(schedule.take(10)).toBe(1);
    expect(schedule.take(25)).toBe(2);
    expect([schedule.dueOf(0), schedule.dueOf(1), schedule.dueOf(2)]).toEqual([0, 10, 20]);
    expect(schedule.takenLateMs).toBe(5);
  });

  test('what waits for a connection was due before, and the load program is not what was late', () => {
    const schedule = new Schedule({ rate: 100, seconds: 0.03, connections: 1 });
    schedule.free(0, 0);
    expect(schedule.take(0)).toBe(0);
    // The server stands still for 100 ms: two more are due and cannot be sent.
    expect(schedule.take(100)).toBe(-1);
    expect(schedule.backlog(100)).toBe(2);
    schedule.free(0, 100);
    expect(schedule.take(100)).toBe(0);
    expect([schedule.takenDueMs, schedule.takenLateMs]).toEqual([10, 0]);
    schedule.free(0, 101);
    expect(schedule.take(101)).toBe(0);
    expect(schedule.isSent(101)).toBe(true);
    schedule.free(0, 102);
    expect(schedule.take(1_000)).toBe(-1);
  });

  test('without a rate a request is due when a connection is free, until the time is over', () => {
    const schedule = new Schedule({ rate: null, seconds: 1, connections: 1 });
    schedule.free(0, 3);
    expect(schedule.take(5)).toBe(0);
    expect(schedule.dueOf(0)).toBe(5);
    expect(schedule.take(6)).toBe(-1);
    schedule.free(0, 900);
    expect(schedule.take(1_000)).toBe(-1);
  });
});

test('percentiles have three digits, and every latency is in them', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 1_000; ms++) latencies.record(ms);
  const { count, p50, p99, max } = latencies.percentiles;
  expect(count).toBe(1_000);
  expect(Math.abs(p50 - 500)).toBeLessThanOrEqual(1);
  expect(Math.abs(p99 - 990)).toBeLessThanOrEqual(1);
  expect(Math.abs(max - 1_000)).toBeLessThanOrEqual(1);
  expect(new Latencies().percentiles.p50).toBeNaN();
});

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers with what `answer` says. */
async function serve(answer: (request: number, end: (status?: number) => void) => void) {
  let count = 0;
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      answer(count++, (status = 200) => {
        response.statusCode = status;
        response.end('{}');
      });
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function streamTo(url: URL, plan: Partial<StreamPlan>): Stream {
  const one = requestBytes({ method: 'POST', path: '/', headers: {}, body: '{}' }, url.host);
  const requests = new Requests([one], { visitBase: 0, freshBase: 0 }, () => 0);
  return new Stream({
    ...{ endpoint: endpointOf(url), requests, rate: 200, connections: 4, seconds: 2 },
    ...{ warmUpSeconds: 0, patienceMs: 10_000, ...plan },
  });
}

test('a target that stands still cannot hide it (no coordinated omission)', async () => {
  let stalled: (() => void)[] | null = null;
  let wasStalled = false;
  const url = await serve((request, end) => {
    if (request === 100 && !wasStalled) {
      wasStalled = true;
      stalled = [];
      setTimeout(() => {
        for (const each of stalled ?? []) each();
        stalled = null;
      }, 500);
    }
    if (stalled === null) end();
    else stalled.push(end);
  });
  const stream = streamTo(url, {});
  await stream.open(5_000);
  const { total, latencies, notSent } = await stream.run(() => undefined);
  expect([total.accepted, total.refused, total.unanswered, notSent]).toEqual([400, 0, 0, 0]);
  // Of 400 requests the 100 that were due meanwhile waited, up to half a second; a load that waits for
  // its answers would have sent 4 of them, and its p90 would be that of the 396 others.
  expect(latencies.at(0.9)).toBeGreaterThan(150);
  expect(latencies.at(1)).toBeGreaterThan(450);
});

test('refusals are told by status, what never came by reason, and neither is accepted', async () => {
  const url = await serve((request, end) => {
    if (request % 4 === 0) end(503);
    else if (request !== 1) end();
  });
  const stream = streamTo(url, { rate: 40, seconds: 1, patienceMs: 1_000 });
  await stream.open(5_000);
  const result = await stream.run(() => undefined);
  expect(result.total).toEqual({ sent: 40, accepted: 29, refused: 10, unanswered: 1 });
  expect([...result.statuses]).toEqual([[503, 10]]);
  expect([...result.losses]).toEqual([['no answer in time', 1]]);
});

test('the warm-up is sent and counted, and in no latency', async () => {
  const url = await serve((request, end) => {
    setTimeout(end, request < 20 ? 300 : 0);
  });
  const stream = streamTo(url, { rate: 20, warmUpSeconds: 1, seconds: 1, connections: 20 });
  await stream.open(5_000);
  const { total, measured, latencies } = await stream.run(() => undefined);
  expect([total.accepted, measured.accepted, latencies.percentiles.count]).toEqual([40, 20, 20]);
});

test('a stream that is stopped ends with what it has', async () => {
  const url = await serve((_, end) => end());
  const stream = streamTo(url, { rate: 100, seconds: 600 });
  await stream.open(5_000);
  const running = stream.run(({ second }) => {
    if (second === 1) stream.stop();
  });
  const { wasStopped, total } = await running;
  expect(wasStopped).toBe(true);
  expect(total.accepted).toBe(total.sent);
  expect(total.sent).toBeGreaterThan(50);
});
