/**
 * The shard mover of a node with everything it needs: the thread of snapshots, started and ended.
 *
 * Control plane, on the main thread.
 */

import { MessageChannel, type Worker } from 'node:worker_threads';
import type { Settings } from '../../settings/schema.ts';
import type { LeaseTable } from '../../shard/state/lease-table.ts';
import { PortCaller } from '../link/port-calls.ts';
import { commandThread } from '../link/thread-link.ts';
import { startThread, type Thread } from '../link/threads.ts';
import type { NodeLog } from '../node-log.ts';
import type { ActorCall } from '../threads/actor-thread.ts';
import type { SnapshotsCall, SnapshotsThreadData } from '../threads/snapshots-thread.ts';
import { ShardMover } from './shard-mover.ts';

/** A mover and what runs for it. */
export interface MoverThreads {
  mover: ShardMover;
  /** Ends the thread of snapshots; after the last `close` of a shard. */
  stop(): Promise<void>;
}

/**
 * Starts the thread of snapshots.
 *
 * @param node what the mover moves shards between.
 * @throws NATS_UNREACHABLE, NATS_REFUSED, JETSTREAM_UNAVAILABLE.
 */
export async function startMover(
  settings: Settings,
  node: {
    stream: NonNullable<NodeLog['stream']>;
    actors: readonly PortCaller<ActorCall>[];
    leases: LeaseTable;
  },
  watch: <Found>(thread: Promise<Thread<Found>>) => Promise<Thread<Found>>,
): Promise<MoverThreads> {
  const { port1, port2 } = new MessageChannel();
  const data: SnapshotsThreadData = {
    settings,
    stream: node.stream.options,
    created: node.stream.created,
    leases: node.leases.memory,
    calls: port2,
  };
  const { worker } = await watch(startThread<null>('snapshots', data, [port2]));
  const snapshots = new PortCaller<SnapshotsCall>(port1);
  const mover = new ShardMover({ actors: node.actors, log: node.stream.calls, snapshots });
  return { mover, stop: () => stop(worker) };
}

async function stop(worker: Worker): Promise<void> {
  await commandThread(worker, 'stop');
  await worker.terminate();
}
