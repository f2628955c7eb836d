/**
 * The log of a node: on this machine, or on JetStream when NATS servers are set.
 *
 * Control plane. Both are one thread behind the same links; they differ in who replays. The files of
 * the local log are read by the actors before anything is written; the stream is read by the log's
 * thread, shard by shard, as they are opened (`cluster/shard-mover.ts`).
 */

import { join } from 'node:path';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { createLogLinks, type LogLinks } from '../bus/log/links.ts';
import type { NatsLogOptions } from '../bus/nats/log.ts';
import { hitStreamName } from '../bus/nats/streams.ts';
import type { Settings } from '../settings/schema.ts';
import { bindLog } from './directory/data-layout.ts';
import { PortCaller } from './link/port-calls.ts';
import { startThread, type Thread } from './link/threads.ts';
import { natsAccess } from './nats-access.ts';
import type { NatsLogCall, NatsLogFound } from './threads/nats-log-thread.ts';

/** A started log. */
export interface NodeLog {
  links: LogLinks;
  worker: Worker;
  /** Where actors find records to replay; null: they come from the stream. */
  replayDir: string | null;
  /** The stream and the calls of its thread; null when the log is on this machine. */
  stream: { options: NatsLogOptions; created: string; calls: PortCaller<NatsLogCall> } | null;
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
    const { port1, port2 } = new MessageChannel();
    const data = { kind: 'nats', options, link, calls: port2 };
    const { worker, found } = await watch(
      startThread<NatsLogFound>('log', data, [...moved, port2]),
    );
    const { created } = found;
    bindLog(settings.dataDir, counts.shards, {
      kind: 'nats',
      stream: hitStreamName(options.prefix),
      created,
    });
    const stream = { options, created, calls: new PortCaller<NatsLogCall>(port1) };
    return { links, worker, replayDir: null, stream };
  }
  const dir = join(settings.dataDir, 'log');
  bindLog(settings.dataDir, counts.shards, { kind: 'local' });
  const data = { dir, durability: settings.durability, link };
  const { worker } = await watch(startThread<number>('log', data, moved));
  return { links, worker, replayDir: dir, stream: null };
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
