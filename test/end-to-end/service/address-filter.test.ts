// Goal: who is listed as blocked is not counted (I-24): by the installation, and by a domain at once.
// Method: a service of two edges with lists of its own; the filter of a domain changes as hits come.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type AccountCredentials,
  makeTemporaryDirectory,
  type RunningService,
  startService,
} from '../../support/service.ts';

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const directory = makeTemporaryDirectory();
const blockFile = join(directory, 'block.txt');
let running: RunningService;
let account: AccountCredentials;

beforeAll(async () => {
  writeFileSync(blockFile, '# a published list\n198.51.100.0/24 ; SBL1\n\n  2001:db8:bad::/48\r\n');
  running = await startService({
    env: {
      FOOTFALL_EDGES: '2',
      FOOTFALL_IP_BLOCK: '192.0.2.0/24, 2001:db8:1::/48',
      FOOTFALL_IP_BLOCK_FILE: blockFile,
      FOOTFALL_IP_ALLOW: '192.0.2.7',
    },
  });
  account = await running.createAccount();
});
afterAll(async () => {
  await running.dispose();
  rmSync(directory, { recursive: true });
});

async function newSite(hostname: string) {
  const domain = await running.createDomain({ email: account.email, hostname });
  const client = await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
  const today = new Date().toISOString().slice(0, 10);
  const url = `https://${hostname}/`;
  return {
    domain,
    client,
    send: (ip: string) => client.collect('hit', { url, ip, user_agent: AGENT }),
    views: async () => {
      const range = { id: domain.id, from: today, to: today };
      return ((await client.statistics('total', range)) as { views: number }).views;
    },
  };
}

test('whom the installation lists is dropped, unless it also lists whom it lets through', async () => {
  const site = await newSite('listed.example');
  const ips = [
    '192.0.2.1',
    '::ffff:192.0.2.2',
    '2001:db8:1::5',
    '198.51.100.200',
    '2001:db8:bad:1::',
  ];
  for (const ip of [...ips, 'no address']) expect(await site.send(ip)).toEqual({});
  expect(await site.views()).toBe(0);
  for (const ip of ['192.0.2.7', '192.0.3.1', '198.51.101.1', '2001:db8:2::1']) await site.send(ip);
  expect(await site.views()).toBe(4);
});

test('a list of a domain holds from its answer on, on every edge, and for it alone', async () => {
  const site = await newSite('own-list.example');
  const other = await newSite('no-list.example');
  const filter = {
    domain_id: site.domain.id,
    ip_block: ['203.0.113.0/24'],
    ip_allow: ['192.0.2.9'],
  };
  const owner = await ApiClient.whenKnown(
    running.baseUrl,
    account.client_id,
    account.client_secret,
  );
  const change = async (body: object) => {
    const { status } = await owner.request('POST', '/api/v1/domain/filter', { body });
    expect(status).toBe(200);
  };
  await change(filter);
  // As many requests at once as would reach both edges.
  const hits = Array.from({ length: 20 }, (_, host) => site.send(`203.0.113.${host}`));
  await Promise.all([...hits, other.send('203.0.113.1')]);
  await site.send('192.0.2.9');
  expect([await site.views(), await other.views()]).toEqual([1, 1]);
  await change({ ...filter, ip_block: [] });
  await Promise.all(Array.from({ length: 20 }, (_, host) => site.send(`203.0.113.${host}`)));
  expect(await site.views()).toBe(21);
});

test('a file with a line that is no address refuses the start and names the line', async () => {
  const bad = join(directory, 'bad.txt');
  writeFileSync(bad, '10.0.0.0/8\n# fine\n10.0.0.0/40\n');
  const start = startService({ env: { FOOTFALL_IP_ALLOW_FILE: bad } });
  await expect(start).rejects.toThrow(/bad\.txt cannot be read \(line 3 is no address\)/);
});
