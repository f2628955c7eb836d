/**
 * A service whose disk fails at one call: it runs through the workload, ends, and is started again on
 * the same directory with a whole disk.
 *
 * It may go on and answer 503, or end with status 1 and one sentence. It may not hang, end by a
 * signal, lose what it acknowledged or count what it refused.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { IS_LONG } from '../runs.ts';
import { makeTemporaryDirectory, RunningService } from '../service.ts';
import { type DiskShim, type FaultPoint, isOpening, shimEnvironment } from './shim.ts';
import { FEW_THREADS, isSound, Workload } from './workload.ts';

/** What became of one run. */
export interface Outcome {
  /** Whether the call that was to fail was made. */
  readonly hasFailed: boolean;
  /** Of the process with the disk that fails; null: a signal ended it. */
  readonly status: number | null;
  readonly wrong: readonly string[];
}

/** Runs the workload on a whole disk. @returns by point how often it was called. */
export async function countPoints(shim: DiskShim): Promise<Map<string, number>> {
  const directory = makeTemporaryDirectory();
  const trace = join(directory, 'trace');
  try {
    const { status, wrong } = await runOnce(shim, { directory, trace });
    if (status !== 0 || wrong.length > 0) throw new Error(`${status}: ${wrong.join('\n')}`);
    const counts = new Map<string, number>();
    for (const point of linesOf(trace)) counts.set(point, (counts.get(point) ?? 0) + 1);
    return counts;
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs the workload while one call fails, then looks what is there. */
export async function tryPoint(shim: DiskShim, fails: FaultPoint): Promise<Outcome> {
  const directory = makeTemporaryDirectory();
  const trace = join(directory, 'trace');
  try {
    const outcome = await runOnce(shim, { directory, trace, fails });
    const hasFailed = linesOf(trace).some((line) => line.startsWith('! '));
    return { ...outcome, hasFailed };
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runOnce(
  shim: DiskShim,
  { directory, trace, fails }: { directory: string; trace: string; fails?: FaultPoint },
): Promise<Pick<Outcome, 'status' | 'wrong'>> {
  const dataDir = join(directory, 'data');
  const options = { root: dataDir, trace, ...(fails === undefined ? {} : { fails }) };
  const env = { ...FEW_THREADS, ...shimEnvironment(shim, options) };
  const failing = new RunningService({ dataDir, env, flags: ['--json'] });
  const work = new Workload();
  let wrong: string[] = [];
  let status: number | null = null;
  try {
    const refusal = await failing.start().then(
      () => '',
      (error: Error) => error.message,
    );
    if (refusal === '') {
      await work.run(failing);
      status = await failing.stop();
    } else {
      const code = /ended with (\d+) before/.exec(refusal)?.[1];
      status = code === undefined ? null : Number(code);
    }
    const mayCrash = status === null && fails !== undefined && isOpening(fails);
    if (!mayCrash) wrong.push(...wrongEnd(status, failing.output, fails !== undefined));
  } catch (error) {
    wrong.push((error as Error).message);
  } finally {
    await failing.dispose();
  }
  const healed = new RunningService({ dataDir, env: FEW_THREADS });
  try {
    await healed.start();
    wrong = [...wrong, ...(await work.wrongOn(healed))];
    const stopped = await healed.stop();
    if (stopped !== 0) wrong.push(`on a whole disk it ends with ${stopped}\n${healed.output}`);
    if (IS_LONG && !(await isSound(healed))) wrong.push('verify finds damage');
  } catch (error) {
    wrong.push(`on a whole disk: ${(error as Error).message}`);
  } finally {
    await healed.dispose();
  }
  return { status, wrong };
}

/** Status 0, or 1 with one sentence. */
function wrongEnd(status: number | null, output: string, mayFail: boolean): string[] {
  const lines = output.split('\n');
  // LMDB says what it could not write itself, without an end of the line.
  const sentences = lines.filter((line) => line.includes('footfall: '));
  const traces = lines.filter((line) => /^\s+at |^\w*Error:|terminate called|Assertion/.test(line));
  if (status !== 0 && !(status === 1 && mayFail)) return [`it ends with ${status}\n${output}`];
  if (traces.length > 0) return [`it says what nobody can use:\n${output}`];
  if (status === 1 && sentences.length !== 1) {
    return [`it ends with ${sentences.length} sentences:\n${output}`];
  }
  return [];
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
