// Goal: what is committed stays, whoever opens and closes the environment at that moment (I-78).
// Method: one process commits a number again and again and looks, in each transaction, whether the
// last one is still there; others open and close the same environment all the time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { EnvironmentGate, throughGate } from '../../src/store/environment-gate.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';

const OPENERS = 6;
const OPEN_MS = 4_000;
/** Where a sync costs nothing there are more commits to go wrong. */
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const modules = join(import.meta.dirname, '../../dist/src/store');

/** The built program: Node 20 runs no TypeScript. */
const OPENER = `
  import { StateEnvironment } from ${JSON.stringify(`${modules}/state-environment.js`)};
  const [directory] = process.argv.slice(1);
  let opened = 0;
  process.stdout.write('.');
  for (const endMs = Date.now() + ${OPEN_MS}; Date.now() < endMs; opened++)
    await new StateEnvironment(directory).close();
  process.stdout.write(String(opened));
`;

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) {
    rmSync(directory, { recursive: true, force: true });
  }
});

function makeDirectory(): string {
  const directory = mkdtempSync(join(ROOT, 'footfall-gate-'));
  directories.push(directory);
  return directory;
}

test('a commit stays while other processes open and close the same environment (I-78)', async () => {
  const directory = makeDirectory();
  const environment = new StateEnvironment(directory);
  let committed = 0;
  let lost = 0;
  const commit = () => {
    environment.write(() => {
      const bytes = environment.get(['count']);
      if (bytes !== undefined && Buffer.from(bytes).readUInt32LE() !== committed) lost++;
      committed++;
      const count = Buffer.alloc(4);
      count.writeUInt32LE(committed);
      environment.put(['count'], count);
      // Pages that come free and are used again.
      for (let at = 0; at < 3; at++) {
        environment.put(['text', String((committed * 7 + at) % 50)], Buffer.alloc(300, committed));
      }
    });
  };
  commit();
  const args = ['--input-type=module', '-e', OPENER, directory];
  const openers = Array.from({ length: OPENERS }, () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return { ended: once(child, 'exit'), begun: once(child.stdout, 'data') };
  });
  let isOver = false;
  const all = Promise.all(openers.map(({ ended }) => ended)).then((ends) => {
    isOver = true;
    return ends;
  });
  await Promise.all(openers.map(({ begun }) => begun));
  while (!isOver) {
    for (let turn = 0; turn < 20; turn++) commit();
    await new Promise(setImmediate);
  }
  expect(await all).toEqual(openers.map(() => [0, null]));
  await environment.close();
  expect(lost).toBe(0);
  expect(committed).toBeGreaterThan(100);
});

test('a thread that is in the gate goes through it again, others wait until it has left', async () => {
  const directory = makeDirectory();
  const order: string[] = [];
  const gate = new EnvironmentGate(directory);
  let finish = () => {};
  const closing = gate.through(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    order.push('closed');
  });
  throughGate(directory, () => order.push('opened within'));
  const waiter = `
    import { throughGate } from ${JSON.stringify(`${modules}/environment-gate.js`)};
    process.stdout.write('.');
    throughGate(process.argv[1], () => undefined);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', waiter, directory]);
  const ended = once(child, 'exit').then(() => order.push('opened elsewhere'));
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, 300));
  finish();
  await closing;
  await ended;
  gate.close();
  expect(order).toEqual(['opened within', 'closed', 'opened elsewhere']);
});

test('where no file can be made, what is to be done is done all the same', () => {
  expect(throughGate('/proc/nowhere', () => 'done')).toBe('done');
});
