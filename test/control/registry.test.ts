// Goal: every change lands exactly once and everybody sees it; a forbidden change leaves no trace.
// Method: several registries on one temporary directory, in this process and in real child processes.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createDomain, createFirstAccount } from '../../src/control/accounts.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { client } from '../../src/control/resources/client.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { user } from '../../src/control/resources/user.ts';
import { OperatingError } from '../../src/model/errors.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';

let directory: string;
let opened: Registry[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-registry-'));
  opened = [];
});

afterEach(async () => {
  for (const registry of opened) await registry.close();
  rmSync(directory, { recursive: true });
});

function open(): Registry {
  const registry = Registry.open(directory, NOW_MS);
  opened.push(registry);
  return registry;
}

async function faultsOf(act: () => unknown): Promise<Readonly<Record<string, string>>> {
  try {
    await act();
  } catch (error) {
    if (error instanceof OperatingError) return error.validation;
    throw error;
  }
  return { nothing: 'was refused' };
}

describe('accounts and domains', () => {
  test('credentials have the lengths of A-15, all alphanumeric', async () => {
    const registry = open();
    const account = await createAccount(registry, { email: EMAIL, name: ' Ada ' }, NOW_MS);
    const made = await createDomain(registry, { email: EMAIL, hostname: 'a.test' }, NOW_MS);
    expect(account.user.fullName).toBe('Ada');
    for (const { clientId, clientSecret } of [account, made]) {
      expect(clientId).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(clientSecret).toMatch(/^[A-Za-z0-9]{64}$/);
    }
    expect(made.accessKey).toMatch(/^pa_[A-Za-z0-9]{45}$/);
    expect(made.domain.identificationCode).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  test('secrets are stored hashed', async () => {
    const registry = open();
    const { clientId, clientSecret } = await createAccount(registry, { email: EMAIL }, NOW_MS);
    const stored = registry.view.by(client, 'clientId', clientId);
    expect(stored?.secretHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored)).not.toContain(clientSecret);
  });

  test('an email has one account, in whatever case it is written', async () => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const faults = await faultsOf(() =>
      createAccount(registry, { email: 'ADA@Example.org' }, NOW_MS),
    );
    expect(faults).toEqual({ email: "'ADA@Example.org' already has an account" });
  });

  test.each([
    ...['', 'ada', 'ada@', '@example.org', 'a b@example.org', `${'a'.repeat(250)}@b.org`],
    // What nobody sees, or reads as something else.
    ...['a\0b@example.org', 'a\u202eb@example.org', 'a\u200bb@example.org', '\ud800@example.org'],
  ])('the email %j is refused', async (email) => {
    expect(await faultsOf(() => createAccount(open(), { email }, NOW_MS))).toHaveProperty('email');
  });

  test.each([
    ['Example.COM', 'example.com'],
    [' www.example.com ', 'example.com'],
    ['www.sub.example.com', 'www.sub.example.com'],
    ['localhost', 'localhost'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['https://www.Example.com:8443/path?q=1#top', 'example.com'],
    ['HTTP://shop.example.com', 'shop.example.com'],
    ['example.com/path', 'example.com'],
    ['example.com:8080', 'example.com'],
  ])('the hostname %j is kept as %s (M-10, I-4)', async (hostname, kept) => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    expect((await createDomain(registry, { email: EMAIL, hostname }, NOW_MS)).domain.hostname).toBe(
      kept,
    );
  });

  test.each([
    '',
    'https://',
    'ftp://example.com/',
    'https://ada@example.com',
    '10.0.0.1',
    'https://[2001:db8::1]/',
    '1.2.3',
    'example.com:port',
    'exa mple.com',
    'a..b',
    '-a.com',
    '*.example.com',
    `${'a'.repeat(64)}.com`,
    `${'abcdefg.'.repeat(32)}com`,
  ])('the hostname %j is refused (M-10)', async (hostname) => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const faults = await faultsOf(() => createDomain(registry, { email: EMAIL, hostname }, NOW_MS));
    expect(Object.keys(faults)).toContain('hostname');
  });

  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['', 'UTC'],
    [' utc ', 'UTC'],
    ['Etc/UTC', 'Etc/UTC'],
    ['gmt', 'GMT'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['asia/ho_chi_minh', 'Asia/Ho_Chi_Minh'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['America/Argentina/ComodRivadavia', 'America/Argentina/ComodRivadavia'],
    ['US/Pacific', 'US/Pacific'],
  ])('the time zone %j is kept as %s (M-10)', async (timezone, kept) => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const wish = { email: EMAIL, hostname: 'a.test', timezone };
    expect((await createDomain(registry, wish, NOW_MS)).domain.timezone).toBe(kept);
  });

  test.each(['+02:00', 'Mars/Olympus', '-', 'UTC+2', 'Z'])(
    'the time zone %j is refused',
    async (timezone) => {
      const registry = open();
      await createAccount(registry, { email: EMAIL }, NOW_MS);
      const wish = { email: EMAIL, hostname: 'a.test', timezone };
      expect(await faultsOf(() => createDomain(registry, wish, NOW_MS))).toHaveProperty('timezone');
    },
  );

  test('one account may have a hostname twice, under subdomains of their own (I-9)', async () => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const wish = { email: EMAIL, hostname: 'shop.example.com' };
    const subdomains: string[] = [];
    for (let count = 0; count < 3; count++) {
      subdomains.push((await createDomain(registry, wish, NOW_MS)).domain.subdomain);
    }
    expect(subdomains).toEqual(['shop-example-com', 'shop-example-com-2', 'shop-example-com-3']);
  });

  test('a subdomain that is asked for and taken is refused', async () => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const wish = { email: EMAIL, hostname: 'a.test', subdomain: 'Mine' };
    expect((await createDomain(registry, wish, NOW_MS)).domain.subdomain).toBe('mine');
    expect(await faultsOf(() => createDomain(registry, wish, NOW_MS))).toEqual({
      subdomain: "'mine' is taken; choose another",
    });
  });

  test.each(['a.b', '-abc', 'abc-', 'a_b', 'ab', 'a'.repeat(64), 'www', 'Admin', 'readyz'])(
    'the subdomain %j is refused (M-10)',
    async (subdomain) => {
      const registry = open();
      await createAccount(registry, { email: EMAIL }, NOW_MS);
      const wish = { email: EMAIL, hostname: 'a.test', subdomain };
      expect(await faultsOf(() => createDomain(registry, wish, NOW_MS))).toHaveProperty(
        'subdomain',
      );
    },
  );

  test.each([
    ['localhost', 'localhost'],
    ['x.y', 'x-y'],
    ['a', 'a-2'],
    ['www', 'www-2'],
    ['_._', 'site'],
    [`${'abcdefg.'.repeat(20)}com`, 'abcdefg-'.repeat(6).concat('abc')],
  ])('without one, that of %s is %s (M-10)', async (hostname, subdomain) => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const wish = { email: EMAIL, hostname, subdomain: ' ' };
    expect((await createDomain(registry, wish, NOW_MS)).domain.subdomain).toBe(subdomain);
  });

  test('a domain for an unknown email is refused', async () => {
    const wish = { email: 'nobody@example.org', hostname: 'a.test' };
    await expect(createDomain(open(), wish, NOW_MS)).rejects.toThrow(
      "no account has the email 'nobody@",
    );
  });

  test('a refused change leaves no trace', async () => {
    const registry = open();
    await createAccount(registry, { email: EMAIL }, NOW_MS);
    const before = registry.sequence;
    await faultsOf(() => createDomain(registry, { email: EMAIL, hostname: 'a b' }, NOW_MS));
    expect(registry.sequence).toBe(before);
    expect([...registry.view.all(domain)]).toEqual([]);
    expect(open().sequence).toBe(before);
  });

  test('only an empty registry gets a first account', async () => {
    const registry = open();
    const wish = { email: EMAIL, hostname: 'a.test' };
    const first = await createFirstAccount(registry, wish, NOW_MS);
    expect(first?.domain.domain.userId).toBe(first?.account.user.id);
    expect(await createFirstAccount(open(), { ...wish, email: 'b@b.org' }, NOW_MS)).toBeNull();
  });
});

