/**
 * What nobody sets as it changes: files, memory, queues and positions, looked at when the metrics are
 * read.
 *
 * Control plane, on the main thread. A file that goes away while it is looked at counts for nothing.
 */

import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { backlogBytes, type LogMemory } from '../../bus/log/links.ts';
import { logFault, stateFault } from '../../bus/log/write-faults.ts';
import { SECOND_MS } from '../../model/limits.ts';
import { DATA_PARTS, errorNumber } from '../../model/metric-labels.ts';
import { metrics } from '../../model/metrics.ts';
import { BacklogAge } from './backlog-age.ts';
import type { ClusterStatus } from './cluster-status.ts';
import type { RefusedRequests } from './refused-requests.ts';
import { readThreadCpu } from './thread-metrics.ts';

/** What is looked at. */
export interface WatchedNode {
  readonly dataDir: string;
  readonly memory: LogMemory;
  readonly refused: RefusedRequests;
  /** Null where there is no cluster. */
  readonly status: ClusterStatus | null;
  /** Shards of a node that is alone; in a cluster its membership says how many. */
  readonly shards: number;
  /** Questions that wait for a thread. */
  waitingQueries(): number;
}

/** Sets the gauges of a node. */
export class NodeGauges {
  readonly #node: WatchedNode;
  readonly #age: BacklogAge;

  constructor(node: WatchedNode) {
    this.#node = node;
    this.#age = new BacklogAge(node.memory, monotonicMs);
    metrics.startSeconds.set(Math.round(systemClock() / SECOND_MS - process.uptime()));
    if (node.status === null) metrics.shards.set(node.shards);
  }

  /** To be called twice a second or more often. */
  look(): void {
    this.#age.look();
  }

  /** Sets all of them; before they are read. */
  set(): void {
    const { dataDir, memory, refused, status, waitingQueries } = this.#node;
    metrics.waitingQueries.set(waitingQueries());
    metrics.backlogBytes.set(backlogBytes(memory));
    metrics.oldestUncountedSeconds.set(this.#age.seconds());
    metrics.spooledBytes.set(Number(Atomics.load(memory.spooled, 0)));
    metrics.logAway.set(Atomics.load(memory.isAway, 0) === 0 ? 0 : 1);
    metrics.clusterKnown.set(status === null || status.unreadyReason() === null ? 1 : 0);
    metrics.writeFaults.set(logFault(memory) === null ? 0 : 1, 0);
    metrics.writeFaults.set(stateFault(memory) === null ? 0 : 1, 1);
    metrics.residentBytes.set(process.memoryUsage.rss());
    for (const [code, count] of refused.total()) {
      metrics.ledgerRefused.set(count, errorNumber(code));
    }
    for (const [index, part] of DATA_PARTS.entries()) {
      metrics.dataBytes.set(bytesBelow(join(dataDir, part)), index);
    }
    metrics.diskFreeBytes.set(freeBytes(dataDir));
    readThreadCpu();
  }
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      bytes += entry.isDirectory() ? bytesBelow(path) : sizeOf(path);
    }
  } catch {
    // It is not there, or went away meanwhile.
  }
  return bytes;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
