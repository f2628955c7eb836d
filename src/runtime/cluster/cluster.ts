/**
 * A node among others: its leases, the shards that come and go with them, and the questions about them.
 *
 * Control plane, on the main thread. A single node on JetStream is a cluster of one.
 */

import type { NatsDocuments } from '../../bus/nats/document.ts';
import { NatsPeer } from '../../bus/nats/peer.ts';
import { hitStreamName } from '../../bus/nats/streams.ts';
import { errors } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { Log } from '../../model/log.ts';
import type { Settings } from '../../settings/schema.ts';
import type { ActorClient } from '../../shard/actor/actor-client.ts';
import type { LeaseTable } from '../../shard/state/lease-table.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { NodeLog } from '../node-log.ts';
import type { ScanTask } from '../query/scan-task.ts';
import type { ClusterStatus } from '../telemetry/cluster-status.ts';
import type { Board } from './lease-plan.ts';
import type { BoardStore } from './leases.ts';
import { Membership } from './membership.ts';
import type { MoverThreads } from './mover-threads.ts';
import { type NodeIdentity, settleIdentity, takeIdentity } from './node-identity.ts';
import { QuestionRouter } from './question-router.ts';

/** A turn whose read or write takes longer has failed: leases are shorter than the client's patience. */
const BOARD_ANSWER_MS = SECOND_MS;
/** What is not closed after this long is handed over as it is. */
const LEAVE_MS_MAX = 4 * SECOND_MS;
/** Key of the board in its bucket, and what hints about it are called. */
const BOARD = 'board';

/** What it is made of. */
export interface ClusterParts {
  settings: Settings;
  log: Log;
  shards: number;
  table: LeaseTable;
  status: ClusterStatus;
  /** Whether hits wait in the spool of this node. */
  hasSpooled: () => boolean;
  stream: NonNullable<NodeLog['stream']>;
  movers: MoverThreads;
  /** The main thread's own door to the actors. */
  actors: ActorClient;
  /** Takes what other nodes look at, and tells them. */
  live: LiveHub;
  /** Runs a scan over a shard that is held; SHARD_MOVED when it is not. */
  scan: (task: ScanTask) => Promise<Uint8Array>;
}

/** A node in its cluster. */
export interface Cluster {
  /** Answers a question of an edge, wherever its shard is. */
  run(task: ScanTask): Promise<Uint8Array>;
  /**
   * Hands all shards over to the others; they answer for them then.
   *
   * @param isBroken a thread has died: nothing can be closed, the others replay what is not saved.
   */
  leave(isBroken: boolean): Promise<void>;
  /** Ends what runs for it; after `leave`. */
  stop(): Promise<void>;
  /** Lets go of the connection at once: the start has failed. */
  abandon(): Promise<void>;
}

/**
 * Joins the cluster of the settings' NATS servers and prefix.
 *
 * @returns when the board is known; the shards are opened meanwhile.
 * @throws NATS_UNREACHABLE, NATS_REFUSED, STREAM_MISMATCH, LOG_UNAVAILABLE.
 */
export async function joinCluster(parts: ClusterParts): Promise<Cluster> {
  const { settings, stream } = parts;
  const { access, prefix, name } = stream.options;
  const identity = takeIdentity(settings.dataDir);
  const node = identity.self;
  const peer = await NatsPeer.open(access, { prefix, node, name: `${name}, node ${node}` });
  try {
    return await joinAs(identity, peer, parts);
  } catch (error) {
    await peer.close();
    throw error;
  }
}

async function joinAs(
  identity: NodeIdentity,
  peer: NatsPeer,
  parts: ClusterParts,
): Promise<Cluster> {
  const { self, previous } = identity;
  const { log, shards, table, movers, status, hasSpooled } = parts;
  const { replicas, prefix } = parts.stream.options;
  const documents = await peer.documents('leases', { replicas, timeoutMs: BOARD_ANSWER_MS });
  const store = boardStore(documents, shards, hitStreamName(prefix));
  const membership = await Membership.join({
    ...{ store, self, previous, shards, table, status, log, hasSpooled, mover: movers.mover },
    hint: () => peer.hint(BOARD),
  });
  settleIdentity(parts.settings.dataDir, identity);
  peer.onHint(BOARD, () => membership.hurry());
  parts.live.join(peer);
  const router = new QuestionRouter({
    ...{ owners: membership, actors: parts.actors, scan: parts.scan },
    latest: (shard) => movers.mover.latest(shard),
    ask: (node, question, timeoutMs) => peer.ask(node, question, timeoutMs),
  });
  const onFault = (error: unknown) => log.tell('cluster.query-failed', { err: error });
  peer.answer((question) => router.answer(question), onFault);
  log.tell('cluster.joined', { node: self, previous });
  return {
    run: (task) => router.run(task),
    async leave(isBroken) {
      if (await membership.leave(isBroken ? 0 : LEAVE_MS_MAX)) return;
      log.tell('cluster.shards-left');
    },
    async stop() {
      parts.live.close();
      parts.actors.close();
      await movers.stop();
      await peer.close();
    },
    abandon: () => peer.close(),
  };
}

/** The board as a document that all nodes share. */
function boardStore(documents: NatsDocuments, shards: number, stream: string): BoardStore {
  return {
    async read() {
      const found = await documents.read<Board>(BOARD);
      if (found === null) return null;
      const { value: board, revision } = found;
      if (board.shards.length !== shards) {
        const fault = `its nodes share ${board.shards.length} shards, this one has ${shards}`;
        throw errors.STREAM_MISMATCH({ stream, fault });
      }
      return { board, revision };
    },
    write: (board, revision) => documents.write(BOARD, board, revision),
  };
}
