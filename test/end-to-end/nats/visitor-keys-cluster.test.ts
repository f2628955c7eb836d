// Goal (P-22): nodes of a cluster have one key for a day: a visitor whom several of them see is one
// visitor, also while the NATS servers are away, after they have lost their memory, and on a node
// that comes then.
// Method: two nodes and a spool, then a third; hits of one person to all of them; the bytes of keys
// are looked for in what the server has on its disk.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NatsPeer } from '../../../src/bus/nats/peer.ts';
import { DAY_KEY_FILE, DayKeyFile } from '../../../src/store/day-key-file.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { filesBelow } from '../../support/faults/damage.ts';
import {
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Footfall/test';
const DAILY = { FOOTFALL_VISITOR_KEYS: 'daily', FOOTFALL_SPOOL: 'on' };
// A test that passes midnight stays with the day it began on.
const DAY = Math.floor(Date.now() / DAY_MS);
const DATE = new Date(DAY * DAY_MS).toISOString().slice(0, 10);

let cluster: TestCluster;
let third: RunningService | null = null;
let sentCount = 0;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 2, hostnames: ['one.example'], env: DAILY });
  await cluster.balanced(2);
}, 180_000);

afterAll(async () => {
  await third?.dispose();
  await cluster.dispose();
});

/** A page view of one and the same person. */
async function send({ baseUrl }: RunningService): Promise<void> {
  const hit = { url: 'https://one.example/', ip: '10.1.2.3', user_agent: AGENT };
  const time = `${DATE}T12:00:${String(sentCount).padStart(2, '0')}Z`;
  const sender = new ApiClient(baseUrl, cluster.sites[0]!.domain.access_key);
  await sender.collect('hit/batch', [{ ...hit, time }]);
  sentCount++;
}

/** Once all that was sent is counted. */
async function visitors(): Promise<number> {
  const [site] = cluster.sites;
  let visitors = 0;
  await until(async () => {
    const reader = await site!.reader(0);
    const range = { id: site!.domain.id, from: DATE, to: DATE };
    const answer = await reader.request(
      'GET',
      `/api/v1/statistics/total?${new URLSearchParams(range)}`,
    );
    const found = answer.body as { visitors: number; views: number };
    visitors = found.visitors;
    return answer.status === 200 && found.views === sentCount;
  }, 60_000);
  return visitors;
}

function keyOf({ dataDir }: RunningService): Buffer {
  const copy = makeTemporaryDirectory();
  writeFileSync(join(copy, DAY_KEY_FILE), readFileSync(join(dataDir, DAY_KEY_FILE)));
  const file = new DayKeyFile(copy);
  const key = Buffer.from(file.found.get(DAY) ?? []);
  file.close();
  rmSync(copy, { recursive: true });
  return key;
}

/** What the nodes have in common, as the server tells it. */
async function sharedText(): Promise<string> {
  const access = {
    ...{ servers: [cluster.server.url], user: null, password: null },
    ...{ token: null, credentials: null },
  };
  const peer = await NatsPeer.open(access, { prefix: 'footfall', node: 'test', name: 'test' });
  try {
    const documents = await peer.documents('visitor-keys', { replicas: 1, forgetMs: DAY_MS });
    return JSON.stringify((await documents.read('keys'))?.value ?? '');
  } finally {
    await peer.close();
  }
}

test('P-22: a visitor of two nodes is one visitor, and the key is on no disk but theirs', async () => {
  const [a, b] = cluster.nodes as [RunningService, RunningService];
  for (const node of [a, b, a]) await send(node);
  expect(await visitors()).toBe(1);
  const key = keyOf(a);
  expect(keyOf(b)).toEqual(key);
  expect(await sharedText()).toContain(key.toString('hex'));
  const { directory } = cluster.server;
  const held = filesBelow(directory).filter((path) => {
    const content = readFileSync(join(directory, path));
    return content.includes(key) || content.includes(key.toString('hex'));
  });
  expect(held).toEqual([]);
});

test('P-22: so it is while the servers are away, when they have forgotten, and on a node that comes then', {
  timeout: 180_000,
}, async () => {
  const [a, b] = cluster.nodes as [RunningService, RunningService];
  const key = keyOf(a);
  await cluster.server.kill();
  await until(async () => (await fetch(`${a.baseUrl}/readyz`)).status === 200, 30_000);
  for (const node of [a, b]) {
    await until(
      () =>
        send(node).then(
          () => true,
          () => false,
        ),
      60_000,
    );
  }
  await cluster.server.start();
  // Memory of theirs was lost with the process; a node tells them again.
  const bucket = () => cluster.server.streamText('KV_footfall_visitor-keys');
  await until(async () => (await bucket()).includes('"messages":1'), 60_000);
  expect(await sharedText()).toContain(key.toString('hex'));
  const env = { ...DAILY, FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1' };
  third = await startService({ env: { ...env, FOOTFALL_NATS_SERVERS: cluster.server.url } });
  expect(keyOf(third)).toEqual(key);
  await send(third);
  await b.kill();
  await b.start();
  await send(b);
  expect(await visitors()).toBe(1);
});
