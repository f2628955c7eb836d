/**
 * Processor time of single threads of this process, from Linux's /proc.
 *
 * Control plane. In nanoseconds, as the scheduler counts it: two threads that share a core are not
 * charged for each other, nor a thread for its waits.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const TASKS = '/proc/self/task';

/** Number of the thread that asks. */
export function ownTask(): number {
  return Number(basename(readlinkSync('/proc/thread-self')));
}

/** Numbers of all threads of the process; one that began later has none of them. */
export function tasks(): Set<number> {
  return new Set(readdirSync(TASKS).map(Number));
}

/** Processor time that a thread has used so far, in microseconds. @throws when it has ended. */
export function taskCpuUs(task: number): number {
  return Number(readFileSync(`${TASKS}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}
