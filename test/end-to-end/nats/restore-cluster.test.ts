// Goal (P-20): a backup, of a cluster or of one node, is restored into other NATS servers, where nodes
//   with empty directories say what the ones before said, byte for byte, and count on.
// Method: two nodes with hits, events, keys and a logo are backed up and thrown away. The restore into
//   new servers is killed twice in the middle, when nobody may start there, and run to its end. What is
//   asked of the old nodes is asked of the new ones, also after the servers were killed. Another backup
//   is of a single node, while it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RegistryStream } from '../../../src/bus/nats/registry.ts';
import { OperatingError } from '../../../src/model/errors.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { startCluster } from '../../support/cluster.ts';
import { largePng, themeForm } from '../../support/images.ts';
import { NatsServer } from '../../support/nats-server.ts';
import {
  cleanEnvironment,
  type DomainCredentials,
  ENTRY_POINT,
  makeTemporaryDirectory,
  type RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';
import { pause, until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const STATISTICS = ['total', 'visitor', 'page', 'page/entry', 'events', 'browser', 'country', 'os'];
const HITS = 2_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAYS = { from: dateOf(Date.now() - 5 * DAY_MS), to: dateOf(Date.now() + DAY_MS) };
const LOGO = largePng(600_000);
const WITHIN_MS = 60_000;

const folder = makeTemporaryDirectory();
const backup = join(folder, 'backup');
/** What the restore is given for the files of a node. */
const files = join(folder, 'files');
const server = new NatsServer();
/** What the nodes of before said. */
let sites: readonly DomainCredentials[];
let said: string[];
let logo: string;
let nodes: RunningService[] = [];

const env = () => ({
  ...{ FOOTFALL_NATS_SERVERS: server.url, FOOTFALL_SHARDS: '2' },
  ...{ FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1' },
});

beforeAll(async () => {
  await server.start();
  const cluster = await startCluster({
    ...{ nodes: 2, hostnames: ['one.example', 'two.example'], env: { FOOTFALL_SHARDS: '2' } },
  });
  try {
    await cluster.balanced(2, 120_000);
    sites = cluster.sites.map(({ domain }) => domain);
    for (const [at, site] of sites.entries()) await visit(cluster.nodes[at]!.baseUrl, site);
    logo = await uploadLogo(cluster.nodes[0]!);
    // Behind a snapshot of ten seconds ago there is more.
    await pause(11_000);
    for (const [at, site] of sites.entries()) await visitAgain(cluster.nodes[at]!.baseUrl, site);
    said = await Promise.all(sites.map((site) => wordsOf(cluster.nodes[0]!.baseUrl, site)));
    const taken = ['backup', '--to', backup, '--data-dir', cluster.nodes[0]!.dataDir];
    await runCommand(taken, { FOOTFALL_NATS_SERVERS: cluster.server.url });
  } finally {
    await cluster.dispose();
  }
}, 300_000);

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.dispose()));
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function hitOf({ hostname }: DomainCredentials, at: number, path = `/page-${at % 97}`) {
  return {
    ...{ url: `https://${hostname}${path}`, ip: `81.2.${at >> 8}.${at & 255}` },
    ...{ user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  };
}

async function visit(baseUrl: string, site: DomainCredentials): Promise<void> {
  const writer = new ApiClient(baseUrl, site.access_key);
  const hits = Array.from({ length: HITS }, (_, at) => hitOf(site, at));
  for (const atMs of [Date.now() - 3 * DAY_MS, Date.now()]) {
    const time = new Date(atMs).toISOString();
    for (let first = 0; first < HITS; first += 1_000) {
      const some = hits.slice(first, first + 1_000);
      await writer.collect(
        'hit/batch',
        some.map((hit) => ({ ...hit, time })),
      );
    }
  }
  await writer.collect('event', { ...hitOf(site, 7), event_name: 'Order' });
}

/** The last of it is known by its key; the same key again is a repeat. */
async function visitAgain(baseUrl: string, site: DomainCredentials): Promise<void> {
  const writer = new ApiClient(baseUrl, site.access_key);
  for (let at = 0; at < 50; at++) await writer.collect('hit', hitOf(site, at, '/late'));
  await writer.collect('hit', hitOf(site, 1, '/keyed'), `key-of-${site.id}`);
  await writer.collect('hit', hitOf(site, 1, '/keyed'), `key-of-${site.id}`);
}

async function readerAt(baseUrl: string, site: DomainCredentials): Promise<ApiClient> {
  return ApiClient.whenKnown(baseUrl, site.client_id, site.client_secret);
}

/** Answers of a node about a site. */
async function wordsOf(baseUrl: string, site: DomainCredentials): Promise<string> {
  const reader = await readerAt(baseUrl, site);
  const asked = { id: site.id, ...DAYS };
  const answers: unknown[] = [];
  for (const name of STATISTICS) answers.push(await reader.statistics(name, asked));
  const { body } = await reader.request('GET', `/api/v1/ledger?id=${site.id}&from=${DAYS.from}`);
  return JSON.stringify([...answers, body]);
}

async function viewsOf(baseUrl: string, site: DomainCredentials): Promise<number> {
  const [total] = JSON.parse(await wordsOf(baseUrl, site)) as [{ views: number }];
  return total.views;
}

/** @returns where it is served. */
async function uploadLogo(node: RunningService): Promise<string> {
  const { client_id, client_secret } = await node.createAccount('other@example.org');
  const { bearer } = await ApiClient.whenKnown(node.baseUrl, client_id, client_secret);
  const answer = await fetch(`${node.baseUrl}/api/v1/theme`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${bearer}` } },
    body: themeForm({ name: 'T', settings: {} }, { logo_light: LOGO }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { logo_light: string }).logo_light;
}

/** Kills a restore so long after it has begun to write. */
async function killedRestore(dataDir: string, afterMs: number): Promise<void> {
  const words = [ENTRY_POINT, 'restore', '--from', backup, '--data-dir', dataDir];
  const child = spawn(process.execPath, words, { env: cleanEnvironment(env()), stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(async () => (await registrySays()) === 'RESTORE_UNFINISHED', WITHIN_MS);
  await pause(afterMs);
  child.kill('SIGKILL');
  await ended;
}

interface Failed {
  readonly code: number;
  readonly stderr: string;
}

/** A command that says in one line why not. */
async function refused(words: readonly string[], given = env() as Record<string, string>) {
  const failed = await runCommand<Failed>(words, given).catch((error) => error as Failed);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr.trim().split('\n')).toHaveLength(1);
  return failed.stderr;
}

/** What the stream of the registry says to who opens it. */
async function registrySays(): Promise<string> {
  const access = { servers: [server.url], user: null, password: null, token: null };
  const options = { access: { ...access, credentials: null }, name: 'test', replicas: 1 };
  try {
    const stream = await RegistryStream.open({ ...options, prefix: 'footfall' }, false);
    await stream.close();
    return 'finished';
  } catch (error) {
    return error instanceof OperatingError ? error.code : String(error);
  }
}

/** One on the directory that a restore has left, or one and another whose directory is empty. */
async function startNodes(
  count: 1 | 2,
  { dataDir, given }: { dataDir: string; given: Record<string, string> },
): Promise<void> {
  for (const node of nodes) await node.dispose();
  nodes = [await startService({ dataDir, env: given })];
  if (count === 2) nodes.push(await startService({ env: given }));
}

test('P-20: a restore into other NATS servers may be killed: no node starts on a part, and run again it ends', {
  timeout: 300_000,
}, async () => {
  const dataDir = files;
  await killedRestore(dataDir, 0);
  expect(await registrySays()).toBe('RESTORE_UNFINISHED');
  const empty = join(makeTemporaryDirectory(), 'data');
  await expect(startService({ dataDir: empty, env: env() })).rejects.toThrow(
    /waits for the end of a restore of the backup made at .*run 'footfall restore' of that backup/,
  );
  const making = ['account', 'create', '--email', 'a@b.example', '--data-dir', empty];
  expect(await refused(making)).toMatch(/waits for the end of a restore/);
  rmSync(join(empty, '..'), { recursive: true, force: true });
  // A fast machine may have come to the end.
  await killedRestore(dataDir, 150);
  const words = ['restore', '--from', backup, '--data-dir', dataDir];
  if ((await registrySays()) !== 'finished') {
    expect(await runCommand(words, env())).toMatchObject({ shards: 2, nats_prefix: 'footfall' });
  }
  expect(await registrySays()).toBe('finished');
  expect(readdirSync(dataDir)).not.toContain('restore-draft');
  // What is there is not written over.
  expect(await refused([...words.slice(0, -1), join(folder, 'elsewhere')])).toMatch(
    /there is the stream FOOTFALL_REGISTRY; take servers that have none of Footfall/,
  );
});

test('P-20: nodes with empty directories say what was said before, byte for byte, and count on', {
  timeout: 300_000,
}, async () => {
  await startNodes(2, { dataDir: files, given: env() });
  for (const { baseUrl } of nodes) {
    for (const [at, site] of sites.entries()) {
      expect(await wordsOf(baseUrl, site)).toBe(said[at]);
    }
    const answer = await fetch(`${baseUrl}${logo}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(LOGO)).toBe(true);
  }
  for (const [at, site] of sites.entries()) {
    const { baseUrl } = nodes[at]!;
    const views = await viewsOf(baseUrl, site);
    const writer = new ApiClient(baseUrl, site.access_key);
    await writer.collect('hit', hitOf(site, 1, '/keyed'), `key-of-${site.id}`);
    expect(await viewsOf(nodes[1 - at]!.baseUrl, site)).toBe(views);
    await writer.collect('hit', hitOf(site, 9, '/new'));
    expect(await viewsOf(nodes[1 - at]!.baseUrl, site)).toBe(views + 1);
  }
  // Of the servers' own disk, with nodes that had never been there.
  const before = await Promise.all(sites.map((site) => wordsOf(nodes[0]!.baseUrl, site)));
  for (const node of nodes) await node.stop();
  await server.kill();
  await server.start();
  await startNodes(1, { dataDir: join(folder, 'never'), given: env() });
  for (const [at, site] of sites.entries()) {
    expect(await wordsOf(nodes[0]!.baseUrl, site)).toBe(before[at]);
  }
});

