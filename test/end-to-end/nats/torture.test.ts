// Goal: under fire no hit is lost or counted twice, and every answer is the model's (I-76, I-78, A-64).
// Method: a short run of `footfall torture` with every kind of fault.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { IS_LONG, SEED } from '../../support/runs.ts';
import { cleanEnvironment, ENTRY_POINT } from '../../support/service.ts';

const ROUNDS = IS_LONG ? 6 : 1;

/** Runs the command. @returns its exit status and all it said. */
async function torture(...words: readonly string[]): Promise<{ status: number; said: string }> {
  const child = spawn(process.execPath, [ENTRY_POINT, 'torture', ...words], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const [status] = (await once(child, 'close')) as [number];
  return { status, said };
}

test(`a cluster under fire answers what the model says (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const { status, said } = await torture('--rounds', String(ROUNDS), '--seed', String(SEED));
  console.log(said);
  expect(status, said).toBe(0);
  expect(said).toContain('0 lost, 0 doubled, every answer equals the model');
});

test('a fault that there is not is refused in one line that names those that there are', async () => {
  const { status, said } = await torture('--faults', 'rust');
  expect(status).toBe(1);
  expect(said).toContain("'rust' is no fault; there are node-kill, ");
});
