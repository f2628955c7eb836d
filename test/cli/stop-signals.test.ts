// Goal: one signal asks for an orderly stop, the next one ends the process at once.
// Method: a real child process with real signals.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../dist/src/cli/stop-signals.js');

/** Says what happens to it; never stops by itself, so only a second signal can end it. */
const LISTENER = (readyAfterMs: number | null) => `
  import { StopSignals } from ${JSON.stringify(module)};
  const signals = new StopSignals(() => process.stdout.write('before-exit '));
  setInterval(() => {}, 1000);
  const serve = () => {
    signals.first().then(() => setTimeout(() => process.stdout.write('stopping '), 150));
  };
  if (${readyAfterMs} === 0) serve();
  else if (${readyAfterMs} !== null) setTimeout(serve, ${readyAfterMs});
  process.stdout.write('up ');
`;

function start(readyAfterMs: number | null) {
  const args = ['--input-type=module', '-e', LISTENER(readyAfterMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  let onWord: (() => void) | null = null;
  child.stdout.on('data', (bytes) => {
    said += bytes;
    onWord?.();
  });
  const until = (word: string) =>
    new Promise<void>((resolve) => {
      onWord = () => {
        if (said.includes(word)) resolve();
      };
      onWord();
    });
  const ended = new Promise<{ status: number | null; said: string }>((resolve) => {
    child.once('close', (status) => resolve({ status, said }));
  });
  return { child, until, ended };
}

test.each([
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGINT', 130],
] as const)('%s stops in order, then %s ends at once with status %i', async (one, two, status) => {
  const { child, until, ended } = start(0);
  await until('up');
  child.kill(one);
  await until('stopping');
  child.kill(two);
  expect(await ended).toEqual({ status, said: 'up stopping before-exit ' });
});

test('a Ctrl-C that arrives twice at once, as npm hands it on, is one', async () => {
  const { child, until, ended } = start(0);
  await until('up');
  child.kill('SIGINT');
  child.kill('SIGINT');
  await until('stopping');
  child.kill('SIGINT');
  expect(await ended).toEqual({ status: 130, said: 'up stopping before-exit ' });
});

test('a signal while the service starts stops it in order once it is up', async () => {
  const { child, until, ended } = start(800);
  await until('up');
  child.kill('SIGTERM');
  await until('stopping');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ status: 143, said: 'up stopping before-exit ' });
});

test('a start that takes long after a signal is ended with status 0', async () => {
  const { child, until, ended } = start(null);
  await until('up');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ status: 0, said: 'up before-exit ' });
});
