// Goal: a domain has as many webhooks for one event as it may have of any kind; a request that would
// come to too many messages is refused whole and says what fits; and receivers that hang hold few
// tests (M-6, O-2, O-13).
// Method: a service, five hundred webhooks of one event, and a receiver that verifies what it is sent.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOMAIN_CHILD_COUNT_MAX } from '../../../src/model/limits.ts';
import {
  BATCH_ENTRY_COUNT_MAX,
  WEBHOOK_TEST_DOMAIN_COUNT_MAX,
} from '../../../src/model/outgoing-limits.ts';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { taken, WebhookReceiver } from '../../support/webhook-receiver.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const WAIT_MS = 60_000;
const CALLERS = 200;
const FITTING = BATCH_ENTRY_COUNT_MAX / DOMAIN_CHILD_COUNT_MAX;

let service: RunningService;
let receiver: WebhookReceiver;
let domain: DomainCredentials;
let other: DomainCredentials;
let manager: ApiClient;
let writer: ApiClient;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const env = { FOOTFALL_OUTBOUND_PRIVATE: 'on', FOOTFALL_RATE_LIMITS: 'off' };
  service = await startService({ env: { ...env, FOOTFALL_LOG_LEVEL: 'warn' } });
  const { email } = await service.createAccount();
  domain = await service.createDomain({ email, hostname: 'shop.example', timezone: 'UTC' });
  other = await service.createDomain({ email, hostname: 'other.example', timezone: 'UTC' });
  manager = await managerOf(domain);
  writer = new ApiClient(service.baseUrl, domain.access_key);
});

afterAll(async () => {
  await service.dispose();
  await receiver.close();
});

const managerOf = ({ client_id, client_secret }: DomainCredentials) =>
  ApiClient.whenKnown(service.baseUrl, client_id, client_secret);

function makeWebhook(path: string, event: string, client = manager, id = domain.id) {
  const body = { domain_id: id, description: path, event, endpoint: receiver.url(path) };
  return client.request('POST', '/api/v1/webhook', { body });
}

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ url: 'https://shop.example/thanks', ip: '89.12.3.4', user_agent: FIREFOX },
    ...{ event_name: 'sold', event_meta: { number: index }, time: new Date().toISOString() },
  }));

async function storedEvents(): Promise<number> {
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const range = { id: domain.id, from: day(-86_400_000), to: day(86_400_000) };
  const rows = (await manager.statistics('events', range)) as { name: string; count: number }[];
  return rows.find(({ name }) => name === 'sold')?.count ?? 0;
}

test('M-6, A-60: five hundred webhooks of a domain are told of one event, and there is no more', async () => {
  for (let number = 0; number < DOMAIN_CHILD_COUNT_MAX; number++) {
    const path = `/many/${number}`;
    const made = await makeWebhook(path, 'sold');
    expect(made.status).toBe(200);
    receiver.secrets.set(path, (made.body as { secret: string }).secret);
  }
  expect((await makeWebhook('/one-more', 'sold')).status).toBe(400);
  await writer.collect('event/batch', items(2));
  await until(() => receiver.received.length >= 2 * DOMAIN_CHILD_COUNT_MAX, WAIT_MS);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2 * DOMAIN_CHILD_COUNT_MAX);
  for (let number = 0; number < DOMAIN_CHILD_COUNT_MAX; number++) {
    const numbers = receiver.of(`/many/${number}`).map(({ body }) => body['event_meta']);
    expect(numbers).toEqual([{ number: '0' }, { number: '1' }]);
  }
  expect(receiver.faults).toEqual([]);
}, 120_000);

test('O-2: a batch of too many messages is refused whole, says how much fits, and keeps its key free', async () => {
  const before = await storedEvents();
  const headers = { 'Idempotency-Key': 'one-order-of-events' };
  const refused = await writer.request('POST', '/api/v1/event/batch', {
    ...{ body: items(FITTING + 1), headers },
  });
  expect(refused.status).toBe(400);
  const { validation } = refused.body as { validation: Record<string, string> };
  expect(validation['body']).toContain(`in order of time, the first ${FITTING} fit`);
  expect(await storedEvents()).toBe(before);
  const unheard = items(FITTING + 1).map((item) => ({ ...item, event_name: 'seen' }));
  await writer.collect('event/batch', unheard);
  await writer.collect('event/batch', items(1), headers['Idempotency-Key']);
  await until(() => receiver.received.length >= 3 * DOMAIN_CHILD_COUNT_MAX, WAIT_MS);
  expect(await storedEvents()).toBe(before + 1);
  expect(receiver.received).toHaveLength(3 * DOMAIN_CHILD_COUNT_MAX);
}, 120_000);

test('O-13: of two hundred tests at once a receiver that hangs holds few; the others are told to wait', async () => {
  const hanging: ServerResponse[] = [];
  receiver.behaviour = (_, response) => void hanging.push(response);
  const listed = await manager.request('GET', `/api/v1/webhook?domain_id=${domain.id}`);
  const ids = (listed.body as { id: string }[]).map(({ id }) => id);
  let refusedCount = 0;
  const answers = Array.from({ length: CALLERS }, async (_, caller) => {
    const body = { id: ids[caller % 10] };
    const answer = await manager.request('POST', '/api/v1/webhook/test', { body });
    if (answer.status === 503) refusedCount++;
    return answer;
  });
  // Nobody who is refused waits for those who hang.
  await until(() => refusedCount === CALLERS - WEBHOOK_TEST_DOMAIN_COUNT_MAX, WAIT_MS);
  expect(hanging).toHaveLength(WEBHOOK_TEST_DOMAIN_COUNT_MAX);
  const made = await makeWebhook('/elsewhere', 'sold', await managerOf(other), other.id);
  const { id: elsewhere, secret } = made.body as { id: string; secret: string };
  receiver.secrets.set('/elsewhere', secret);
  receiver.behaviour = taken;
  const sendTest = (client: ApiClient, id: unknown) =>
    client.request('POST', '/api/v1/webhook/test', { body: { id } });
  expect((await sendTest(await managerOf(other), elsewhere)).status).toBe(200);
  for (const response of hanging) response.end('late');
  const told = await Promise.all(answers);
  expect(told.filter(({ status }) => status === 200)).toHaveLength(WEBHOOK_TEST_DOMAIN_COUNT_MAX);
  for (const { headers } of told.filter(({ status }) => status === 503)) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await sendTest(manager, ids[0])).status).toBe(200);
}, 120_000);
