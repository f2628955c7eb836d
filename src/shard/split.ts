/**
 * Changes of the number of lanes of a domain (`model/split.ts`).
 *
 * Data plane at record granularity.
 */

import { checkpoint } from './checkpoint.ts';
import type { Shard } from './shard.ts';

/**
 * Saves what a change of lanes has frozen; before the next record, and before another lane goes on.
 *
 * @throws STATE_WRITE_FAILED when the disk refused: nobody may go beyond the change then.
 */
export function freeze(shard: Shard): void {
  if (shard.toFreeze.size === 0) return;
  checkpoint(shard, [...shard.toFreeze]);
  shard.toFreeze.clear();
}
