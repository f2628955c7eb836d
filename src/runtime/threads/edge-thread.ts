/**
 * The edge's thread: everything an HTTP front end needs, built once.
 *
 * Control plane. Nothing here is shared with other edges but the log, the registry's files and the
 * query threads.
 */

import type { MessagePort } from 'node:worker_threads';
import type { Ports } from '../../api/ports.ts';
import { systemClock } from '../../base/clock.ts';
import { collectAtRest } from '../../base/heap.ts';
import { LogLinkAppender } from '../../bus/log/appender.ts';
import { HitWriter } from '../../bus/log/hit-writer.ts';
import type { LogEdgeLink } from '../../bus/log/links.ts';
import { PortCaller } from '../../bus/request-reply.ts';
import { Access } from '../../control/access.ts';
import { Files } from '../../control/files.ts';
import { readMailEnd } from '../../control/people/mail-ends.ts';
import { Passwords } from '../../control/people/passwords.ts';
import { SessionUses } from '../../control/people/sessions.ts';
import { Records } from '../../control/records.ts';
import { Registry } from '../../control/registry/registry.ts';
import { RegistrySignal } from '../../control/registry/registry-signal.ts';
import type { TlsPair } from '../../edge/http/tls-pair.ts';
import type { MetricsSource } from '../../edge/metrics-endpoint.ts';
import { RateWindows } from '../../edge/rate/rate-windows.ts';
import { type EdgeHandle, startEdge } from '../../edge/server.ts';
import { Uploads } from '../../imports/uploads.ts';
import type { ListedRanges } from '../../ingest/address-filter.ts';
import { Pipeline } from '../../ingest/pipeline.ts';
import { SharedDayKeys } from '../../ingest/visitor/day-keys.ts';
import { OperatingError, sendError } from '../../model/errors.ts';
import type { DomainId } from '../../model/ids.ts';
import { openLog } from '../../model/log.ts';
import { hostsOf, publicUrl } from '../../settings/public-url.ts';
import type { Settings } from '../../settings/schema.ts';
import { ActorClient } from '../../shard/actor/actor-client.ts';
import { shardOf } from '../../shard/state/placement.ts';
import type { AddressListsLink } from '../directory/address-lists.ts';
import type { CertificateLink, TlsAnswer } from '../directory/node-certificate.ts';
import { type EdgeDownloads, edgeDownloads } from '../exports/remote-files.ts';
import { LiveFeed } from '../live/live-feed.ts';
import { PortAppender } from '../node-registry.ts';
import { EdgePlaces } from '../places/edge-places.ts';
import { QueryDoor } from '../query/query-door.ts';
import { ClusterStatus } from '../telemetry/cluster-status.ts';
import { METRICS_TYPE } from '../telemetry/metrics-text.ts';
import { tellRefusals } from '../telemetry/refusal-log.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';
import { traceThread } from '../telemetry/thread-traces.ts';
import type { VisitorKeysLink } from '../visitor-keys/node-visitor-keys.ts';
import { edgeDeliveries } from './edge-deliveries.ts';

/** What is in flight when the service stops has this long to be answered. */
const STOP_GRACE_MS = 4_000;

/** What an edge thread is started with. */
export interface EdgeThreadData extends AddressListsLink, CertificateLink, VisitorKeysLink {
  index: number;
  settings: Settings;
  /** Shards of the data directory. */
  shards: number;
  port: number;
  log: LogEdgeLink;
  /** By actor; null in a cluster, where the main thread asks. */
  actorPorts: readonly MessagePort[] | null;
  /** Memory of the `ClusterStatus`; null when the log is on this machine. */
  cluster: ClusterStatus['memory'] | null;
  scanPort: MessagePort;
  /** To the hub of the node (`live/live-hub.ts`). */
  livePort: MessagePort;
  /** Where changes of the registry go; null: into the data directory. */
  registryPort: MessagePort | null;
  /** Memory of the `RegistrySignal` of the node. */
  registrySignal: RegistrySignal['memory'];
  /** Memory of the `RateWindows` of the node; null: nobody is limited. */
  rateWindows: RateWindows['memory'] | null;
  /** Where location databases come from; those in use have been sent. */
  placesPort: MessagePort;
  /** To the thread that sends outwards. */
  jobsPort: MessagePort;
  /** To the main thread, which answers with the text of the metrics; null: nobody may ask here. */
  metricsPort: MessagePort | null;
}

/** What the main thread tells an edge. */
export type EdgeCommand = 'log-lost' | 'stop';

/** A running edge thread. */
export interface EdgeThread {
  /** Port it listens on. */
  port: number;
  /** Takes a command; resolves when it is carried out. */
  command(command: EdgeCommand): Promise<void>;
}

