/**
 * A NATS server for a benchmark, with a temporary store, on a free port.
 *
 * Control plane. Whatever still runs when the benchmarks end is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settle } from './service.ts';

const START_MS_MAX = 20_000;
const LOOK_MS = 20;

/** A server that listens. */
export interface BenchNats {
  pid: number;
  url: string;
  /** Ends it and removes its store. */
  end(): void;
}

/** Starts `nats-server` with JetStream. @throws when it is not installed or does not start in time. */
export async function startNats(): Promise<BenchNats> {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-bench-nats-'));
  const args = ['-js', '-a', '127.0.0.1', '-p', '-1', '-sd', join(directory, 'store')];
  const child = spawn('nats-server', [...args, '--ports_file_dir', directory], { stdio: 'ignore' });
  const end = (): void => {
    process.off('exit', end);
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.on('exit', end);
  const failed = failureOf(child);
  for (let waitedMs = 0; waitedMs < START_MS_MAX; waitedMs += LOOK_MS) {
    const url = portsIn(directory);
    if (url !== null) return { pid: child.pid as number, url, end };
    await Promise.race([settle(LOOK_MS), failed]);
  }
  throw new Error('nats-server did not listen in time');
}

function failureOf(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('error', (cause) => {
      reject(
        new Error('nats-server cannot be run; install it (apt-get install nats-server)', { cause }),
      );
    });
  });
}

/** The server writes where it listens; a file that is half written is looked at again. */
function portsIn(directory: string): string | null {
  const file = readdirSync(directory).find((name) => name.endsWith('.ports'));
  if (file === undefined) return null;
  try {
    return (
      (JSON.parse(readFileSync(join(directory, file), 'utf8')) as { nats: string[] }).nats[0] ??
      null
    );
  } catch {
    return null;
  }
}
