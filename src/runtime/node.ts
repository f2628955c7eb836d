/**
 * A node: all threads of the service, built from the settings, watched, and taken down in order.
 *
 * Control plane. Start: log, actors (recovery), query pool, edges. Stop: edges first (nothing new
 * comes in, what is in flight is answered), then actors (checkpoint), then the log.
 *
 *     edge × n ──hits──▶ log ──records──▶ actor × m          ports between threads, made here
 *        │ └──save, active──────────────────▲
 *        └──scan──▶ main ──▶ query threads (Piscina)
 */

import { once } from 'node:events';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { collectAtRest } from '../base/heap.ts';
import { setSharedInterval } from '../base/shared-interval.ts';
import {
  durableSequence,
  type LogControl,
  type LogEdgeLink,
  type LogLinks,
  wakeWriter,
} from '../bus/log/links.ts';
import { answerCalls, PortCaller } from '../bus/request-reply.ts';
import type { OperatingError } from '../model/errors.ts';
import type { ShardId } from '../model/ids.ts';
import { type Log, openLog } from '../model/log.ts';
import { type Budgets, budgetsOf, shareBudgets } from '../model/memory.ts';
import { THREAD_KINDS } from '../model/metric-labels.ts';
import { metricsTable } from '../model/metrics.ts';
import type { CountedDay } from '../segment/disk/day-counts.ts';
import type { SummedDays } from '../segment/disk/day-sums.ts';
import { publicUrl } from '../settings/public-url.ts';
import type { Settings } from '../settings/schema.ts';
import { ActorClient } from '../shard/actor/actor-client.ts';
import { LeaseTable } from '../shard/state/lease-table.ts';
import { actorOf, shardsOfActor } from '../shard/state/placement.ts';
import type { Cluster } from './cluster/cluster.ts';
import { NodeAddressLists } from './directory/address-lists.ts';
import { fixedShardCount } from './directory/data-layout.ts';
import { NodeCertificate } from './directory/node-certificate.ts';
import { commandThread } from './link/thread-link.ts';
import { startThread, type Thread } from './link/threads.ts';
import { LiveHub } from './live/live-hub.ts';
import { startEdges } from './node-edges.ts';
import { type NodeLog, startNodeLog } from './node-log.ts';
import { appendPort, type NodeRegistry, openNodeRegistry } from './node-registry.ts';
import { NodePlaces } from './places/node-places.ts';
import { checkPort } from './port-check.ts';
import { scanHeld } from './query/query-door.ts';
import { ScanPool } from './query/scan-pool.ts';
import type { ScanTask } from './query/scan-task.ts';
import type { SlowQuery } from './query/slow-query.ts';
import { ClusterStatus } from './telemetry/cluster-status.ts';
import { DamageLog } from './telemetry/damage-log.ts';
import { faultTeller } from './telemetry/fault-teller.ts';
import { type MetricsPage, openMetricsPage } from './telemetry/metrics-page.ts';
import { metricsText } from './telemetry/metrics-text.ts';
import { NodeGauges } from './telemetry/node-gauges.ts';
import { RefusedRequests } from './telemetry/refused-requests.ts';
import { shareMetrics } from './telemetry/thread-metrics.ts';
import { traceThread } from './telemetry/thread-traces.ts';
import type { ActorCall, ActorThreadData, SavedSequences } from './threads/actor-thread.ts';
import type { JobsThreadData } from './threads/jobs-thread.ts';
import { LogTrimmer } from './threads/log-trimmer.ts';
import { NodeVisitorKeys } from './visitor-keys/node-visitor-keys.ts';

/** How often the registry's files are looked at for changes by other processes. */
const REGISTRY_POLL_MS = 500;

/** A running node. */
export interface Node {
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** Reads files of the operator's own again: databases of places, address lists, certificate. */
  reload(): void;
  /** Answers what is in flight, saves everything, ends all threads. */
  stop(): Promise<void>;
  /** Resolves when a thread died: the node is no longer able to keep its promises. */
  failed: Promise<Error>;
}

