// Goal: a webhook is told of each stored event of its name and of nothing else, by Standard Webhooks;
// what it was told is listed, and can be told again; its Owner hears that it was set inactive, and may
// end such mails (A-60, O-1, O-10, O-13, O-21, O-22).
// Method: a service, a receiver that verifies signatures with the package of Standard Webhooks, and a
// mail server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { MailServer } from '../../support/mail-server.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { taken, WebhookReceiver } from '../../support/webhook-receiver.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const WAIT_MS = 30_000;

interface Delivery {
  id: string;
  entry_id: string;
  event_name: string;
  attempt: number;
  status: number | null;
  error: string;
  response: string;
}

let service: RunningService;
let receiver: WebhookReceiver;
let mails: MailServer;
let owner: string;
let domain: DomainCredentials;
let manager: ApiClient;
let writer: ApiClient;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  mails = await MailServer.start({});
  service = await startService({
    env: {
      ...{ FOOTFALL_OUTBOUND_PRIVATE: 'on', FOOTFALL_LOG_LEVEL: 'warn' },
      FOOTFALL_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      FOOTFALL_MAIL_FROM: 'stats@example.org',
    },
  });
  const { email } = await service.createAccount();
  owner = email;
  domain = await service.createDomain({ email, hostname: 'shop.example', timezone: 'UTC' });
  const { client_id, client_secret, access_key } = domain;
  manager = await ApiClient.whenKnown(service.baseUrl, client_id, client_secret);
  writer = new ApiClient(service.baseUrl, access_key);
});

afterAll(async () => {
  await service.dispose();
  await receiver.close();
  await mails.stop();
});

async function makeWebhook(path: string, event = 'sold'): Promise<string> {
  const body = { domain_id: domain.id, description: path, event, endpoint: receiver.url(path) };
  const made = await manager.request('POST', '/api/v1/webhook', { body });
  expect(made.status).toBe(200);
  const { id, secret } = made.body as { id: string; secret: string };
  receiver.secrets.set(path, secret);
  return id;
}

async function send(what: 'event' | 'hit', fields: object, agent = FIREFOX): Promise<void> {
  const body = {
    ...{ url: 'https://shop.example/thanks', title: 'Thanks', ip: '89.12.3.4' },
    ...{ user_agent: agent, ...fields },
  };
  expect((await writer.request('POST', `/api/v1/${what}`, { body })).status).toBe(200);
}

async function deliveries(id: string): Promise<Delivery[]> {
  return (await manager.request('GET', `/api/v1/webhook/delivery?id=${id}`)).body as Delivery[];
}

test('A-60, O-10: each event of the name is told, with what it was, and nothing else is', async () => {
  const id = await makeWebhook('/all');
  await makeWebhook('/both');
  const sold = {
    ...{ event_name: ' sold ', event_duration: 7 },
    ...{ event_meta: { plan: 'pro', price: 12.5 }, tags: { theme: 'dark' } },
  };
  await send('hit', {});
  await send('event', { event_name: 'Sold' });
  await send(
    'event',
    sold,
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  );
  await send('event', sold);
  await until(() => receiver.received.length >= 2, WAIT_MS);
  const [one] = receiver.of('/all');
  expect(one?.body).toEqual({
    ...{ event_name: 'sold', event_duration: 7 },
    event_meta: { plan: 'pro', price: '12.5', theme: 'dark' },
    ...{ id: one?.id, time: expect.stringMatching(/^20\d\d-.*Z$/), domain_id: domain.id },
    ...{ hostname: 'shop.example', path: '/thanks', title: 'Thanks', tags: { theme: 'dark' } },
  });
  expect(one?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Footfall\/\d/),
  });
  expect(receiver.of('/both')[0]?.id).not.toBe(one?.id);
  await until(async () => (await deliveries(id)).length === 1, WAIT_MS);
  expect(receiver.received).toHaveLength(2);
  expect(receiver.faults).toEqual([]);
  expect(await deliveries(id)).toMatchObject([
    {
      ...{ entry_id: one?.id, event_name: 'sold', attempt: 1 },
      ...{ status: 200, error: '', response: 'thank you' },
    },
  ]);
});

