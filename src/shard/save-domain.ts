/** What is saved before a question about one domain is answered. Data plane at query granularity. */

import { domainOfHolder } from '../model/split.ts';
import { checkpoint } from './checkpoint.ts';
import type { Shard } from './shard.ts';

/**
 * Saves what a shard, or a lane of it, holds of a domain and has not saved.
 *
 * @cost a look at every unsaved domain when it is split: its earlier parts may have erasures.
 * @throws STATE_WRITE_FAILED when the disk refused; STATE_DAMAGED when hits are not counted, since they
 *   would be on top of damage.
 */
export function saveDomain(shard: Shard, domainId: string): void {
  const split = shard.splits.of(domainId);
  shard.aside.checkComplete(domainId);
  if (split !== null) shard.aside.checkComplete(split.holder);
  if (shard.lane === 0 && !shard.isSplit(domainId)) {
    // One that is not in memory has nothing to save.
    const held = shard.domains.get(domainId);
    if (held !== undefined && held.firstUnsavedSequence !== 0) checkpoint(shard, [held]);
    return;
  }
  const parts = [...shard.unsaved].filter((part) => domainOfHolder(part.domainId) === domainId);
  if (parts.length > 0) checkpoint(shard, parts);
}
