/** Tells the operator when the log or the state cannot be written, and when they can again. Control plane. */

import type { LogMemory } from '../../bus/log/links.ts';
import { logFault, stateFault } from '../../bus/log/write-faults.ts';
import type { Log } from '../../model/log.ts';

/** @returns what looks, and tells what has changed since it looked last. */
export function faultTeller(memory: LogMemory, log: Log): () => void {
  let told: string | null = null;
  return () => {
    const fault = logFault(memory) ?? stateFault(memory);
    if (fault === told) return;
    if (fault === null) log.tell('write.mended');
    else log.tell('write.failed', { fault });
    told = fault;
  };
}
