/**
 * What every log must do, whatever keeps its records: order, all or nothing, durable before the
 * answer, replay from anywhere, one order for all appenders, and all of it over a restart.
 *
 * Goal: a driver that passes can stand under the service. Method: appends through the interface
 * only; the records are looked for both on the live side and in the log that is read afterwards.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogAppender, LogRecord, ShardBatch } from '../../src/bus/log/interface.ts';

/** A log with its threads or connections, opened for a test. */
export interface OpenLog {
  /** One per edge. */
  appenders: readonly LogAppender[];
  /** What the live side of each actor has been given; the actor of shard s is s % actors. */
  delivered: readonly (readonly LogRecord[])[];
  reader(): StoredLog;
  close(): Promise<void>;
}

/** Reads what is stored, like `LogReader`; over a network it takes its time. */
export interface StoredLog {
  replay(after: number, visit: (record: LogRecord) => void): number | Promise<number>;
}

/** Opens a log; the same place again after a close. */
export type LogDriver = (extent: { edges: number; actors: number; shards: number }) => {
  open(): Promise<OpenLog>;
  remove(): Promise<void>;
};

const EXTENT = { edges: 3, actors: 2, shards: 8 };

/** Runs the suite for one driver. */
export function testLog(name: string, driver: LogDriver): void {
  describe(`${name}, like every log,`, () => {
    let place: ReturnType<LogDriver>;
    let log: OpenLog;

    beforeEach(async () => {
      place = driver(EXTENT);
      log = await place.open();
    });
    afterEach(async () => {
      await log.close();
      await place.remove();
    });

    const reopen = async () => {
      await log.close();
      log = await place.open();
    };

    test('is empty at first: it replays nothing and knows no position', async () => {
      expect(await replayed(log)).toEqual([]);
      expect(await log.reader().replay(0, () => {})).toBe(0);
      expect(log.appenders[0]!.durableSequence(0)).toBe(0);
      expect(log.appenders[0]!.backlogBytes()).toBe(0);
    });

    test('keeps the order of one appender and numbers records from 1', async () => {
      const appends = Array.from({ length: 50 }, (_, index) => append(log, 0, [[1, `r${index}`]]));
      await Promise.all(appends);
      expect(await replayed(log)).toEqual(Array.from({ length: 50 }, (_, index) => `1:r${index}`));
      const sequences = (await recordsOf(log)).map(({ sequence }) => sequence);
      expect(sequences[0]).toBe(1);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      expect(new Set(sequences).size).toBe(50);
    });

    test('answers only when the records can be read and are on their way to the actors (A-64)', async () => {
      for (let round = 0; round < 10; round++) {
        await append(log, round % 3, [[round % 8, `r${round}`]]);
        expect(await replayed(log)).toContain(`${round % 8}:r${round}`);
        const durable = log.appenders[(round + 1) % 3]!.durableSequence(round % 8);
        expect((await recordsOf(log)).at(-1)?.sequence).toBe(durable);
      }
      await settled(log, 10);
    });

    test('stores all records of an append, for several shards, side by side', async () => {
      await append(log, 0, [
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
        [1, 'd'],
      ]);
      expect((await replayed(log)).sort()).toEqual(['0:a', '1:b', '1:d', '2:c']);
      expect((await recordsOf(log)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      expect(shardTexts(await recordsOf(log), 1)).toEqual(['b', 'd']);
    });

    test('gives one order to all appenders: live and replayed agree, shard by shard', async () => {
      const appends: Promise<void>[] = [];
      for (let round = 0; round < 40; round++) {
        for (let edge = 0; edge < EXTENT.edges; edge++) {
          appends.push(append(log, edge, [[(round * 3 + edge) % 8, `${edge}.${round}`]]));
        }
      }
      await Promise.all(appends);
      await settled(log, appends.length);
      for (let shard = 0; shard < EXTENT.shards; shard++) {
        const live = log.delivered[shard % EXTENT.actors]!;
        const stored = shardTexts(await recordsOf(log), shard);
        expect(shardTexts(live, shard)).toEqual(stored);
        for (let edge = 0; edge < EXTENT.edges; edge++) {
          const own = stored.filter((text) => text.startsWith(`${edge}.`));
          expect(own).toEqual(own.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))));
        }
      }
    });

    test('gives every actor the records of its shards only, with the sequences of the log', async () => {
      for (let shard = 0; shard < EXTENT.shards; shard++)
        await append(log, 0, [[shard, `s${shard}`]]);
      await settled(log, EXTENT.shards);
      for (const [actor, records] of log.delivered.entries()) {
        expect(records.map(({ shard }) => shard % EXTENT.actors)).toEqual([
          actor,
          actor,
          actor,
          actor,
        ]);
        const stored = (await recordsOf(log)).filter(
          ({ shard }) => shard % EXTENT.actors === actor,
        );
        // Order is promised within a shard; here each shard has one record.
        expect(records.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
          stored.map(({ sequence }) => sequence),
        );
      }
    });

    test.each([{ after: 0 }, { after: 1 }, { after: 6 }, { after: 9 }, { after: 10 }])(
      'replays what comes after $after of 10, and says where it ends',
      async ({ after }) => {
        for (let index = 1; index <= 10; index++) await append(log, 0, [[index % 8, `r${index}`]]);
        const visited: number[] = [];
        const last = await log.reader().replay(after, ({ sequence }) => visited.push(sequence));
        expect(visited).toEqual(
          Array.from({ length: 10 - after }, (_, index) => after + 1 + index),
        );
        expect(last).toBe(10);
      },
    );

    test('knows its positions and goes on behind them after a restart', async () => {
      await append(log, 0, [
        [3, 'a'],
        [4, 'b'],
      ]);
      await append(log, 1, [[3, 'c']]);
      await reopen();
      const appender = log.appenders[2]!;
      const stored = await recordsOf(log);
      const newest = (shard: number) =>
        stored.findLast((record) => record.shard === shard)?.sequence ?? 0;
      expect([newest(3), newest(5)]).toEqual([3, 0]);
      for (const shard of [3, 4, 5]) expect(appender.durableSequence(shard)).toBe(newest(shard));
      await append(log, 2, [[5, 'd']]);
      // Records of one append have no order among shards.
      expect((await replayed(log)).slice(0, 2).sort()).toEqual(['3:a', '4:b']);
      expect((await replayed(log)).slice(2)).toEqual(['3:c', '5:d']);
      expect((await recordsOf(log)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    });

    test('counts what the actors have yet to apply, and nothing once they have', async () => {
      await append(log, 0, [[0, 'x'.repeat(10_000)]]);
      await settled(log, 1);
      expect(log.appenders[0]!.backlogBytes()).toBe(0);
    });

    test('returns the bytes it was given, whatever they are and however many', async () => {
      const payloads: Buffer[] = [];
      const appends: Promise<void>[] = [];
      for (const bytes of fc.sample(fc.uint8Array({ maxLength: 3_000 }), {
        numRuns: 60,
        seed: 42,
      })) {
        payloads.push(Buffer.from(bytes));
        appends.push(appendBatches(log, 0, [{ shard: 6, payload: bytes }]));
        // Payloads are copied before `append` returns.
        bytes.fill(0);
      }
      await Promise.all(appends);
      expect((await recordsOf(log)).map(({ payload }) => Buffer.from(payload))).toEqual(payloads);
    });
  });
}

function append(log: OpenLog, edge: number, records: readonly [number, string][]): Promise<void> {
  return appendBatches(
    log,
    edge,
    records.map(([shard, text]) => ({ shard, payload: Buffer.from(text) })),
  );
}

function appendBatches(log: OpenLog, edge: number, batches: readonly ShardBatch[]): Promise<void> {
  return new Promise((resolve, reject) => {
    log.appenders[edge]!.append(batches, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Waits until the live side has been given a number of records. */
async function settled(log: OpenLog, count: number): Promise<void> {
  while (log.delivered.flat().length < count || log.appenders[0]!.backlogBytes() > 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(log.delivered.flat()).toHaveLength(count);
}

async function recordsOf(log: OpenLog): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  await log.reader().replay(0, ({ shard, sequence, payload }) => {
    records.push({ shard, sequence, payload: payload.slice() });
  });
  return records;
}

async function replayed(log: OpenLog): Promise<string[]> {
  return (await recordsOf(log)).map((record) => `${record.shard}:${textOf(record)}`);
}

function shardTexts(records: readonly LogRecord[], shard: number): string[] {
  return records.filter((record) => record.shard === shard).map(textOf);
}

function textOf({ payload }: LogRecord): string {
  return Buffer.from(payload).toString();
}
