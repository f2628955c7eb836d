/**
 * The edges of a node: a thread each, and the ports between it and the others.
 *
 * Control plane. A port that is made here has its other end with whoever answers there.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LogEdgeLink } from '../bus/log/links.ts';
import { RateWindows } from '../edge/rate/rate-windows.ts';
import type { Log } from '../model/log.ts';
import type { Settings } from '../settings/schema.ts';
import type { NodeAddressLists } from './directory/address-lists.ts';
import type { NodeCertificate } from './directory/node-certificate.ts';
import { startThread, type Thread } from './link/threads.ts';
import type { LiveHub } from './live/live-hub.ts';
import { appendPort, type NodeRegistry } from './node-registry.ts';
import type { NodePlaces } from './places/node-places.ts';
import type { ClusterStatus } from './telemetry/cluster-status.ts';
import type { EdgeThreadData } from './threads/edge-thread.ts';
import type { NodeVisitorKeys } from './visitor-keys/node-visitor-keys.ts';

/** What edges are linked with. */
export interface EdgeLinks {
  readonly settings: Settings;
  readonly shards: number;
  readonly log: Log;
  readonly registry: NodeRegistry;
  readonly places: NodePlaces;
  readonly addressLists: NodeAddressLists;
  readonly certificate: NodeCertificate;
  readonly visitorKeys: NodeVisitorKeys;
  readonly live: LiveHub;
  /** Null where there is no cluster. */
  readonly status: ClusterStatus | null;
  /** By edge. */
  readonly logs: readonly LogEdgeLink[];
  /** By edge and actor; null in a cluster, where the main thread asks. */
  readonly asks: readonly MessageChannel[][] | null;
  /** By edge: to the thread that sends outwards. */
  readonly jobs: readonly MessageChannel[];
  answerScans(port: MessagePort): void;
  watched<Found>(thread: Promise<Thread<Found>>): Promise<Thread<Found>>;
}

/** The threads, and the ports on which they ask the main thread for the text of the metrics. */
export interface StartedEdges {
  readonly edges: Thread<number>[];
  readonly metricsPorts: readonly MessagePort[];
}

/** Starts them, and waits until all listen. */
export async function startEdges(links: EdgeLinks): Promise<StartedEdges> {
  const { settings, logs } = links;
  const rateWindows = settings.rateLimits === 'on' ? RateWindows.create().memory : null;
  const metrics = settings.metricsToken === null ? [] : logs.map(() => new MessageChannel());
  const edges = await Promise.all(
    logs.map((_, index) => {
      const metricsPort = metrics[index]?.port2 ?? null;
      const data = edgeData(links, index, { rateWindows, metricsPort });
      return links.watched(startThread<number>('edge', data, portsOf(data)));
    }),
  );
  return { edges, metricsPorts: metrics.map(({ port1 }) => port1) };
}

function edgeData(
  links: EdgeLinks,
  index: number,
  shared: Pick<EdgeThreadData, 'rateWindows' | 'metricsPort'>,
): EdgeThreadData {
  const { settings, shards, log, registry, status, asks } = links;
  const { port1, port2: scanPort } = new MessageChannel();
  links.answerScans(port1);
  const registryPort = appendPort(registry, (error) =>
    log.tell('registry.change-failed', { err: error }),
  );
  return {
    ...{ index, settings, shards, port: settings.port, log: links.logs[index]! },
    actorPorts: asks === null ? null : asks[index]!.map(({ port1: port }) => port),
    cluster: status?.memory ?? null,
    ...{ scanPort, livePort: links.live.connect() },
    ...{ registryPort, registrySignal: registry.signal.memory },
    ...links.addressLists.link(),
    ...links.certificate.link(),
    ...links.visitorKeys.link(),
    ...{ placesPort: links.places.link(), jobsPort: links.jobs[index]!.port1 },
    ...shared,
  };
}

/** All that move to the thread. */
function portsOf(data: EdgeThreadData): MessagePort[] {
  const { log, scanPort, livePort, placesPort, jobsPort, addressListsPort } = data;
  const { tlsPort } = data;
  const optional = [data.registryPort, data.metricsPort, data.dayKeysPort];
  const perhaps = optional.filter((port) => port !== null);
  const ports = [log.port, scanPort, livePort, placesPort, jobsPort, addressListsPort, tlsPort];
  return [...ports, ...(data.actorPorts ?? []), ...perhaps];
}
