/**
 * The actor's thread: recovery first, then records, requests and checkpoints as they come.
 *
 * Control plane around the data plane of `shard/actor.ts`.
 */

import type { MessagePort } from 'node:worker_threads';
import { monotonicMs, systemClock } from '../base/clock.ts';
import { openLog } from '../base/log.ts';
import { LocalLogReader } from '../bus/local-log-reader.ts';
import { LogLinkFeed } from '../bus/log-link-feed.ts';
import type { LogActorLink } from '../bus/log-links.ts';
import type { Settings } from '../settings/schema.ts';
import { Actor } from '../shard/actor.ts';
import type { ActorRequest } from '../shard/protocol.ts';

/** How often the actor looks what is due; a domain is saved a second after it got busy. */
const TICK_MS = 250;

/** What an actor thread is started with. */
export interface ActorThreadData {
  index: number;
  settings: Settings;
  /** Directory of the local log; null: all records come through the feed. */
  replayDir: string | null;
  /** Ids of the shards it owns. */
  shards: readonly number[];
  log: LogActorLink;
  /** By edge. */
  edgePorts: readonly MessagePort[];
}

/** Positions on disk, told to the main thread as they move. */
export type SavedSequences = readonly { shard: number; sequence: number }[];

/** A running actor thread. */
export interface ActorThread {
  /** Positions found on disk at the start. */
  saved: SavedSequences;
  /** Saves everything and lets go of the files. */
  close(): Promise<void>;
}

/**
 * Recovers the actor's shards and starts it.
 *
 * @param onSaved called with positions that are on disk for good: the log may be trimmed to them.
 */
export function openActorThread(
  data: ActorThreadData,
  onSaved: (saved: SavedSequences) => void,
): ActorThread {
  const { settings, edgePorts } = data;
  const log = openLog({
    level: settings.logLevel,
    format: settings.logFormat,
    thread: `actor-${data.index}`,
  });
  const actor = new Actor({
    dataDir: settings.dataDir,
    shards: data.shards,
    reply: (message, edge) => edgePorts[edge]?.postMessage(message),
    onFault: (error) => log.error({ err: error }, 'a checkpoint failed; it is tried again'),
  });
  const startedMs = monotonicMs();
  const { replayDir } = data;
  const replayedHits =
    replayDir === null ? 0 : actor.recover(new LocalLogReader(replayDir), systemClock());
  const tookMs = Math.round(monotonicMs() - startedMs);
  log.info({ shards: data.shards.length, replayedHits, tookMs }, 'shards recovered');

  const feed = new LogLinkFeed(data.log);
  feed.onRecords((records) => actor.onRecords(records, systemClock()));
  for (const [edge, port] of edgePorts.entries()) {
    port.on('message', (request: ActorRequest) => actor.onRequest(request, edge, systemClock()));
  }
  let isErasing = false;
  let isClosed = false;
  // Slice by slice, so that records and requests come in between.
  const eraseOn = () => {
    isErasing = !isClosed && actor.erase(systemClock(), monotonicMs);
    if (isErasing) setImmediate(eraseOn);
  };
  const timer = setInterval(() => {
    if (!isErasing) eraseOn();
    for (const shard of actor.tick(systemClock())) {
      const saved = [{ shard: shard.id, sequence: shard.savedSequence }];
      void shard
        .environment()
        .flushed()
        .then(() => onSaved(saved));
    }
  }, TICK_MS);
  return {
    saved: actor.savedSequences(),
    async close() {
      clearInterval(timer);
      isClosed = true;
      feed.close();
      for (const port of edgePorts) port.close();
      await actor.close();
    },
  };
}
