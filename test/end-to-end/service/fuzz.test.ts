// Goal: whatever is sent, it is answered as the contract says, by a process that lives on.
// Method: a small run of `npm run fuzz`; the whole size is 500,000 requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runs, SEED } from '../../support/runs.ts';
import { cleanEnvironment, PROJECT_ROOT } from '../../support/service.ts';

const REQUESTS = String(runs(20_000));

test(`${REQUESTS} odd requests are answered in the contract's shape (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const program = join(PROJECT_ROOT, 'dist/test/fuzz/main.js');
  const words = [program, '--requests', REQUESTS, '--seed', String(SEED)];
  const child = spawn(process.execPath, words, {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [status] = (await once(child, 'close')) as [number];
  expect(status, said).toBe(0);
  expect(said).toContain(`${REQUESTS} requests`);
});
