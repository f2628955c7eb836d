// Goal: while the NATS servers are away a client is told in time what to do, and whoever watches the
//   node what is wrong; with a spool its hits are taken and counted later.
// Method: the built service on a real server that is killed and started again.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { NatsServer } from '../../support/nats-server.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const NOTICE_MS = 5_000;

let server: NatsServer;
let running: RunningService;
let site: DomainCredentials;

beforeEach(async () => {
  server = new NatsServer();
  await server.start();
});

afterEach(async () => {
  await running.dispose();
  await server.dispose();
});

async function start(env: Readonly<Record<string, string>>): Promise<ApiClient> {
  running = await startService({
    env: { FOOTFALL_NATS_SERVERS: server.url, FOOTFALL_EDGES: '2', ...env },
  });
  const { email } = await running.createAccount();
  site = await running.createDomain({ email, hostname: 'away.test', timezone: 'UTC' });
  return ApiClient.whenKnown(running.baseUrl, site.client_id, site.client_secret);
}

function sendHit(path: string): Promise<Response> {
  const hit = {
    ...{ url: `https://away.test${path}`, ip: '81.2.69.142' },
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  };
  return fetch(`${running.baseUrl}/api/v1/hit`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.access_key}` },
    body: JSON.stringify(hit),
  });
}

async function readiness(): Promise<{ status: number; text: string }> {
  const response = await fetch(`${running.baseUrl}/readyz`);
  return { status: response.status, text: await response.text() };
}

async function views(client: ApiClient): Promise<number> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const range = { id: site.id, from: day(Date.now() - 864e5), to: day(Date.now() + 864e5) };
  return ((await client.statistics('total', range)) as { views: number }).views;
}

test('without a spool hits are answered 503 with Retry-After, and /readyz says why', async () => {
  const client = await start({});
  expect((await sendHit('/before')).status).toBe(200);
  await server.kill();
  await until(async () => (await readiness()).status === 503, NOTICE_MS);
  expect((await readiness()).text).toContain('the NATS servers are away');
  const refused = await sendHit('/away');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await server.start();
  await until(async () => (await readiness()).status === 200, 15_000);
  expect((await sendHit('/after')).status).toBe(200);
  await until(async () => (await views(client)) === 2, 15_000);
});

test('with a spool hits are taken, /readyz says what waits, and all of them are counted', async () => {
  const client = await start({ FOOTFALL_SPOOL: 'on' });
  expect((await sendHit('/before')).status).toBe(200);
  await server.kill();
  await until(
    async () => (await readiness()).text.includes('the NATS servers are away'),
    NOTICE_MS,
  );
  for (let index = 0; index < 20; index++) expect((await sendHit(`/${index}`)).status).toBe(200);
  const told = await readiness();
  expect(told.status).toBe(200);
  expect(told.text).toMatch(/\d+ bytes of hits wait in the spool; no statistic has them yet/);
  await server.start();
  await until(async () => (await readiness()).text === '{"status":"ok"}', 15_000);
  await until(async () => (await views(client)) === 21, 15_000);
});

test('a stream that somebody deletes is named at once, in /readyz and in the log', async () => {
  await start({});
  expect((await sendHit('/before')).status).toBe(200);
  expect((await readiness()).status).toBe(200);
  await server.deleteStream('FOOTFALL_HITS');
  const gone = 'its stream is gone from the NATS servers';
  await until(async () => (await readiness()).text.includes(gone), NOTICE_MS);
  expect((await readiness()).status).toBe(503);
  await until(async () => running.output.includes(gone), NOTICE_MS);
  expect((await sendHit('/after')).status).toBe(503);
});
