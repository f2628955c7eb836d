// Goal: with a spool, hits are taken while the servers are away and come into the stream later, in
//   order, each once; without room, and with a stream that is full, the client is told at once.
// Method: the log on a real server that is killed, stopped and started again; an actor's end that
//   applies numbers of spools as a shard does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { LogLinkAppender } from '../../src/bus/log/appender.ts';
import { LogLinkFeed } from '../../src/bus/log/feed.ts';
import { createLogLinks } from '../../src/bus/log/links.ts';
import { NatsLog, type NatsLogOptions } from '../../src/bus/nats/log.ts';
import { decodeSpooled, isSpooled } from '../../src/bus/spool/spooled-records.ts';
import { asSequence, asShardId } from '../../src/model/ids.ts';
import { NatsServer } from '../support/nats-server.ts';
import { until } from '../support/until.ts';

const EXTENT = { edges: 2, actors: 1, shards: 4 };
const BYTES_MAX = 1_024 * 1_024;

let server: NatsServer;
let dir: string;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'footfall-spooling-'));
  server = new NatsServer();
  await server.start();
  const own = { dir, server };
  onTestFinished(async () => {
    await own.server.dispose();
    rmSync(own.dir, { recursive: true, force: true });
  });
});

interface OpenLog {
  appenders: LogLinkAppender[];
  /** Payloads as they would be applied: those of spools once. */
  applied: string[];
  /** Those of them that came through a spool. */
  spooled: string[];
  close(): Promise<void>;
}

async function openLog(isOn = true, bytesMax = BYTES_MAX): Promise<OpenLog> {
  const options: NatsLogOptions = {
    access: { servers: [server.url], user: null, password: null, token: null, credentials: null },
    ...{ name: 'test', prefix: 'spool', shards: EXTENT.shards, replicas: 1 },
    bytesMax: 64 * 1_024 * 1_024,
    spool: { dir: join(dir, 'spool'), bytesMax, isOn },
  };
  const links = createLogLinks(EXTENT);
  const log = await NatsLog.open(options, links.writer, (error) => {
    throw error;
  });
  const open: OpenLog = { appenders: [], applied: [], spooled: [], close };
  const feed = new LogLinkFeed(links.actors[0]!);
  const marks = new Map<string, number>();
  feed.onRecords((records) => {
    for (const { shard, payload } of records) {
      if (!isSpooled(payload)) {
        open.applied.push(Buffer.from(payload).toString());
        continue;
      }
      const { spool, records: inner } = decodeSpooled(payload);
      for (const { number, payload: text } of inner) {
        if (number <= (marks.get(`${shard} ${spool}`) ?? 0)) continue;
        marks.set(`${shard} ${spool}`, number);
        open.applied.push(Buffer.from(text).toString());
        open.spooled.push(Buffer.from(text).toString());
      }
    }
  });
  open.appenders = links.edges.map((link) => new LogLinkAppender(link));
  let isOpen = true;
  async function close(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await log.close();
    for (const appender of open.appenders) appender.close();
    feed.close();
    links.control.close();
  }
  onTestFinished(close);
  for (const shard of [0, 1, 2, 3])
    await log.feeds.start({ shard: asShardId(shard), after: asSequence(0), opening: 1 });
  return open;
}

/** @returns the error the append was answered with, null when it is durable. */
function append(log: OpenLog, text: string, shard = 1, edge = 0): Promise<Error | null> {
  const payload = Buffer.from(text);
  return new Promise((resolve) =>
    log.appenders[edge]!.append([{ shard: asShardId(shard), payload }], resolve),
  );
}

/** Kills the server and waits until the log has noticed. */
async function killServer(log: OpenLog): Promise<void> {
  await server.kill();
  await until(() => log.appenders[0]!.fault() !== null || log.appenders[0]!.notices().length > 0);
}

test('hits taken while the server is away come into the stream when it is back, in order', async () => {
  const log = await openLog();
  expect(await append(log, 'before')).toBeNull();
  await until(() => log.applied.length === 1);
  await killServer(log);
  expect(log.appenders[0]!.fault()).toBeNull();
  for (let index = 0; index < 50; index++) {
    expect(await append(log, `spooled ${index}`, index % 2, index % 2)).toBeNull();
  }
  const notices = log.appenders[1]!.notices();
  expect(notices).toHaveLength(2);
  expect(notices[1]).toMatch(/^\d+ bytes of hits wait in the spool/);
  expect(log.applied).toEqual(['before']);
  await server.start();
  await until(() => log.applied.length === 51);
  const own = (shard: number) =>
    log.applied.filter((text) => Number(text.split(' ')[1]) % 2 === shard);
  for (const shard of [0, 1]) {
    expect(own(shard)).toEqual(
      Array.from({ length: 25 }, (_, index) => `spooled ${2 * index + shard}`),
    );
  }
  await until(() => log.appenders[0]!.notices().length === 0);
});

