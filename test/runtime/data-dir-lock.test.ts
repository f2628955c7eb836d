// Goal: never two services on one data directory, and never a directory blocked by a dead one.
// Method: real child processes that take the lock and are killed; lock files written by hand.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDir, thisProcess } from '../../src/runtime/data-dir-lock.ts';

let directory: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-lock-'));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

const module = join(import.meta.dirname, '../../dist/src/runtime/data-dir-lock.js');

/** Takes the lock and waits to be killed; says 'held' or the message of the refusal. */
const HOLDER = `
  import { lockDataDir } from ${JSON.stringify(module)};
  try {
    lockDataDir(process.argv[1]);
    process.stdout.write('held');
    setInterval(() => {}, 1000);
  } catch (error) {
    process.stdout.write(error.message);
  }
`;

async function startHolder(): Promise<{ child: ChildProcess; said: string }> {
  const args = ['--input-type=module', '-e', HOLDER, directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (bytes) => resolve(String(bytes)));
  });
  return { child, said };
}

function kill(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  return ended;
}

test('a second process is refused with one line that names the first', async () => {
  const { child, said } = await startHolder();
  expect(said).toBe('held');
  expect(() => lockDataDir(directory)).toThrow(
    `the data directory ${directory} is in use by process ${child.pid}; ` +
      'stop that service or set another --data-dir',
  );
});

test('the lock of a killed process is taken at once', async () => {
  const { child } = await startHolder();
  await kill(child);
  lockDataDir(directory).release();
});

test('a killed process that nobody has waited for yet holds nothing', async () => {
  const { child } = await startHolder();
  // The parent sees the exit only after this turn, so until then the child is a zombie.
  child.kill('SIGKILL');
  let isTaken = false;
  for (let attempt = 0; attempt < 10_000 && !isTaken; attempt++) {
    try {
      lockDataDir(directory).release();
      isTaken = true;
    } catch {
      // It is still dying.
    }
  }
  expect(isTaken).toBe(true);
});

test('a released lock is taken again, in the same process too', () => {
  const first = lockDataDir(directory);
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${process.pid}`);
  first.release();
  const second = lockDataDir(directory);
  first.release();
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${process.pid}`);
  second.release();
});

test('taking and releasing again and again leaves one small file', () => {
  for (let round = 0; round < 20; round++) lockDataDir(directory).release();
  expect(readdirSync(directory)).toHaveLength(1);
});

test.each([
  ['another process has the process id now', { ...thisProcess(), startTicks: '1' }],
  ['the machine was started again since', { ...thisProcess(), bootId: 'another boot' }],
  ['no process has that id', { ...thisProcess(), pid: 2 ** 22 + 1 }],
  ['it was released', { pid: 0, startTicks: '', bootId: '' }],
  ['it names nobody', {}],
])('a lock is stale when %s', (_, owner) => {
  writeFileSync(join(directory, 'service.lock.7'), JSON.stringify(owner));
  lockDataDir(directory).release();
});

test('a lock without a start time holds while its process lives', () => {
  const owner = { pid: process.ppid, startTicks: '', bootId: '' };
  writeFileSync(join(directory, 'service.lock.7'), JSON.stringify(owner));
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${process.ppid}`);
});

test('of several processes that overtake a stale lock at once exactly one holds it', async () => {
  for (let round = 0; round < 3; round++) {
    const holders = await Promise.all([1, 2, 3, 4].map(startHolder));
    const held = holders.filter(({ said }) => said === 'held');
    expect(held).toHaveLength(1);
    for (const { said } of holders) {
      if (said !== 'held') expect(said).toContain(`in use by process ${held[0]?.child.pid};`);
    }
    // Killed: the next round finds a stale lock.
    for (const { child } of held) await kill(child);
  }
});

test('a data directory that cannot be made is refused with the reason', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(() => lockDataDir(join(file, 'below'))).toThrow(/cannot be used: ENOTDIR/);
});
