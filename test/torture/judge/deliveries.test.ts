// Goal: the judge of deliveries finds an event that was told to nobody, twice, or without a cause; the
// receiver finds an id of two events and a request that nobody signed (O-1, O-10).
// Method: a model with three events, and what was told made from it with one thing changed; requests by
// fetch, signed by the package of Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyWorld } from '../../support/oracle/world.ts';
import { Ledger } from '../load/ledger.ts';
import { Receiver, type ToldEvent } from '../load/receiver.ts';
import { Site } from '../load/sites.ts';
import { Stream } from '../random.ts';
import { judgeDeliveries } from './deliveries.ts';

const SECRETS = { client_id: '', client_secret: '', access_key: '' };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const TIME_MS = Date.UTC(2026, 10, 23);

let ledger: Ledger;
let site: Site;
let receiver: Receiver;

beforeEach(async () => {
  ledger = new Ledger(1);
  site = new Site({ id: 'd', hostname: 'timed.example', ...SECRETS }, false, 'f');
  const { events } = Object.assign(site.world(3), emptyWorld());
  // The last one has a name that is none of the webhooks'.
  for (const name of ['order', 'order', 'sign up', 'Order']) {
    const of = { session: null as never, timeMs: TIME_MS + events.length, durationSeconds: 0 };
    events.push({ ...of, name, path: '/a', title: 'T', meta: { l: 'x', k: '1' } });
  }
  receiver = await Receiver.open(ledger, new Stream('test'));
  receiver.expect({ site: site.name, event: 'order', secret: SECRET });
});

afterEach(() => receiver.close());

function toldEvents(): ToldEvent[] {
  return ['order', 'order', 'sign up'].map((event_name, at) => ({
    ...{ event_name, path: '/a', title: 'T', event_meta: { k: '1', l: 'x' } },
    time: new Date(TIME_MS + at).toISOString(),
  }));
}

async function judged(told: readonly ToldEvent[]): Promise<string[]> {
  await judgeDeliveries({ receiver: { told: () => [...told] }, ledger }, site, 0);
  return ledger.differences.map(({ text }) => text);
}

test('finds nothing where each event was told once', async () => {
  expect(await judged(toldEvents())).toEqual([]);
  expect(ledger.counts).toMatchObject({ entries: 3, different: 0 });
});

test('finds an event that nobody was told of', async () => {
  expect(await judged(toldEvents().slice(1))).toEqual([expect.stringContaining('told 0 times')]);
});

test('finds an event that was told under two ids', async () => {
  const told = toldEvents();
  const twice = await judged([...told, told[0] as ToldEvent]);
  expect(twice).toEqual([expect.stringContaining('told 2 times, due are 1')]);
});

test('finds what was told without a cause', async () => {
  const other = { ...(toldEvents()[0] as ToldEvent), path: '/refused' };
  const found = await judged([...toldEvents(), other]);
  expect(found).toEqual([expect.stringContaining('due are 0')]);
});

async function send(id: string, body: object, secret = SECRET): Promise<void> {
  const text = JSON.stringify(body);
  const at = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, text),
  };
  const url = receiver.addressOf(site.name, 'order');
  await fetch(url, { method: 'POST', headers, body: text });
}

test('the receiver takes a repetition, and no second event under its id', async () => {
  const body = { id: 'evt_1', event_name: 'order', path: '/a' };
  await send('evt_1', body);
  await send('evt_1', body);
  expect(ledger.differences).toEqual([]);
  expect(ledger.counts).toMatchObject({ deliveries: 2, deliveriesRepeated: 1 });
  await send('evt_1', { ...body, path: '/b' });
  expect(ledger.counts.different).toBe(1);
});

test.each([
  ['a wrong signature', { id: 'evt_1', event_name: 'order' }, SECRET.replace('whsec_B', 'whsec_C')],
  ['another id', { id: 'evt_2', event_name: 'order' }, SECRET],
  ['another event', { id: 'evt_1', event_name: 'Order' }, SECRET],
])('the receiver finds %s', async (_, body, secret) => {
  await send('evt_1', body, secret);
  expect(ledger.counts.different).toBe(1);
});