/** Everything that runs, in the order in which it was started. */
interface Parts {
  settings: Settings;
  log: Log;
  links: LogLinks;
  writer: Worker;
  /** Whether the log's thread died. */
  lost: { log: boolean };
  actors: Thread<SavedSequences>[];
  pool: ScanPool;
  edges: Thread<number>[];
  jobs: Thread<null>;
  registry: NodeRegistry;
  endPoll: () => void;
  places: NodePlaces;
  addressLists: NodeAddressLists;
  certificate: NodeCertificate;
  visitorKeys: NodeVisitorKeys;
  /** null when the log is on this machine. */
  cluster: Cluster | null;
  status: ClusterStatus | null;
  /** On which edges ask for the metrics. */
  metricsPorts: readonly MessagePort[];
}

interface Start {
  settings: Settings;
  log: Log;
  shards: number;
  /** What is to be ended when the start fails. */
  started: { terminate(): Promise<unknown> }[];
  registry: NodeRegistry;
  onFault: (error: Error) => void;
}

/** Starts a thread that the node cannot do without. */
type Watched = <Found>(thread: Promise<Thread<Found>>) => Promise<Thread<Found>>;

/**
 * Starts all threads and waits until hits are accepted and statistics answered.
 *
 * @param settings with the port that is known to be free; the data directory is locked.
 * @throws the operating error that kept a part from starting; what had started is ended.
 */
export async function startNode(settings: Settings): Promise<Node> {
  const log = openLog({ level: settings.logLevel, format: settings.logFormat, thread: 'main' });
  const isExplicit = settings.origins.shards !== 'default';
  const shards = fixedShardCount(settings.dataDir, { shards: settings.shards, isExplicit });
  const started: Start['started'] = [];
  let isBroken = false;
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<Error>((resolve) => {
    failed = (error) => {
      isBroken = true;
      resolve(error);
    };
  });
  const registry = await openNodeRegistry(settings, systemClock(), failed);
  shareMetrics(settings);
  const endTraces = traceThread('main-0');
  try {
    const parts = await startParts({ settings, log, shards, started, registry, onFault: failed });
    const refused = new RefusedRequests(settings.dataDir, systemClock, (error) =>
      log.tell('requests.refusals-not-kept', { err: error }),
    );
    const gauges = new NodeGauges({
      ...{ dataDir: settings.dataDir, memory: parts.links.memory, refused },
      ...{ status: parts.status, shards, waitingQueries: () => parts.pool.waitingCount },
    });
    const endLooks = setSharedInterval(() => gauges.look(), REGISTRY_POLL_MS);
    const text = () => {
      gauges.set();
      return metricsText(metricsTable, THREAD_KINDS);
    };
    for (const port of parts.metricsPorts) answerCalls(port, text);
    const page = await openPage(settings, text);
    log.tell('node.started', { shards, actors: parts.actors.length, edges: parts.edges.length });
    return {
      baseUrl: publicUrl(settings),
      failed: failure,
      reload: () => {
        parts.places.reload();
        parts.addressLists.reload();
        parts.certificate.reload();
      },
      stop() {
        page?.close();
        endLooks();
        for (const port of parts.metricsPorts) port.close();
        return stopParts(parts, isBroken)
          .then(endTraces)
          .finally(() => refused.close());
      },
    };
  } catch (error) {
    for (const part of started) await part.terminate();
    await registry.close();
    throw error;
  }
}

function watchedBy({ started, onFault }: Start): Watched {
  return async (thread) => {
    const { worker, found } = await thread;
    started.push(worker);
    worker.once('error', (error) => onFault(error as Error));
    return { worker, found };
  };
}

