/**
 * Runs one kind of work under the shim: `node run-task.js NAME CALLS_MAX ROOT TRACE`.
 *
 * Every call of the work is failed once in each way, or so many of them as were asked for, spread over
 * all. Prints what came of it as one JSON object; the call at hand is on standard error, should the
 * process end.
 */

import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatingError } from '../../../../src/model/errors.ts';
import { canFail, FAULTS, type FaultPoint, isOpening } from '../shim.ts';
import { backupTask } from './backup-task.ts';
import { spoolTask } from './spool-task.ts';
import { startTask } from './start-task.ts';
import type { DiskTask } from './task.ts';
import { uploadTask } from './upload-task.ts';

const TASKS: Readonly<Record<string, DiskTask<unknown>>> = {
  start: startTask as DiskTask<unknown>,
  spool: spoolTask as DiskTask<unknown>,
  backup: backupTask as DiskTask<unknown>,
  upload: uploadTask as DiskTask<unknown>,
};

/** What came of a kind of work. */
export interface TaskOutcome {
  /** Calls that were failed, each in one way. */
  readonly points: number;
  /** Of these, those that were made. */
  readonly met: number;
  readonly wrong: readonly string[];
}

const [, , name = '', callsMax = '0', root = '', trace = ''] = process.argv;
const task = TASKS[name];
if (task === undefined) throw new Error(`no work is called '${name}'`);
process.stdout.write(`${JSON.stringify(await sweep(task))}\n`);

async function sweep(work: DiskTask<unknown>): Promise<TaskOutcome> {
  tell('rest');
  const before = join(root, 'before');
  mkdirSync(before);
  await work.prepare(before);
  const points = spread(await everyPoint(work, before), Number(callsMax));
  let met = 0;
  const wrong: string[] = [];
  for (const point of points) {
    const { fault, at } = point;
    process.stderr.write(`${fault} ${at} ${point.point}\n`);
    const outcome = await tryOne(work, before, `${fault} ${at} ${point.point}`);
    if (outcome.isMet) met++;
    for (const text of outcome.wrong) wrong.push(`${fault} of ${point.point} ${at}: ${text}`);
  }
  return { points: points.length, met, wrong };
}

async function everyPoint(work: DiskTask<unknown>, before: string): Promise<FaultPoint[]> {
  const { wrong, lines } = await tryOne(work, before, 'count');
  if (wrong.length > 0) throw new Error(`on a whole disk: ${wrong.join('\n')}`);
  const points: FaultPoint[] = [];
  const counts = new Map<string, number>();
  for (const point of lines) {
    const at = (counts.get(point) ?? 0) + 1;
    counts.set(point, at);
    for (const fault of FAULTS) {
      if (canFail(point, fault) && !endsProcess({ point, at })) points.push({ point, at, fault });
    }
  }
  return points;
}

/** What LMDB does not survive has a process of its own (`sweep.ts`). */
function endsProcess(at: Pick<FaultPoint, 'point' | 'at'>): boolean {
  return isOpening(at) || /^dsync .*\.mdb$/.test(at.point);
}

/** At most so many, evenly; 0: all. */
function spread(points: FaultPoint[], max: number): FaultPoint[] {
  if (max === 0 || points.length <= max) return points;
  const step = points.length / max;
  return Array.from({ length: max }, (_, index) => points[Math.floor((index + 0.5) * step)]!);
}

async function tryOne(
  work: DiskTask<unknown>,
  before: string,
  wish: string,
): Promise<{ isMet: boolean; lines: string[]; wrong: string[] }> {
  const directory = join(root, 'work');
  rmSync(directory, { recursive: true, force: true });
  cpSync(before, directory, { recursive: true });
  const ledger = work.ledger();
  const traceAt = statSync(trace).size;
  let refusal: unknown = null;
  tell(wish);
  try {
    await work.run(directory, ledger);
  } catch (error) {
    refusal = error ?? 'nothing';
  } finally {
    tell('rest');
  }
  const lines = readFileSync(trace).subarray(traceAt).toString().split('\n').filter(Boolean);
  const wrong: string[] = [];
  if (refusal !== null && !isTold(refusal)) {
    wrong.push(`it says what nobody can use: ${(refusal as Error).stack}`);
  }
  try {
    wrong.push(...(await work.wrong(directory, ledger, refusal === null)));
  } catch (error) {
    wrong.push(`on a whole disk: ${(error as Error).stack}`);
  }
  return { isMet: lines.some((line) => line.startsWith('! ')), lines, wrong };
}

/** Whether a person is told it in one sentence: ours, or the operating system's. */
function isTold(error: unknown): boolean {
  return (
    error instanceof OperatingError || typeof (error as { syscall?: unknown }).syscall === 'string'
  );
}

/** As `shim.c` says. */
function tell(wish: string): void {
  renameSync('/disk-shim', wish);
}
