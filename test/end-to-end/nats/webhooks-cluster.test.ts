// Goal: of events that a cluster stores receivers are told at least once, under one id each and in
// order, though nodes die, end, come back, and shards move with what waits for its next attempt (O-1,
// O-3).
// Method: three nodes on a real nats-server; senders at all of them; nodes are killed or told to end one
// after the other, mostly with the next one while the shards are still on their way.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { type ClusterSite, startCluster, type TestCluster } from '../../support/cluster.ts';
import { MANNERS, ToldEvents } from '../../support/faults/told-events.ts';
import { IS_LONG, SEED } from '../../support/runs.ts';
import { pause, until, untilAll } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const DEATHS = IS_LONG ? 20 : 2;
const LIFE_MS_MAX = 3_000;
/** Share of the ends that are in order: the node hands its shards over. */
const IN_ORDER = 0.3;
/** As long as more comes it is waited. */
const SILENT_MS_MAX = 60_000;
const HOSTNAMES = ['one.example', 'two.example', 'three.example'];
const PATHS = MANNERS.map((manner) => `/${manner}`);

const random = seededRandom(SEED);
let cluster: TestCluster;

/** What belongs to one site. */
interface Told {
  readonly site: ClusterSite;
  readonly events: ToldEvents;
  readonly receiver: WebhookReceiver;
}
const all: Told[] = [];

beforeAll(async () => {
  const env = { FOOTFALL_OUTBOUND_PRIVATE: 'on' };
  cluster = await startCluster({ nodes: 3, hostnames: HOSTNAMES, env });
  for (const site of cluster.sites) {
    const events = new ToldEvents(random);
    const receiver = await WebhookReceiver.start();
    receiver.behaviour = events.behave;
    const { id, client_id, client_secret } = site.domain;
    const manager = await ApiClient.whenKnown(
      cluster.nodes[0]?.baseUrl ?? '',
      ...([client_id, client_secret] as const),
    );
    for (const path of PATHS) {
      const body = { domain_id: id, description: '', event: 'sold', endpoint: receiver.url(path) };
      const made = await manager.request('POST', '/api/v1/webhook', { body });
      expect(made.status).toBe(200);
      receiver.secrets.set(path, (made.body as { secret: string }).secret);
    }
    all.push({ site, events, receiver });
  }
  // Which webhooks an event is told to is decided where it is taken: every node has to know them.
  for (const { site } of all) {
    for (const node of [0, 1, 2]) {
      const reader = await site.reader(node);
      const list = () => reader.request('GET', `/api/v1/webhook?domain_id=${site.domain.id}`);
      await until(async () => ((await list()).body as unknown[]).length === PATHS.length, 30_000);
    }
  }
}, 240_000);

afterAll(async () => {
  await Promise.all(all.map(({ receiver }) => receiver.close()));
  await cluster.dispose();
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const node of cluster.nodes) console.log(node.output.slice(-4_000));
});

/** Sends an event once, to any node. @returns whether it was stored, as far as its sender knows. */
async function post({ domain }: ClusterSite, body: object): Promise<boolean> {
  const { baseUrl } = cluster.nodes[Math.floor(random() * 3)] as { baseUrl: string };
  const answer = await fetch(`${baseUrl}/api/v1/event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${domain.access_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, url: `https://${domain.hostname}/thanks` }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null);
  return answer?.status === 200;
}

/** Events of the name that a node says are stored. */
async function storedCount(site: ClusterSite, node: number): Promise<number> {
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const range = { id: site.domain.id, from: day(-86_400_000), to: day(86_400_000) };
  const rows = await (await site.reader(node)).statistics('events', range);
  return (
    (rows as { name: string; count: number }[]).find(({ name }) => name === 'sold')?.count ?? 0
  );
}

/** One node after the other ends, each is back before long. */
async function hurt(): Promise<void> {
  for (let death = 0; death < DEATHS; death++) {
    await pause(random() * LIFE_MS_MAX);
    const node = cluster.nodes[death % 3] as (typeof cluster.nodes)[number];
    if (random() < IN_ORDER) await node.stop();
    else await node.kill();
    // Long enough, now and then, for others to take its shards (10 s).
    if (random() < 0.4) await pause(random() * 12_000);
    await node.start();
  }
}

test(`O-1, O-3: after ${DEATHS} deaths each stored event was told (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  const sending = all.flatMap(({ site, events }) =>
    [0, 1].map(() => events.send((body) => post(site, body))),
  );
  await hurt();
  await pause(1_000);
  for (const { events } of all) events.isOver = true;
  await Promise.all(sending);
  await cluster.balanced(3, 60_000);
  let [sent, acknowledged, told, came] = [0, 0, 0, 0];
  for (const { site, events, receiver } of all) {
    const stored = await storedCount(site, 0);
    expect(await storedCount(site, 1)).toBe(stored);
    expect(stored).toBeGreaterThanOrEqual(events.acknowledged.length);
    const counts = () => PATHS.map((path) => events.told(receiver, path).size);
    await untilAll(counts, stored, SILENT_MS_MAX);
    for (const path of PATHS) expect(events.faults(receiver, path, stored)).toEqual([]);
    expect(receiver.faults).toEqual([]);
    sent += events.sentCount;
    acknowledged += events.acknowledged.length;
    told += stored * PATHS.length;
    came += receiver.received.length;
  }
  console.log(
    `webhooks of a cluster, seed ${SEED}: ${sent} events sent, ${acknowledged} acknowledged, ` +
      `${told} entries told in ${came} requests, ${DEATHS} deaths`,
  );
});
