// Goal: the local log keeps the promises of every log, and its own: killed at any moment, nothing
//   acknowledged is missing.
// Method: the conformance suite, stepped in this thread and with a real writer thread; then a
//   process that is killed with SIGKILL while it appends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { LocalLogOptions } from '../../src/bus/local/log-files.ts';
import { LocalLogReader } from '../../src/bus/local/log-reader.ts';
import { LocalLogWriter } from '../../src/bus/local/log-writer.ts';
import { LogLinkAppender } from '../../src/bus/log/appender.ts';
import { LogLinkFeed } from '../../src/bus/log/feed.ts';
import type { LogRecord } from '../../src/bus/log/interface.ts';
import { createLogLinks, type LogLinks, wakeWriter } from '../../src/bus/log/links.ts';
import { type OpenLog, testLog } from '../conformance/log.conformance.ts';
import { FailingDisk, logDirectory, temporaryDirectory, textsOf } from './log-directory.ts';

type Writing = { close(): Promise<void> };
type StartWriter = (options: LocalLogOptions, links: LogLinks) => Promise<Writing>;

testLog('the local log with a thread of its own', (extent) => place(extent, startThread));
testLog('the local log stepped in one thread', (extent) => place(extent, startSteps));

test('an append that the disk refuses is answered with the error, and the next one is stored', async () => {
  const dir = logDirectory();
  const disk = new FailingDisk();
  const links = createLogLinks({ edges: 2, actors: 1, shards: 4 });
  const options = { dir, durability: 'sync', fileBytes: 4_096, files: disk } as const;
  const writer = new LocalLogWriter(options, links.writer);
  const appenders = links.edges.map((link) => new LogLinkAppender(link));
  const answers: (string | null)[] = [];
  const append = (edge: number, text: string) =>
    new Promise<void>((resolve) => {
      appenders[edge]!.append([{ shard: 1, payload: Buffer.from(text) }], (error) => {
        answers.push((error as { code?: string } | null)?.code ?? null);
        resolve();
      });
    });
  disk.failing = 'write';
  const refused = Promise.all([append(0, 'a'), append(1, 'b')]);
  expect(writer.step()).toBe(true);
  await refused;
  disk.failing = null;
  const taken = append(0, 'c');
  expect(writer.step()).toBe(true);
  expect(writer.step()).toBe(false);
  await taken;
  expect(answers).toEqual(['LOG_WRITE_FAILED', 'LOG_WRITE_FAILED', null]);
  for (const appender of appenders) appender.close();
  writer.close();
  expect(textsOf(dir)).toEqual(['1:c']);
});

test('a sync that fails ends the writer and answers nobody', async () => {
  const disk = new FailingDisk();
  const links = createLogLinks({ edges: 1, actors: 1, shards: 4 });
  const options = { dir: logDirectory(), durability: 'sync', fileBytes: 4_096 } as const;
  const writer = new LocalLogWriter({ ...options, files: disk }, links.writer);
  const appender = new LogLinkAppender(links.edges[0]!);
  const answers: (Error | null)[] = [];
  appender.append([{ shard: 1, payload: Buffer.from('a') }], (error) => answers.push(error));
  writer.step();
  appender.append([{ shard: 1, payload: Buffer.from('b') }], (error) => answers.push(error));
  disk.failing = 'sync';
  expect(() => writer.step()).toThrow(expect.objectContaining({ code: 'LOG_SYNC_FAILED' }));
  // An answer would take one turn.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toEqual([null]);
  expect(appender.durableSequence(1)).toBe(1);
  appender.close();
});

test('what was sent before a close is still written and answered', async () => {
  const dir = logDirectory();
  const links = createLogLinks({ edges: 1, actors: 1, shards: 4 });
  const writer = new LocalLogWriter({ dir, durability: 'os', fileBytes: 4_096 }, links.writer);
  const appender = new LogLinkAppender(links.edges[0]!);
  const answered = new Promise<void>((resolve) => {
    links.control.postMessage('close');
    appender.append([{ shard: 0, payload: Buffer.from('a') }], () => resolve());
  });
  writer.run();
  await answered;
  appender.close();
  expect(textsOf(dir)).toEqual(['1:a']);
});