describe('several at once', () => {
  test('a change is seen by another registry after its refresh, and only once', async () => {
    const writer = open();
    const reader = open();
    expect(reader.refresh()).toBe(false);
    await createAccount(writer, { email: EMAIL }, NOW_MS);
    expect(reader.view.by(user, 'email', EMAIL)).toBeNull();
    expect(reader.refresh()).toBe(true);
    expect(reader.view.by(user, 'email', EMAIL)?.email).toBe(EMAIL);
    expect(reader.refresh()).toBe(false);
    expect(reader.sequence).toBe(writer.sequence);
  });

  test('a change decided on an older state is checked again on the newer one', async () => {
    const first = open();
    const second = open();
    await createAccount(first, { email: EMAIL }, NOW_MS);
    expect(await faultsOf(() => createAccount(second, { email: EMAIL }, NOW_MS))).toHaveProperty(
      'email',
    );
  });

  test('a change overtaken between its decision and its append is decided again', async () => {
    const slow = open();
    const quick = open();
    await createAccount(slow, { email: EMAIL }, NOW_MS);
    const seen: string[] = [];
    await slow.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, (view) => {
      seen.push(String(view.by(user, 'email', 'quick@example.org') !== null));
      if (seen.length === 1) void createAccount(quick, { email: 'quick@example.org' }, NOW_MS);
      const payload = {
        id: 'u'.repeat(20),
        email: 's@s.org',
        fullName: '',
        createdMs: 1,
        modifiedMs: 1,
      };
      return [{ kind: 'user-created', payload }];
    });
    expect(seen).toEqual(['false', 'true']);
    expect(slow.view.count(user)).toBe(3);
  });

  test('a change that others always overtake is given up with a clear error', async () => {
    const slow = open();
    const quick = open();
    let number = 0;
    await expect(
      slow.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => {
        void createAccount(quick, { email: `q${number++}@example.org` }, NOW_MS);
        const payload = { id: 'u', email: 's@s.org', fullName: '', createdMs: 1, modifiedMs: 1 };
        return [{ kind: 'user-created', payload }];
      }),
    ).rejects.toThrow('the registry was changed by others');
    slow.refresh();
    expect(slow.view.by(user, 'email', 's@s.org')).toBeNull();
    expect(slow.view.count(user)).toBe(number);
  });

  test('a registry that is loaded equals one that has followed every record', async () => {
    const followed = open();
    const writer = open();
    await createAccount(writer, { email: EMAIL }, NOW_MS);
    for (let number = 0; number < 20; number++) {
      await createDomain(writer, { email: EMAIL, hostname: 'a.test' }, NOW_MS + (number % 3));
    }
    const [client] = [...writer.view.all(domain)].map((domain) => domain.userId);
    const userId = client as string;
    followed.refresh();
    const order = (registry: Registry) =>
      registry.view.of(domain, 'userId', userId).map((domain) => domain.id);
    expect(order(open())).toEqual(order(followed));
    expect(order(followed)).toHaveLength(20);
  });

  test('all registries of a directory have the same keys', () => {
    const [first, second] = [open(), open()];
    expect(first.visitorKey).toHaveLength(32);
    expect(second.visitorKey).toEqual(first.visitorKey);
    expect(second.tokenKey).toEqual(first.tokenKey);
    expect(first.tokenKey).not.toEqual(first.visitorKey);
  });

  test('concurrent changes of four processes all land exactly once, and the keys stand', async () => {
    const perProcess = 25;
    const keys = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => ended(startWriter(name, perProcess))),
    );
    const registry = open();
    expect(new Set(keys)).toEqual(new Set([Buffer.from(registry.visitorKey).toString('hex')]));
    expect(registry.view.count(user)).toBe(4 * perProcess);
    // One record for the keys, one for each account: nothing twice, nothing missing.
    expect(registry.sequence).toBe(4 * perProcess + 1);
    for (const name of ['a', 'b', 'c', 'd']) {
      for (let number = 0; number < perProcess; number++) {
        expect(registry.view.by(user, 'email', `${name}${number}@example.org`)).not.toBeNull();
      }
    }
  });

  test('four processes that make the same directories at once all open them', async () => {
    const startMs = Date.now() + 3_000;
    const args = ['--input-type=module', '-e', MAKER, directory, String(startMs)];
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const makers = [1, 2, 3, 4].map(() => spawn(process.execPath, args, { stdio }));
    const keys = await Promise.all(makers.map(ended));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toHaveLength(DIRECTORIES * 64);
  });

  test('a process killed in the middle of its changes holds nobody up', async () => {
    for (let round = 0; round < 5; round++) {
      const writer = startWriter(`round${round}-`, 100_000);
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      writer.kill('SIGKILL');
      await new Promise((resolve) => writer.once('exit', resolve));
      const registry = open();
      const before = registry.view.count(user);
      await createAccount(registry, { email: `after${round}@example.org` }, NOW_MS);
      expect(registry.view.count(user)).toBe(before + 1);
      expect(before).toBe(registry.sequence - 2);
    }
  });
});

