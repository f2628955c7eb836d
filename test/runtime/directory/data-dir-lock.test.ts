// Goal: never two services on one data directory, and never a directory blocked by a dead one.
// Method: real child processes that take the lock and are killed, some of them in process-id and mount
// namespaces of their own, as containers have them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataDir } from '../../../src/runtime/directory/data-dir-lock.ts';

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

const module = join(import.meta.dirname, '../../../dist/src/runtime/directory/data-dir-lock.js');

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

/** What a container is to the lock: process ids and mounts of its own; its first process is 1. */
const CONTAINER = ['unshare', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'];
const mayUnshare = spawnSync(CONTAINER[0] as string, [...CONTAINER.slice(1), 'true']).status === 0;

async function startHolder(wrapper: readonly string[] = [], code = HOLDER) {
  const node = [process.execPath, '--input-type=module', '-e', code, directory];
  const [command, ...args] = [...wrapper, ...node] as [string, ...string[]];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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
    `the data directory ${directory} is in use by process ${child.pid} on ${hostname()}; ` +
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
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${process.pid} on`);
  first.release();
  const second = lockDataDir(directory);
  first.release();
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${process.pid} on`);
  second.release();
});

test('taking and releasing again and again leaves one small file', () => {
  for (let round = 0; round < 20; round++) lockDataDir(directory).release();
  expect(readdirSync(directory)).toHaveLength(1);
});

test('what an earlier version left there locks nobody out', () => {
  const owner = { pid: process.pid, startTicks: '', bootId: '' };
  writeFileSync(join(directory, 'service.lock.7'), JSON.stringify(owner));
  writeFileSync(join(directory, 'service.lock'), JSON.stringify({ pid: process.pid, host: 'me' }));
  lockDataDir(directory).release();
});

test('the file says who holds the directory, for people', () => {
  const lock = lockDataDir(directory);
  const said = JSON.parse(readFileSync(join(directory, 'service.lock'), 'utf8'));
  expect(said).toMatchObject({ pid: process.pid, host: hostname() });
  lock.release();
});

test('a child process that outlives its service does not keep the lock', async () => {
  const code = `
    import { spawn } from 'node:child_process';
    import { lockDataDir } from ${JSON.stringify(module)};
    lockDataDir(process.argv[1]);
    const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    child.unref();
    process.stdout.write(String(child.pid));
    setInterval(() => {}, 1000);
  `;
  const { child, said } = await startHolder([], code);
  expect(() => lockDataDir(directory)).toThrow(`in use by process ${child.pid} `);
  await kill(child);
  process.kill(Number(said), 0);
  lockDataDir(directory).release();
  process.kill(Number(said), 'SIGKILL');
});

describe.skipIf(!mayUnshare)('containers on one volume (needs the right to unshare)', () => {
  test('the second is refused though it cannot see the first, and both are process 1', async () => {
    const first = await startHolder(CONTAINER);
    expect(first.said).toBe('held');
    const second = await startHolder(CONTAINER);
    expect(second.said).toContain(`is in use by process 1 on ${hostname()};`);
    expect(() => lockDataDir(directory)).toThrow('is in use by process 1 on');
  });

  test('one that was killed is started again at once, with the same process id', async () => {
    for (let round = 0; round < 3; round++) {
      const { child, said } = await startHolder(CONTAINER);
      expect(said).toBe('held');
      await kill(child);
      // Its child dies with it, a moment later.
      await freed();
    }
  });

  test('one is refused while a service outside of it runs', async () => {
    const lock = lockDataDir(directory);
    const { said } = await startHolder(CONTAINER);
    expect(said).toContain(`is in use by process ${process.pid} on`);
    lock.release();
  });
});

/** The kernel takes its time to end a killed namespace. */
async function freed(): Promise<void> {
  await expect
    .poll(() => {
      lockDataDir(directory).release();
      return true;
    })
    .toBe(true);
}

test('of several processes that want the directory of a killed one at once exactly one holds it', async () => {
  for (let round = 0; round < 3; round++) {
    const holders = await Promise.all([1, 2, 3, 4].map(() => startHolder()));
    const held = holders.filter(({ said }) => said === 'held');
    expect(held).toHaveLength(1);
    for (const { said } of holders) {
      if (said !== 'held') expect(said).toContain(`is in use by `);
    }
    // Killed: the next round finds its file.
    for (const { child } of held) await kill(child);
  }
});

test('a data directory that cannot be made is refused with the reason', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(() => lockDataDir(join(file, 'below'))).toThrow(/cannot be used: ENOTDIR/);
});

test('a file system without locks is refused with the reason, not taken as free', () => {
  const tryLock = () => {
    throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' });
  };
  expect(() => lockDataDir(directory, () => ({ tryLock, unlock: () => {} }))).toThrow(
    /cannot be used: its file system or this system has no file locks \(no locks available\); use a disk of this machine/,
  );
});
