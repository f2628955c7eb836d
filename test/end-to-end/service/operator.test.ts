// Goal: the service does for its operator what `src/docs/operating.md` promises.
// Method: the commands are run as real processes on directories of their own; what they print is
// executed or read as a person or a script would.
import {
  type ChildProcessWithoutNullStreams,
  execFile,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { LoadClient, seededRandom } from '../../support/clients/load-client.ts';
import {
  cleanEnvironment,
  ENTRY_POINT,
  makeTemporaryDirectory,
  PROJECT_ROOT,
  type RunningService,
  startService,
} from '../../support/service.ts';

const STOP_MS_MAX = 10_000;
const DAY_MS = 86_400_000;

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function temporaryDirectory(): string {
  const directory = makeTemporaryDirectory();
  cleanups.push(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

async function serviceForTest(options: Parameters<typeof startService>[0] = {}) {
  const running = await startService(options);
  cleanups.push(() => running.dispose());
  return running;
}

/** Runs a program to its end, at most 20 s. */
function run(file: string, flags: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  return new Promise<Ended>((resolve) => {
    const child = execFile(
      file,
      [...flags],
      { env: cleanEnvironment(), timeout: 20_000, ...options },
      (_error, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

function footfall(flags: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return run(process.execPath, [ENTRY_POINT, ...flags], { env: cleanEnvironment(env) });
}

/** Refusals are one line on standard error that says what to change, and status 1. */
function expectRefusal(ended: Ended, words: RegExp): void {
  expect(ended.status, ended.stderr).toBe(1);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).toMatch(words);
}

function range(id: string): { id: string; from: string; to: string } {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { id, from: day(Date.now() - DAY_MS), to: day(Date.now() + DAY_MS) };
}

describe('npm start on an empty directory', () => {
  test('prints commands that, pasted into a shell, send a hit and read it back', async () => {
    const child = spawn('npm', ['start', '--silent'], {
      cwd: PROJECT_ROOT,
      env: cleanEnvironment({ FOOTFALL_DATA_DIR: temporaryDirectory(), FOOTFALL_PORT: '0' }),
      // A group of its own, so that nothing of it can outlive the test.
      detached: true,
    });
    cleanups.push(() => endGroup(child.pid));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const printed = await outputUntil(child, /listening on (http:\S+)/);
    const commands = shellCommands(printed);
    expect(commands).toContain('/api/v1/hit');
    const pasted = await run('bash', ['-euo', 'pipefail', '-c', commands]);
    expect(pasted.status, `${pasted.stderr}\n${printed}`).toBe(0);
    expect(pasted.stdout).toMatch(/"visitors":1,"views":1,"sessions":1,/);

    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const baseUrl = /listening on (http:\S+)/.exec(printed)?.[1] ?? '';
    await expect(fetch(`${baseUrl}/livez`)).rejects.toThrow();
  });

  test('is the only one that makes an account', async () => {
    const running = await serviceForTest();
    const first = running.output;
    expect(first).toMatch(/curl/);
    await running.restart();
    expect(running.output.slice(first.length)).not.toMatch(/client_secret|curl/);
  });
});

/** All of standard output up to and with the line that matches. */
function outputUntil(child: ChildProcessWithoutNullStreams, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.once('close', () => reject(new Error(`ended early: ${printed}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (wanted.test(printed) && printed.endsWith('\n')) resolve(printed);
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended as it should.
  }
}

/** Lines from the first curl (or assignment) on that are commands, with their continuations. */
function shellCommands(printed: string): string {
  const lines = printed.split('\n');
  const kept: string[] = [];
  let isContinued = false;
  for (const line of lines) {
    const text = line.trim();
    const starts = /^(\$ )?(curl\b|[A-Z_a-z]+=)/.test(text);
    if (starts || isContinued) kept.push(isContinued ? line : text.replace(/^\$ /, ''));
    isContinued = (starts || isContinued) && (text.endsWith('\\') || hasOpenQuote(kept));
  }
  return kept.join('\n');
}

function hasOpenQuote(lines: readonly string[]): boolean {
  return (lines.join('\n').match(/'/g) ?? []).length % 2 === 1;
}

describe('starting is refused in one line that says what to change', () => {
  // More mistakes, each in one line: test/cli/program.test.ts.
  test.each([
    ['a malformed setting in the environment', [], { FOOTFALL_PORT: 'many' }, /FOOTFALL_PORT/],
    ['a value out of bounds', ['--port', '70000'], {}, /--port|FOOTFALL_PORT/],
    ['an unknown durability', ['--durability', 'maybe'], {}, /durability.*sync/],
    ['a missing settings file', [], { FOOTFALL_CONFIG: '/nowhere.json' }, /nowhere\.json/],
  ])('with %s', async (_what, flags, env, words) => {
    const dataDir = join(temporaryDirectory(), 'data');
    const ended = await footfall(['serve', '--data-dir', dataDir, ...flags], env);
    expectRefusal(ended, words);
  });

  test('with an unknown setting in the settings file, by its name', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'settings.json');
    writeFileSync(path, JSON.stringify({ port: 0, prot: 5 }));
    const ended = await footfall(['serve'], {
      FOOTFALL_CONFIG: path,
      FOOTFALL_DATA_DIR: directory,
    });
    expectRefusal(ended, /prot/);
  });
});

describe('the command', () => {
  test('settings tells every setting with its value and where it came from', async () => {
    const ended = await footfall(['settings', '--json'], { FOOTFALL_PORT: '9999' });
    expect(ended.status, ended.stderr).toBe(0);
    const text = ended.stdout;
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(text).toMatch(/9999/);
    expect(text).toMatch(/FOOTFALL_PORT/);
    for (const name of ['host', 'data_dir', 'durability', 'shards', 'geo_db', 'log_level']) {
      expect(text.toLowerCase()).toContain(name);
    }
  });

  test('settings is a table for people without --json', async () => {
    const ended = await footfall(['settings', '--durability', 'os']);
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(/durability.*\bos\b/i);
  });

  test('account and domain create work while no service runs', async () => {
    const running = await serviceForTest({ autoStart: false });
    const account = await running.createAccount('kim@example.org');
    expect(account).toMatchObject({ email: 'kim@example.org' });
    expect(account.client_id).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(account.client_secret).toMatch(/^[A-Za-z0-9]{64}$/);
    const domain = await running.createDomain({
      email: account.email,
      hostname: 'early.example',
      subdomain: 'early',
      timezone: 'Asia/Kathmandu',
    });
    expect(domain).toMatchObject({ hostname: 'early.example', timezone: 'Asia/Kathmandu' });
    expect(domain.access_key).toMatch(/^pa_[A-Za-z0-9]{45}$/);
    expect(domain.identification_code).toMatch(/^[A-Za-z0-9]{32}$/);
    await running.start();
    const key = new ApiClient(running.baseUrl, domain.access_key);
    await key.collect('hit', hitOf('early.example'));
  });
});

function hitOf(hostname: string): Record<string, string> {
  return {
    url: `https://${hostname}/`,
    ip: '81.2.69.142',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  };
}

describe('a running service', () => {
  const origin = 'https://app.example.org';
  let running: RunningService;
  let email = '';

  beforeAll(async () => {
    running = await startService({
      env: { FOOTFALL_CORS_ORIGINS: origin, FOOTFALL_LOG_LEVEL: 'warn' },
    });
    ({ email } = await running.createAccount());
  });

  afterAll(() => running.dispose());

  async function newSite(hostname: string): Promise<{ client: ApiClient; domain: Created }> {
    const domain = await running.createDomain({ email, hostname });
    const { client_id: id, client_secret: secret } = domain;
    return { domain, client: await ApiClient.whenKnown(running.baseUrl, id, secret) };
  }

  test('says that it lives and is ready', async () => {
    expect((await fetch(`${running.baseUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${running.baseUrl}/readyz`)).status).toBe(200);
    expect(running.output).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+/);
  });

  test('lets scripts of the origins that are set read it', async () => {
    const response = await fetch(`${running.baseUrl}/livez`, { headers: { origin } });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('refuses a second one on its data directory, and goes on', async () => {
    const second = await footfall(['serve', '--port', '0', '--data-dir', running.dataDir]);
    expectRefusal(second, /in use.*(pid|process) \d+|data.dir/i);
    expect((await fetch(`${running.baseUrl}/livez`)).status).toBe(200);
  });

  test('knows a domain that a command makes within a second', async () => {
    const domain = await running.createDomain({ email, hostname: 'later.example' });
    const createdMs = Date.now();
    const { client_id: id, client_secret: secret } = domain;
    const client = await ApiClient.whenKnown(running.baseUrl, id, secret);
    const key = new ApiClient(running.baseUrl, domain.access_key);
    await key.collect('hit', hitOf('later.example'));
    expect(Date.now() - createdMs).toBeLessThan(1_500);
    expect(await client.statistics('total', range(domain.id))).toMatchObject({ views: 1 });
  });

  test('has tokens that survive a restart and a kill, after which it starts as ever', async () => {
    const { client, domain } = await newSite('token.example');
    await running.restart();
    await client.collect('hit', hitOf('token.example'));
    await running.kill();
    await running.start();
    expect((await fetch(`${running.baseUrl}/livez`)).status).toBe(200);
    expect(await client.statistics('total', range(domain.id))).toMatchObject({ views: 1 });
  });

  test('tells what it dropped by rule also when only warnings are wanted (A-8)', async () => {
    const { client } = await newSite('drops.example');
    await client.collect('hit', { ...hitOf('drops.example'), user_agent: 'curl/8.5.0 robot' });
    expect(await running.stop()).toBe(0);
    expect(running.output).toMatch(/"dropped":\{"[\w-]+":1\},"msg":"hits dropped by rule"/);
  });
});

type Created = Awaited<ReturnType<RunningService['createDomain']>>;

describe('ending', () => {
  test.each(['sync', 'os'])(
    'with durability %s takes at most 10 s on SIGTERM under load, status 0, and loses nothing',
    async (durability) => {
      const running = await serviceForTest({ env: { FOOTFALL_DURABILITY: durability } });
      const { email } = await running.createAccount();
      const domain = await running.createDomain({ email, hostname: 'term.example' });
      const client = await ApiClient.whenKnown(
        running.baseUrl,
        domain.client_id,
        domain.client_secret,
      );
      const load = new LoadClient({
        baseUrl: running.baseUrl,
        accessKey: domain.access_key,
        hostname: domain.hostname,
        connections: 16,
        restMsMax: 2,
        random: seededRandom(42),
      });
      load.start();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const startMs = Date.now();
      expect(await running.stop()).toBe(0);
      expect(Date.now() - startMs).toBeLessThan(STOP_MS_MAX);
      await running.start();
      await load.stop();
      const views = load.ledger.filter((entry) => entry.fate === 'acknowledged');
      const owed = views.reduce((sum, entry) => sum + entry.views, 0);
      const unknown = load.ledger.filter((entry) => entry.fate !== 'acknowledged');
      const most = owed + unknown.reduce((sum, entry) => sum + entry.views, 0);
      const total = (await client.statistics('total', range(domain.id))) as { views: number };
      expect(owed).toBeGreaterThan(100);
      expect(total.views).toBeGreaterThanOrEqual(owed);
      expect(total.views).toBeLessThanOrEqual(most);
    },
  );

  test('by SIGINT has status 0 as well', async () => {
    const running = await serviceForTest();
    running.signal('SIGINT');
    expect(await running.stop()).toBe(0);
  });
});
