/**
 * The thread of snapshots. It has its own connection, so snapshot parts never delay hits.
 *
 * Control plane around `shard/snapshot/snapshot-keeper.ts`.
 */

import type { MessagePort } from 'node:worker_threads';
import type { NatsLogOptions } from '../../bus/nats/log.ts';
import { NatsSnapshots } from '../../bus/nats/snapshots/snapshots.ts';
import { answerCalls } from '../../bus/request-reply.ts';
import type { Epoch, ShardId } from '../../model/ids.ts';
import { openLog } from '../../model/log.ts';
import type { Settings } from '../../settings/schema.ts';
import { SnapshotKeeper } from '../../shard/snapshot/snapshot-keeper.ts';
import { LeaseTable } from '../../shard/state/lease-table.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';

/** How often it is looked what is due. */
const TICK_MS = 500;

/** What the thread is started with. */
export interface SnapshotsThreadData {
  settings: Settings;
  /** The stream whose records the snapshots hold, and when it was made. */
  stream: NatsLogOptions;
  created: string;
  leases: LeaseTable['memory'];
  /** Calls of the main thread. */
  calls: MessagePort;
}

/** What the main thread may ask of it. */
export type SnapshotsCall =
  /** Restores a shard's state if that on disk is behind: a `Prepared`. */
  | { kind: 'prepare'; shard: ShardId }
  /** The shard is open: it is stored from time to time. */
  | { kind: 'watch'; shard: ShardId; epoch: Epoch }
  /** It was saved and closed: stored for the last time; `forget` does not store. */
  | { kind: 'save' | 'forget'; shard: ShardId };

/** A running thread of snapshots. */
export interface SnapshotsThread {
  close(): Promise<void>;
}

/** Connects and answers calls until it is closed. @throws what `NatsSnapshots.open` throws. */
export async function openSnapshotsThread(data: SnapshotsThreadData): Promise<SnapshotsThread> {
  const { settings, stream, created } = data;
  watchThread('snapshots', 0);
  const { logLevel: level, logFormat: format } = settings;
  const log = openLog({ level, format, thread: 'snapshots' });
  const store = await NatsSnapshots.open(stream);
  const keeper = new SnapshotKeeper({
    dataDir: settings.dataDir,
    leases: new LeaseTable(data.leases),
    store,
    log: {
      name: store.stream,
      created,
      lastSequence: () => store.lastSequence(),
      forget: (shard, sequence) => store.forgetRecords(shard, sequence),
    },
  });
  answerCalls(data.calls, (call: SnapshotsCall) => {
    switch (call.kind) {
      case 'prepare':
        return keeper.prepare(call.shard);
      case 'watch':
        return keeper.watch(call.shard, call.epoch);
      case 'save':
        return keeper.save(call.shard);
      case 'forget':
        return keeper.forget(call.shard);
    }
  });
  const timer = setInterval(() => {
    keeper.tick((error) => log.tell('snapshot.failed', { err: error }));
  }, TICK_MS);
  return {
    async close() {
      clearInterval(timer);
      data.calls.close();
      await keeper.close();
      await store.close();
    },
  };
}
