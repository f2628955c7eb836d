/**
 * Which blocks a shard's headers name that are not there; for `footfall verify`.
 *
 * Control plane.
 */

import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { blockKeysOf } from './packed-blocks.ts';
import { decodeHeader } from './segment-header.ts';

/** Keys of blocks and packs of blocks that are named and missing. */
export function missingBlocks(environment: StateEnvironment): StateKey[] {
  const missing: StateKey[] = [];
  for (const { key, value } of environment.range(['h'], ['i'])) {
    const [, domainId, day] = key as [string, string, number];
    for (const block of blockKeysOf({ domainId, day }, decodeHeader(value))) {
      if (!environment.has(block)) missing.push(block);
    }
  }
  return missing;
}
