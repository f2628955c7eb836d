// Goal: the log on JetStream keeps the promises of every log, and its own: a server that goes away
//   and comes back loses and doubles nothing, and what is not ours is refused in one line.
// Method: the conformance suite against a real server with a store of its own, one stream per test;
//   then faults, made on purpose.

import { connect } from 'nats';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import type { NatsLogOptions } from '../../../src/bus/nats/log.ts';
import { NatsPublisher } from '../../../src/bus/nats/publisher.ts';
import { asShardId } from '../../../src/model/ids.ts';
import type { OpenLog } from '../../conformance/log.conformance.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { until } from '../../support/until.ts';
import { accessOf, openLog, streamOn } from './stream-place.ts';

const server = new NatsServer();
const EXTENT = { edges: 2, actors: 2, shards: 8 };

beforeAll(() => server.start());
afterAll(() => server.dispose());

describe('the log on JetStream', () => {
  test('stores a record larger than a message in parts, whole and in its place', async () => {
    const options = streamOn(server, EXTENT.shards);
    const log = await openLog(options, EXTENT);
    onTestFinished(() => log.close());
    const large = Buffer.from(Array.from({ length: 3_500_000 }, (_, index) => index % 251));
    const texts = ['before', large, 'behind'].map((text) => Buffer.from(text));
    const appends = texts.map((payload, index) => append(log, index % 2, 3, payload));
    expect(await Promise.all(appends)).toEqual([null, null, null]);
    await until(() => log.delivered[1]!.length === 3);
    const payloads = log.delivered[1]!.map(({ payload }) => Buffer.from(payload));
    expect(payloads.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
      6, 6, 3_500_000,
    ]);
    expect(payloads.some((payload) => payload.equals(large))).toBe(true);
  });

  test('drops parts whose writer died before the last of them', async () => {
    const options = streamOn(server, EXTENT.shards);
    const log = await openLog(options, EXTENT);
    onTestFinished(() => log.close());
    const { nc, subject } = await stranger(options, 3);
    const { headers } = await import('nats');
    const head = headers();
    head.set('Footfall-Part', '1/2');
    await nc.jetstream().publish(subject, Buffer.alloc(100), { headers: head });
    expect(await append(log, 0, 3, Buffer.from('after'))).toBeNull();
    await until(() => log.delivered[1]!.length === 1);
    expect(Buffer.from(log.delivered[1]![0]!.payload).toString()).toBe('after');
  });

  test('refuses appends while the server is away, and goes on when it is back', async () => {
    const own = new NatsServer();
    await own.start();
    onTestFinished(() => own.dispose());
    const options = { ...streamOn(server, EXTENT.shards), access: accessOf(own) };
    const log = await openLog(options, EXTENT);
    onTestFinished(() => log.close());
    expect(await append(log, 0, 1, Buffer.from('a'))).toBeNull();
    await own.kill();
    await until(async () => (await append(log, 0, 1, Buffer.from('x'))) !== null);
    expect(await append(log, 1, 1, Buffer.from('y'))).toMatchObject({
      code: 'LOG_UNAVAILABLE',
      status: 503,
    });
    await own.start();
    await until(async () => (await append(log, 0, 1, Buffer.from('b'))) === null, 20_000);
    await until(() => textsOf(log.delivered[1]!).includes('b'), 20_000);
    expect(textsOf(log.delivered[1]!)[0]).toBe('a');
  });

  test('refuses hits when the stream is full, and forgets none of those it has', async () => {
    const options = { ...streamOn(server, EXTENT.shards), bytesMax: 64 * 1_024 };
    const log = await openLog(options, EXTENT);
    onTestFinished(() => log.close());
    let stored = 0;
    let refusal: Error | null = null;
    while (refusal === null && stored < 100) {
      refusal = await append(log, 0, 3, Buffer.alloc(4_096));
      if (refusal === null) stored++;
    }
    expect(refusal).toMatchObject({ code: 'LOG_FULL', status: 503 });
    expect(stored).toBeGreaterThan(5);
    await until(() => log.delivered[1]!.length === stored);
  });

  test('a fault that nobody expected is never answered as success', async () => {
    const faults: Error[] = [];
    const log = await openLog(streamOn(server, EXTENT.shards), EXTENT, 0, (fault) =>
      faults.push(fault),
    );
    onTestFinished(() => log.close());
    const failing = vi.spyOn(NatsPublisher.prototype, 'publish');
    failing.mockRejectedValueOnce(new TypeError('a fault'));
    expect(await append(log, 0, 3, Buffer.from('x'))).toMatchObject({ code: 'INTERNAL' });
    failing.mockRestore();
    expect(faults).toEqual([new TypeError('a fault')]);
    expect(log.delivered.flat()).toEqual([]);
  });

  test('says which credentials it cannot read', async () => {
    const options = streamOn(server, 8);
    const access = { ...options.access, credentials: '/nowhere/nats.creds' };
    await expect(openLog({ ...options, access }, EXTENT)).rejects.toMatchObject({
      code: 'NATS_CREDENTIALS_UNREADABLE',
    });
  });

  test('refuses a stream that was made for another number of shards', async () => {
    const options = streamOn(server, 8);
    await (await openLog(options, EXTENT)).close();
    const other = { ...options, shards: 16 };
    await expect(openLog(other, { ...EXTENT, shards: 16 })).rejects.toMatchObject({
      code: 'STREAM_MISMATCH',
      message: expect.stringContaining('8 shards'),
    });
  });

  test('reads a stream of the build before the latest additions, which refuses it from then on', async () => {
    const options = streamOn(server, 8);
    await (await openLog(options, EXTENT)).close();
    await sayFormat(options, 3);
    const { nc, subject } = await stranger(options, 3);
    await nc.jetstream().publish(subject, Buffer.from([3, 0, 3, 0, 1, 0, 0, 0, 7]));
    const log = await openLog(options, EXTENT);
    onTestFinished(() => log.close());
    await until(() => log.delivered[1]!.length === 1);
    expect([...log.delivered[1]![0]!.payload]).toEqual([7]);
    const { config } = await (await nc.jetstreamManager()).streams.info(streamOf(options));
    expect(config.description).toContain('record format 6, 8 shards');
  });

  test.each([2, 7])('refuses a stream of format %d', async (format) => {
    const options = streamOn(server, 8);
    await (await openLog(options, EXTENT)).close();
    await sayFormat(options, format);
    await expect(openLog(options, EXTENT)).rejects.toMatchObject({
      code: 'STREAM_MISMATCH',
      message: expect.stringContaining(`record format ${format}, 8 shards`),
    });
  });

  test('refuses a stream that ends before a checkpoint', async () => {
    const options = streamOn(server, 8);
    await expect(openLog(options, EXTENT, 5)).rejects.toMatchObject({
      code: 'STREAM_WENT_BACK',
    });
  });

  test.each([
    { name: 'a server that is not there', port: 1, code: 'NATS_UNREACHABLE' },
    { name: 'a server without JetStream', flags: [], code: 'JETSTREAM_UNAVAILABLE' },
    { name: 'wrong credentials', flags: ['-js', '--auth', 'secret'], code: 'NATS_REFUSED' },
  ])('says in one line what to do about $name', async ({ port, flags, code }) => {
    let url = `nats://127.0.0.1:${port}`;
    if (flags !== undefined) {
      const own = new NatsServer({ flags });
      await own.start();
      onTestFinished(() => own.dispose());
      url = own.url;
    }
    const options = streamOn(server, 8);
    const refused = openLog({ ...options, access: { ...options.access, servers: [url] } }, EXTENT);
    await expect(refused).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('\n'),
    });
  });

  test.each([
    { name: 'text', bytes: Buffer.from('hello') },
    { name: 'another shard', bytes: Buffer.from([4, 0, 1, 0, 0, 0, 0, 0]) },
    { name: 'another format', bytes: Buffer.from([3, 0, 99, 0, 0, 0, 0, 0]) },
  ])('stops at a foreign record in the stream: $name', async ({ bytes }) => {
    const options = streamOn(server, EXTENT.shards);
    const faults: Error[] = [];
    const log = await openLog(options, EXTENT, 0, (fault) => faults.push(fault));
    onTestFinished(() => log.close());
    const { nc, subject } = await stranger(options, 3);
    await nc.jetstream().publish(subject, bytes);
    await until(() => faults.length > 0);
    expect(faults[0]).toMatchObject({ code: 'LOG_FOREIGN_RECORD' });
    expect(log.delivered.flat()).toEqual([]);
  });
});

function streamOf({ prefix }: NatsLogOptions): string {
  return `${prefix.toUpperCase()}_HITS`;
}

/** Makes a stream say that it has records of a format. */
async function sayFormat(options: NatsLogOptions, format: number): Promise<void> {
  const nc = await connect({ servers: options.access.servers as string[] });
  const { streams } = await nc.jetstreamManager();
  const { config } = await streams.info(streamOf(options));
  const description = config.description?.replace(/format \d+/, `format ${format}`) ?? '';
  await streams.update(streamOf(options), { description });
  await nc.close();
}

/** Somebody else who writes into a shard's subject. */
async function stranger(options: NatsLogOptions, shard: number) {
  const nc = await connect({ servers: options.access.servers as string[] });
  onTestFinished(() => nc.close());
  return { nc, subject: `${options.prefix}.hits.${shard}` };
}

/** @returns the error the append was answered with, null when it is stored. */
function append(log: OpenLog, edge: number, shard: number, payload: Buffer): Promise<Error | null> {
  return new Promise((resolve) =>
    log.appenders[edge]!.append([{ shard: asShardId(shard), payload }], resolve),
  );
}

function textsOf(records: readonly LogRecord[]): string[] {
  return records.map(({ payload }) => Buffer.from(payload).toString());
}