/** Builds and starts an edge on this thread. */
export async function openEdgeThread(data: EdgeThreadData): Promise<EdgeThread> {
  const { settings } = data;
  watchThread('edge', data.index);
  const thread = `edge-${data.index}`;
  const endTraces = traceThread(thread);
  const log = openLog({ level: settings.logLevel, format: settings.logFormat, thread });
  const changes = data.registryPort === null ? null : new PortAppender(data.registryPort);
  const registry = await openRegistry(data, changes);
  registry.follow({ allowsPrivateTargets: settings.outboundPrivate === 'on' });
  const appender = new LogLinkAppender(data.log);
  const shardOfDomain = (domainId: DomainId) => shardOf(domainId, data.shards);
  const writer = new HitWriter(appender, shardOfDomain);
  const queries = new QueryDoor({
    scanPort: data.scanPort,
    actors: data.actorPorts && new ActorClient(data.actorPorts),
    appender,
    shardOf: shardOfDomain,
    rowsMax: settings.queryRowsMax,
    secondsMax: settings.querySecondsMax,
  });
  const endRefusals = tellRefusals(writer, log);
  const feed = new LiveFeed(data.livePort, shardOfDomain);
  const cluster = data.cluster && new ClusterStatus(data.cluster);
  const life = { unreadyReason: null as string | null };
  const places = new EdgePlaces(data.placesPort);
  const exported = edgeDownloads(settings, cluster !== null);
  const ports: Ports = {
    nowMs: systemClock,
    registry,
    ...{ access: new Access(registry), records: new Records(registry) },
    files: new Files(registry),
    hits: writer,
    pipeline: openPipeline(data, registry, places),
    placeCredits: places.credits,
    statistics: queries,
    deliveries: edgeDeliveries(queries, data.jobsPort),
    live: feed,
    passwords: new Passwords(),
    sessions: new SessionUses(registry),
    mailEnds: { read: (token) => readMailEnd(token, registry.tokenKey) },
    ...{ uploads: new Uploads(settings.dataDir), downloads: exported.downloads },
    ...{ publicUrl: publicUrl({ ...settings, port: data.port }), hosts: hostsOf(settings) },
    mailLanguage: settings.mailLanguage,
    unreadyReason: () => life.unreadyReason ?? appender.fault(),
    cluster: {
      // With a spool this node takes hits when no other one does either.
      unreadyReason: () =>
        appender.isSpooling ? null : (appender.writeFault() ?? cluster?.unreadyReason() ?? null),
      missing: () => [...(cluster?.missing() ?? []), ...appender.notices()],
    },
    logError: (error, request) => log.tell('request.failed', { err: error, request }),
  };
  const { host, corsOrigins, trustedProxies, baseUrl } = settings;
  const rateWindows = data.rateWindows && new RateWindows(data.rateWindows);
  const edge = await startEdge({
    ...{ host, port: data.port, ports, tls: data.tls },
    ...{ corsOrigins, trustedProxies, baseUrl, rateWindows, metrics: metricsSource(data) },
  });
  renewTls(edge, data.tlsPort);
  collectAtRest();
  return {
    port: edge.port,
    async command(command) {
      if (command === 'log-lost') {
        life.unreadyReason = 'its log has failed and it ends';
        appender.abandon();
        return;
      }
      life.unreadyReason = 'it is stopping';
      await stop({ edge, writer, queries, registry, exported, jobs: data.jobsPort });
      feed.close();
      appender.close();
      changes?.close();
      data.metricsPort?.close();
      endRefusals();
      await endTraces();
    },
  };
}

function metricsSource({ metricsPort, settings }: EdgeThreadData): MetricsSource | null {
  const { metricsToken: token } = settings;
  if (metricsPort === null || token === null) return null;
  const main = new PortCaller<null>(metricsPort);
  return { token, type: METRICS_TYPE, text: () => main.call<string>(null) };
}

/** Takes certificates that come later, too. */
function renewTls(edge: EdgeHandle, port: MessagePort): void {
  port.on('message', (pair: TlsPair) => {
    let answer: TlsAnswer = null;
    try {
      edge.renewTls(pair);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      answer = sendError(error);
    }
    port.postMessage(answer);
  });
  port.unref();
}

/** Takes the lists of addresses and the keys of days that come later, too. */
function openPipeline(
  data: EdgeThreadData,
  { visitorKey }: Registry,
  { locate }: EdgePlaces,
): Pipeline {
  const { addressLists: addresses, addressListsPort, dayKeysPort } = data;
  const dayKeys = data.dayKeys && new SharedDayKeys(data.dayKeys);
  const pipeline = new Pipeline({ locate, visitorKey, dayKeys, addresses });
  dayKeysPort?.on('message', () => pipeline.forgetDays());
  dayKeysPort?.unref();
  addressListsPort.on('message', (lists: ListedRanges | null) => pipeline.replaceAddresses(lists));
  addressListsPort.unref();
  return pipeline;
}

function openRegistry(data: EdgeThreadData, appender: PortAppender | null): Promise<Registry> {
  const { dataDir } = data.settings;
  const nowMs = systemClock();
  const signal = new RegistrySignal(data.registrySignal);
  return appender === null
    ? Promise.resolve(Registry.open(dataDir, nowMs, signal))
    : Registry.openShared(dataDir, nowMs, appender, signal);
}

async function stop(parts: {
  edge: EdgeHandle;
  writer: HitWriter;
  queries: QueryDoor;
  registry: Registry;
  exported: EdgeDownloads;
  jobs: MessagePort;
}): Promise<void> {
  await parts.edge.stop(STOP_GRACE_MS);
  await parts.exported.close();
  await parts.writer.drained();
  parts.queries.close();
  parts.jobs.close();
  await parts.registry.close();
}
