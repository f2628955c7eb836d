/**
 * The log of a node: on this machine, or on JetStream when NATS servers are set.
 *
 * Control plane. Both are one thread behind the same links; they differ in who replays. The files of
 * the local log are read by the actors before anything is written; the stream is read by the log's
 * thread from behind the actors' checkpoints.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { type ConsumeFrom, createLogLinks, type LogLinks } from '../bus/log-links.ts';
import type { NatsLogOptions } from '../bus/nats-log.ts';
import { hitStreamName } from '../bus/nats-streams.ts';
import { restoreError } from '../model/errors.ts';
import type { Settings } from '../settings/schema.ts';
import { bindLog } from './data-layout.ts';
import { natsAccess } from './nats-access.ts';
import type { Consumed, NatsLogFound } from './nats-log-thread.ts';
import { startThread, type Thread } from './threads.ts';

/** A started log. */
export interface NodeLog {
  links: LogLinks;
  worker: Worker;
  /** Where actors find records to replay; null: they come from the stream. */
  replayDir: string | null;
  /**
   * Called once, when the actors have recovered.
   *
   * @returns when they have been given everything that is durable.
   */
  begin(from: ConsumeFrom): Promise<void>;
}

/** How many threads there are to link. */
export interface LogCounts {
  edges: number;
  actors: number;
  shards: number;
}

/**
 * Starts the log of the settings.
 *
 * @throws what keeps it from opening; DATA_DIR_LAYOUT or STREAM_REPLACED when the checkpoints of the
 *   data directory belong to another log.
 */
export async function startNodeLog(
  settings: Settings,
  counts: LogCounts,
  watch: <Found>(thread: Promise<Thread<Found>>) => Promise<Thread<Found>>,
): Promise<NodeLog> {
  const links = createLogLinks(counts);
  const { writer: link } = links;
  const moved = [link.control, ...link.edges, ...link.actors];
  if (settings.natsServers.length > 0) {
    const options = natsOptions(settings, counts.shards);
    const data = { kind: 'nats', options, link };
    const { worker, found } = await watch(startThread<NatsLogFound>('log', data, moved));
    const stream = hitStreamName(options.prefix);
    bindLog(settings.dataDir, { kind: 'nats', stream, created: found.created });
    return { links, worker, replayDir: null, begin: (from) => consume(links, worker, from) };
  }
  const dir = join(settings.dataDir, 'log');
  bindLog(settings.dataDir, { kind: 'local' });
  const data = { dir, durability: settings.durability, link };
  const { worker } = await watch(startThread<number>('log', data, moved));
  return { links, worker, replayDir: dir, begin: async () => {} };
}

function natsOptions(settings: Settings, shards: number): NatsLogOptions {
  return {
    access: natsAccess(settings),
    name: `footfall ${settings.host}:${settings.port}`,
    prefix: settings.natsPrefix,
    shards,
    replicas: settings.natsReplicas,
    bytesMax: settings.natsStreamBytes,
    spool: {
      dir: join(settings.dataDir, 'spool'),
      bytesMax: settings.spoolBytes,
      isOn: settings.spool === 'on',
    },
  };
}

async function consume(links: LogLinks, worker: Worker, from: ConsumeFrom): Promise<void> {
  links.control.postMessage({ consume: from });
  const [message] = (await once(worker, 'message')) as [Consumed];
  if ('consumed' in message) return;
  assert(typeof message.failed !== 'string', `log thread: ${String(message.failed)}`);
  throw restoreError(message.failed);
}
