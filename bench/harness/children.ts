/**
 * Servers as child processes: started with Node, found by the line `listening on http://…`, stopped
 * with SIGTERM.
 *
 * Control plane. Whatever still runs when the benchmarks end, in whatever way, is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { assert } from '../../src/base/assert.ts';

/** A machine that is shared may take long for the threads of a start. */
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 15_000;
const STDERR_LENGTH_MAX = 4_000;

/** A server that listens. */
export interface ServerProcess {
  pid: number;
  /** `http://127.0.0.1:40123`. */
  address: string;
  /** Last lines on standard error. */
  lastWords(): string;
  /** Ends it in order; a server that does not end in time is killed and that is an error. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/**
 * Starts `node <args>` and waits for its address.
 *
 * @throws when it ends first or stays silent for too long; the text holds its last words.
 */
export function startServer(args: string[], env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_LENGTH_MAX);
  });
  return new Promise((resolve, reject) => {
    let stdout = '';
    const fail = (what: string) => reject(new Error(`${args.join(' ')} ${what}: ${stderr.trim()}`));
    const timer = setTimeout(() => fail('did not listen in time'), START_MS_MAX);
    child.once('exit', (code, signal) => {
      running.delete(child);
      clearTimeout(timer);
      fail(`ended with ${signal ?? code}`);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk.toString('utf8')).slice(-STDERR_LENGTH_MAX);
      const address = /listening on (http:\/\/\S+)/.exec(stdout)?.[1];
      if (address === undefined || child.pid === undefined) return;
      clearTimeout(timer);
      const { pid } = child;
      const lastWords = () => stderr.trim();
      resolve({ pid, address, lastWords, stop: () => stop(child), kill: () => kill(child) });
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  let wasKilled = false;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      wasKilled = true;
      child.kill('SIGKILL');
    }, STOP_MS_MAX);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
  assert(!wasKilled, 'a server ends within 15 s of SIGTERM');
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
