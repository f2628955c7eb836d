// Goal: `footfall client` makes and ends what a program needs, by the rules of the endpoints.
// Method: the built program as a black box on a temporary data directory; its registry is asked.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { client } from '../../src/control/resources/client.ts';
import { scopesOf } from '../../src/model/rights.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

const EMAIL = 'ada@example.org';
const NOW_MS = Date.UTC(2026, 10, 20, 12);

let directory: string;
/** Beside the command, as the service is. */
let registry: Registry;
let domainId: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-cli-'));
  registry = Registry.open(directory, NOW_MS);
  await createAccount(registry, { email: EMAIL }, NOW_MS);
  const made = await createDomain(registry, { email: EMAIL, hostname: 'shop.test' }, NOW_MS);
  domainId = made.domain.id;
});

afterAll(async () => {
  await registry.close();
  rmSync(directory, { recursive: true });
});

/** One command. @returns its exit status and what it wrote. */
function footfall(...words: readonly string[]) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [ENTRY_POINT, 'client', ...words],
      { env: cleanEnvironment({ FOOTFALL_DATA_DIR: directory }), timeout: 20_000 },
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

async function made(...words: readonly string[]): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await footfall('create', ...words, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Whom its secret stands for in the running service. */
function credentialOf({ client_id = '', client_secret = '' }: Record<string, string>) {
  registry.refresh();
  const access = new Access(registry);
  const issued = access.issueToken(client_id, client_secret, NOW_MS);
  return access.authenticate(issued?.accessToken ?? client_secret, NOW_MS);
}

describe('client create', () => {
  test('makes one of an account that may do everything (M-40)', async () => {
    const shown = await made('--email', 'ADA@example.org', '--description', 'Nightly report');
    expect(shown).toMatchObject({ domain_id: null, description: 'Nightly report' });
    expect(shown['client_secret']).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(credentialOf(shown)).toMatchObject({ kind: 'user', scopes: scopesOf('w') });
  });

  test('makes one of a site with the scopes it is told (M-40)', async () => {
    const words = ['--domain', 'shop-test', '--scope', 'statistics=r', 'domains=w'];
    const scopes = { ...scopesOf(''), statistics: 'r', domains: 'w' };
    expect(credentialOf(await made(...words))).toMatchObject({ kind: 'domain', domainId, scopes });
  });

  test('makes an access key (M-40)', async () => {
    const shown = await made('--domain', domainId, '--type', 'token');
    expect(shown['client_id']).toBe(`${shown['client_secret']?.slice(0, 12)}…`);
    const scopes = { ...scopesOf(''), hit: 'w', event: 'w', session: 'w' };
    expect(credentialOf(shown)).toMatchObject({ kind: 'key', domainId, scopes });
  });

  test.each<[string, string[], RegExp]>([
    ['nobody it is for', [], /--email or --domain is required, and only one/],
    ['two that it is for', ['--email', EMAIL, '--domain', 'x'], /--email or --domain is required/],
    ['an unknown account', ['--email', 'bob@example.org'], /no account has the email 'bob@/],
    ['an unknown site', ['--domain', 'nowhere'], /no domain has the id 'nowhere'/],
    ['an unknown type', ['--email', EMAIL, '--type', 'basic'], /--type must be oauth or token/],
    ['an unknown area', ['--email', EMAIL, '--scope', 'hits=w'], /--scope must be such as stat/],
    ['no right', ['--email', EMAIL, '--scope', 'hit'], /--scope must be such as statistics=r/],
    ['an unknown right', ['--email', EMAIL, '--scope', 'hit=r'], /--scope hit must be empty or w/],
    [
      'what only accounts have',
      ['--domain', 'shop-test', '--scope', 'billing=r'],
      /--scope billing must be empty: only clients of accounts/,
    ],
    [
      'a key that reads',
      ['--email', EMAIL, '--type', 'token', '--scope', 'hit=w', 'domains=r'],
      /--scope domains must be empty: an access key only sends/,
    ],
  ])('with %s is one line, and makes none', async (_, words, line) => {
    registry.refresh();
    const before = registry.view.count(client);
    const ended = await footfall('create', ...words);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
    registry.refresh();
    expect(registry.view.count(client)).toBe(before);
  });
});

describe('client delete', () => {
  test.each(['id', 'client_id'])(
    'ends it and its tokens at once, named by its %s (M-40)',
    async (name) => {
      const shown = await made('--email', EMAIL);
      const access = new Access(registry);
      registry.refresh();
      const { client_id = '', client_secret = '' } = shown;
      const token = access.issueToken(client_id, client_secret, NOW_MS)?.accessToken ?? '';
      expect(access.authenticate(token, NOW_MS)).not.toBeNull();
      const ended = await footfall('delete', '--id', shown[name] ?? '');
      expect(ended).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(shown['id'] ?? ''),
      });
      registry.refresh();
      expect(access.authenticate(token, NOW_MS)).toBeNull();
      const again = await footfall('delete', '--id', shown[name] ?? '');
      expect(again).toMatchObject({ status: 1, stdout: '' });
      expect(again.stderr).toContain('no client has the id');
    },
  );
});
