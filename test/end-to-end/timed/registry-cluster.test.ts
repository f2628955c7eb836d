// Goal: what is changed at one node of three is true at all of them within a second, and changes at
//   once from all sides end in the same registry everywhere (issue 5.4).
// Method: three built services on a real NATS server; commands and endpoints against each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { until } from '../../support/until.ts';

const KNOWN_WITHIN_MS = 1_000;
const HIT = {
  ip: '81.2.69.142',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};
const STEPS = ['/a', '/b'].map((path) => ({ name: path, filter: { path: [path] } }));

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3, hostnames: ['one.test'] });
}, 120_000);

afterAll(() => cluster.dispose());

test('a key made by a command at one node takes hits at all within a second', async () => {
  for (const [index, node] of cluster.nodes.entries()) {
    const email = `owner${index}@example.org`;
    await node.createAccount(email);
    const site = await node.createDomain({ email, hostname: `site${index}.test` });
    const startMs = performance.now();
    await Promise.all(
      cluster.nodes.map(({ baseUrl }) =>
        until(async () => {
          const response = await fetch(`${baseUrl}/api/v1/hit`, {
            method: 'POST',
            headers: { authorization: `Bearer ${site.access_key}` },
            body: JSON.stringify({ ...HIT, url: `https://site${index}.test/` }),
          });
          return response.status === 200;
        }, 5_000),
      ),
    );
    expect(performance.now() - startMs).toBeLessThan(KNOWN_WITHIN_MS);
  }
});

test('what one node was just told works at all others at the first request (M-5)', async () => {
  const [first] = cluster.nodes;
  const account = await first!.createAccount('first@example.org');
  const { client_id, client_secret } = account;
  const site = await first!.createDomain({ email: account.email, hostname: 'first.test' });
  // Where nobody has heard of any of it.
  for (const [index, { baseUrl }] of cluster.nodes.entries()) {
    const owner = await ApiClient.withSecret(baseUrl, client_id, client_secret);
    const scopes = { scope_hit: 'w' };
    for (let round = 0; round < 5; round++) {
      const body = {
        domain_id: site.id,
        type: 'token',
        description: `${index} ${round}`,
        ...scopes,
      };
      const { client_secret: key } = await owner.create('client', body);
      const hit = { ...HIT, url: 'https://first.test/' };
      const answers = await Promise.all(
        cluster.nodes.map((node) =>
          new ApiClient(node.baseUrl, String(key)).request('POST', '/api/v1/hit', { body: hit }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  }
});

test('what was deleted at one node is refused at all others within a second (M-5)', async () => {
  const [node] = cluster.nodes;
  const account = await node!.createAccount('last@example.org');
  const site = await node!.createDomain({ email: account.email, hostname: 'last.test' });
  const { client_id, client_secret } = account;
  const owner = await ApiClient.withSecret(node!.baseUrl, client_id, client_secret);
  const body = { domain_id: site.id, type: 'token', description: '', scope_hit: 'w' };
  const made = await owner.create('client', body);
  const hit = { ...HIT, url: 'https://last.test/' };
  const statuses = () =>
    Promise.all(
      cluster.nodes.map(async ({ baseUrl }) => {
        const client = new ApiClient(baseUrl, String(made.client_secret));
        return (await client.request('POST', '/api/v1/hit', { body: hit })).status;
      }),
    );
  expect(await statuses()).toEqual([200, 200, 200]);
  await owner.request('DELETE', `/api/v1/client?id=${made.id}`);
  const [own] = await statuses();
  expect(own).toBe(401);
  await until(async () => (await statuses()).every((status) => status === 401), KNOWN_WITHIN_MS);
});

test('funnels made at all nodes at once are the same on all, and each is there once', async () => {
  const [node] = cluster.nodes;
  await node!.createAccount('many@example.org');
  const site = await node!.createDomain({ email: 'many@example.org', hostname: 'many.test' });
  const clients = await Promise.all(
    cluster.nodes.map(({ baseUrl }) =>
      ApiClient.whenKnown(baseUrl, site.client_id, site.client_secret),
    ),
  );
  const made = await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: 5 }, async (_, number) => {
        const body = { domain_id: site.id, name: `${index} ${number}`, steps: STEPS };
        const funnel = await client.create('funnel', body);
        // Read your writes at the node that made it.
        const { body: own } = await client.request('GET', `/api/v1/funnel?id=${site.id}`);
        expect((own as { id: string }[]).map(({ id }) => id)).toContain(funnel.id);
        return funnel.id;
      }),
    ),
  );
  expect(new Set(made).size).toBe(15);
  const lists = async () =>
    Promise.all(
      clients.map(async (client) =>
        JSON.stringify((await client.request('GET', `/api/v1/funnel?id=${site.id}`)).body),
      ),
    );
  await until(async () => new Set(await lists()).size === 1, KNOWN_WITHIN_MS);
  const [list] = await lists();
  expect((JSON.parse(list!) as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
    made.toSorted(),
  );
});

test('every node tells the same bill, the same first row and the same audit (S-99, M-17, M-8)', async () => {
  const account = await cluster.nodes[0]!.createAccount('bill@example.org');
  const { email, client_id, client_secret } = account;
  const site = await cluster.nodes[1]!.createDomain({ email, hostname: 'bill.test' });
  for (const { baseUrl } of cluster.nodes) {
    const writer = await ApiClient.whenKnown(baseUrl, site.client_id, site.client_secret);
    await writer.collect('hit', { ...HIT, url: 'https://bill.test/' });
  }
  const told = await Promise.all(
    cluster.nodes.map(async ({ baseUrl }) => {
      const owner = await ApiClient.whenKnown(baseUrl, client_id, client_secret);
      const read = async (path: string) => (await owner.request('GET', `/api/v1/${path}`)).body;
      const [bill, shown, audit] = await Promise.all(
        ['billing', `domain?id=${site.id}`, `audit?domain_id=${site.id}`].map(read),
      );
      return { bill, shown, audit };
    }),
  );
  const [first, ...others] = told;
  for (const other of others) expect(other).toEqual(first);
  expect(first?.bill).toMatchObject([{ domain: { id: site.id }, page_views: 3 }]);
  expect(first?.shown).toMatchObject({ statistics_start: expect.stringMatching(/Z$/) });
  expect(JSON.stringify(first?.audit)).toContain('bill.test');
});
