// Goal: an operator sees who has an account, and gets anybody back in by a link.
// Method: the built program as a black box, on temporary data directories.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { created, draftNew } from '../../src/control/descriptor/draft.ts';
import { linkOf } from '../../src/control/people/one-time-links.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { password } from '../../src/control/resources/password.ts';
import { secondFactor } from '../../src/control/resources/second-factor.ts';
import { ONE_TIME_LINK_MS } from '../../src/model/limits.ts';
import { cleanEnvironment, ENTRY_POINT, runCommand } from '../support/service.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-account-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const EMAIL = 'ada@example.org';
const run = <Answer>(words: readonly string[], env: Record<string, string> = {}) =>
  runCommand<Answer>(words, { FOOTFALL_DATA_DIR: directory, ...env });
const create = (email = EMAIL) => run<{ user_id: string }>(['account', 'create', '--email', email]);

interface Link {
  user_id: string;
  email: string;
  link: string;
}

/** What a person reads. */
function shown(words: readonly string[]) {
  const env = cleanEnvironment({ FOOTFALL_DATA_DIR: directory });
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [ENTRY_POINT, ...words],
      { env },
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

async function withRegistry<Result>(look: (registry: Registry) => Promise<Result> | Result) {
  const registry = Registry.open(directory, 0);
  try {
    return await look(registry);
  } finally {
    await registry.close();
  }
}

test('account password prints a link that is good for a day (M-81)', async () => {
  const { user_id } = await create();
  const made = await run<Link>(['account', 'password', '--email', 'ADA@example.org']);
  expect(made).toEqual({
    ...{ user_id, email: EMAIL },
    link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/reset\?token=[A-Za-z0-9]{32}$/),
  });
  const token = new URL(made.link).searchParams.get('token') ?? '';
  await withRegistry(({ view }) => {
    const found = linkOf(token, view, 0);
    expect(found?.userId).toBe(user_id);
    expect(found?.expiresMs).toBe((found?.createdMs ?? 0) + ONE_TIME_LINK_MS);
  });
});

test('a link begins with the address of the service', async () => {
  await create();
  const words = ['account', 'password', '--email', EMAIL];
  const env = { FOOTFALL_BASE_URL: 'https://stats.example.org/' };
  expect((await run<Link>(words, env)).link).toMatch(
    /^https:\/\/stats\.example\.org\/reset\?token=/,
  );
  const given = await run<Link>([...words, '--base-url', 'http://10.0.0.7:9000'], env);
  expect(given.link).toMatch(/^http:\/\/10\.0\.0\.7:9000\/reset\?token=/);
});

test('people read the link, and what it is good for', async () => {
  await create();
  const ended = await shown(['account', 'password', '--email', EMAIL]);
  expect(ended.status).toBe(0);
  expect(ended.stdout).toMatch(/\nlink +http:\/\/127\.0\.0\.1:8080\/reset\?token=\w{32}\n$/);
  expect(ended.stderr).toContain('once, within 24 hours');
});

test('nobody has a link to an account that is not there', async () => {
  const ended = await shown(['account', 'password', '--email', 'nobody@example.org']);
  expect(ended).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: "footfall: no account has the email 'nobody@example.org'\n",
  });
});

test('account password leaves two-factor sign-in on, unless it is asked to end it (M-80)', async () => {
  const { user_id: userId } = await create();
  await withRegistry((registry) =>
    registry.change({ nowMs: 0, by: { kind: 'cli', id: '' } }, (view) => {
      const sent = { hash: 'x', secret: 'y' };
      const context = { sent, userId, nowMs: 0, view };
      const factor = { ...draftNew(secondFactor, context).record, isConfirmed: true };
      return [created(password, draftNew(password, context).record), created(secondFactor, factor)];
    }),
  );
  const factors = () => withRegistry(({ view }) => view.count(secondFactor));
  const words = ['account', 'password', '--email', EMAIL];
  await run(words);
  expect(await factors()).toBe(1);
  expect(await run(['account', 'list'])).toMatchObject({
    accounts: [{ user_id: userId, password: true, totp: true }],
  });
  await run([...words, '--no-totp']);
  expect(await factors()).toBe(0);
});

test('account list shows every account, oldest first', async () => {
  expect(await run(['account', 'list'])).toEqual({ accounts: [] });
  const { user_id } = await create();
  await create('bob@example.org');
  await run(['domain', 'create', '--email', EMAIL, '--hostname', 'example.com']);
  const { accounts } = await run<{ accounts: object[] }>(['account', 'list']);
  expect(accounts).toEqual([
    {
      ...{ user_id, email: EMAIL, full_name: '' },
      ...{
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        domains: 1,
        password: false,
        totp: false,
      },
    },
    expect.objectContaining({ email: 'bob@example.org', domains: 0 }),
  ]);
  const { stdout } = await shown(['account', 'list']);
  const [head = '', ada = '', bob = '', ...rest] = stdout.split('\n');
  expect(head).toMatch(/^user_id +email +full_name +created +domains +password +totp$/);
  expect(ada.indexOf('ada@')).toBe(head.indexOf('email'));
  expect(bob.indexOf('bob@')).toBe(head.indexOf('email'));
  expect(rest).toEqual(['']);
});
