// Goal: three nodes answer as one: every hit counts once whichever node took it, every node tells the
//   same, and whatever happens to a node or to the server, nothing wrong is told and all goes on.
// Method: three processes and a real nats-server; hits to one node, questions to another, signals.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type ClusterSite,
  pause,
  startCluster,
  type TestCluster,
  until,
} from '../support/cluster.ts';

const NODES = [0, 1, 2];
const HOSTNAMES = Array.from({ length: 9 }, (_, index) => `site-${index}.example`);

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3, hostnames: HOSTNAMES });
}, 120_000);
afterAll(() => cluster.dispose());
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const node of cluster.nodes) console.log(node.output.slice(-4_000));
});

/** Every node tells exactly what was acknowledged, of every site. */
async function expectEqual(nodes: readonly number[] = NODES): Promise<void> {
  for (const site of cluster.sites) {
    const told = await Promise.all(nodes.map((node) => site.views(node)));
    expect(told).toEqual(nodes.map(() => site.acknowledged));
  }
}

test('shards are shared within one of even', async () => {
  await cluster.balanced(3);
  expect((await cluster.shares()).toSorted()).toEqual([21, 21, 22]);
});

test('a hit that one node acknowledged is in the next answer of every other (A-64)', async () => {
  for (let round = 0; round < 60; round++) {
    const site = cluster.sites[round % cluster.sites.length] as ClusterSite;
    await site.send(round % 3);
    expect(await site.views((round + 1) % 3), `round ${round}`).toBe(site.acknowledged);
    const active = await (await site.reader((round + 2) % 3)).statistics('active', {
      id: site.domain.id,
      start: 600,
    });
    expect(active).toMatchObject({ visitors: site.acknowledged });
  }
  await expectEqual();
});
