/**
 * Runs an export for the jobs of a node: has the domain saved, then a thread of its own write the files.
 *
 * Control plane, on the thread of the jobs. Edges, actors and query threads go on: the thread reads one
 * moment of the shard's state, as query threads do.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportPlan } from '../../exports/export-segments.ts';
import type { Manifest } from '../../exports/manifest.ts';
import type { WriteWatch } from '../../jobs/job.ts';
import { EXPORT_LOOK_MS } from '../../model/export-limits.ts';
import { asDomainId, BEGINNING, type DomainId, type ShardId } from '../../model/ids.ts';
import type { ActorClient } from '../../shard/actor/actor-client.ts';
import { startThread } from '../link/threads.ts';
import type { QueryDoor } from '../query/query-door.ts';
import { BOARD_LENGTH, type ExportThreadData, ROWS_AT, STOPPED_AT } from './export-thread.ts';

/** What it needs of its node. */
export interface ExportRunParts {
  readonly dataDir: string;
  readonly queries: Pick<QueryDoor, 'usage'>;
  readonly actors: Pick<ActorClient, 'ask'>;
  readonly shardOf: (domainId: DomainId) => ShardId;
}

/**
 * Writes the files of an export, of everything acknowledged before this call.
 *
 * @param directory is not there.
 * @returns null: it was stopped. Rejects with SHARD_MOVED when another node owns the shard, and with
 *   what the thread throws; nothing is left of it then.
 */
export async function runExport(
  { dataDir, queries, actors, shardOf }: ExportRunParts,
  { plan, directory }: { readonly plan: ExportPlan; readonly directory: string },
  watch: WriteWatch,
): Promise<Manifest | null> {
  const domainId = asDomainId(plan.domain.id);
  const shard = shardOf(domainId);
  // Its answer is as of everything acknowledged; so is what is saved behind it.
  await queries.usage([domainId], null);
  await actors.ask({ kind: 'save', shard, domainId, sequence: BEGINNING });
  const board = new Int32Array(new SharedArrayBuffer(BOARD_LENGTH * Int32Array.BYTES_PER_ELEMENT));
  const data: ExportThreadData = { dataDir, shard, plan, directory, board };
  const ended = new AbortController();
  const watching = watched(board, watch, ended.signal);
  try {
    const { worker, found } = await startThread<Manifest | null>('export', data, []);
    await worker.terminate();
    return found;
  } finally {
    ended.abort();
    await watching;
  }
}

/** Looks at it until it has ended. What a look throws ends the export, too. */
async function watched(
  board: Int32Array<SharedArrayBuffer>,
  { isStopped, onRows }: WriteWatch,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      await sleep(EXPORT_LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (isStopped()) Atomics.store(board, STOPPED_AT, 1);
      else await onRows(Atomics.load(board, ROWS_AT) >>> 0);
    }
  } catch (error) {
    Atomics.store(board, STOPPED_AT, 1);
    throw error;
  }
}
