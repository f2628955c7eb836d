// Goal: every command does what the operator's interface says, and every mistake is one line.
// Method: the built program as a black box, on temporary data directories.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Access } from '../../src/control/access.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { erasure } from '../../src/control/resources/erasure.ts';
import { member } from '../../src/control/resources/member.ts';
import { user } from '../../src/control/resources/user.ts';
import { lockDataDir } from '../../src/runtime/directory/data-dir-lock.ts';
import { SETTING_KEYS, settingName } from '../../src/settings/schema.ts';
import { cleanEnvironment, ENTRY_POINT } from '../support/service.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-cli-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function footfall(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [ENTRY_POINT, ...words],
      { env: cleanEnvironment({ FOOTFALL_DATA_DIR: directory, ...env }), timeout: 20_000 },
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** The one object that `--json` prints. */
async function json(words: readonly string[]): Promise<Record<string, unknown>> {
  const ended = await footfall([...words, '--json']);
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(ended.stdout);
}

const ACCOUNT = ['account', 'create', '--email', 'ada@example.org'];
const DOMAIN = ['domain', 'create', '--email', 'ada@example.org', '--hostname', 'Example.com'];

describe('accounts and domains', () => {
  test('account create prints exactly what the interface promises', async () => {
    const made = await json([...ACCOUNT, '--name', 'Ada']);
    expect(Object.keys(made)).toEqual(['user_id', 'email', 'client_id', 'client_secret']);
    expect(made.email).toBe('ada@example.org');
  });

  test('domain list, transfer and delete do what the endpoints do (M-11, M-15)', async () => {
    await json(ACCOUNT);
    const bob = await json(['account', 'create', '--email', 'bob@example.org']);
    const { id, user_id } = await json(DOMAIN);
    const other = await json([...DOMAIN.slice(0, -1), 'second.test']);
    const listed = { id, hostname: 'example.com', subdomain: 'example-com', timezone: 'UTC' };
    const { domains } = await json(['domain', 'list']);
    expect(domains).toMatchObject([{ ...listed, email: 'ada@example.org' }, { id: other.id }]);
    const given = ['domain', 'transfer', '--id', String(id), '--email', 'Bob@example.org'];
    expect(await json(given)).toMatchObject({ id, user_id: bob.user_id, email: 'bob@example.org' });
    const ofBob = await json(['domain', 'list', '--email', 'bob@example.org']);
    expect(ofBob.domains).toEqual([{ ...listed, email: 'bob@example.org' }]);
    expect(await json(['domain', 'delete', '--id', String(id)])).toEqual({
      id,
      hostname: 'example.com',
    });
    const registry = Registry.open(directory, Date.now());
    expect([...registry.view.all(erasure)].map((one) => one.id)).toEqual([id]);
    expect(registry.view.of(member, 'userId', String(user_id))).toEqual([]);
    await registry.close();
    const text = await footfall(['domain', 'list']);
    expect(text.stdout.split('\n')[1]).toContain('second.test');
    for (const words of [['delete'], ['transfer', '--email', 'bob@example.org']]) {
      const ended = await footfall(['domain', ...words, '--id', String(id)]);
      expect(ended).toMatchObject({
        status: 1,
        stderr: `footfall: no domain has the id '${id}'\n`,
      });
    }
    const unknown = await footfall([...given.slice(0, 3), String(other.id), '--email', 'x@x.org']);
    expect(unknown.stderr).toContain("no account has the email 'x@x.org'");
  });

  test('domain create prints the domain object with its credentials', async () => {
    await json(ACCOUNT);
    const made = await json([...DOMAIN, '--subdomain', 'shop', '--timezone', 'Europe/Berlin']);
    expect(made).toMatchObject({
      hostname: 'example.com',
      subdomain: 'shop',
      timezone: 'Europe/Berlin',
      active_visitors_seconds: 600,
      group_by_title: false,
      client_id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      client_secret: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      access_key: expect.stringMatching(/^pa_[A-Za-z0-9]{45}$/),
    });
  });

  test('the printed credentials work', async () => {
    const account = await json(ACCOUNT);
    const domain = await json(DOMAIN);
    const registry = Registry.open(directory, 0);
    const access = new Access(registry);
    for (const { client_id, client_secret } of [account, domain]) {
      expect(access.issueToken(String(client_id), String(client_secret), 0)).not.toBeNull();
    }
    expect(access.authenticate(String(domain.access_key), 0)?.domainId).toBe(domain.id);
    await registry.close();
  });

  test('people get a line for each field, and the warning on standard error', async () => {
    const ended = await footfall(ACCOUNT);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toMatch(
      /^user_id +\S+\nemail +ada@example\.org\nclient_id +\S+\nclient_s/,
    );
    expect(ended.stderr).toContain('shown only now');
  });

  test('--data-dir goes before the environment', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await json([...ACCOUNT, '--data-dir', elsewhere]);
    const registry = Registry.open(elsewhere, 0);
    expect(registry.view.count(user)).toBe(1);
    await registry.close();
  });
});

