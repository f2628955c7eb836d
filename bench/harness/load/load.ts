/**
 * HTTP load from a process of its own: that of `footfall bench`, with prepared requests.
 *
 * Control plane. Addresses in the requests are placeholders (`src/load/hits/placeholders.ts`): every
 * visit of every run is a new one.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assert } from '../../../src/base/assert.ts';
import type { WholeRequest } from '../../../src/load/send/requests.ts';

/** What to send where. */
export interface LoadPlan {
  /** The address of the server; with the path of bodies. */
  url: string;
  token: string;
  /** JSON that is posted in turn. */
  bodies: readonly string[];
  connections: number;
  seconds: number;
}

/** Whole requests to send where. */
export interface RequestPlan {
  url: string;
  requests: readonly WholeRequest[];
  connections: number;
  seconds: number;
  /** Requests a second, all connections together; absent: as fast as they are answered. */
  rate?: number;
  /** After so many visits the first come again; absent: every visit is a new one. */
  visitLimit?: number;
  /** Before them at the same rate, in no latency: a load program that has just started is slow itself. */
  warmUpSeconds?: number;
}

/** What the process of the load is told. */
export interface ChildPlan extends Omit<RequestPlan, 'rate'> {
  rate: number | null;
  visitBase: number;
  freshBase: number;
}

/** What came of it; latencies of a load with a rate count from the moment a request was due. */
export interface LoadResult {
  /** Those of a warm-up included, as in `seconds`. */
  requests: number;
  seconds: number;
  latencyMsP50: number;
  latencyMsP99: number;
  /** How late the load program itself sent what it could have sent. */
  sendDelayMsP99: number;
  /** Share of a core that the load program took. */
  ownCpuShare: number;
}

/** Load at a fixed rate. */
export interface PacedPlan extends LoadPlan {
  rate: number;
  visitLimit?: number;
  warmUpSeconds?: number;
}

/** What makes the load. */
export const LOAD_PROGRAM = 'footfall bench';

/** Visits of one run at most; each run begins with addresses that no run before it has used. */
const RUN_VISITS_MAX = 10_000_000;
const TIME_OVER_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

const runProgram = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('./load-child.js', import.meta.url));
let runCount = 0;

/**
 * Sends bodies as fast as they are answered for a while.
 *
 * @throws when any request failed: a figure with errors in it is none.
 */
export function runLoad({ token, bodies, ...plan }: LoadPlan): Promise<LoadResult> {
  return runRequests({ ...plan, requests: posts(plan.url, token, bodies) });
}

/**
 * Sends bodies at a fixed rate for a while, whether or not they are answered in time.
 *
 * @throws when any request failed.
 */
export function runPacedLoad({ token, bodies, ...plan }: PacedPlan): Promise<LoadResult> {
  return runRequests({ ...plan, requests: posts(plan.url, token, bodies) });
}

/** Sends whole requests. @throws when any of them failed. */
export async function runRequests(plan: RequestPlan): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-load-'));
  const path = join(folder, 'plan.json');
  const visitBase = plan.visitLimit === undefined ? runCount++ * RUN_VISITS_MAX : 0;
  const child: ChildPlan = { rate: null, ...plan, visitBase, freshBase: Date.now() * 100 };
  try {
    writeFileSync(path, JSON.stringify(child));
    const { stdout, stderr } = await runProgram(process.execPath, [SCRIPT, path], {
      timeout: plan.seconds * 1_000 + TIME_OVER_MS_MAX,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    const line = stdout.split('\n').findLast((candidate) => candidate.startsWith('{'));
    assert(line !== undefined, 'the load generator printed its report');
    const { failures, ...result } = JSON.parse(line) as LoadResult & { failures: number };
    assert(
      failures === 0,
      `every request of the load is accepted (${failures} were not) ${stderr}`,
    );
    assert(result.requests > 0, 'the load was answered at all');
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function posts(url: string, token: string, bodies: readonly string[]): WholeRequest[] {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const path = new URL(url).pathname;
  return bodies.map((body) => ({ method: 'POST', path, headers, body }));
}
