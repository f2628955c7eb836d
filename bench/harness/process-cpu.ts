/**
 * Processor time and memory of a whole process, every thread of it, from Linux's /proc.
 *
 * Control plane. `utime + stime` counts what the process did, not how long it waited, so the figure
 * stands on a shared machine where throughput does not.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Fields of /proc/<pid>/stat after the command's name, which may hold spaces (proc(5)). */
const UTIME_FIELD = 11;
const STIME_FIELD = 12;
const CUTIME_FIELD = 13;
const CSTIME_FIELD = 14;

let ticksPerSecond = 0;

/** Whether the figures of this file can be had on this machine. */
export const hasProcessFigures = process.platform === 'linux';

/** Processor time a process has used since it began, in milliseconds, user and system together. */
export function processCpuMs(pid: number): number {
  return cpuMs(pid, [UTIME_FIELD, STIME_FIELD]);
}

/** The same with what its children have used, once they have ended. */
export function familyCpuMs(pid: number): number {
  return cpuMs(pid, [UTIME_FIELD, STIME_FIELD, CUTIME_FIELD, CSTIME_FIELD]);
}

/** Processes that a process has started, and that run. */
export function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

function cpuMs(pid: number, of: readonly number[]): number {
  if (ticksPerSecond === 0)
    ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = of.reduce((sum, field) => sum + Number(fields[field]), 0);
  return (ticks * 1_000) / ticksPerSecond;
}

/** Memory of a process that is resident now, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

/** Memory of a process that no file holds: what it has itself, without the pages of LMDB. */
export function anonymousBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1_024;
}
