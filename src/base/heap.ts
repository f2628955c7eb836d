/**
 * The heap of this thread: collected when it is known that much of it has just become free.
 *
 * Control plane. A thread at rest allocates next to nothing, so the engine has no reason to collect
 * and keeps what thousands of dropped arrays held. A collection takes some ten milliseconds.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Collects everything that is unreachable, buffers included. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
