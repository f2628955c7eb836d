/**
 * A disk that can be told to fail and to remember: `shim.c`, between a program and its files.
 *
 * Compiled when a test needs it, into a temporary directory; where there is no compiler, or no Linux,
 * `diskShim` says why.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../service.ts';

/** How a call fails: alone, with all that writes later (+), or as half a write before a full disk. */
export const FAULTS = ['EIO', 'ENOSPC', 'EIO+', 'ENOSPC+', 'SHORT'] as const;
/** See `FAULTS`. */
export type Fault = (typeof FAULTS)[number];

/** One call that fails. */
export interface FaultPoint {
  /** The call and its file, such as `fdatasync log/spare-#.draft`. */
  readonly point: string;
  /** Which of the calls of the point, from 1. */
  readonly at: number;
  readonly fault: Fault;
}

/** Whether a call can fail in a way: what reads can neither fill a disk nor break it for writers. */
export function canFail(point: string, fault: Fault): boolean {
  if (fault === 'SHORT') return /^(write|dsync) /.test(point);
  return !/^(look|mmap|read) /.test(point) || fault === 'EIO';
}

/**
 * What LMDB does when it opens an environment. If that fails lmdb-js 3.5.6 ends the process itself
 * (SIGSEGV: it frees what it then uses): the service tries the same before, so this takes a disk
 * that refuses the second try alone.
 */
export function isOpening({ point }: Pick<FaultPoint, 'point'>): boolean {
  return /^(open|mmap|read) .*\.mdb$|^write .*\/room-#-#\/data\.mdb$/.test(point);
}

/** What the shim is to do for the files below a directory. */
export interface ShimOptions {
  readonly root: string;
  /** File that gets a line for each call. */
  readonly trace?: string;
  /** File that gets each change with its data (`record.ts`). */
  readonly record?: string;
  readonly fails?: FaultPoint;
}

/** The compiled shim, or why there is none. */
export type DiskShim =
  | { readonly path: string; readonly reason: ''; dispose(): void }
  | { readonly path: ''; readonly reason: string; dispose(): void };

/** Compiles it. */
export function diskShim(): DiskShim {
  const none = (reason: string): DiskShim => ({ path: '', reason, dispose: () => {} });
  if (process.platform !== 'linux') return none('files are looked at on Linux only');
  const directory = mkdtempSync(join(tmpdir(), 'footfall-shim-'));
  const path = join(directory, 'shim.so');
  const source = join(PROJECT_ROOT, 'test/support/disk/shim.c');
  const flags = ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl', '-lpthread'];
  const { status, error, stderr } = spawnSync('cc', flags, { encoding: 'utf8' });
  const dispose = () => rmSync(directory, { recursive: true, force: true });
  if (status === 0) return { path, reason: '', dispose };
  dispose();
  return none(`no C compiler makes the shim (${(error?.message ?? stderr).split('\n')[0]})`);
}

/** What a program is started with to have it. */
export function shimEnvironment(shim: DiskShim, options: ShimOptions): Record<string, string> {
  const { root, trace, record, fails } = options;
  return {
    LD_PRELOAD: shim.path,
    DISK_ROOT: root,
    ...(trace === undefined ? {} : { DISK_TRACE: trace }),
    ...(record === undefined ? {} : { DISK_RECORD: record }),
    ...(fails === undefined
      ? {}
      : { DISK_POINT: fails.point, DISK_AT: String(fails.at), DISK_FAULT: fails.fault }),
  };
}
