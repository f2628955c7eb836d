/** Local logs in temporary directories, written by a thread or stepped in this one. */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import type { LocalLogOptions } from '../../../src/bus/local/log-files.ts';
import { LocalLogReader } from '../../../src/bus/local/log-reader.ts';
import { LocalLogWriter } from '../../../src/bus/local/log-writer.ts';
import { LogLinkAppender } from '../../../src/bus/log/appender.ts';
import { LogLinkFeed } from '../../../src/bus/log/feed.ts';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { createLogLinks, type LogLinks, wakeWriter } from '../../../src/bus/log/links.ts';
import type { LogPlace, OpenLog } from '../../conformance/log.conformance.ts';
import { temporaryDirectory } from '../log-directory.ts';

type Writing = { close(): Promise<void> };
type StartWriter = (options: LocalLogOptions, links: LogLinks) => Promise<Writing>;

/** A directory whose writer has a thread of its own. */
export const threadPlace = placeOf(startThread);
/** A directory whose writer is stepped in this thread. */
export const steppedPlace = placeOf(startSteps);

function placeOf(start: StartWriter): LogPlace {
  return (extent) => {
    const dir = temporaryDirectory();
    const options: LocalLogOptions = { dir, durability: 'sync', fileBytes: 64 * 1_024 };
    return {
      open: () => openLog(options, extent, start),
      remove: async () => rmSync(dir, { recursive: true, force: true }),
    };
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
  const worker = new Worker(new URL('../log-writer.mjs', import.meta.url), {
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
