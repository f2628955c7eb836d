/**
 * HTTP load from a process of its own: wrk if it is installed, otherwise autocannon.
 *
 * Control plane. Both are given the same prepared bodies (`pool.ts`) and put a new address into each
 * visit. wrk costs a tenth of autocannon's processor time; on two cores that decides the throughput,
 * but not the processor time per hit, which is the server's alone.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assert } from '../../../src/base/assert.ts';
import { WRK_SCRIPT } from './wrk-script.ts';

/** What to send where. */
export interface LoadPlan {
  /** Address with path. */
  url: string;
  token: string;
  /** Sent in turn; addresses are placeholders of `pool.ts`. */
  bodies: readonly string[];
  /** The bodies are whole requests of `page-requests.ts` as JSON. */
  areWhole?: true;
  connections: number;
  seconds: number;
}

/** What came of it. */
export interface LoadResult {
  requests: number;
  seconds: number;
  latencyMsP50: number;
  latencyMsP99: number;
}

interface LoadReport extends LoadResult {
  /** Answers of 400 and above, and requests without an answer. */
  failures: number;
}

/** Load at a fixed rate. */
export interface PacedPlan extends LoadPlan {
  /** Requests a second, all connections together. */
  rate: number;
  /** After so many visits the first come again; absent: every visit is a new one. */
  visitLimit?: number;
}

/** What came of load at a fixed rate; latencies count from the moment a request was due. */
export interface PacedResult extends LoadResult {
  /** How late requests were sent, ms: what the load program itself and full connections add. */
  sendDelayMsP99: number;
}

/** Visits of one run at most; each run begins with addresses that no run before it has used. */
const RUN_VISITS_MAX = 10_000_000;
const TIME_OVER_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

const runProgram = promisify(execFile);
let runCount = 0;

/** What makes the load here: 'wrk 4.1.0' or 'autocannon'. */
export const loadProgram = findLoadProgram();

function findLoadProgram(): string {
  try {
    execFileSync('wrk', ['-v'], { encoding: 'utf8', stdio: 'pipe' });
    return 'wrk';
  } catch (error) {
    // wrk -v prints its version and ends with status 1.
    const { stdout } = error as { stdout?: string };
    const version = /^wrk (?:debian\/)?([\w.]+)/.exec(stdout ?? '');
    return version === null ? 'autocannon' : `wrk ${version[1]}`;
  }
}

/**
 * Sends requests as fast as they are answered for a while.
 *
 * @throws when any request failed: a figure with errors in it is none.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-load-'));
  try {
    const planPath = join(folder, 'plan.json');
    const visitBase = runCount++ * RUN_VISITS_MAX;
    const report =
      loadProgram.startsWith('wrk') && plan.areWhole !== true
        ? await runWrk(folder, plan, visitBase)
        : await runScript<LoadResult>('autocannon-load.js', planPath, { ...plan, visitBase });
    const { failures, ...result } = report;
    assert(failures === 0, `every request of the load is answered 2xx (${failures} were not)`);
    assert(result.requests > 0, 'the load was answered at all');
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Sends requests at a fixed rate for a while, whether or not they are answered in time.
 *
 * @throws when any request failed.
 */
export async function runPacedLoad(plan: PacedPlan): Promise<PacedResult> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-load-'));
  try {
    const visitBase = plan.visitLimit === undefined ? runCount++ * RUN_VISITS_MAX : 0;
    const path = join(folder, 'plan.json');
    const report = await runScript<PacedResult>('paced-load.js', path, { ...plan, visitBase });
    const { failures, ...result } = report;
    assert(failures === 0, `every request of the load is answered 200 (${failures} were not)`);
    assert(result.requests > 0, 'the load was answered at all');
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runWrk(folder: string, plan: LoadPlan, visitBase: number): Promise<LoadReport> {
  const bodiesPath = join(folder, 'bodies.txt');
  const scriptPath = join(folder, 'load.lua');
  writeFileSync(bodiesPath, `${plan.bodies.join('\n')}\n`);
  writeFileSync(scriptPath, WRK_SCRIPT);
  const { stdout } = await runProgram(
    'wrk',
    [
      ...['--threads', '1', '--connections', String(plan.connections)],
      ...['--duration', `${plan.seconds}s`, '--timeout', '15s', '--script', scriptPath, plan.url],
      ...['--', bodiesPath, plan.token, String(visitBase)],
    ],
    { timeout: plan.seconds * 1_000 + TIME_OVER_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX },
  );
  return readReport(stdout);
}

/** A load program of our own, which reads its plan from a file. */
async function runScript<Result extends LoadResult>(
  name: string,
  planPath: string,
  plan: LoadPlan & { visitBase: number },
): Promise<Result & { failures: number }> {
  writeFileSync(planPath, JSON.stringify(plan));
  const script = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const { stdout } = await runProgram(process.execPath, [script, planPath], {
    timeout: plan.seconds * 1_000 + TIME_OVER_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return readReport<Result>(stdout);
}

/** Every program ends with one line of JSON. */
function readReport<Result extends LoadResult>(stdout: string): Result & { failures: number } {
  const line = stdout.split('\n').findLast((candidate) => candidate.startsWith('{'));
  assert(line !== undefined, 'the load generator printed its report');
  return JSON.parse(line) as Result & { failures: number };
}
