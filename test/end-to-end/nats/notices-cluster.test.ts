// Goal: in the long run, a report, a spike, a goal and a warning of a cluster are told once each,
// though the nodes that own their domains are killed while they look and tell, and shards move (O-3,
// O-30, O-40 to O-42).
// Method: three nodes on a real nats-server and a mail server; round by round a site is given all the
// causes, and the node that owns it dies. What is to be told is one mail for each cause; a repetition
// after a kill in the middle of handing one over has its Message-ID. In the end every node has looked
// once more, and a mail that somebody asks for comes behind all that was due before it.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { changed, created, draftNew } from '../../../src/control/descriptor/draft.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { report } from '../../../src/control/resources/report.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import { type OpenRegistry, openRegistry } from '../../../src/runtime/node-registry.ts';
import { readJobBoard } from '../../../src/runtime/telemetry/job-board.ts';
import { loadSettings } from '../../../src/settings/load.ts';
import { shardOf } from '../../../src/shard/state/placement.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { type ClusterSite, startCluster, type TestCluster } from '../../support/cluster.ts';
import { MailServer } from '../../support/mail-server.ts';
import { IS_LONG, SEED } from '../../support/runs.ts';
import { makeTemporaryDirectory, type RunningService } from '../../support/service.ts';
import { pause, until } from '../../support/until.ts';

const ROUNDS = 6;
const EMAIL = 'owner@example.org';
const BY = { kind: 'cli', id: '' } as const;
const WAIT_MS = 240_000;
const SITES = Array.from({ length: ROUNDS }, (_, round) => `site-${round}.example`);
/** Nobody ever visits it. */
const QUIET = 'quiet.example';
/** What the subject of each begins or ends with. */
const TOLD = [/ is reached$/, / visitors right now$/, / visitors?, /];
const WARNED = [/ no visitors for /];

const random = seededRandom(SEED);
let cluster: TestCluster;
let mails: MailServer;
let registry: OpenRegistry;
let directory: string;
let deaths = 0;

beforeAll(async () => {
  if (!IS_LONG) return;
  mails = await MailServer.start();
  cluster = await startCluster({
    ...{ nodes: 3, hostnames: [...SITES, QUIET] },
    env: {
      ...{ FOOTFALL_SMTP_URL: `smtp://127.0.0.1:${mails.port}`, FOOTFALL_RATE_LIMITS: 'off' },
      ...{ FOOTFALL_MAIL_FROM: 'stats@example.org', FOOTFALL_SHARDS: '12' },
    },
  });
  directory = makeTemporaryDirectory();
  const environment = {
    ...{ FOOTFALL_DATA_DIR: directory, FOOTFALL_NATS_SERVERS: cluster.server.url },
    FOOTFALL_SHARDS: '12',
  };
  const loaded = loadSettings({ environment });
  if ('fault' in loaded) throw new Error(loaded.fault.code);
  registry = await openRegistry(loaded.settings, Date.now(), (error) => {
    throw error;
  });
  await cluster.balanced(3);
}, 240_000);

afterAll(async () => {
  if (!IS_LONG) return;
  await registry.close();
  await cluster.dispose();
  await mails.stop();
  rmSync(directory, { recursive: true });
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const node of cluster.nodes) console.log(node.output.slice(-4_000));
});

/** The node that owns a site at this moment. */
async function ownerOf({ domain: { id } }: ClusterSite): Promise<RunningService> {
  const idOf = ({ dataDir }: RunningService) =>
    readFileSync(join(dataDir, 'node-id'), 'utf8').trim().split('\n').at(-1);
  for (;;) {
    const { shards } = await cluster.board();
    const owner = shards[shardOf(asDomainId(id), shards.length)]?.node;
    const found = cluster.nodes.find((node) => idOf(node) === owner);
    if (found !== undefined) return found;
    await pause(100);
  }
}

/** A report that is due, a spike to look for, and a goal; nothing of it is reached yet. */
async function giveCauses({ domain: { id } }: ClusterSite): Promise<void> {
  await registry.registry.change({ nowMs: Date.now(), by: BY }, (view, nowMs) => {
    const found = view.find(domain, id);
    if (found === null) return [];
    const on = { trafficSpike: true, trafficSpikeThreshold: 3 };
    const sent = { domain_id: id, email: EMAIL, interval: 0, link_to: '' };
    const { record } = draftNew(report, { sent, userId: '', view, nowMs });
    // As if every node had been off for two days.
    const due = { ...record, nextReportMs: record.nextReportMs - 2 * DAY_MS };
    return [changed(domain, { ...found, ...on }), created(report, due)];
  });
  const fields = { name: 'Seen by three', path_pattern: '^/p/', visitors: 3, email_reached: true };
  const { client_id, client_secret } = siteOf(id).domain;
  // Any node will do; one of them is always there.
  const manager = await ApiClient.whenKnown(
    ...([cluster.nodes[0]?.baseUrl ?? '', client_id, client_secret] as const),
  );
  await manager.create('goal', { domain_id: id, ...fields });
}