async function startParts(start: Start): Promise<Parts> {
  const { settings, log, shards, registry } = start;
  const counts = { edges: settings.edges, actors: Math.min(settings.actors, shards), shards };
  const budgets = budgetsOf(settings.memory, { ...counts, queryThreads: settings.queryThreads });
  shareBudgets(budgets);
  const watched = watchedBy(start);
  const addressLists = new NodeAddressLists(settings, log);
  const certificate = new NodeCertificate(settings, log);
  // Beside the recovery: nobody needs it before the edges start.
  const placesOpen = NodePlaces.open(settings, log);
  placesOpen.catch(() => {});
  // The thread that sends is one of those that append: what it erases goes the way of hits.
  const nodeLog = await startNodeLog(settings, { ...counts, edges: counts.edges + 1 }, watched);
  const { links, worker: writer, stream } = nodeLog;
  const lost = { log: false };
  writer.once('error', () => {
    lost.log = true;
  });
  // Who asks the actors: every edge, or in a cluster the main thread for all of them; and who sends.
  const asks = grid((stream === null ? counts.edges : 1) + 1, counts.actors);
  const leases = stream === null ? LeaseTable.alone(shards) : LeaseTable.create(shards);
  const status = stream === null ? null : ClusterStatus.create();
  const door = { settings, nodeLog, asks, leases, shards, watched };
  const { actors, calls, live, news } = await startActors(door);
  const edgeLinks = links.edges.slice(0, -1);
  const jobsLink = { jobsLog: links.edges.at(-1)!, jobsAsks: asks.at(-1)! };
  const { jobs, jobsCalls, jobsScans } = await startJobs(start, watched, {
    ...{ ...jobsLink, leases: leases.memory, newsPorts: news },
    ...{ edges: counts.edges, cluster: status?.memory ?? null },
  });
  const { pool, scan } = startScans(start, { budgets, leases, calls });
  let cluster: Cluster | null = null;
  if (stream !== null && status !== null) {
    const actorPorts = asks[0]!.map(({ port1 }) => port1);
    const door = { links, stream, status, calls, actorPorts, leases, live, scan, watched };
    cluster = await startCluster(start, door);
  }
  const run = cluster?.run ?? scan;
  const answerScans = (port: MessagePort) =>
    answerCalls(port, run, (error) => log.tell('query.failed', { err: error }));
  // What it has asked by now has waited.
  answerScans(jobsScans);
  const places = await placesOpen;
  const visitorKeys = await NodeVisitorKeys.open(settings, log);
  start.started.push({ terminate: () => visitorKeys.close() });
  const { edges, metricsPorts } = await startEdges({
    ...{ settings, shards, log, registry, places, addressLists, certificate, live, status },
    visitorKeys,
    ...{ logs: edgeLinks, asks: cluster === null ? asks : null, jobs: jobsCalls },
    ...{ answerScans, watched },
  });
  if (cluster === null) trimBehind(actors, links, shards);
  collectAtRest();
  const tellFaults = faultTeller(links.memory, log);
  const endPoll = setSharedInterval(() => {
    tellFaults();
    try {
      // Commands write into the same directory; threads of the node raise it themselves.
      registry.watch.look();
    } catch (error) {
      // Nobody could sign in or change anything; a start finds out what is there.
      start.onFault(error as Error);
    }
  }, REGISTRY_POLL_MS);
  const told = { settings, log, lost, endPoll, places, addressLists, certificate, visitorKeys };
  const counted = { status, metricsPorts };
  return { ...told, links, writer, actors, jobs, pool, edges, registry, cluster, ...counted };
}

