/**
 * The threads of a node: one row each, and how they are started and watched.
 *
 * Control plane. A thread that dies takes the node with it: what it held in memory is in the log,
 * and a start from the checkpoint is the one way back that is always right.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ResourceLimits, TransferListItem } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { withHeapFloor } from '../../base/heap.ts';
import { isOpenFileFault, openFileLimit } from '../../base/open-files.ts';
import {
  errors,
  OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../../model/errors.ts';
import { type Budgets, oldSpaceMb, sharedBudgets, youngSpaceMb } from '../../model/memory.ts';
import { metricsTable } from '../../model/metrics.ts';
import { packageRoot } from '../../settings/package-root.ts';

/** Every kind of thread and what it is for; its entry is `workers/<name>`. */
export const THREADS = {
  log: {
    duty: 'writes the log: one writer, one sync for all shards',
    youngMb: 3,
    held: ({ backlog, threads }) => backlog * threads.actors,
  },
  actor: {
    duty: 'owns shards: applies hits, saves, answers active visitors',
    youngMb: 96,
    held: ({ openDays, backlog }) => openDays + backlog,
    floor: ({ actorHeap }) => actorHeap,
  },
  snapshots: {
    duty: 'stores what shards have counted, and restores it (JetStream)',
    youngMb: 0,
    held: ({ openDays }) => openDays,
  },
  edge: {
    duty: 'speaks HTTP',
    youngMb: 192,
    held: ({ bodies, pending }) => bodies + pending,
    floor: ({ edgeHeap }) => edgeHeap,
  },
  places: {
    duty: 'reads location databases for all edges, at the start and when they change; then ends',
    youngMb: 0,
    held: () => 0,
  },
  jobs: {
    duty: 'sends what is due outwards: webhooks, mails',
    youngMb: 0,
    held: () => 0,
  },
  export: {
    duty: 'writes the files of an export; then ends',
    youngMb: 0,
    // What a question can read can be exported: a heap that is full ends the process.
    held: ({ segmentCache, queryTexts }) => segmentCache + queryTexts,
  },
  scan: {
    duty: 'answers statistics from snapshots (started by Piscina)',
    youngMb: 0,
    held: ({ segmentCache, queryTexts, keptSums }) => segmentCache + queryTexts + keptSums,
  },
} as const satisfies Record<string, ThreadKind>;

interface ThreadKind {
  duty: string;
  /**
   * Bound of the young generation; 0 is the runtime's own. What requests leave behind dies young if
   * it is given the room: measured at batches of 100, 8.2 → 6.9 µs CPU per hit for the edge's.
   */
  youngMb: number;
  /** Bytes that the thread holds at most: its old generation is given room for them. */
  held: (budgets: Budgets) => number;
  /** Bytes of its old generation below which it is not collected as a whole; else the runtime decides. */
  floor?: (budgets: Budgets) => number;
}

export type ThreadName = keyof typeof THREADS;

/** First message of a thread: ready with what it found out, or why it cannot start. */
export type ThreadStart<Found> = { ready: Found } | { failed: SentError | string };

/** What a thread says when it cannot start: an operating error stays one. */
export function failedStart(error: unknown): { failed: SentError | string } {
  if (isOpenFileFault(error)) {
    const limit = openFileLimit();
    return { failed: sendError(errors.OPEN_FILES_TOO_FEW({ limit, needed: limit + 1 }, error)) };
  }
  if (error instanceof OperatingError) return { failed: sendError(error) };
  return { failed: error instanceof Error ? String(error.stack) : String(error) };
}

/** URL of the entry file of a thread, or of the process that reads an import: compiled, or a source, as this is. */
export function threadFile(name: ThreadName | 'import'): URL {
  const file = import.meta.url.endsWith('.ts') ? `workers/${name}.ts` : `dist/workers/${name}.js`;
  return pathToFileURL(join(packageRoot(), file));
}

/** Frees the seat of a thread among the metrics once it has ended: what it counted stays. */
export function freeSeatAtEnd(worker: Worker): void {
  const { threadId } = worker;
  worker.once('exit', () => metricsTable.ended(threadId));
}

/** A started thread. */
export interface Thread<Found> {
  worker: Worker;
  /** What it said when it was ready. */
  found: Found;
}

/** Bounds of a thread's heap: from the node's memory, not from what the runtime takes by itself. */
export function heapLimitsOf(name: ThreadName, of: Budgets): ResourceLimits {
  const { youngMb, held } = THREADS[name];
  const old = { maxOldGenerationSizeMb: oldSpaceMb(held(of)) };
  return youngMb > 0 ? { ...old, maxYoungGenerationSizeMb: youngSpaceMb(youngMb, of) } : old;
}

/**
 * Starts a thread and waits until it is ready.
 *
 * @param data structured-clonable; `transfer` lists what moves instead of being copied.
 * @throws what the thread gives as its reason when it cannot start.
 */
export async function startThread<Found>(
  name: ThreadName,
  data: unknown,
  transfer: readonly TransferListItem[],
): Promise<Thread<Found>> {
  const shared = sharedBudgets();
  const { floor = () => 0 }: ThreadKind = THREADS[name];
  const { worker, message } = await withHeapFloor(floor(shared), async () => {
    const worker = new Worker(threadFile(name), {
      resourceLimits: heapLimitsOf(name, shared),
      workerData: data,
      transferList: [...transfer],
      name: `footfall-${name}`,
    });
    freeSeatAtEnd(worker);
    const [message] = (await once(worker, 'message')) as [ThreadStart<Found>];
    return { worker, message };
  });
  if ('failed' in message) {
    await worker.terminate();
    assert(typeof message.failed !== 'string', `${name} thread: ${String(message.failed)}`);
    throw restoreError(message.failed);
  }
  return { worker, found: message.ready };
}
