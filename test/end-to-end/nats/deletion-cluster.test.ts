// Goal: hits that another node takes after a deletion, which it does not know of yet, go as well (M-11).
// Method: a node is stopped with requests in its sockets, the domain deleted at another, the node goes
//   on. What is left is asked of a domain of the same id, which only a test can make.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRecord } from '../../../src/control/descriptor/resource.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { SharedRegistry } from '../../../src/control/registry/shared-registry.ts';
import { client } from '../../../src/control/resources/client.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { erasure } from '../../../src/control/resources/erasure.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { makeTemporaryDirectory } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const ENDS_WITHIN_MS = 60_000;
/** The lease of a stopped node ends after 3 s. */
const STOPPED_MS = 2_500;
const LATE_COUNT = 20;

let cluster: TestCluster;
let directory: string;
let shared: SharedRegistry;
let registry: Registry;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 2, hostnames: ['one.test', 'two.test'] });
  directory = makeTemporaryDirectory();
  const access = {
    ...{ servers: [cluster.server.url], user: null, password: null },
    ...{ token: null, credentials: null },
  };
  const options = { access, name: 'test', prefix: 'footfall', replicas: 1 };
  shared = await SharedRegistry.open(directory, options, () => {});
  registry = await Registry.openShared(directory, Date.now(), shared);
}, 120_000);

afterAll(async () => {
  await registry?.close();
  await shared?.close();
  rmSync(directory, { recursive: true, force: true });
  await cluster?.dispose();
});

const pending = () => {
  registry.refresh();
  return registry.view.count(erasure);
};

test('late hits of another node are erased with the rest', { timeout: 180_000 }, async () => {
  const [site, other] = cluster.sites as [(typeof cluster.sites)[0], (typeof cluster.sites)[0]];
  const [here, there] = cluster.nodes as [(typeof cluster.nodes)[0], (typeof cluster.nodes)[0]];
  for (let count = 0; count < 20; count++) await site.send(count % 2);
  for (let count = 0; count < 5; count++) await other.send(0);
  expect(await site.views(0)).toBe(20);
  const before = registry.view.find(domain, site.domain.id);
  const clients = registry.view.of(client, 'domainId', site.domain.id);
  const owner = await ApiClient.withSecret(here.baseUrl, ...(await ownerOf(here)));

  // Connections are there, so that only requests have to be read when it goes on.
  there.signal('SIGSTOP');
  const late = Promise.all(
    Array.from({ length: LATE_COUNT }, () =>
      site.send(1).then(
        () => 1,
        () => 0,
      ),
    ),
  );
  const deleted = await owner.request('DELETE', `/api/v1/domain?id=${site.domain.id}`);
  expect(deleted.status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
  there.signal('SIGCONT');
  const taken = (await late).reduce<number>((sum, one) => sum + one, 0);
  // Else there was nothing to show.
  expect(taken).toBeGreaterThan(0);
  await until(() => Promise.resolve(pending() === 0), ENDS_WITHIN_MS);

  const restored = [before, ...clients] as unknown as AnyRecord[];
  await registry.change({ nowMs: Date.now(), by: { kind: 'cli', id: '' } }, () =>
    restored.map((payload, index) => ({
      kind: index === 0 ? 'domain-created' : 'client-created',
      payload,
    })),
  );
  await until(async () => (await site.views(0)) === 0, ENDS_WITHIN_MS);
  expect(await site.views(1)).toBe(0);
  expect(await other.views(1)).toBe(5);
});

/** A client of the account that has the sites. */
async function ownerOf(node: { command<A>(words: readonly string[]): Promise<A> }) {
  const made = await node.command<{ client_id: string; client_secret: string; user_id: string }>([
    ...['account', 'create', '--email', 'second@example.org'],
  ]);
  for (const { domain: one } of cluster.sites) {
    await node.command(['domain', 'transfer', '--id', one.id, '--email', 'second@example.org']);
  }
  return [made.client_id, made.client_secret] as const;
}
