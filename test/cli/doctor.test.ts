// Goal: `footfall doctor` tells what keeps this machine from what the service promises, leaves nothing
// behind, and its status says whether anything is bad (P-40).
// Method: the built command, on an empty directory, with a port that is taken and with one whose layout
// is damaged.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../src/runtime/doctor/finding.ts';
import { freePort } from '../support/ports.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-doctor-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function doctor(port: number): { status: number | null; checks: Map<string, Finding> } {
  const flags = ['doctor', '--data-dir', directory, '--json'];
  const env = cleanEnvironment({ FOOTFALL_PORT: String(port) });
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
