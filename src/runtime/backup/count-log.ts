/**
 * Counts what the log of a data directory has beyond its states, as a start does, so that the states
 * have everything.
 *
 * Control plane. Nobody may have the directory open.
 */

import { systemClock } from '../../base/clock.ts';
import { localDriver } from '../../bus/local/driver.ts';
import { encodeGroups } from '../../bus/record/codec.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence, type ShardId, shardIds } from '../../model/ids.ts';
import { budgetsOf } from '../../model/memory.ts';
import { Actor } from '../../shard/actor/actor.ts';
import { positionOf } from '../../shard/snapshot/snapshot.ts';
import { LeaseTable } from '../../shard/state/lease-table.ts';
import { reopenState } from '../../store/state-directories.ts';

/** The payload of a record that stands in the place of something else. */
const NOTHING = Buffer.from(encodeGroups([]));

/**
 * Counts it.
 *
 * @param memory bytes that the process may take.
 * @returns the last position that the states or the log have.
 * @throws STATE_DAMAGED, LOG_DAMAGED, STATE_WRITE_FAILED, BACKUP_UNUSABLE: something is not counted.
 */
export async function countLog(dataDir: string, shards: number, memory: number): Promise<Sequence> {
  const faults: unknown[] = [];
  const log = localDriver.reader(dataDir);
  const actor = new Actor({
    ...{ dataDir, shards: shardIds(shards), leases: LeaseTable.alone(shards) },
    openBytesMax: budgetsOf(memory, { edges: 1, actors: 1, queryThreads: 1 }).openDays,
    onFault: (error) => faults.push(error),
  });
  try {
    actor.recover(log, systemClock());
    // Tells what was met.
    actor.tick(systemClock());
  } finally {
    await actor.close();
  }
  if (faults.length > 0) throw faults[0];
  const positions = new Map<ShardId, Sequence>();
  for (const shard of shardIds(shards)) positions.set(shard, await savedPosition(dataDir, shard));
  let missing = 0;
  const last = log.replay(BEGINNING, ({ shard, sequence, payload }) => {
    const isSaved = sequence <= (positions.get(shard) ?? BEGINNING);
    if (!isSaved && Buffer.compare(payload, NOTHING) !== 0) missing++;
  });
  if (missing > 0) {
    const reason = `${missing} records of its log are not counted; restore it as one node`;
    throw errors.BACKUP_UNUSABLE({ path: dataDir, reason });
  }
  return asSequence(Math.max(last, ...positions.values()));
}

async function savedPosition(dataDir: string, shard: ShardId): Promise<Sequence> {
  const environment = reopenState(dataDir, shard);
  if (environment === null) return BEGINNING;
  const position = positionOf(environment.get(['p']));
  await environment.close();
  return position;
}
