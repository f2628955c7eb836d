// Goal: each stored event is told to its webhook at least once, one id names one event, and nothing is
// told without a cause, whatever is killed when and however the receiver answers (O-1, O-11, A-60).
// Method: events with numbers from several senders while the service is killed with SIGKILL; receivers
// that are good, slow, wrong at first, or silent at first; what came is compared with what is stored.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { IS_LONG, SEED } from '../../support/runs.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { pause, until } from '../../support/until.ts';
import { type Received, WebhookReceiver } from '../../support/webhook-receiver.ts';

const KILLS = IS_LONG ? 20 : 2;
const LIFE_MS_MAX = 2_000;
const SENDERS = 4;
const SETTLED_MS_MAX = 120_000;
const PATHS = ['/good', '/slow', '/wrong', '/silent'];

const random = seededRandom(SEED);
let service: RunningService;
let receiver: WebhookReceiver;
let domain: DomainCredentials;
/** Ids that were refused, or not answered, once. */
const tried = new Set<string>();
let isOver = false;
const acknowledged: number[] = [];
let sentCount = 0;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  receiver.behaviour = behave;
  service = await startService({
    env: {
      ...{ FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_LOG_LEVEL: 'warn' },
      FOOTFALL_OUTBOUND_PRIVATE: 'on',
    },
  });
  const { email } = await service.createAccount();
  domain = await service.createDomain({ email, hostname: 'shop.example', timezone: 'UTC' });
  const manager = await ApiClient.whenKnown(
    service.baseUrl,
    ...([domain.client_id, domain.client_secret] as const),
  );
  for (const path of PATHS) {
    const made = await manager.request('POST', '/api/v1/webhook', {
      body: {
        domain_id: domain.id,
        description: path,
        event: 'sold',
        endpoint: receiver.url(path),
      },
    });
    expect(made.status).toBe(200);
    receiver.secrets.set(path, (made.body as { secret: string }).secret);
  }
});

afterAll(async () => {
  await service.dispose();
  await receiver.close();
});

function behave({ path, id }: Received, response: ServerResponse): void {
  const isFirst = !tried.has(`${path} ${id}`);
  tried.add(`${path} ${id}`);
  if (path === '/slow') setTimeout(() => response.end(), random() * 200);
  else if (path === '/wrong' && isFirst && !isOver && random() < 0.3) refuse(response);
  else if (path === '/silent' && isFirst && !isOver && random() < 0.02) return;
  else response.end();
}

function refuse(response: ServerResponse): void {
  if (random() < 0.5) response.destroy();
  else response.writeHead(random() < 0.5 ? 500 : 302, { location: '/good' }).end('no');
}

async function sendEvents(): Promise<void> {
  while (!isOver) {
    sentCount++;
    const number = sentCount;
    const event = {
      ...{ url: `https://shop.example/thanks/${number}`, ip: `89.12.${number % 200}.7` },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      ...{ event_name: number % 3 === 0 ? 'seen' : 'sold', event_meta: { number: String(number) } },
    };
    const isStored = await fetch(`${service.baseUrl}/api/v1/event`, {
      method: 'POST',
      headers: { authorization: `Bearer ${domain.access_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    }).then(
      (answer) => answer.status === 200,
      () => false,
    );
    if (isStored && number % 3 !== 0) acknowledged.push(number);
    if (!isStored) await pause(50);
    await pause(random() * 10);
  }
}

const numberOf = ({ body }: Received) => Number((body['event_meta'] as { number: string }).number);

/** Events of the name that are stored, whoever was told. */
async function storedCount(): Promise<number> {
  const { baseUrl } = service;
  const reader = await ApiClient.whenKnown(baseUrl, domain.client_id, domain.client_secret);
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const range = { id: domain.id, from: day(-86_400_000), to: day(86_400_000) };
  const rows = (await reader.statistics('events', range)) as { name: string; count: number }[];
  return rows.find(({ name }) => name === 'sold')?.count ?? 0;
}

test(`O-1, A-60: after ${KILLS} kills each stored event was told (seed ${SEED})`, {
  timeout: 400_000,
}, async () => {
  const sending = Array.from({ length: SENDERS }, sendEvents);
  for (let kill = 1; kill <= KILLS; kill++) {
    await pause(random() * LIFE_MS_MAX);
    await service.kill();
    await service.start();
  }
  await pause(500);
  isOver = true;
  await Promise.all(sending);
  const stored = await storedCount();
  expect(stored).toBeGreaterThanOrEqual(acknowledged.length);
  const told = (path: string) => new Set(receiver.of(path).map(numberOf));
  await until(() => PATHS.every((path) => told(path).size >= stored), SETTLED_MS_MAX).catch(
    () => 0,
  );
  for (const path of PATHS) {
    const numbers = told(path);
    expect(
      acknowledged.filter((number) => !numbers.has(number)),
      `untold by ${path}`,
    ).toEqual([]);
    expect(numbers.size, `told by ${path}, against what is stored`).toBe(stored);
    const ids = new Map(receiver.of(path).map((one) => [one.id, numberOf(one)]));
    expect(ids.size, `ids by ${path}`).toBe(numbers.size);
    for (const one of receiver.of(path)) expect(ids.get(one.id)).toBe(numberOf(one));
  }
  expect(receiver.faults).toEqual([]);
  const repeats = receiver.received.length - PATHS.length * stored;
  console.log(
    `webhooks, seed ${SEED}: ${sentCount} events sent, ${acknowledged.length} acknowledged, ` +
      `${stored} stored, ${receiver.received.length} requests (${repeats} repeats), ${KILLS} kills`,
  );
});