const siteOf = (id: string) => cluster.sites.find((site) => site.domain.id === id) as ClusterSite;

/** Its owner dies at some moment, and is back before or after others have its shards. */
async function killOwner(site: ClusterSite): Promise<void> {
  await pause(random() * 14_000);
  const owner = await ownerOf(site);
  await owner.kill();
  deaths++;
  await pause(random() < 0.5 ? 0 : random() * 15_000);
  await owner.start();
}

/** Mails about a site that came, once each by their Message-ID: subjects. */
function toldOf({ domain: { hostname } }: ClusterSite): string[] {
  const came = mails.taken.filter(({ parsed }) => parsed.subject?.startsWith(`${hostname}: `));
  return [...new Map(came.map(({ parsed }) => [parsed.messageId, `${parsed.subject}`])).values()];
}

/** Every node looks at everything at its start. */
async function restartAll(): Promise<void> {
  for (const node of cluster.nodes) {
    await node.kill();
    await node.start();
  }
  await cluster.balanced(3, WAIT_MS);
}

/** Every node has looked once more by the end of this. */
async function allLook(jobs: readonly string[]): Promise<void> {
  const fromMs = Date.now();
  const hasLooked = ({ dataDir }: RunningService) => {
    const states = readJobBoard(dataDir).filter(({ name }) => jobs.includes(name));
    return states.every(({ lastRunMs }) => (lastRunMs ?? 0) > fromMs);
  };
  await until(() => cluster.nodes.every(hasLooked), WAIT_MS);
}

/** A mail that is asked for now comes behind all that was due before it. */
async function queueDrained(): Promise<void> {
  const client = new ApiClient(cluster.nodes[0]?.baseUrl ?? '');
  await client.request('POST', '/api/v1/password/forgot', { body: { email: EMAIL } });
  const isThere = () => mails.taken.some(({ parsed }) => parsed.subject === 'Set a new password');
  await until(isThere, WAIT_MS);
}

function expectOnceEach(site: ClusterSite, told: readonly RegExp[]): void {
  const subjects = toldOf(site);
  expect(subjects).toHaveLength(told.length);
  for (const one of told) expect(subjects.filter((subject) => one.test(subject))).toHaveLength(1);
}

test.runIf(IS_LONG)(
  `O-3: while owners die each report, spike and goal is told once (seed ${SEED})`,
  {
    timeout: 1_800_000,
  },
  async () => {
    for (const site of cluster.sites.slice(0, ROUNDS)) {
      await giveCauses(site);
      for (let visitor = 0; visitor < 4; visitor++) await site.send(visitor % 3);
      await killOwner(site);
    }
    await restartAll();
    for (const site of cluster.sites.slice(0, ROUNDS)) {
      await until(() => toldOf(site).length >= TOLD.length, WAIT_MS).catch(() => 0);
    }
    await restartAll();
    await allLook(['reports', 'spikes', 'goals']);
    await queueDrained();
    for (const site of cluster.sites.slice(0, ROUNDS)) expectOnceEach(site, TOLD);
    const ids = new Set(mails.taken.map(({ parsed }) => parsed.messageId));
    expect(ids.size).toBe(ROUNDS * TOLD.length + 1);
    console.log(
      `notices of a cluster, seed ${SEED}: ${ids.size} mails told, ` +
        `${mails.taken.length - ids.size} repeated, ${deaths} owners killed`,
    );
  },
);

test.runIf(IS_LONG)(
  'O-41: of a domain that nobody visits is warned once, though its owner dies behind it',
  { timeout: 600_000 },
  async () => {
    const quiet = cluster.sites.at(-1) as ClusterSite;
    const { id } = quiet.domain;
    await registry.registry.change({ nowMs: Date.now(), by: BY }, (view) => {
      const found = view.find(domain, id);
      const on = { trafficWarning: true, trafficWarningThreshold: 1 };
      const createdMs = Date.now() - 3 * DAY_MS;
      return found === null ? [] : [changed(domain, { ...found, ...on, createdMs })];
    });
    await until(() => toldOf(quiet).length > 0, WAIT_MS);
    const fromMs = Date.now();
    const owner = await ownerOf(quiet);
    await owner.kill();
    await owner.start();
    const looks = ({ dataDir }: RunningService) =>
      readJobBoard(dataDir).find(({ name }) => name === 'warnings')?.lastRunMs ?? 0;
    // Beyond the minute in which a node that was started, or lost another one, warns nobody.
    const hasLooked = (node: RunningService) => looks(node) > fromMs + 130_000;
    await until(() => cluster.nodes.every(hasLooked), WAIT_MS);
    expectOnceEach(quiet, WARNED);
  },
);
