/**
 * The ledger of all domains of a data directory, for `footfall ledger`.
 *
 * Control plane. Changes nothing, and may run beside the service: the shards are opened as they are on
 * disk, what the log holds beyond that is applied in memory, and nothing is saved. So it is exact after
 * a kill, too. Beside a service the log may be trimmed between the two; then it begins anew.
 */

import { existsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { driverOf } from '../../bus/drivers.ts';
import type { StoredLog } from '../../bus/log/driver.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, shardIds } from '../../model/ids.ts';
import type { LedgerDay } from '../../model/ledger.ts';
import type { DaySpan } from '../../model/usage.ts';
import { Sessionizer } from '../../shard/state/sessionizer.ts';
import { Shard } from '../../shard/state/shard.ts';
import { tryLockDataDir } from './data-dir-lock.ts';
import { checkLayout } from './data-layout.ts';

/** Beside a service that saves while it is read. */
const ATTEMPTS = 20;

/** What was found. */
export interface InstallationLedger {
  /** The days of each domain, and of what belongs to none. */
  readonly days: readonly LedgerDay[];
  /** Whether a service runs on the directory. */
  readonly isRunning: boolean;
  /** Of a node of a cluster it is only what the node has saved: the log is elsewhere. */
  readonly isWhole: boolean;
}

/**
 * Reads the ledger of a data directory.
 *
 * @throws DATA_DIR_UNUSABLE when there is none, STATE_DAMAGED, LOG_DAMAGED: it is right or not said.
 */
export async function readInstallationLedger(
  dataDir: string,
  span: DaySpan,
): Promise<InstallationLedger> {
  if (!existsSync(dataDir)) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  const lock = tryLockDataDir(dataDir);
  const isRunning = lock === null;
  try {
    const layout = checkLayout(dataDir);
    if (layout === null) return { days: [], isRunning, isWhole: true };
    const log = layout.log === undefined ? null : driverOf(layout.log.kind).reader(dataDir);
    const isWhole = layout.log === undefined || log !== null;
    for (let attempt = 1; ; attempt++) {
      const days = await attemptToRead({ dataDir, shardCount: layout.shards, log }, span, () => {
        return !isRunning || attempt === ATTEMPTS;
      });
      if (days !== null) return { days, isRunning, isWhole };
    }
  } finally {
    lock?.release();
  }
}

interface Directory {
  readonly dataDir: string;
  readonly shardCount: number;
  readonly log: StoredLog | null;
}

/** @returns null when something was taken away while it was read, and `isLast` does not throw it. */
async function attemptToRead(
  { dataDir, shardCount, log }: Directory,
  span: DaySpan,
  isLast: () => boolean,
): Promise<LedgerDay[] | null> {
  const sessionizer = new Sessionizer();
  const shards: Shard[] = [];
  try {
    // Without a turn of the event loop in between: what is read of a state is of one moment.
    for (const id of shardIds(shardCount)) shards.push(new Shard(dataDir, id, sessionizer));
    const saved = shards.map(({ savedSequence }) => savedSequence);
    const first = log === null ? null : replay(log, shards, Math.min(...saved));
    const days = shards.flatMap(({ usage }) =>
      usage.domainIds().flatMap((id) => usage.ledger(id, { span, hasBots: false }, false)),
    );
    if (first === null || !wasTrimmed(shards, saved, first)) return days;
  } catch (error) {
    if (isLast()) throw error;
  } finally {
    for (const shard of shards) await shard.close();
  }
  if (isLast()) throw errors.OVERLOADED({ reason: 'the service saves faster than it can be read' });
  return null;
}

/** Applies what the log has. @returns the position of the first record that was there. */
function replay(log: StoredLog, shards: readonly Shard[], after: number): number {
  let first = Number.POSITIVE_INFINITY;
  const nowMs = systemClock();
  log.replay(asSequence(after), (record) => {
    first = Math.min(first, record.sequence);
    shards[record.shard]?.apply(record, nowMs);
  });
  return first;
}

/**
 * Whether records may be missing between a state and the log: only what the service has saved since is
 * trimmed.
 */
function wasTrimmed(shards: readonly Shard[], saved: readonly number[], first: number): boolean {
  return shards.some((shard, at) => saved[at]! + 1 < first && shard.storedSequence() > saved[at]!);
}