const modules = join(import.meta.dirname, '../../dist/src/control');

/** The built program: Node 20 runs no TypeScript. It prints its visitor key before the changes. */
const WRITER = `
  import { createAccount } from ${JSON.stringify(`${modules}/accounts.js`)};
  import { Registry } from ${JSON.stringify(`${modules}/registry/registry.js`)};
  const [directory, name, count] = process.argv.slice(1);
  const registry = Registry.open(directory, ${NOW_MS});
  process.stdout.write(Buffer.from(registry.visitorKey).toString('hex'));
  for (let number = 0; number < Number(count); number++) {
    await createAccount(registry, { email: name + number + '@example.org' }, ${NOW_MS});
  }
`;

const DIRECTORIES = 40;

/** All of them begin at one moment, so that they meet at most of the directories. */
const MAKER = `
  import { Registry } from ${JSON.stringify(`${modules}/registry/registry.js`)};
  const [directory, startMs] = process.argv.slice(1);
  while (Date.now() < Number(startMs));
  for (let number = 0; number < ${DIRECTORIES}; number++) {
    const registry = Registry.open(directory + '/' + number, ${NOW_MS});
    process.stdout.write(Buffer.from(registry.visitorKey).toString('hex'));
    await registry.close();
  }
`;

function startWriter(name: string, count: number) {
  const args = ['--input-type=module', '-e', WRITER, directory, name, String(count)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function ended(child: ReturnType<typeof startWriter>): Promise<string> {
  let output = '';
  let said = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (status) => {
      if (status === 0) resolve(output);
      else reject(new Error(`the writer ended with ${status}: ${said}`));
    });
  });
}
