// Goal: each stored event is told to its webhook at least once, one id names one event, nothing is told
// without a cause, and attempts begin in the order of events, whatever is killed when and however the
// receiver answers (O-1, O-11, A-60).
// Method: events with numbers from several senders while the service is killed with SIGKILL; receivers
// that are good, slow, wrong in seven ways, or silent the first time, and in the long run one that is
// not there; what came is compared with what is stored.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { MANNERS, ToldEvents } from '../../support/faults/told-events.ts';
import { IS_LONG, SEED } from '../../support/runs.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { pause, untilAll } from '../../support/until.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const KILLS = IS_LONG ? 20 : 2;
const LIFE_MS_MAX = 3_000;
const SENDERS = 4;
/** As long as more comes it is waited: a slow receiver takes forty a second, and there are thousands. */
const SILENT_MS_MAX = 60_000;
const PATHS = MANNERS.map((manner) => `/${manner}`);

const random = seededRandom(SEED);
const events = new ToldEvents(random);
let service: RunningService;
let receiver: WebhookReceiver;
/** Nobody listens there until all kills are over. */
let absent: WebhookReceiver | null = null;
let domain: DomainCredentials;
const webhookIds = new Map<string, string>();

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  receiver.behaviour = events.behave;
  service = await startService({
    env: {
      ...{ FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_LOG_LEVEL: 'warn' },
      FOOTFALL_OUTBOUND_PRIVATE: 'on',
    },
  });
  const { email } = await service.createAccount();
  domain = await service.createDomain({ email, hostname: 'shop.example', timezone: 'UTC' });
  for (const path of PATHS) await makeWebhook(receiver, path);
  if (!IS_LONG) return;
  absent = await WebhookReceiver.start();
  await makeWebhook(absent, '/absent');
  await absent.pause();
}, 180_000);

afterAll(async () => {
  await service.dispose();
  await receiver.close();
  await absent?.close();
});

const manager = () => ApiClient.whenKnown(service.baseUrl, domain.client_id, domain.client_secret);

async function makeWebhook(at: WebhookReceiver, path: string): Promise<void> {
  const wanted = { domain_id: domain.id, description: path, event: 'sold', endpoint: at.url(path) };
  const made = await (await manager()).request('POST', '/api/v1/webhook', { body: wanted });
  expect(made.status).toBe(200);
  const { id, secret } = made.body as { id: string; secret: string };
  webhookIds.set(path, id);
  at.secrets.set(path, secret);
}

/** Sends an event once. @returns whether it was stored, as far as its sender knows. */
async function post(body: object): Promise<boolean> {
  const answer = await fetch(`${service.baseUrl}/api/v1/event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${domain.access_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, url: 'https://shop.example/thanks' }),
  }).catch(() => null);
  return answer?.status === 200;
}

/** Events of the name that are stored, whoever was told. */
async function storedCount(): Promise<number> {
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const range = { id: domain.id, from: day(-86_400_000), to: day(86_400_000) };
  const rows = await (await manager()).statistics('events', range);
  return (
    (rows as { name: string; count: number }[]).find(({ name }) => name === 'sold')?.count ?? 0
  );
}

/** The receiver that was not there is back, and somebody saves its webhook. */
async function comeBack(at: WebhookReceiver): Promise<void> {
  await at.resume();
  const client = await manager();
  const found = await client.request('GET', `/api/v1/webhook?domain_id=${domain.id}`);
  const of = (found.body as { id: string; active: boolean }[]).find(
    ({ id }) => id === webhookIds.get('/absent'),
  );
  // More than a hundred attempts have failed.
  expect(of?.active).toBe(false);
  const { id } = of as { id: string };
  const body = { id, description: '', event: 'sold', endpoint: at.url('/absent') };
  expect((await client.request('POST', '/api/v1/webhook', { body })).status).toBe(200);
}

test(`O-1, A-60: after ${KILLS} kills each stored event was told (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  const sending = Array.from({ length: SENDERS }, () => events.send(post));
  for (let kill = 1; kill <= KILLS; kill++) {
    await pause(random() * LIFE_MS_MAX);
    await service.kill();
    await service.start();
    if (IS_LONG) console.log(`kill ${kill}: ${events.acknowledged.length} acknowledged`);
  }
  await pause(500);
  events.isOver = true;
  await Promise.all(sending);
  const stored = await storedCount();
  expect(stored).toBeGreaterThanOrEqual(events.acknowledged.length);
  if (absent !== null) await comeBack(absent);
  const pairs = PATHS.map((path) => [receiver, path] as const);
  if (absent !== null) pairs.push([absent, '/absent']);
  const counts = () => pairs.map(([at, path]) => events.told(at, path).size);
  await untilAll(counts, stored, SILENT_MS_MAX);
  for (const [at, path] of pairs) {
    expect(events.faults(at, path, stored, at === receiver)).toEqual([]);
    expect(at.faults).toEqual([]);
  }
  const came = pairs.reduce((sum, [at, path]) => sum + at.of(path).length, 0);
  console.log(
    `webhooks, seed ${SEED}: ${events.sentCount} events sent, ` +
      `${events.acknowledged.length} acknowledged, ${stored} stored, ${came} requests ` +
      `(${came - pairs.length * stored} repeats), ${KILLS} kills`,
  );
});
