// Goal: whatever is sent, it is answered as the contract says, by a process that lives on.
// Method: a small run of `npm run fuzz`, seeded anew each time; the whole size is 500,000 requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment, PROJECT_ROOT } from '../../support/service.ts';

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

test(`4,000 odd requests are answered in the contract's shape (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  const program = join(PROJECT_ROOT, 'dist/test/fuzz/main.js');
  const words = [program, '--requests', '4000', '--seed', String(seed)];
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
  expect(said).toContain('4000 requests');
});
