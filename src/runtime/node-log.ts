/**
 * The log of a node: the driver that the settings ask for, on a thread of its own.
 *
 * Control plane. Drivers differ in who replays. What only this node appends to is read by the actors
 * before anything is written; a log that nodes share is read by its thread, shard by shard, as they
 * are opened (`cluster/shard-mover.ts`).
 */

import { MessageChannel, type Worker } from 'node:worker_threads';
import { askedDriver } from '../bus/drivers.ts';
import type { LogIdentity } from '../bus/log/driver.ts';
import { createLogLinks, type LogLinks } from '../bus/log/links.ts';
import type { NatsLogCall } from '../bus/nats/driver.ts';
import type { NatsLogOptions } from '../bus/nats/log.ts';
import { PortCaller } from '../bus/request-reply.ts';
import type { Settings } from '../settings/schema.ts';
import { bindLog } from './directory/data-layout.ts';
import { startThread, type Thread } from './link/threads.ts';
import type { LogThreadData } from './threads/log-thread.ts';

/** A started log. */
export interface NodeLog {
  links: LogLinks;
  worker: Worker;
  /** Of its driver. */
  kind: string;
  /** The stream that nodes share and the calls of its thread; null when the log is this node's alone. */
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
  const { kind, isShared, ...driver } = askedDriver(settings);
  const options = driver.options(settings, counts.shards);
  const { port1, port2 } = new MessageChannel();
  const data: LogThreadData = { kind, options, link, calls: port2 };
  const moved = [link.control, ...link.edges, ...link.actors, port2];
  const { worker, found } = await watch(startThread<LogIdentity>('log', data, moved));
  bindLog(settings.dataDir, counts.shards, found);
  if (!isShared) {
    port1.close();
    return { links, worker, kind, stream: null };
  }
  // JetStream is the only log that nodes share: leases, snapshots and questions go over its servers.
  const shared = { options: options as NatsLogOptions, created: found['created'] ?? '' };
  return { links, worker, kind, stream: { ...shared, calls: new PortCaller<NatsLogCall>(port1) } };
}