/** Threads for queries that an actor would take too long over. */
function startScans(
  { settings, log }: Start,
  from: { budgets: Budgets; leases: LeaseTable; calls: readonly PortCaller<ActorCall>[] },
) {
  const { budgets, leases, calls } = from;
  const { dataDir, queryThreads: threads } = settings;
  const onSlow = (query: SlowQuery) => log.tell('query.slow', query);
  const damage = new DamageLog(log);
  const onDamage = (error: OperatingError) => damage.tell(error);
  const keep = (shard: ShardId, call: ActorCall) => {
    const actor = calls[actorOf(shard, calls.length)];
    actor?.call(call).catch((error: unknown) => {
      log.tell('state.rest-counts-failed', { err: error });
    });
  };
  const onCounted = (days: readonly CountedDay[]) =>
    keep((days as [CountedDay])[0].shard, { kind: 'keep', days });
  const onSummed = (sum: SummedDays) => keep(sum.shard, { kind: 'keep-sum', sum });
  const pool = new ScanPool({ dataDir, threads, budgets, onSlow, onDamage, onCounted, onSummed });
  const scan = (task: ScanTask) =>
    scanHeld({ pool, leases }, task).catch((error: unknown) => {
      damage.tell(error);
      throw error;
    });
  return { pool, scan };
}

/** null when no port is given. */
async function openPage(settings: Settings, text: () => string): Promise<MetricsPage | null> {
  const { host, metricsPort: port, metricsToken: token } = settings;
  if (port === 0) return null;
  await checkPort(host, port);
  return openMetricsPage({ host, port, token }, text);
}

/** On JetStream shards come and go; the files of this machine's log are replayed at the start. */
async function startActors(start: {
  settings: Settings;
  nodeLog: NodeLog;
  asks: MessageChannel[][];
  leases: LeaseTable;
  shards: number;
  watched: Watched;
}): Promise<{
  actors: Thread<SavedSequences>[];
  calls: PortCaller<ActorCall>[];
  live: LiveHub;
  /** By actor: which shards have something new to be told. */
  news: MessagePort[];
}> {
  const { settings, nodeLog, asks, leases, watched } = start;
  const links = nodeLog.links.actors;
  const shards = nodeLog.stream === null ? start.shards : 0;
  const controls = links.map(() => new MessageChannel());
  const lives = links.map(() => new MessageChannel());
  const news = links.map(() => new MessageChannel());
  const actors = await Promise.all(
    links.map((actorLink, index) => {
      const edgePorts = asks.map((row) => row[index]!.port2);
      const control = controls[index]!.port2;
      const live = lives[index]!.port2;
      const outbox = news[index]!.port2;
      const data: ActorThreadData = {
        index,
        settings,
        logKind: nodeLog.kind,
        shards: shardsOfActor(index, { shards, actors: links.length }),
        leases: leases.memory,
        control,
        log: actorLink,
        edgePorts,
        live,
        outbox,
      };
      const moved = [actorLink.port, control, live, outbox, ...edgePorts];
      return watched(startThread<SavedSequences>('actor', data, moved));
    }),
  );
  const calls = controls.map(({ port1 }) => new PortCaller<ActorCall>(port1));
  const live = new LiveHub(lives.map(({ port1 }) => port1));
  return { actors, calls, live, news: news.map(({ port1 }) => port1) };
}

/** The thread that sends what is due outwards; what it asks waits until somebody answers. */
async function startJobs(
  { settings, registry, log, shards }: Start,
  watched: Watched,
  of: Pick<JobsThreadData, 'newsPorts' | 'leases' | 'cluster'> & {
    jobsLog: LogEdgeLink;
    jobsAsks: readonly MessageChannel[];
    edges: number;
  },
): Promise<{ jobs: Thread<null>; jobsCalls: MessageChannel[]; jobsScans: MessagePort }> {
  const { jobsLog, jobsAsks, edges, newsPorts, leases, cluster } = of;
  const jobsCalls = Array.from({ length: edges }, () => new MessageChannel());
  const { port1: jobsScans, port2: scanPort } = new MessageChannel();
  const registryPort = appendPort(registry, (error) =>
    log.tell('registry.change-failed', { err: error }),
  );
  const actorPorts = jobsAsks.map(({ port1 }) => port1);
  const edgePorts = jobsCalls.map(({ port2 }) => port2);
  const data: JobsThreadData = {
    ...{ settings, shards, cluster, leases, log: jobsLog, scanPort },
    ...{ registryPort, registrySignal: registry.signal.memory },
    ...{ actorPorts, newsPorts, edgePorts },
  };
  const moved = [...actorPorts, ...newsPorts, ...edgePorts, scanPort, jobsLog.port];
  if (registryPort !== null) moved.push(registryPort);
  return { jobs: await watched(startThread<null>('jobs', data, moved)), jobsCalls, jobsScans };
}

