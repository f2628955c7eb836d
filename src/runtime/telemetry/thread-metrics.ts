/**
 * What is counted of threads: who they are, their processor time, and how long their events wait.
 *
 * Control plane. A thread looks at its event loop once a second; its processor time is known to the
 * operating system, and whoever reads the metrics asks for it, so that threads that block, as that of
 * the local log does, need not be woken.
 */

import { readFileSync, readlinkSync } from 'node:fs';
import { monotonicMs } from '../../base/clock.ts';
import { setSharedInterval } from '../../base/shared-interval.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { ThreadCounts } from '../../model/memory.ts';
import { THREAD_KINDS } from '../../model/metric-labels.ts';
import { metrics, metricsTable } from '../../model/metrics.ts';

/** What a thread is. */
export type ThreadKind = (typeof THREAD_KINDS)[number];

const NS_PER_SECOND = 1e9;

/** The threads of the log, of the snapshots, of what is sent and of an export. */
const SINGLE_THREAD_COUNT = 4;

/**
 * Makes seats for the threads of a node, before the first of them starts; and watches this one.
 *
 * @param queryThreads one more takes short questions; each may be replaced before it has ended.
 */
export function shareMetrics({ edges, actors, queryThreads }: ThreadCounts): void {
  metricsTable.share(SINGLE_THREAD_COUNT + edges + actors + 2 * (queryThreads + 1));
  watchThread('main', 0);
}

/** Says in the metrics who this thread is; default: one of several that nobody counts. */
export function nameThread(kind: ThreadKind, index = metricsTable.seat): void {
  metricsTable.name({ kind: THREAD_KINDS.indexOf(kind), index, systemId: systemThreadId() });
}

/** The same of a thread that lives by its event loop; looks from now on how late it is. */
export function watchThread(kind: ThreadKind, index: number): void {
  nameThread(kind, index);
  setSharedInterval((dueMs) => {
    metrics.loopDelaySeconds.recordMs(Math.max(0, monotonicMs() - dueMs));
  }, SECOND_MS);
}

/** Puts the processor time of every thread into the metrics. */
export function readThreadCpu(): void {
  for (const thread of metricsTable.threads()) {
    const seconds = cpuSeconds(thread.systemId);
    if (seconds !== null) metricsTable.setFor('threadCpuSeconds', thread, seconds);
  }
}

/** Id of this thread at the operating system; 0 where that cannot be found out. */
function systemThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/** null where it cannot be found out, or the thread has just ended. */
function cpuSeconds(systemId: number): number | null {
  try {
    const [ns] = readFileSync(`/proc/self/task/${systemId}/schedstat`, 'utf8').split(' ');
    return Number(ns) / NS_PER_SECOND;
  } catch {
    return null;
  }
}
