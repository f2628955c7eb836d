/**
 * Where and on what the figures were measured: machine, versions, commit, date. Control plane.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  availableParallelism,
  cpus,
  loadavg,
  release,
  type as systemName,
  totalmem,
} from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadHttpEngine } from '../../../src/edge/http/http-engine.ts';

/** A run's circumstances; goes into both reports. */
export interface Machine {
  date: string;
  commit: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  uWebSockets: string;
  lmdb: string;
  load: string;
  /** Load average of the last minute when the run began: other work distorts the figures. */
  loadBefore: number;
}

/** The project's root directory, from the sources as from `dist`. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** Looks at the machine. @param load what makes the load, such as 'wrk 4.1.0'. */
export async function describeMachine(load: string): Promise<Machine> {
  const { packageName } = await loadHttpEngine();
  return {
    date: new Date().toISOString(),
    commit: commit(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${systemName()} ${release()}`,
    node: process.version,
    uWebSockets: `${versionOf(packageName)} (${packageName})`,
    lmdb: versionOf('lmdb'),
    load,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

function commit(): string {
  try {
    const hash = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain') === '' ? hash : `${hash} with changes`;
  } catch {
    return 'none';
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function versionOf(name: string): string {
  const path = createRequire(import.meta.url)
    .resolve.paths(name)
    ?.map((folder) => join(folder, name, 'package.json'));
  const found = path?.find((candidate) => existsSync(candidate));
  return found === undefined
    ? 'unknown'
    : (JSON.parse(readFileSync(found, 'utf8')).version as string);
}
