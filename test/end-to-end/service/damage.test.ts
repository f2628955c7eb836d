// Goal: damage to any file of a data directory is never answered with a wrong number: an answer is what
//   it was before, or is refused; a start that is refused says in one line which file and what to do.
// Method: a directory with three sites over several days (some days packed, hits with keys, events, one
//   more commit in the log than was saved); copies with one bit flipped or one page zeroed anywhere; the
//   built service answers the same questions over each. As many wounds as `runs.ts` says. Then single
//   cases by name.
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { type Wound, wound } from '../../support/faults/damage.ts';
import { IS_LONG, runs, SEED } from '../../support/runs.ts';
import {
  type DomainCredentials,
  makeTemporaryDirectory,
  RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';

const random = seededRandom(SEED);
const COUNT = runs(24);
const ENV = {
  ...{ FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1', FOOTFALL_QUERY_THREADS: '1' },
  ...{ FOOTFALL_SHARDS: '2', FOOTFALL_LOG_LEVEL: 'error', FOOTFALL_LOG_FORMAT: 'json' },
};
const DAY_MS = 86_400_000;
const DAYS = [400, 9, 8, 2, 1, 0].map((ago) => dateOf(Date.now() - ago * DAY_MS));
const NAMES = ['total', 'visitor', 'page', 'session/list', 'events', 'browser', 'tags'];
const HITS_PER_BATCH = 400;

let healthy: RunningService;
let domains: DomainCredentials[];
/** What every question is answered without damage. */
let expected: Map<string, string>;

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function hitsOf(domain: DomainCredentials, day: string, from: number): object[] {
  return Array.from({ length: HITS_PER_BATCH }, (_, index) => {
    // No two sites have the same blocks; a multiple of 7, so that all have as many events.
    const number = from + index + 7_007 * domains.indexOf(domain);
    const isEvent = number % 7 === 0;
    return {
      ...{ url: `https://${domain.hostname}/page/${number % 97}?utm_source=source-${number % 31}` },
      ...{ ip: `10.1.${(number >> 3) % 250}.${number % 50}`, user_agent: AGENT },
      ...{
        time: `${day}T00:${pad((number / 60) % 10)}:${pad(number % 60)}Z`,
        title: `Title ${number % 97}`,
      },
      ...{ referrer: `https://from-${number % 13}.example/`, tags: { kind: `tag ${number % 5}` } },
      ...(isEvent ? { event_name: `event ${number % 4}`, event_meta: { value: number } } : {}),
    };
  });
}

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

function pad(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

async function send(baseUrl: string, domain: DomainCredentials, day: string, from: number) {
  const hits = hitsOf(domain, day, from);
  const client = new ApiClient(baseUrl, domain.access_key);
  for (const [path, isEvent] of [
    ['/api/v1/hit/batch', false],
    ['/api/v1/event/batch', true],
  ] as const) {
    const body = hits.filter((hit) => 'event_name' in hit === isEvent);
    const headers = { 'Idempotency-Key': `${domain.id}-${day}-${from}-${path}` };
    const answer = await client.request('POST', path, { body, headers });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}

/** Questions by name: each day alone and all together. */
function questions(): { domain: DomainCredentials; name: string; from: string; to: string }[] {
  const ranges = [...DAYS.map((day) => [day, day]), [DAYS[0], DAYS.at(-1)]] as [string, string][];
  return domains.flatMap((domain) =>
    ranges.flatMap(([from, to]) => NAMES.map((name) => ({ domain, name, from, to }))),
  );
}

interface Answers {
  readonly answers: Map<string, string>;
  /** Answered 503 since the state is damaged. */
  readonly refused: Set<string>;
}

async function askAll(baseUrl: string): Promise<Answers> {
  const answers = new Map<string, string>();
  const refused = new Set<string>();
  const readers = new Map<string, ApiClient>();
  for (const { domain, name, from, to } of questions()) {
    const { id, client_id, client_secret } = domain;
    const reader =
      readers.get(id) ?? (await ApiClient.withSecret(baseUrl, client_id, client_secret));
    readers.set(id, reader);
    const path = `/api/v1/statistics/${name}?id=${id}&from=${from}&to=${to}&tz=UTC&limit=500`;
    const { status, body, headers } = await reader.request('GET', path);
    const key = `${domain.hostname} ${name} ${from} ${to}`;
    if (status === 503) {
      expect(JSON.stringify(body)).toMatch(/stored data of this site.* is damaged/);
      expect(JSON.stringify(body)).not.toMatch(/\/(state|tmp)|data\.mdb/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      refused.add(key);
      continue;
    }
    expect(status, `${key}: ${JSON.stringify(body)}`).toBe(200);
    answers.set(key, JSON.stringify(body));
  }
  return { answers, refused };
}

function copyOfHealthy(): string {
  const directory = makeTemporaryDirectory();
  cpSync(healthy.dataDir, directory, { recursive: true });
  return directory;
}

/** What became of a directory: '' with its answers, or the line of the refused start. */
async function outcomeOf(
  dataDir: string,
): Promise<{ line: string; found: Answers; output: string }> {
  const service = new RunningService({ dataDir, env: ENV });
  const nothing = { answers: new Map(), refused: new Set<string>() };
  try {
    await service.start();
  } catch {
    const lines = service.output
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(service.output, 'a refused start is no stack trace').not.toMatch(/^ {4}at /m);
    expect(lines, service.output).toHaveLength(1);
    return { line: lines[0] ?? '', found: nothing, output: service.output };
  }
  try {
    const found = await askAll(service.baseUrl);
    expect(service.pid, 'the service lives').toBeGreaterThan(0);
    return { line: '', found, output: service.output };
  } finally {
    await service.dispose();
  }
}

function wrongOnes({ answers }: Answers): string[] {
  return [...answers].flatMap(([key, body]) => (expected.get(key) === body ? [] : [key]));
}

beforeAll(async () => {
  healthy = await startService({ env: ENV });
  const { email } = await healthy.createAccount();
  domains = [];
  for (const name of ['one', 'two', 'three']) {
    const hostname = `${name}.example`;
    domains.push(await healthy.createDomain({ email, hostname, timezone: 'UTC' }));
  }
  const [first] = domains as [DomainCredentials];
  await ApiClient.whenKnown(healthy.baseUrl, first.client_id, first.client_secret);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const domain of domains) {
    for (const [index, day] of DAYS.entries()) {
      for (let batch = 0; batch < (index === 1 ? 6 : 1); batch++) {
        await send(healthy.baseUrl, domain, day, batch * HITS_PER_BATCH);
      }
    }
  }
  // Days that are over are packed half a minute after their last hit.
  if (IS_LONG) await new Promise((done) => setTimeout(done, 45_000));
  await healthy.restart();
  // What is saved is not all that the log has.
  for (const domain of domains) await send(healthy.baseUrl, domain, DAYS[5] ?? '', 5_000);
  const { answers, refused } = await askAll(healthy.baseUrl);
  expect(refused.size).toBe(0);
  expected = answers;
  await healthy.kill();
}, 240_000);

afterAll(() => healthy.dispose());

test('without damage a copy answers the same, and verify finds nothing', async () => {
  const directory = copyOfHealthy();
  const verified = await runCommand<{ is_sound: boolean }>(['verify', '--data-dir', directory], {});
  expect(verified).toMatchObject({ is_sound: true, damages: [] });
  const { line, found } = await outcomeOf(directory);
  expect(line).toBe('');
  expect(wrongOnes(found)).toEqual([]);
  expect(found.answers.size).toBe(expected.size);
  rmSync(directory, { recursive: true });
});

test('nobody else may look into the directories with hits and keys', () => {
  for (const name of ['log', 'state', 'registry']) {
    expect(statSync(join(healthy.dataDir, name)).mode & 0o777, name).toBe(0o700);
  }
});

test(`no wrong number after ${COUNT} bit flips and zeroed pages (seed ${SEED})`, {
  timeout: COUNT * 30_000,
}, async () => {
  const counts = { same: 0, 'some refused': 0, 'start refused': 0 };
  const wrong: { wound: Wound; keys: string[] }[] = [];
  for (let index = 0; index < COUNT; index++) {
    const directory = copyOfHealthy();
    const done = wound(directory, index % 3 === 2 ? 'page' : 'bit', random);
    const { line, found } = await outcomeOf(directory).catch((error) => {
      throw new Error(`${JSON.stringify(done)}: ${error.message}`, { cause: error });
    });
    const keys = wrongOnes(found);
    if (keys.length > 0) wrong.push({ wound: done, keys });
    if (line !== '') {
      counts['start refused']++;
      // One line names the file, or the log that ends too early.
      const isNamed = line.includes(directory) || line.includes('the log ends at');
      expect(isNamed, `${JSON.stringify(done)}: ${line}`).toBe(true);
      console.log(`${JSON.stringify(done)}: ${line}`);
    } else counts[found.refused.size > 0 ? 'some refused' : 'same']++;
    rmSync(directory, { recursive: true });
  }
  console.log(`damage test, seed ${SEED}: ${COUNT} wounds, ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
});

describe('what is gone or cut off is named at the start', () => {
  const BACKUP = 'restore the data directory from a backup, as a whole';
  const stateFile = (directory: string) => {
    const [shard = ''] = readdirSync(join(directory, 'state'));
    return join(directory, 'state', shard, 'data.mdb');
  };

  test.each<[what: string, wound: (directory: string) => void, says: RegExp]>([
    [
      'a missing registry',
      (directory) => rmSync(join(directory, 'registry'), { recursive: true }),
      /registry\/data\.mdb is damaged: it is missing, though there are hits; restore the directory registry/,
    ],
    [
      'an empty registry file',
      (directory) => truncateSync(join(directory, 'registry/data.mdb')),
      /registry\/data\.mdb is damaged: it is missing/,
    ],
    [
      'a registry that is cut off',
      (directory) => truncateSync(join(directory, 'registry/data.mdb'), 3 * 4_096),
      /registry\/data\.mdb is damaged: the file is cut off/,
    ],
    [
      'a missing state of a shard',
      (directory) => rmSync(join(stateFile(directory), '..'), { recursive: true }),
      new RegExp(`data\\.mdb is damaged: it is missing; ${BACKUP}`),
    ],
    [
      'a missing directory of states',
      (directory) => rmSync(join(directory, 'state'), { recursive: true }),
      new RegExp(`data\\.mdb is damaged: it is missing; ${BACKUP}`),
    ],
    [
      'a state that is cut off in the middle',
      (directory) => truncateSync(stateFile(directory), 20 * 4_096),
      new RegExp(`data\\.mdb is damaged: the file is cut off; ${BACKUP}`),
    ],
    [
      'a missing log',
      (directory) => rmSync(join(directory, 'log'), { recursive: true }),
      /the log ends at 0 but a checkpoint says \d+: restore the directories log and state/,
    ],
  ])('%s', async (_, wound, says) => {
    const directory = copyOfHealthy();
    wound(directory);
    const { line } = await outcomeOf(directory);
    expect(line).toMatch(says);
    const verify = runCommand(['verify', '--data-dir', directory]);
    await expect(verify).rejects.toMatchObject({ code: 1 });
    rmSync(directory, { recursive: true });
  });
});

test('a damaged block refuses its site and day only; hits of other sites and days go on', async () => {
  const directory = copyOfHealthy();
  const [first, second] = domains as [DomainCredentials, DomainCredentials];
  const day = DAYS[1] ?? '';
  const wound = await damageBlock(directory, first.id, day);
  const verified = await failedVerify(directory);
  expect(verified.damages).toEqual([
    { file: wound.file, fault: expect.stringContaining('checksum'), domain_id: first.id, day },
  ]);

  const service = new RunningService({ dataDir: directory, env: ENV });
  await service.start();
  const { answers, refused } = await askAll(service.baseUrl);
  const names = new Set([...refused].map((key) => key.split(' ')[0]));
  expect([...names]).toEqual([first.hostname]);
  const onOtherDays = [...refused].filter(
    (key) => !key.includes(day) && !key.endsWith(`${DAYS[0]} ${DAYS.at(-1)}`),
  );
  expect(onOtherDays).toEqual([]);
  expect(refused.size).toBeGreaterThan(0);
  expect(wrongOnes({ answers, refused })).toEqual([]);
  expect(service.output).toContain(`site ${first.id}, day ${day}`);

  // Today's hits of the same site count, and so do another site's; so does what is asked while it runs.
  for (const domain of [first, second])
    await send(service.baseUrl, domain, DAYS.at(-1) ?? '', 9_000);
  expect(await viewsOf(service.baseUrl, first, DAYS.at(-1) ?? '')).toBeGreaterThan(HITS_PER_BATCH);
  expect((await failedVerify(directory)).damages).toHaveLength(1);

  // A hit of the damaged day is taken and stays in the log; the service goes on, also after a start.
  await send(service.baseUrl, first, day, 12_000);
  await send(service.baseUrl, second, DAYS.at(-1) ?? '', 15_000);
  await expectRefused(service.baseUrl, first);
  // Refusing one site holds no other up, nor is the other told of damage.
  expect(await viewsOf(service.baseUrl, second, DAYS.at(-1) ?? '')).toBeGreaterThan(0);
  await service.restart();
  await send(service.baseUrl, second, day, 9_000);
  const views = await viewsOf(service.baseUrl, second, day);
  await expectRefused(service.baseUrl, first);

  // With the block as it was everything acknowledged counts.
  await service.stop();
  flip(wound);
  await service.start();
  expect(await viewsOf(service.baseUrl, second, day)).toBe(views);
  expect(await viewsOf(service.baseUrl, first, day)).toBe(views);
  await service.dispose();
  rmSync(directory, { recursive: true });
});

/** Position of the table of sessions in the keys of blocks. */
const SESSIONS = TABLE_NAMES.indexOf('sessions');
/** Bits that are flipped: every question needs some column of it. */
const FLIPS_MIN = 40;
const FLIP_EVERY_BYTES = 64;

interface BlockWound {
  readonly file: string;
  readonly places: readonly number[];
}

/** Flips bits in the first block of sessions of a site's day, or all blocks of a packed one, also in copies that LMDB has let go of. */
async function damageBlock(directory: string, domainId: string, day: string): Promise<BlockWound> {
  for (const shard of readdirSync(join(directory, 'state'))) {
    const environment = new StateEnvironment(join(directory, 'state', shard));
    const dayNumber = Date.parse(day) / DAY_MS;
    const value =
      environment.get(['b', domainId, dayNumber, SESSIONS, 0]) ??
      environment.get(['s', domainId, dayNumber, 0]);
    await environment.close();
    if (value === undefined) continue;
    const file = join(directory, 'state', shard, 'data.mdb');
    const bytes = readFileSync(file);
    const places: number[] = [];
    for (let at = bytes.indexOf(value); at !== -1; at = bytes.indexOf(value, at + 1)) {
      const flips = Math.max(FLIPS_MIN, Math.floor(value.length / FLIP_EVERY_BYTES));
      for (let bit = 1; bit <= flips; bit++) {
        places.push(at + Math.floor((value.length * bit) / (flips + 1)));
      }
    }
    flip({ file, places });
    return { file, places };
  }
  throw new Error('the block is stored');
}

/** Undoes it, too: in place, as the file may be mapped. */
function flip({ file, places }: BlockWound): void {
  const fd = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  for (const at of places) {
    readSync(fd, byte, 0, 1, at);
    byte[0]! ^= 4;
    writeSync(fd, byte, 0, 1, at);
  }
  closeSync(fd);
}

interface Verified {
  readonly damages: readonly Record<string, unknown>[];
}

/** What `footfall verify --json` prints when it finds something. */
async function failedVerify(directory: string): Promise<Verified> {
  const asked = runCommand(['verify', '--data-dir', directory]);
  const failed = (await asked.catch((error: unknown) => error)) as { stdout: string };
  expect(failed).toMatchObject({ code: 1 });
  return JSON.parse(failed.stdout);
}

async function total(
  baseUrl: string,
  { id, client_id, client_secret }: DomainCredentials,
  day: string,
) {
  const reader = await ApiClient.whenKnown(baseUrl, client_id, client_secret);
  return reader.request('GET', `/api/v1/statistics/total?id=${id}&from=${day}&to=${day}&tz=UTC`);
}

async function viewsOf(baseUrl: string, domain: DomainCredentials, day: string): Promise<number> {
  const { status, body } = await total(baseUrl, domain, day);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { views: number }).views;
}

async function expectRefused(baseUrl: string, domain: DomainCredentials): Promise<void> {
  const { status, body } = await total(baseUrl, domain, DAYS.at(-1) ?? '');
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toContain('is damaged');
}