test('killed at any moment and started again, every acknowledged append is there once, in order', async () => {
  const dir = logDirectory();
  const reader = new LocalLogReader(dir);
  let trimmedTo = 0;
  for (let round = 0; round < 6; round++) {
    const acknowledged = await appendUntilKilled(dir, `r${round}`, 40 + round * 61);
    expect(acknowledged.length).toBeGreaterThanOrEqual(40);
    const found: LogRecord[] = [];
    reader.replay(0, ({ shard, sequence, payload }) => {
      found.push({ shard, sequence, payload: payload.slice() });
    });
    const texts = found.map(({ payload }) => Buffer.from(payload).toString());
    expect(new Set(texts).size).toBe(texts.length);
    trimmedTo = Math.max(trimmedTo, (found[0]?.sequence ?? 1) - 1);
    // The process trims what lies 40 records back; the rest must be whole.
    const own = texts.filter((text) => text.startsWith(`r${round}-`));
    const missing = acknowledged.filter((text) => !own.includes(text));
    expect(missing.every((text) => Number(text.split('-')[1]) <= trimmedTo)).toBe(true);
    for (const text of acknowledged.slice(-30)) expect(own).toContain(text);
    const sequences = found.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index));
    const numbers = own.map((text) => Number(text.split('-')[1]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

/** @returns the acknowledged texts of a process that was killed after `count` of them. */
async function appendUntilKilled(dir: string, prefix: string, count: number): Promise<string[]> {
  const program = new URL('./log-process.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, dir, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split('\n').length > count) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  // The last line may be cut.
  return output.split('\n').slice(0, -1);
}

function place(extent: { edges: number; actors: number; shards: number }, start: StartWriter) {
  const dir = temporaryDirectory();
  const options: LocalLogOptions = { dir, durability: 'sync', fileBytes: 64 * 1_024 };
  return {
    open: () => openLog(options, extent, start),
    remove: async () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function openLog(
  options: LocalLogOptions,
  extent: { edges: number; actors: number; shards: number },
  start: StartWriter,
): Promise<OpenLog> {
  const links = createLogLinks(extent);
  const writer = await start(options, links);
  const delivered: LogRecord[][] = links.actors.map(() => []);
  const feeds = links.actors.map((link) => new LogLinkFeed(link));
  for (const [actor, feed] of feeds.entries()) {
    feed.onRecords((records) => delivered[actor]!.push(...records));
  }
  const appenders = links.edges.map((link) => new LogLinkAppender(link));
  return {
    appenders,
    delivered,
    reader: () => new LocalLogReader(options.dir),
    async close() {
      await writer.close();
      for (const appender of appenders) appender.close();
      for (const feed of feeds) feed.close();
      links.control.close();
    },
  };
}

async function startThread(options: LocalLogOptions, links: LogLinks): Promise<Writing> {
  const link = links.writer;
  const worker = new Worker(new URL('./log-writer.mjs', import.meta.url), {
    workerData: { options, link },
    transferList: [link.control, ...link.edges, ...link.actors],
  });
  await once(worker, 'message');
  return {
    async close() {
      const ends = once(worker, 'exit');
      links.control.postMessage('close');
      wakeWriter(links.memory);
      expect(await ends).toEqual([0]);
    },
  };
}

async function startSteps(options: LocalLogOptions, links: LogLinks): Promise<Writing> {
  const writer = new LocalLogWriter(options, links.writer);
  let isOpen = true;
  const turn = () => {
    if (!isOpen) return;
    writer.step();
    setImmediate(turn);
  };
  turn();
  return {
    async close() {
      isOpen = false;
      writer.close();
    },
  };
}
