// Goal (P-20): a backup of three nodes on NATS, taken under load while shards move and nodes are killed,
//   has every hit that was acknowledged before it began, none twice; it is restored for one node.
// Method: each site's load goes to a node of its own, with a ledger as in the crash test; nodes are
//   killed during the backups. Sites share shards, and one of them is asked all the time, so that it is
//   saved ahead of its shard. Each is restored elsewhere, started without NATS, and every request is
//   looked up by its own page. At last nothing is sent: all numbers are equal.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { LoadClient, seededRandom } from '../../support/clients/load-client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { totalViews, wrongCounts } from '../../support/faults/ledger-check.ts';
import { IS_LONG, SEED } from '../../support/runs.ts';
import {
  cleanEnvironment,
  ENTRY_POINT,
  makeTemporaryDirectory,
  RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';
import {
  startThreeServers,
  THREE_SERVERS_PASSWORD,
  THREE_SERVERS_USER,
} from '../../support/three-servers.ts';
import { pause } from '../../support/until.ts';

const HOSTNAMES = ['one.example', 'two.example', 'three.example'];
/** Backups under load; in each a node is killed. */
const ROUNDS = IS_LONG ? 5 : 1;
/** Fewer than sites. */
const SHARDS = { FOOTFALL_SHARDS: '2' };

const random = seededRandom(SEED);
const folder = makeTemporaryDirectory();
const backup = join(folder, 'backup');
let cluster: TestCluster;
const loads: LoadClient[] = [];

beforeAll(async () => {
  const env = { ...SHARDS, FOOTFALL_SPOOL: 'on' };
  cluster = await startCluster({ nodes: 3, hostnames: HOSTNAMES, env });
  await cluster.balanced(3, 120_000);
  for (const [index, { domain }] of cluster.sites.entries()) {
    const { hostname, access_key: accessKey } = domain;
    const { baseUrl } = cluster.nodes[index]!;
    const options = { baseUrl, accessKey, hostname, connections: 2, restMsMax: 40, random };
    loads.push(new LoadClient(options));
  }
}, 240_000);

afterAll(async () => {
  await cluster?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const natsOf = () => ({ FOOTFALL_NATS_SERVERS: cluster.server.url });

function backupProcess(...flags: string[]): ChildProcess {
  const words = ['backup', '--data-dir', cluster.nodes[0]!.dataDir, ...flags];
  return spawn(process.execPath, [ENTRY_POINT, ...words], {
    env: { ...cleanEnvironment(), ...natsOf() },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function restored(from = backup): Promise<RunningService> {
  const dataDir = join(makeTemporaryDirectory(), 'data');
  await runCommand(['restore', '--from', from, '--data-dir', dataDir]);
  expect(await runCommand(['verify', '--data-dir', dataDir])).toMatchObject({ is_sound: true });
  const copy = new RunningService({ dataDir, env: { FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '2' } });
  await copy.start();
  return copy;
}

async function dispose(copy: RunningService): Promise<void> {
  await copy.dispose();
  rmSync(join(copy.dataDir, '..'), { recursive: true, force: true });
}

test(`P-20: ${ROUNDS} backups of three nodes under load and kills have what was acknowledged before (seed ${SEED})`, {
  timeout: 900_000,
}, async () => {
  for (const load of loads) load.start();
  const asking = new AbortController();
  const asked = askAlways(asking.signal);
  for (let round = 0; round < ROUNDS; round++) {
    // Nodes store snapshots every ten seconds: some of the hits are in one, and some behind it.
    await pause((round === 0 ? 11_000 : 1_000) + random() * 4_000);
    const before = loads.map(({ ledger }) => ledger.map((entry) => ({ ...entry })));
    const copying = once(backupProcess('--to', backup, '--incremental'), 'exit');
    await pause(random() * 1_500);
    const killed = cluster.nodes[round % 3]!;
    await killed.kill();
    const [status] = await copying;
    expect(status).toBe(0);
    await killed.start();
    expect(await runCommand(['verify', '--backup', backup])).toMatchObject({ is_sound: true });
    const copy = await restored();
    for (const [index, { domain }] of cluster.sites.entries()) {
      const { client_id, client_secret } = domain;
      const reader = await ApiClient.withSecret(copy.baseUrl, client_id, client_secret);
      const own = before[index]!;
      // What had no answer yet, or was sent later, may be there once or not.
      const owed = own.map((entry) => ({ ...entry, hasKey: false }));
      const later = loads[index]!.ledger.slice(own.length);
      const free = later.map((entry) => ({ ...entry, fate: 'unknown' as const, hasKey: false }));
      const ledger = [...owed, ...free];
      const wrong = await wrongCounts({ domain, reader, load: { ledger } });
      expect(wrong.slice(0, 20), `${wrong.length} wrong counts`).toEqual([]);
      expect(own.filter(({ fate }) => fate === 'acknowledged').length).toBeGreaterThan(5);
    }
    await dispose(copy);
  }
  asking.abort();
  await asked;
});

/** Asks for the numbers of the second site, of a node that is not killed in the first round. */
async function askAlways(signal: AbortSignal): Promise<void> {
  const { client_id, client_secret, id } = cluster.sites[1]!.domain;
  const { baseUrl } = cluster.nodes[1]!;
  const reader = await ApiClient.withSecret(baseUrl, client_id, client_secret);
  while (!signal.aborted) {
    await totalViews({ domain: { id }, reader }).catch(() => {});
    await pause(5);
  }
}

test('P-20: at rest all numbers are equal, and what is renewed takes only what has changed', {
  timeout: 600_000,
}, async () => {
  for (const load of loads) await load.stop();
  const views = await Promise.all(cluster.sites.map((site, index) => site.views(index)));
  const flags = ['--to', backup, '--incremental', '--data-dir', cluster.nodes[1]!.dataDir];
  interface Told {
    readonly bytes: number;
    readonly new_bytes: number;
  }
  await runCommand<Told>(['backup', ...flags], natsOf());
  // Also with no node at all: what counts is in the servers.
  for (const node of cluster.nodes) await node.stop();
  await runCommand<Told>(['backup', ...flags], natsOf());
  const again = await runCommand<Told>(['backup', ...flags], natsOf());
  expect(again.bytes).toBeGreaterThan(20_000);
  expect(again.new_bytes).toBe(0);
  const copy = await restored();
  for (const [index, { domain }] of cluster.sites.entries()) {
    const { client_id, client_secret } = domain;
    const reader = await ApiClient.withSecret(copy.baseUrl, client_id, client_secret);
    expect(await totalViews({ domain, reader })).toBe(views[index]);
    // It is counted on.
    const writer = new ApiClient(copy.baseUrl, domain.access_key);
    const hit = {
      url: `https://${domain.hostname}/new`,
      ip: '192.0.2.7',
      user_agent: 'Mozilla/5.0',
    };
    await writer.collect('hit', { ...hit, disable_bot_filter: true });
    expect(await totalViews({ domain, reader })).toBe(views[index]! + 1);
  }
  await dispose(copy);
});

test('P-20: three servers that keep every record are backed up, a large record with them, and restored into', {
  timeout: 300_000,
}, async () => {
  const servers = await startThreeServers();
  const env = {
    ...{ FOOTFALL_NATS_SERVERS: servers.map(({ url }) => url).join(','), ...SHARDS },
    ...{ FOOTFALL_NATS_USER: THREE_SERVERS_USER, FOOTFALL_NATS_PASSWORD: THREE_SERVERS_PASSWORD },
    FOOTFALL_NATS_REPLICAS: '3',
  };
  const running = await startService({ env });
  try {
    const { email } = await running.createAccount();
    const domain = await running.createDomain({ email, hostname: 'many.example', timezone: 'UTC' });
    const { client_id, client_secret, access_key } = domain;
    await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
    const writer = new ApiClient(running.baseUrl, access_key);
    // Of more bytes than a message may have.
    const long = 'x'.repeat(1_500);
    const time = new Date().toISOString();
    const hits = Array.from({ length: 900 }, (_, index) => ({
      time,
      ...{ url: `https://many.example/${index}-${long}`, ip: `10.1.${index >> 8}.${index & 255}` },
      ...{ user_agent: 'Mozilla/5.0', disable_bot_filter: true },
    }));
    await writer.collect('hit/batch', hits);
    const to = join(folder, 'three');
    await runCommand(['backup', '--to', to, '--data-dir', running.dataDir], env);
    const copy = await restored(to);
    const reader = await ApiClient.withSecret(copy.baseUrl, client_id, client_secret);
    expect(await totalViews({ domain, reader })).toBe(hits.length);
    await dispose(copy);
    // Also into servers that keep every record; they are started again before anything counts there.
    const again = { ...env, FOOTFALL_NATS_PREFIX: 'again' };
    await runCommand(['restore', '--from', to, '--data-dir', join(folder, 'again')], again);
    for (const server of servers) await server.kill();
    await Promise.all(servers.map((server) => server.start()));
    const second = await startService({ env: again });
    const there = await ApiClient.withSecret(second.baseUrl, client_id, client_secret);
    const heir = new ApiClient(second.baseUrl, access_key);
    await heir.collect('hit/batch', hits.slice(0, 20));
    expect(await totalViews({ domain, reader: there })).toBe(hits.length + 20);
    await second.dispose();
  } finally {
    await running.dispose();
    for (const server of servers) await server.dispose();
  }
});

test('P-20: what cannot be is refused in one line, and the backup of before stays', {
  timeout: 240_000,
}, async () => {
  interface Failed {
    readonly code: number;
    readonly stderr: string;
  }
  const { dataDir } = cluster.nodes[1]!;
  const refused = async (env: Record<string, string>, says: RegExp) => {
    const words = ['backup', '--to', backup, '--incremental', '--data-dir', dataDir];
    const failed = await runCommand<Failed>(words, env).catch((error) => error as Failed);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
    expect(failed.stderr.trim().split('\n')).toHaveLength(1);
  };
  await refused({}, /set FOOTFALL_NATS_SERVERS as its node has it/);
  const nobody = { FOOTFALL_NATS_SERVERS: 'nats://127.0.0.1:1' };
  await refused(nobody, /no NATS server answers/);
  await refused({ ...natsOf(), FOOTFALL_NATS_PREFIX: 'other' }, /there is no such stream/);
  expect(await runCommand(['verify', '--backup', backup])).toMatchObject({ is_sound: true });
  expect(existsSync(join(dataDir, 'backup-draft', 'records'))).toBe(false);
  expect(readdirSync(backup).sort()).toEqual(['backup.json', 'backup.lock', 'objects']);
});