test('P-20: the backup of a single node that runs becomes a cluster; another number of shards is refused', {
  timeout: 300_000,
}, async () => {
  const alone = await startService({ env: { FOOTFALL_SHARDS: '2' } });
  try {
    const { email } = await alone.createAccount();
    const site = await alone.createDomain({ email, hostname: 'alone.example', timezone: 'UTC' });
    await readerAt(alone.baseUrl, site);
    await visit(alone.baseUrl, site);
    await visitAgain(alone.baseUrl, site);
    const to = join(folder, 'alone');
    await runCommand(['backup', '--to', to, '--data-dir', alone.dataDir]);
    // A question saves: the last hits are in the log of the backup alone.
    const words = await wordsOf(alone.baseUrl, site);
    const given = { ...env(), FOOTFALL_NATS_PREFIX: 'second' };
    const restore = ['restore', '--from', to, '--data-dir', join(folder, 'second')];
    expect(await refused(restore, { ...given, FOOTFALL_SHARDS: '3' })).toMatch(/2 shards for good/);
    const { FOOTFALL_NATS_SERVERS: servers, ...others } = given;
    await runCommand([...restore, '--nats-servers', servers], others);
    await startNodes(1, { dataDir: join(folder, 'second'), given });
    const { baseUrl } = nodes[0]!;
    expect(await wordsOf(baseUrl, site)).toBe(words);
    const views = await viewsOf(baseUrl, site);
    const writer = new ApiClient(baseUrl, site.access_key);
    await writer.collect('hit', hitOf(site, 1, '/keyed'), `key-of-${site.id}`);
    expect(await viewsOf(baseUrl, site)).toBe(views);
    await writer.collect('hit', hitOf(site, 5, '/new'));
    expect(await viewsOf(baseUrl, site)).toBe(views + 1);
  } finally {
    await alone.dispose();
  }
});