test('a service on another port prints a command whose link leads to it, and the doctor says so', async () => {
  const env = cleanEnvironment({ FOOTFALL_DATA_DIR: directory });
  const service = spawn(process.execPath, [ENTRY_POINT, 'serve', '--port', '0'], { env });
  let printed = '';
  for await (const bytes of service.stdout) {
    printed += bytes;
    if (printed.includes('listening on')) break;
  }
  const url = /listening on (\S+)/.exec(printed)?.[1] ?? '';
  const command = /npx footfall (account password .*)\n/.exec(printed)?.[1] ?? '';
  const made = await json(command.replaceAll("'", '').split(' '));
  expect(made.link).toMatch(`${url}/reset?token=`);
  const found = async (port: string) => {
    const { stdout } = await footfall(['doctor', '--json'], { FOOTFALL_PORT: port });
    const { checks } = JSON.parse(stdout) as { checks: { check: string; found: string }[] };
    return checks.find(({ check }) => check === 'port')?.found;
  };
  expect(await found(new URL(url).port)).toMatch(/^\S+ is the running service's$/);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  expect(await found(String(port))).toMatch(/ is free; the running service has another/);
  service.kill();
  await once(service, 'exit');
});

describe('settings', () => {
  test('shows that a secret is set and never what it is', async () => {
    const { stdout } = await footfall(['settings', '--nats-token', 'hush-hush']);
    expect(stdout).toMatch(/nats_token +\(set\)/);
    expect(stdout).not.toContain('hush');
    expect(await json(['settings'])).toMatchObject({ nats_token: { value: null } });
  });

  test('every setting is there with its value, source, default, unit and bounds', async () => {
    const settings = await json(['settings', '--port', '81']);
    expect(Object.keys(settings)).toEqual(SETTING_KEYS.map(settingName));
    expect(settings.port).toMatchObject({ value: 81, origin: '--port', default: 8080, unit: '' });
    expect(settings.data_dir).toMatchObject({ value: directory, origin: 'FOOTFALL_DATA_DIR' });
    expect(settings.edges).toMatchObject({ default: 'by cores', unit: 'threads' });
  });

  test('people get a table', async () => {
    const { stdout } = await footfall(['settings', '--durability', 'os']);
    expect(stdout).toMatch(/^SETTING +VALUE +FROM +DEFAULT +UNIT +BOUNDS\n/);
    expect(stdout).toMatch(/\ndurability +os +--durability +sync +- +one of sync, os\n/);
  });
});

describe('help', () => {
  test.each([['--help'], ['serve', '--help'], ['domain', 'create', '--help']])(
    '%s %s is on standard output with status 0',
    async (...words) => {
      const ended = await footfall(words);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      expect(ended.stdout).toContain('Usage: footfall');
    },
  );

  test('serve takes every setting as a flag', async () => {
    const { stdout } = await footfall(['serve', '--help']);
    for (const key of SETTING_KEYS) {
      expect(stdout).toContain(`--${settingName(key).replaceAll('_', '-')} <value>`);
    }
  });

  test('--version prints the version of the package', async () => {
    expect((await footfall(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('mistakes are one line on standard error, nothing on standard output, status 1', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /^footfall: name a command; 'footfall --help' lists them\n$/],
    [
      'half a command',
      ['account'],
      /^footfall: name a command; 'footfall account --help' lists them\n$/,
    ],
    [
      'an unknown command',
      ['sevre'],
      /^footfall: unknown command 'sevre' \(Did you mean serve\?\)/,
    ],
    [
      'an unknown flag',
      ['serve', '--prot', '1'],
      /unknown option '--prot' \(Did you mean --port\?\)/,
    ],
    ['a superfluous word', ['settings', 'port'], /too many arguments/],
    ['a flag without its value', ['serve', '--port'], /'--port <value>' argument missing/],
    ['a malformed flag', ['serve', '--port', 'x'], /--port must be an integer from 0 to 65535/],
    ['a missing flag', ['account', 'create'], /required option '--email <email>' not specified/],
    [
      'a malformed email',
      ['account', 'create', '--email', 'ada'],
      /--email must be an email address/,
    ],
    ['a missing hostname', DOMAIN.slice(0, -2), /required option '--hostname <hostname>'/],
    ['an unknown account', DOMAIN, /no account has the email 'ada@example\.org'/],
  ])('%s', async (_, words, line) => {
    const ended = await footfall(words);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });

  test('NATS servers that are not there end the start with what to do', async () => {
    const ended = await footfall(['serve', '--port', '0', '--nats-servers', 'nats://127.0.0.1:1']);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toMatch(
      /no NATS server answers at nats:\/\/127\.0\.0\.1:1 .*start it or correct FOOTFALL_NATS_SERVERS\n$/,
    );
  });

  test.each<[string, string[], RegExp]>([
    ['a hostname with a space', ['--hostname', 'a b'], /--hostname must be a hostname/],
    ['an address as hostname', ['--hostname', '10.0.0.1'], /--hostname must be a hostname/],
    [
      'an unknown time zone',
      ['--timezone', 'Mars/Olympus'],
      /--timezone must be an IANA time zone/,
    ],
    ['a malformed subdomain', ['--subdomain', 'a.b'], /--subdomain must have 3 to 63 letters/],
  ])('%s', async (_, words, line) => {
    await json(ACCOUNT);
    const ended = await footfall([...DOMAIN, ...words]);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });

  test('an unknown setting in the environment stops every command', async () => {
    for (const words of [ACCOUNT, DOMAIN, ['settings'], ['serve']]) {
      const ended = await footfall(words, { FOOTFALL_PROT: '1' });
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toBe(
        'footfall: FOOTFALL_PROT is not a setting; did you mean FOOTFALL_PORT?\n',
      );
    }
  });

  test('a data directory that cannot be used', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const words of [ACCOUNT, ['serve', '--port', '0']]) {
      const ended = await footfall([...words, '--data-dir', file]);
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toContain(`the data directory ${file} cannot be used: `);
    }
  });

  test('a data directory that is not there is no empty installation, and is not made', async () => {
    const gone = join(directory, 'gone');
    for (const words of [['domain', 'list'], ['account', 'list'], DOMAIN]) {
      const ended = await footfall([...words, '--data-dir', gone]);
      const line = `footfall: the data directory ${gone} cannot be used: there is no such directory\n`;
      expect(ended).toEqual({ status: 1, stdout: '', stderr: line });
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a place where nothing can be made, which is told at once', async () => {
    const { id } = await json(ACCOUNT).then(() => json(DOMAIN));
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const keywords = ['keywords', 'import', '--id', String(id), '--file'];
    for (const [words, line] of [
      [
        ['serve', '--port', '0', '--data-dir', '/proc/footfall'],
        'the data directory /proc/footfall',
      ],
      [['backup', '--to', '/proc/footfall'], 'the backup /proc/footfall cannot be used: ENOENT'],
      [['export', '--id', String(id), '--out', file], '--out has to be an empty directory\n'],
      [[...keywords, directory], '--file cannot be read: EISDIR'],
      [[...keywords, `${file}s`], '--file cannot be read: ENOENT'],
    ] as const) {
      const ended = await footfall(words);
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toContain(`footfall: ${line}`);
    }
  });

  test('what cannot be imported is refused before any of it is copied (P-2)', async () => {
    const { id } = await json(ACCOUNT).then(() => json(DOMAIN));
    const large = join(directory, 'large.csv');
    writeFileSync(large, '');
    truncateSync(large, 9 * 1_024 ** 3);
    for (const [file, line] of [
      [large, '--id has 8589934592 bytes of uploads, which is the limit; '],
      ['/dev/zero', '--file cannot be imported: zero, line 1: expected a file or a folder'],
    ] as const) {
      const ended = await footfall(['import', '--id', String(id), '--file', file]);
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toContain(`footfall: ${line}`);
    }
    expect(readdirSync(directory)).not.toContain('imports');
  });

  test('a service goes on when whoever read its first lines is gone', async () => {
    const env = cleanEnvironment({ FOOTFALL_DATA_DIR: directory, FOOTFALL_PORT: '0' });
    const service = spawn(process.execPath, [ENTRY_POINT, 'serve'], { env });
    service.stdout.once('data', () => service.stdout.destroy());
    let log = '';
    service.stderr.on('data', (bytes: Buffer) => {
      log += bytes.toString();
      // What it writes next on standard output nobody reads.
      if (log.includes('node.started')) setTimeout(() => service.kill('SIGTERM'), 500);
    });
    const [status, signal] = await once(service, 'exit');
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  });

  test('a data directory that another service runs on', async () => {
    const lock = lockDataDir(directory);
    const ended = await footfall(['serve', '--port', '0']);
    lock.release();
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain(`is in use by process ${process.pid} on`);
  });

  test('a port that is taken, and no account was made for nothing', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const ended = await footfall(['serve', '--port', String(port)]);
    await new Promise((resolve) => server.close(resolve));
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain(`cannot listen on 127.0.0.1:${port}: another process listens`);
    const registry = Registry.open(directory, 0);
    expect(registry.view.count(user)).toBe(0);
    await registry.close();
  });

  test('a location database that cannot be read, and no account was made for nothing', async () => {
    const ended = await footfall(['serve', '--port', '0', '--geo-db', '/nowhere.mmdb']);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain('/nowhere.mmdb');
    const registry = Registry.open(directory, 0);
    expect(registry.view.count(user)).toBe(0);
    await registry.close();
  });
});

describe('a data directory of another version', () => {
  test.each([
    ['account create', ACCOUNT],
    ['domain create', DOMAIN],
    ['serve', ['serve', '--port', '0']],
  ])('%s refuses it and writes nothing', async (_, words) => {
    writeFileSync(join(directory, 'layout.json'), '{"format":2,"shards":64}');
    const ended = await footfall(words);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^footfall: .* was written by an earlier version .*\n$/);
    const left = readdirSync(directory).filter((name) => name !== 'service.lock');
    expect(left).toEqual(['layout.json']);
  });
});
