// Goal (P-10): the files of an export are fetched through every node of a cluster, whichever has them.
// Method: two nodes, and a site whose export is some tens of megabytes, more than sockets hold. Whose
//   disk has it is looked up; it is fetched through both nodes, by a client and with the cookie of a
//   browser, and its node is killed while somebody who has stopped reading fetches from the other one.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { Exporting, type ShownExport } from '../../support/exporting.ts';
import { pause, until } from '../../support/until.ts';

const HITS = 20_000;
const BATCH = 1_000;
/** A session says it twice, of almost 1 KB each. */
const LONG = 'x'.repeat(1_400);
const EMAIL = 'owner@example.org';
const PASSWORD = 'correct horse battery';
const WITHIN_MS = 60_000;

let cluster: TestCluster;
let through: Exporting[];
let done: ShownExport;
/** The node that has the files, and the other one. */
let owner: number;
let other: number;

beforeAll(async () => {
  const env = { FOOTFALL_SHARDS: '2' };
  cluster = await startCluster({ nodes: 2, hostnames: ['big.example'], env });
  await cluster.balanced(2, 120_000);
  const site = cluster.sites[0]!;
  const { hostname, access_key, id } = site.domain;
  const writer = new ApiClient(cluster.nodes[0]!.baseUrl, access_key);
  const time = new Date().toISOString();
  for (let first = 0; first < HITS; first += BATCH) {
    const hits = Array.from({ length: BATCH }, (_, at) => ({
      ...{ url: `https://${hostname}/${first + at}-${LONG}`, ip: addressOf(first + at) },
      ...{ user_agent: 'Mozilla/5.0', disable_bot_filter: true, time },
    }));
    await writer.collect('hit/batch', hits);
  }
  through = await Promise.all(
    cluster.nodes.map(async ({ baseUrl }, at) => {
      return new Exporting(await site.reader(at), baseUrl, id);
    }),
  );
  done = await through[0]!.whole({ what: 'sessions' });
  owner = cluster.nodes.findIndex(({ dataDir }) => existsSync(join(dataDir, 'exports', done.id)));
  other = 1 - owner;
}, 240_000);

afterAll(() => cluster?.dispose());

function addressOf(visitor: number): string {
  return `10.3.${visitor >> 8}.${visitor & 255}`;
}

/** The file that is larger than what sockets hold. */
function large() {
  const [file] = done.files;
  expect(file?.bytes).toBeGreaterThan(24 * 1_024 ** 2);
  return file!;
}

test('P-10: every node lists an export alike and serves each of its files, byte for byte', {
  timeout: 120_000,
}, async () => {
  expect(done).toMatchObject({ state: 'done', rows: HITS, error: null });
  await until(async () => {
    const lists = await Promise.all(through.map((one) => one.list()));
    return lists.every((list) => JSON.stringify(list) === JSON.stringify([done]));
  }, WITHIN_MS);
  // Checks the SHA-256 of each.
  for (const one of through) await one.download(done);
  const { url, bytes } = large();
  const heads = await Promise.all(
    through.map(async (one) => {
      const { status, headers } = await one.fetch(url, { method: 'HEAD' });
      const { date, ...told } = Object.fromEntries(headers);
      return { status, ...told };
    }),
  );
  expect(heads[other]).toEqual(heads[owner]);
  expect(heads[other]).toMatchObject({ status: 200, 'content-length': String(bytes) });
});

test('P-10: of the same file through another node nobody else learns, and who leaves makes room', {
  timeout: 120_000,
}, async () => {
  const { url } = large();
  const nobody = await fetch(`${cluster.nodes[other]!.baseUrl}${url}`);
  expect(nobody.status).toBe(401);
  // More than may be on their way at once.
  for (let left = 0; left < 20; left++) {
    const leave = new AbortController();
    const response = await through[other]!.fetch(url, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    // The node hears of it a moment later.
    await pause(20);
  }
  await through[other]!.download(done);
});

test('P-10: the link of the dashboard works at every node with the cookie of one', {
  timeout: 120_000,
}, async () => {
  const post = (at: number, path: string, body: unknown) => {
    const origin = cluster.nodes[at]!.baseUrl;
    const headers = { 'Content-Type': 'application/json', Origin: origin };
    return fetch(`${origin}/api/v1/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
  };
  const { link } = await cluster.nodes[0]!.command<{ link: string }>([
    ...['account', 'password', '--email', EMAIL],
  ]);
  const token = new URL(link).searchParams.get('token');
  const set = await post(0, 'password/reset', { token, password: PASSWORD });
  expect(set.status).toBe(200);
  const signedIn = await post(owner, 'login', { email: EMAIL, password: PASSWORD });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { url, sha256 } = large();
  for (const { baseUrl } of cluster.nodes) {
    const response = await fetch(`${baseUrl}${url}`, { headers: { cookie } });
    expect(response.status).toBe(200);
    const content = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
  }
});

test('P-10: when the node that has the files dies, a download ends short, the next is a 503; it is whole when the node is back', {
  timeout: 180_000,
}, async () => {
  const { url, bytes } = large();
  const response = await through[other]!.fetch(url);
  expect(response.headers.get('content-length')).toBe(String(bytes));
  const reader = response.body!.getReader();
  let taken = (await reader.read()).value?.length ?? 0;
  await cluster.nodes[owner]!.kill();
  const rest = async () => {
    for (;;) {
      const { value, done: isOver } = await reader.read();
      if (isOver) return;
      taken += value.length;
    }
  };
  // What the client is told of by its connection.
  await expect(rest()).rejects.toThrow();
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(bytes);
  const away = await through[other]!.fetch(url);
  expect(away.status).toBe(503);
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await away.text()).toContain('the node that has the files of this export is away');
  expect(await through[other]!.list()).toEqual([done]);
  await cluster.nodes[owner]!.start();
  await through[other]!.download(done);
});
