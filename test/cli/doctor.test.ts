// Goal: `footfall doctor` tells what keeps this machine from what the service promises, leaves nothing
// behind, and its status says whether anything is bad (P-40).
// Method: the built command, on an empty directory, with a port that is taken and with one whose layout
// is damaged; with programs of our own that tell whether the clock is kept right; with a NATS server,
// with one without JetStream, and with a clock that is an hour off; a killed writer of blocks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examineClock } from '../../src/runtime/doctor/clock.ts';
import type { Finding } from '../../src/runtime/doctor/finding.ts';
import { lookAfterCut, writeUntilCut } from '../../src/runtime/doctor/power-cut.ts';
import { NatsServer } from '../support/nats-server.ts';
import { freePort } from '../support/ports.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-doctor-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function doctor(
  port: number,
  { env: more = {}, flags: others = [] }: { env?: Record<string, string>; flags?: string[] } = {},
): { status: number | null; checks: Map<string, Finding> } {
  const flags = ['doctor', '--data-dir', directory, '--json', ...others];
  const env = cleanEnvironment({ FOOTFALL_PORT: String(port), ...more });
  const { status, stdout } = spawnSync(process.execPath, [ENTRY_POINT, ...flags], { env });
  const { checks } = JSON.parse(String(stdout)) as { checks: Finding[] };
  return { status, checks: new Map(checks.map((finding) => [finding.check, finding])) };
}

test('P-40: it measures the disk, looks at the machine, and leaves nothing behind', async () => {
  const { status, checks } = doctor(await freePort());
  const bad = [...checks.values()].filter(({ verdict }) => verdict === 'bad');
  expect(status).toBe(bad.length > 0 ? 1 : 0);
  expect([...checks.keys()]).toEqual(
    expect.arrayContaining(['versions', 'HTTP engine', 'storage engine', 'data directory', 'port']),
  );
  expect([...checks.keys()]).toEqual(
    expect.arrayContaining(['disk writes', 'disk syncs', 'synced is kept', 'read back', 'clock']),
  );
  expect(checks.get('read back')?.verdict).toBe('ok');
  expect(checks.get('port')?.verdict).toBe('ok');
  for (const { verdict, change } of checks.values()) expect(change === '').toBe(verdict === 'ok');
  expect(readdirSync(directory)).toEqual([]);
});

test('P-40: what is bad is named with what to change, and is the status', async () => {
  const port = await freePort();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
  writeFileSync(join(directory, 'layout.json'), 'damaged');
  try {
    const { status, checks } = doctor(port);
    expect(status).toBe(1);
    expect(checks.get('port')).toMatchObject({ verdict: 'bad' });
    expect(checks.get('port')?.change).toContain('another --port');
    expect(checks.get('data directory')).toMatchObject({ verdict: 'bad' });
    expect(checks.get('data directory')?.found).toContain('layout.json is damaged');
  } finally {
    taken.close();
  }
});

describe('P-40: whether the clock is kept right', () => {
  /** @param programs the only directory in which programs are found. */
  async function timeServiceWith(programs: string): Promise<Finding | undefined> {
    vi.stubEnv('PATH', programs);
    try {
      return (await examineClock(directory)).find(({ check }) => check === 'time service');
    } finally {
      vi.unstubAllEnvs();
    }
  }

  const isKeptByTheSystem = existsSync('/run/systemd/timesync/synchronized');

  test.skipIf(isKeptByTheSystem).each([
    ['timedatectl', 'yes', 'ok'],
    ['timedatectl', 'no', 'warn'],
    [
      'chronyc',
      'A29FC87B,162.159.200.123,4,1.5,-0.0,-0.0,0.0,-1.5,-0.0,0.1,0.0,0.0,64.8,Normal',
      'ok',
    ],
    ['chronyc', '7F7F0101,,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,1.0,0.0,Not synchronised', 'warn'],
    ['adjtimex', '       mode: 0\n     status: 8193\n', 'ok'],
    ['adjtimex', '       mode: 0\n     status: 8257\n', 'warn'],
    [
      'busybox',
      '    status:       64 (UNSYNC)\n return value: 5 (clock not synchronized)\n',
      'warn',
    ],
    ['busybox', '    status:       8193 (PLL)\n return value: 0 (clock synchronized)\n', 'ok'],
  ])('is what %s tells: %j', async (program, told, verdict) => {
    const programs = mkdtempSync(join(tmpdir(), 'footfall-programs-'));
    try {
      writeFileSync(join(programs, program), `#!/bin/sh\nprintf '${told}'\n`, { mode: 0o755 });
      const found = await timeServiceWith(programs);
      expect(found).toMatchObject({ verdict });
      expect(found?.found).toContain(`says ${program}`);
    } finally {
      rmSync(programs, { recursive: true });
    }
  });

  test.skipIf(isKeptByTheSystem)('is unknown where nobody can tell, and said so', async () => {
    const found = await timeServiceWith(directory);
    expect(found).toMatchObject({ verdict: 'warn' });
    expect(found?.found).toContain('unknown');
  });
});

