/**
 * How a record is applied that may change the lanes of a domain: what it froze is saved before the next.
 *
 * Data plane. Shared by the base and the lanes.
 */

import { isSplit } from '../bus/codec.ts';
import type { LogRecord } from '../bus/log.ts';
import { decodeSpooled, isSpooled } from '../bus/spooled-records.ts';
import { OperatingError } from '../model/errors.ts';
import { SECOND_MS } from '../model/limits.ts';
import { freeze } from './checkpoint.ts';
import type { Shard } from './shard.ts';

/** How often, and with what pause, a disk that refuses is asked again. */
const ATTEMPTS = 60;
const PAUSE_MS = SECOND_MS;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes what has to be on disk before anything else happens. Nothing else does meanwhile: beyond a
 * change of lanes that is not saved there is no right way.
 *
 * @throws STATE_WRITE_FAILED when the disk refuses for a minute.
 */
export function mustWrite(write: () => void, onFault: (error: OperatingError) => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      write();
      return;
    } catch (error) {
      if (!(error instanceof OperatingError) || attempt === ATTEMPTS) throw error;
      onFault(error);
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

/** Applies a record and saves what it froze. @returns how many hits it held. */
export function applyAndFreeze(
  shard: Shard,
  record: LogRecord,
  { nowMs, onFault }: { nowMs: number; onFault: (error: OperatingError) => void },
): number {
  const hits = shard.apply(record, nowMs);
  if (shard.toFreeze.size > 0) mustWrite(() => freeze(shard), onFault);
  return hits;
}

/** Whether a record changes lanes. @cost a few bytes of almost every payload. */
export function holdsSplit(payload: Uint8Array): boolean {
  if (isSplit(payload)) return true;
  if (!isSpooled(payload)) return false;
  return decodeSpooled(payload).records.some((record) => isSplit(record.payload));
}
