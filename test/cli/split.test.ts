// Goal: the commands that split and merge a site write what was asked for, and mistakes are one line.
// Method: the built program as a black box on a temporary data directory, read by a registry after it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry.ts';
import { splitDomain } from '../../src/control/splits.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

const DAY_MS = 86_400_000;

let directory: string;
let registry: Registry;
let id: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-cli-split-'));
  registry = Registry.open(directory, 0);
  await createAccount(registry, { email: 'ada@example.org' }, 0);
  const wish = { email: 'ada@example.org', hostname: 'large.test' };
  id = (await createDomain(registry, wish, 0)).domain.id;
});

afterEach(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function footfall(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [ENTRY_POINT, 'domain', ...words],
      { env: cleanEnvironment({ FOOTFALL_DATA_DIR: directory }), timeout: 20_000 },
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** The one object that `--json` prints, and when it was asked for. */
async function json(...words: readonly string[]) {
  const beforeMs = Date.now();
  const ended = await footfall(...words, '--json');
  const afterMs = Date.now();
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  const made = JSON.parse(ended.stdout) as { lanes: number; from: string };
  return { made, beforeMs, afterMs, fromMs: Date.parse(made.from) };
}

/** What a service that runs on the directory finds. */
function split() {
  registry.refresh();
  return registry.view.domain(id)?.split;
}

describe('domain split', () => {
  test.each([[[]], [['--at', 'now']]])('%j begins at once', async (at) => {
    const { made, beforeMs, afterMs, fromMs } = await json(
      'split',
      '--id',
      id,
      '--lanes',
      '4',
      ...at,
    );
    expect(made).toEqual({ id, hostname: 'large.test', lanes: 4, from: expect.any(String) });
    expect(fromMs).toBeGreaterThanOrEqual(beforeMs);
    expect(fromMs).toBeLessThanOrEqual(afterMs);
    expect(split()).toEqual({ lanes: [1, 4], fromMs });
  });

  test('--at begins at that instant, in whatever offset it is written', async () => {
    const { made } = await json(
      ...['split', '--id', 'Large.test', '--lanes', '16', '--at', '2999-01-01T02:00:00+01:30'],
    );
    expect(made).toMatchObject({ id, lanes: 16, from: '2999-01-01T00:30:00.000Z' });
    expect(split()).toEqual({ lanes: [1, 16], fromMs: Date.UTC(2999, 0, 1, 0, 30) });
  });

  test('tells people what it does, on standard error', async () => {
    const ended = await footfall('split', '--id', id, '--lanes', '2');
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(/^id +\w{20}\nhostname +large\.test\nlanes +2\nfrom +2\S+Z\n$/);
    expect(ended.stderr).toContain('counted in 2 lanes');
    expect(ended.stderr).toContain('every node must run this version');
  });
});

describe('domain merge', () => {
  beforeEach(async () => {
    await splitDomain(registry, { domain: id, lanes: 4, fromMs: null }, 1);
  });

  test('begins at the next 00:30 UTC, when a day has ended for everybody (I-46)', async () => {
    const { made, beforeMs, afterMs, fromMs } = await json('merge', '--id', id);
    expect(made).toMatchObject({ id, lanes: 1 });
    expect(new Date(fromMs).toISOString()).toMatch(/T00:30:00\.000Z$/);
    expect(fromMs).toBeGreaterThan(beforeMs);
    expect(fromMs).toBeLessThanOrEqual(afterMs + DAY_MS);
    expect(split()).toEqual({ lanes: [1, 4, 1], fromMs });
  });

  test('--now begins at once', async () => {
    const { beforeMs, afterMs, fromMs } = await json('merge', '--id', id, '--now');
    expect(fromMs).toBeGreaterThanOrEqual(beforeMs);
    expect(fromMs).toBeLessThanOrEqual(afterMs);
    expect(split()).toEqual({ lanes: [1, 4, 1], fromMs });
  });

  test('is withdrawn by a split into as many lanes as there are', async () => {
    await splitDomain(registry, { domain: id, lanes: 1, fromMs: Date.UTC(2999, 0) }, 2);
    const ended = await footfall('split', '--id', id, '--lanes', '4');
    expect(ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/lanes +4\n/) });
    expect(ended.stderr).toContain('The change that was planned is withdrawn');
    expect(split()?.lanes).toEqual([1, 4]);
  });
});

describe('a mistake is one line on standard error, status 1, and changes nothing', () => {
  const SPLIT = ['split', '--lanes', '4', '--id'];
  test.each<[string, string[], RegExp]>([
    [
      'an unknown site',
      [...SPLIT, 'nobody'],
      /--id 'nobody' is neither the id nor the hostname of/,
    ],
    ['no site', ['split', '--lanes', '4'], /required option '--id <id>' not specified/],
    ['no number of lanes', ['split', '--id', 'large.test'], /required option '--lanes <count>'/],
    [
      'no lane',
      ['split', '--id', 'large.test', '--lanes', '0'],
      /--lanes must be an integer from 1/,
    ],
    [
      'too many lanes',
      ['split', '--id', 'large.test', '--lanes', '17'],
      /--lanes must be .* 1 to 16/,
    ],
    [
      'a word for lanes',
      ['split', '--id', 'large.test', '--lanes', 'x'],
      /--lanes must be an integer/,
    ],
    [
      'nothing to merge',
      ['merge', '--id', 'large.test'],
      /--id is a site in one piece: there is nothing/,
    ],
    [
      'a moment that is over',
      [...SPLIT, 'large.test', '--at', '2020-01-01'],
      /--at must not be over/,
    ],
    [
      'a word for a moment',
      [...SPLIT, 'large.test', '--at', 'soon'],
      /--at must be an instant such as 2/,
    ],
  ])('%s', async (_, words, line) => {
    const before = registry.sequence;
    const ended = await footfall(...words);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
    registry.refresh();
    expect(registry.sequence).toBe(before);
  });
});