describe('P-40: the NATS servers', () => {
  test('that answer and have the time of this machine are ok', async () => {
    const server = new NatsServer();
    await server.start();
    try {
      const { checks } = doctor(await freePort(), { env: { FOOTFALL_NATS_SERVERS: server.url } });
      expect(checks.get('NATS')).toMatchObject({ verdict: 'ok' });
      expect(checks.get('NATS')?.found).toContain('JetStream answers');
      expect(checks.get('clock of NATS')).toMatchObject({ verdict: 'ok' });
    } finally {
      await server.dispose();
    }
  });

  test('whose clock is an hour off are told', async () => {
    const server = new NatsServer();
    await server.start();
    const late = join(directory, 'late.mjs');
    writeFileSync(late, 'const now = Date.now; Date.now = () => now() - 3_600_000;\n');
    try {
      const env = { FOOTFALL_NATS_SERVERS: server.url, NODE_OPTIONS: `--import=${late}` };
      const { status, checks } = doctor(await freePort(), { env });
      expect(checks.get('clock of NATS')).toMatchObject({ verdict: 'warn' });
      expect(checks.get('clock of NATS')?.found).toMatch(/^it is 3[56]\d{5} ms .* ahead of/);
      const bad = [...checks.values()].filter(({ verdict }) => verdict === 'bad');
      expect(status).toBe(bad.length > 0 ? 1 : 0);
    } finally {
      rmSync(late);
      await server.dispose();
    }
  });

  test('without JetStream, or away, are bad', async () => {
    const server = new NatsServer({ flags: [] });
    await server.start();
    const env = { FOOTFALL_NATS_SERVERS: server.url };
    try {
      const { status, checks } = doctor(await freePort(), { env });
      expect(status).toBe(1);
      expect(checks.get('NATS')).toMatchObject({ verdict: 'bad' });
      expect(checks.get('NATS')?.change).toContain('-js');
    } finally {
      await server.dispose();
    }
    expect(doctor(await freePort(), { env }).checks.get('NATS')).toMatchObject({ verdict: 'bad' });
  });
});

describe('P-40: after a power cut', () => {
  /** Writes until some numbers were told, and is killed. @returns the last one. */
  async function writtenNumber(): Promise<number> {
    const flags = ['doctor', '--data-dir', directory, '--power-cut', 'write'];
    const child = spawn(process.execPath, [ENTRY_POINT, ...flags], { env: cleanEnvironment() });
    let told = '';
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      told += piece.toString();
      if (told.split('\n').length > 10) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return Number(told.trim().split('\n').at(-1));
  }

  const file = () => join(directory, '.footfall-power-cut');

  test('what was told to be synced is there, and the file of the blocks goes', async () => {
    const last = await writtenNumber();
    expect(last).toBeGreaterThan(1);
    const { status, checks } = doctor(0, { flags: ['--power-cut', String(last)] });
    expect(checks.get('power cut')).toMatchObject({ verdict: 'ok' });
    expect(status).toBe(0);
    expect(existsSync(file())).toBe(false);
  });

  test('a disk that has lost blocks it had synced is bad', async () => {
    const last = await writtenNumber();
    truncateSync(file(), 0);
    const { status, checks } = doctor(0, { flags: ['--power-cut', String(last)] });
    expect(status).toBe(1);
    expect(checks.get('power cut')).toMatchObject({ verdict: 'bad' });
    expect(checks.get('power cut')?.found).toContain('are gone');
    const again = doctor(0, { flags: ['--power-cut', String(last)] });
    expect(again.checks.get('power cut')?.found).toContain('the file of the blocks is gone');
  });

  test('one block of all is missed', async () => {
    await writeUntil(directory, 2_000);
    const fd = openSync(file(), 'r+');
    writeSync(fd, Buffer.alloc(4_096), 0, 4_096, 100 * 4_096);
    closeSync(fd);
    expect(lookAfterCut(directory, 2_000)).toMatchObject({ verdict: 'bad' });
    // The one behind the newest may have been on its way.
    await writeUntil(directory, 2_000);
    const next = openSync(file(), 'r+');
    writeSync(next, Buffer.alloc(4_096), 0, 4_096, (2_000 % 1_024) * 4_096);
    closeSync(next);
    expect(lookAfterCut(directory, 2_000)).toMatchObject({ verdict: 'ok' });
  });

  async function writeUntil(path: string, count: number): Promise<void> {
    await writeUntilCut(path, { tell: () => {}, countMax: count });
  }
});