/** Takes part in the cluster of the stream. */
async function startCluster(
  { settings, log, shards, started }: Start,
  from: {
    links: LogLinks;
    stream: NonNullable<NodeLog['stream']>;
    status: ClusterStatus;
    calls: PortCaller<ActorCall>[];
    actorPorts: readonly MessagePort[];
    leases: LeaseTable;
    live: LiveHub;
    scan: (task: ScanTask) => ReturnType<typeof scanHeld>;
    watched: Watched;
  },
): Promise<Cluster> {
  const { links, stream, status, calls, leases, live, scan } = from;
  const hasSpooled = () => Atomics.load(links.memory.spooled, 0) > 0n;
  // Loaded only here: NATS and its client are megabytes that a node of its own does without.
  const { startMover } = await import('./cluster/mover-threads.ts');
  const { joinCluster } = await import('./cluster/cluster.ts');
  const movers = await startMover(settings, { stream, actors: calls, leases }, from.watched);
  const actors = new ActorClient(from.actorPorts);
  const cluster = await joinCluster({
    ...{ settings, log, shards, table: leases, status, hasSpooled },
    ...{ stream, movers, actors, live, scan },
  });
  started.push({ terminate: cluster.abandon });
  return cluster;
}

/** Trims the log as the actors' checkpoints move. */
function trimBehind(
  actors: readonly Thread<SavedSequences>[],
  links: LogLinks,
  shards: number,
): void {
  const trimmer = new LogTrimmer(shards, {
    durable: (shard) => durableSequence(links.memory, shard),
    trim: (sequence) => {
      links.control.postMessage({ trim: sequence } satisfies LogControl);
      wakeWriter(links.memory);
    },
  });
  for (const { worker, found } of actors) {
    trimmer.onSaved(found);
    worker.on('message', (message: { saved: SavedSequences } | string) => {
      if (typeof message === 'object') trimmer.onSaved(message.saved);
    });
  }
}

async function stopParts(parts: Parts, isBroken: boolean): Promise<void> {
  parts.endPoll();
  parts.places.close();
  parts.certificate.close();
  // What is in flight at the edges is answered by whoever has the shard by then.
  if (parts.lost.log) {
    // Nobody is left who could acknowledge what is in flight.
    const appending = [...parts.edges, parts.jobs];
    await Promise.all(appending.map(({ worker }) => commandThread(worker, 'log-lost')));
  }
  const edgesStop = parts.edges.map(({ worker }) => commandThread(worker, 'stop'));
  // Shards are given away after it: what was told is written down by actors that still hold them.
  const jobsStop = commandThread(parts.jobs.worker, 'stop');
  await Promise.all([...edgesStop, jobsStop.then(() => parts.cluster?.leave(isBroken))]);
  await parts.cluster?.stop();
  await Promise.all(parts.actors.map(({ worker }) => commandThread(worker, 'stop')));
  const writerEnds = parts.writer.threadId > 0 ? once(parts.writer, 'exit') : null;
  parts.links.control.postMessage('close' satisfies LogControl);
  wakeWriter(parts.links.memory);
  await writerEnds;
  await parts.pool.close();
  await parts.visitorKeys.close();
  await parts.registry.close();
  const rest = [...parts.edges, ...parts.actors, parts.jobs];
  await Promise.all(rest.map(({ worker }) => worker.terminate()));
  parts.log.tell('node.stopped');
}

/** Channels between every edge and every actor. */
function grid(edges: number, actors: number): MessageChannel[][] {
  return Array.from({ length: edges }, () =>
    Array.from({ length: actors }, () => new MessageChannel()),
  );
}