test('O-13: what failed is listed with its answer, is told again at once, and keeps its id', async () => {
  const id = await makeWebhook('/failing', 'paid');
  receiver.behaviour = (_, response) => response.writeHead(503).end('x'.repeat(2_000));
  await send('event', { event_name: 'paid' });
  await until(async () => (await deliveries(id)).length === 1, WAIT_MS);
  const [failed] = await deliveries(id);
  expect(failed).toMatchObject({ status: 503, attempt: 1, error: 'answered 503' });
  expect(failed?.response).toBe('x'.repeat(500));
  receiver.behaviour = taken;
  const again = { body: { id: failed?.id } };
  expect((await manager.request('POST', '/api/v1/webhook/delivery', again)).body).toEqual({});
  await until(async () => (await deliveries(id)).length === 2, WAIT_MS);
  expect((await deliveries(id))[0]).toMatchObject({ status: 200, attempt: 2 });
  expect(new Set(receiver.of('/failing').map((one) => one.id)).size).toBe(1);
  const unknown = await manager.request('POST', '/api/v1/webhook/delivery', {
    body: { id: `${id}-999` },
  });
  expect(unknown.status).toBe(404);
});

test('O-13: a test sends a sample at once and answers what came of it', async () => {
  const id = await makeWebhook('/tried', 'tried');
  const sendTest = () => manager.request('POST', '/api/v1/webhook/test', { body: { id } });
  expect((await sendTest()).body).toMatchObject({ status: 200, error: '', response: 'thank you' });
  receiver.behaviour = (_, response) => response.writeHead(302, { location: '/all' }).end();
  expect((await sendTest()).body).toMatchObject({
    status: 302,
    error: expect.stringContaining('redirect'),
  });
  receiver.behaviour = taken;
  expect(receiver.of('/tried').map(({ body }) => body['event_name'])).toEqual(['tried', 'tried']);
  expect(receiver.faults).toEqual([]);
  expect(await deliveries(id)).toEqual([]);
});

test('A-60, O-21, O-22: after 101 failures it is inactive, and its Owner is mailed until they end that', async () => {
  receiver.behaviour = (_, response) => response.writeHead(500).end('no shelf is free');
  const failAll = async (event: string): Promise<void> => {
    const id = await makeWebhook(`/${event}`, event);
    for (const length of [60, 41]) {
      const item = { url: 'https://shop.example/', ip: '89.12.3.4', user_agent: FIREFOX };
      const time = new Date().toISOString();
      const body = Array.from({ length }, () => ({ ...item, time, event_name: event }));
      expect((await writer.request('POST', '/api/v1/event/batch', { body })).status).toBe(200);
    }
    await until(async () => !(await isActive(id)), WAIT_MS);
    expect(receiver.of(`/${event}`)).toHaveLength(101);
  };
  const isActive = async (id: string): Promise<boolean> => {
    const { body } = await manager.request('GET', `/api/v1/webhook?domain_id=${domain.id}`);
    return (
      (body as { id: string; active: boolean }[]).find((one) => one.id === id)?.active ?? false
    );
  };
  await failAll('lost');
  await until(() => mails.taken.length === 1, WAIT_MS);
  const [mail] = mails.taken;
  expect(mail?.to).toEqual([owner]);
  expect(mail?.parsed.subject).toBe('shop.example: a webhook was set inactive');
  for (const part of [receiver.url('/lost'), 'answered 500']) {
    expect(mail?.parsed.text).toContain(part);
  }
  const headers = new Map(mail?.parsed.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const link = /^<(http:\S+)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
  const body = 'List-Unsubscribe=One-Click';
  expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
  await failAll('gone');
  // A mail that is asked for comes after all that was written down before it.
  await manager.request('POST', '/api/v1/password/forgot', { body: { email: owner } });
  await until(() => mails.taken.length === 2, WAIT_MS);
  expect(mails.taken[1]?.parsed.subject).toBe('Set a new password');
});
