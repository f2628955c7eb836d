/** Runs the built `run-task.ts` in a process of its own, with the shim between it and its files. */

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment, makeTemporaryDirectory, PROJECT_ROOT } from '../../service.ts';
import { type DiskShim, shimEnvironment } from '../shim.ts';
import type { TaskOutcome } from './run-task.ts';

/** Does not resolve before it has ended. @param callsMax 0: every call in every way. */
export async function sweepTask(
  shim: DiskShim,
  name: string,
  callsMax: number,
): Promise<TaskOutcome> {
  const directory = makeTemporaryDirectory();
  const root = join(directory, 'root');
  mkdirSync(root);
  const trace = join(directory, 'trace');
  const env = shimEnvironment(shim, { root, trace });
  const file = join(PROJECT_ROOT, 'dist/test/support/disk/tasks/run-task.js');
  try {
    const child = spawn(process.execPath, [file, name, String(callsMax), root, trace], {
      env: cleanEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, said] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-2_000);
    });
    const status = await new Promise((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal)),
    );
    if (status !== 0) return { points: 0, met: 0, wrong: [`it ended with ${status}:\n${said}`] };
    return JSON.parse(output) as TaskOutcome;
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