test('once the spool is empty hits go straight into the stream again, also under load', async () => {
  const log = await openLog();
  await killServer(log);
  for (let index = 0; index < 20; index++) expect(await append(log, `s${index}`)).toBeNull();
  await server.start();
  let isOver = false;
  let count = 0;
  const load = [0, 1].map(async (edge) => {
    while (!isOver) {
      expect(await append(log, `after ${count++}`, edge, edge)).toBeNull();
    }
  });
  await until(() => log.appenders[0]!.notices().length === 0);
  const before = count;
  await until(() => count > before + 100);
  isOver = true;
  await Promise.all(load);
  await until(() => log.applied.length === count + 20);
  // At most one append of each edge was on its way when the spool was empty.
  const late = log.spooled.filter((text) => Number(text.split(' ')[1]) >= before);
  expect(late).toEqual([]);
  expect(new Set(log.applied).size).toBe(count + 20);
});

test('an answer is never late because of hits that a new start forwards twice', async () => {
  const first = await openLog();
  await killServer(first);
  for (let index = 0; index < 30; index++) expect(await append(first, `s${index}`)).toBeNull();
  await first.close();
  await server.start();
  const second = await openLog();
  expect(await append(second, 'behind')).toBeNull();
  await until(() => second.applied.length === 31);
  expect(second.applied).toEqual([...Array.from({ length: 30 }, (_, i) => `s${i}`), 'behind']);
  await second.close();
  rmSync(join(dir, 'spool', 'forwarded'), { force: true });
  const third = await openLog();
  await until(() => third.applied.length === 31);
  expect(await append(third, 'last')).toBeNull();
  await until(() => third.applied.length === 32);
  expect(new Set(third.applied).size).toBe(32);
});

test('beyond its bound hits are refused with SPOOL_FULL and Retry-After, and taken again later', async () => {
  const log = await openLog(true, 100_000);
  await killServer(log);
  const text = 'x'.repeat(9_992);
  for (let index = 0; index < 10; index++) expect(await append(log, text)).toBeNull();
  const refusal = await append(log, 'one more');
  expect(refusal).toMatchObject({ code: 'SPOOL_FULL', status: 503, retryAfterSeconds: 10 });
  await until(() => log.appenders[0]!.fault() !== null);
  expect(log.appenders[0]!.fault()).toContain('the spool is full');
  await server.start();
  await until(async () => (await append(log, 'again')) === null);
  await until(() => log.applied.at(-1) === 'again');
  expect(log.applied.filter((applied) => applied === text)).toHaveLength(10);
});

test('a server that does not answer costs one append, and the next ones are spooled', async () => {
  const log = await openLog();
  expect(await append(log, 'before')).toBeNull();
  server.signal('SIGSTOP');
  // The signal takes a moment to arrive.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const startMs = Date.now();
  expect(await append(log, 'uncertain')).toMatchObject({ code: 'LOG_UNAVAILABLE', status: 503 });
  expect(Date.now() - startMs).toBeLessThan(5_000);
  for (const text of ['a', 'b', 'c']) expect(await append(log, text)).toBeNull();
  server.signal('SIGCONT');
  await until(() => log.applied.includes('c'));
  const sure = log.applied.filter((text) => text !== 'uncertain');
  expect(sure).toEqual(['before', 'a', 'b', 'c']);
});

test('switched off, what an earlier run left is forwarded, and nothing is added', async () => {
  const first = await openLog();
  await killServer(first);
  expect(await append(first, 'left')).toBeNull();
  await first.close();
  await server.start();
  const second = await openLog(false);
  await until(() => second.applied.includes('left'));
  await killServer(second);
  expect(await append(second, 'x')).toMatchObject({ code: 'LOG_UNAVAILABLE', status: 503 });
  expect(second.appenders[0]!.fault()).toBe('the NATS servers are away');
});
