/** Tells the operator when the log or the state cannot be written, and when they can again. Control plane. */

import type { Log } from '../../base/log.ts';
import type { LogMemory } from '../../bus/log/links.ts';
import { logFault, stateFault } from '../../bus/log/write-faults.ts';

/** @returns what looks, and tells what has changed since it looked last. */
export function faultTeller(memory: LogMemory, log: Log): () => void {
  let told: string | null = null;
  return () => {
    const fault = logFault(memory) ?? stateFault(memory);
    if (fault === told) return;
    if (fault === null) log.info('log and state can be written again');
    else log.error({ fault }, 'something cannot be written');
    told = fault;
  };
}
