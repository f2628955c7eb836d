/** The installation: its versions, data directory and addresses. Control plane. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadHttpEngine } from '../../edge/http/http-engine.ts';
import { packageVersion } from '../../settings/package-root.ts';
import type { Settings } from '../../settings/schema.ts';
import { storageEngineVersion } from '../../store/engine-version.ts';
import { tryLockDataDir } from '../directory/data-dir-lock.ts';
import { checkLayout } from '../directory/data-layout.ts';
import { checkPort } from '../port-check.ts';
import { bad, type Finding, fine, warning } from './finding.ts';
import { examineNats } from './nats.ts';

const NODE_MAJORS = [20, 22, 24];
/** Of a mode: others than the owner may read. */
const READ_BY_OTHERS = 0o044;

/** Everything about the installation but its disk. */
export async function examineInstallation(settings: Settings): Promise<Finding[]> {
  const isRunning = isServed(settings.dataDir);
  return [
    node(),
    await httpEngine(),
    storage(),
    ...directory(settings.dataDir, isRunning),
    await address('port', settings, settings.port, isRunning),
    ...(settings.metricsPort === 0
      ? []
      : [await address('metrics port', settings, settings.metricsPort, isRunning)]),
    ...(await examineNats(settings)),
  ];
}

/** The directory itself, or the one above it where it will be made. */
export function existingDirectory(dataDir: string): string {
  let path = resolve(dataDir);
  while (!existsSync(path)) path = dirname(path);
  return path;
}

function node(): Finding {
  const { node: version } = process.versions;
  const found = `Footfall ${packageVersion()} on Node ${version}, ${process.platform} ${process.arch}`;
  if (NODE_MAJORS.includes(Number(version.split('.')[0]))) return fine('versions', found);
  return warning('versions', found, `use Node ${NODE_MAJORS.join(', ')}: others are not tested`);
}

async function httpEngine(): Promise<Finding> {
  try {
    const { packageName } = await loadHttpEngine();
    return fine('HTTP engine', packageName);
  } catch (error) {
    return bad(
      'HTTP engine',
      (error as Error).message,
      'use a Node and a system that it is built for',
    );
  }
}

function storage(): Finding {
  try {
    return fine('storage engine', `lmdb ${storageEngineVersion()}`.trim());
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    return bad(
      'storage engine',
      line,
      'install the package anew on this machine, with its optional parts',
    );
  }
}

function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'service.lock'))) return false;
  try {
    const lock = tryLockDataDir(dataDir);
    lock?.release();
    return lock === null;
  } catch {
    return false;
  }
}

function directory(dataDir: string, isRunning: boolean): Finding[] {
  const check = 'data directory';
  const path = resolve(dataDir);
  const place = existingDirectory(dataDir);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    if (place !== path) return [fine(check, `${path} is not there yet and can be made`)];
    const layout = checkLayout(path);
    const holds = layout === null ? 'empty' : `format ${layout.format}, ${layout.shards} shards`;
    return [
      fine(check, `${path}: ${holds}${isRunning ? '; a service runs on it' : ''}`),
      ...['log', 'state', 'registry'].flatMap((name) => ownership(join(path, name))),
    ];
  } catch (error) {
    const change = `let user ${process.getuid?.() ?? ''} own it and everything in it`;
    const isAccess = (error as NodeJS.ErrnoException).syscall === 'access';
    return [bad(check, (error as Error).message, isAccess ? change : 'see the sentence')];
  }
}

function ownership(path: string): Finding[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const user = process.getuid?.() ?? stat.uid;
  if (user !== 0 && stat.uid !== user) {
    const found = `${path} is owned by user ${stat.uid}, this is user ${user}`;
    return [bad('ownership', found, `run as user ${stat.uid}, or chown -R ${user} the directory`)];
  }
  if ((stat.mode & READ_BY_OTHERS) === 0) return [];
  return [warning('ownership', `others may read ${path}`, `chmod -R go-rwx ${path}`)];
}

async function address(
  check: string,
  { host }: Settings,
  port: number,
  isRunning: boolean,
): Promise<Finding> {
  try {
    await checkPort(host, port);
    const other = isRunning ? '; the running service has another, by its own settings' : '';
    return fine(check, `${host}:${port} is free${other}`);
  } catch (error) {
    if (isRunning) return fine(check, `${host}:${port} is the running service's`);
    const [found = '', change = ''] = (error as Error).message.split('; ');
    return bad(check, found, change);
  }
}
