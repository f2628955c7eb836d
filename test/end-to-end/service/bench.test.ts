// Goal: `footfall bench` against a real service: every acknowledged hit counts once, also when the
// service is killed in the middle; faults are one sentence and status 1; Ctrl-C tells what was
// measured so far.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoadReport } from '../../../src/load/load-report.ts';
import { ApiClient } from '../../support/clients/client.ts';
import {
  cleanEnvironment,
  type DomainCredentials,
  ENTRY_POINT,
  type RunningService,
  startService,
} from '../../support/service.ts';

let running: RunningService;
let domain: DomainCredentials;

beforeAll(async () => {
  running = await startService({});
  const { email } = await running.createAccount();
  domain = await running.createDomain({ email, hostname: 'load.example' });
  await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
});
afterAll(() => running?.dispose());

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** `footfall bench …`, and how it ends. */
function bench(flags: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [ENTRY_POINT, 'bench', ...flags], {
    env: cleanEnvironment(),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.on('data', (chunk: Buffer) => {
      said[name] += chunk.toString('utf8');
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (status) => resolve({ status, ...said }));
  });
  return { child, ended };
}

const own = () => [
  ...['--url', running.baseUrl, '--client-id', domain.client_id],
  ...['--client-secret', domain.client_secret, '--warm-up', '1', '--json'],
];

test('every acknowledged hit counts once, single and in batches, with questions beside them (P-31)', async () => {
  const page = join(running.dataDir, 'report.html');
  const single = ['--rate', '300', '--seconds', '2', '--queries', 'active,total', '--html', page];
  for (const [flags, hits] of [
    [single, 901],
    [['--rate', '5000', '--batch', '50', '--seconds', '2', '--key', domain.access_key], 15_050],
  ] as const) {
    const { status, stdout, stderr } = await bench([...own(), ...flags]).ended;
    const report = JSON.parse(stdout) as LoadReport;
    // The probe is among them, and so is the warm-up; nothing of the mix is dropped.
    expect(report.check, stderr).toEqual({
      ...{ acknowledged: hits, unanswered: 0, counted: hits, dropped: {}, duplicates: 0 },
      ...{ lost: 0, surplus: 0, isRight: true },
    });
    expect(status).toBe(0);
    expect(report.queries.map(({ name }) => name)).toEqual(
      flags === single ? ['active', 'total'] : [],
    );
    expect(report.queries.every(({ latency, failed }) => latency.count > 0 && failed === 0)).toBe(
      true,
    );
  }
  const html = readFileSync(page, 'utf8');
  expect(html.match(/<svg /g)).toHaveLength(3);
  expect(html).not.toMatch(/<script|<link|https?:\/\/(?!127)/);
  expect(html).toContain('every acknowledged hit counts once');
});

test('a service that is killed in the middle has counted all that it acknowledged, and nothing twice', async () => {
  const flags = ['--rate', '400', '--seconds', '8', '--patience', '60', '--key', domain.access_key];
  const { child, ended } = bench([...own(), ...flags]);
  await new Promise<void>((resolve) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      if (/\n? +3 s {2}/.test(chunk.toString('utf8'))) resolve();
    });
  });
  await running.kill();
  await running.start();
  const { status, stdout, stderr } = await ended;
  const { check, steps } = JSON.parse(stdout) as LoadReport;
  expect(check, stderr).toMatchObject({ lost: 0, surplus: 0, isRight: true });
  expect(check!.counted).toBeGreaterThanOrEqual(check!.acknowledged);
  expect(check!.counted).toBeLessThanOrEqual(check!.acknowledged + check!.unanswered);
  // What was under way when it died has no answer; the load went on when it was back.
  expect(check!.unanswered).toBeGreaterThan(0);
  expect(
    steps[0]!.perSecond.at(-1)!.accepted + steps[0]!.perSecond.at(-2)!.accepted,
  ).toBeGreaterThan(0);
  expect(status).toBe(1);
});

test('Ctrl-C ends it with what was measured so far, and status 130', async () => {
  const { child, ended } = bench([...own(), '--rate', '100', '--seconds', '3000']);
  await new Promise<void>((resolve) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      if (/ +2 s {2}/.test(chunk.toString('utf8'))) resolve();
    });
  });
  child.kill('SIGINT');
  const { status, stdout } = await ended;
  const { check, wasStopped, steps } = JSON.parse(stdout) as LoadReport;
  expect([status, wasStopped, check?.isRight]).toEqual([130, true, true]);
  expect(steps[0]!.hits.accepted).toBeGreaterThan(0);
});

test.each([
  {
    flags: ['--url', 'http://127.0.0.1:1', '--key', 'k', '--hostname', 'a.example'],
    said: 'http://127.0.0.1:1 cannot be reached: ECONNREFUSED',
  },
  { flags: ['--key', 'pa_wrong', '--hostname', 'load.example'], said: 'refuses the key: 401' },
  { flags: ['--client-id', 'x', '--client-secret', 'y'], said: '/api/v1/token answered 4' },
  { flags: ['--target', 'umami'], said: '--site is required: the id of the website' },
  {
    flags: ['--target', 'plausible', '--site', 'a', '--batch', '2'],
    said: 'plausible takes no batches',
  },
  { flags: ['--target', 'other'], said: 'must be one of footfall, umami' },
  { flags: ['--rate', '0'], said: 'must be a whole number from 1' },
])('$flags is told in one sentence, with status 1', async ({ flags, said }) => {
  const { status, stdout, stderr } = await bench(['--url', running.baseUrl, ...flags]).ended;
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(said);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^footfall: /);
});

test('a page that cannot be written is told, and the report is not lost', async () => {
  const path = '/no/such/folder/report.html';
  const flags = ['--rate', '20', '--seconds', '1', '--html', path];
  const { status, stdout, stderr } = await bench([...own(), ...flags]).ended;
  expect(status).toBe(1);
  expect((JSON.parse(stdout) as LoadReport).check?.isRight).toBe(true);
  expect(stderr).toContain('the page cannot be written: ENOENT');
  expect(existsSync(path)).toBe(false);
});
