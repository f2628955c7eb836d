// Goal: `footfall ledger` tells where everything has gone that an installation was sent, what was
// refused included, beside the service, after a stop, after a kill and over restarts (P-31).
// Method: a real service is sent known traffic of every fate; the command is run as an operator would.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const VIEW = { url: 'https://own.example/', ip: '81.2.69.142', user_agent: FIREFOX };
const EVENT = { ...VIEW, event_name: 'order' };
const BOT = { ...VIEW, user_agent: 'examplebot/1.0 (+https://example.com/bot)' };
const FOREIGN = { ...VIEW, url: 'https://elsewhere.example/' };

interface Told {
  is_running: boolean;
  is_whole: boolean;
  received: number;
  stored: { page_views: number; events: number; keep_alives: number };
  opening_events: number;
  dropped: Record<string, number>;
  duplicates: number;
  refused: Record<string, number>;
}

let running: RunningService;
let domain: DomainCredentials;

const day = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 10);

/** A run over midnight is one question all the same. */
function ask(): Promise<Told> {
  return running.command<Told>(['ledger', '--from', day(-DAY_MS), '--to', day(DAY_MS)]);
}

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' } });
  const { email } = await running.createAccount();
  domain = await running.createDomain({ email, hostname: 'own.example' });
  await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
});
afterAll(() => running?.dispose());

/** Every fate of an item that was let in, and of a request that was not. */
async function sendOneOfEach(round: number): Promise<void> {
  const writer = new ApiClient(running.baseUrl, domain.access_key);
  const stranger = new ApiClient(running.baseUrl, 'nobody');
  const statusOf = async (client: ApiClient, path: string, body: unknown): Promise<number> =>
    (await client.request('POST', path, { body })).status;

  const visitor = { ip: `81.2.69.${round}` };
  await writer.collect('hit', { ...VIEW, ...visitor });
  await writer.collect('event', { ...EVENT, ...visitor });
  await writer.collect('session', { ip: visitor.ip, user_agent: FIREFOX });
  await writer.collect('hit', BOT);
  expect(await statusOf(writer, '/api/v1/hit', FOREIGN)).toBe(400);
  const time = new Date().toISOString();
  const batch = [BOT, FOREIGN].map((item) => ({ ...item, time }));
  for (let times = 0; times < 2; times++) await writer.collect('hit/batch', batch, `key-${round}`);

  expect(await statusOf(writer, '/api/v1/hit', '{"url":')).toBe(400);
  expect(await statusOf(writer, '/api/v1/hit', { ...VIEW, url: 7 })).toBe(400);
  expect(await statusOf(writer, '/api/v1/event/batch', { no: 'list' })).toBe(400);
  expect(await statusOf(stranger, '/api/v1/hit', VIEW)).toBe(401);
  expect(await statusOf(stranger, '/api/v1/hit/batch', batch)).toBe(401);
  expect(await statusOf(new ApiClient(running.baseUrl), '/api/v1/session', VIEW)).toBe(401);
  // Neither is a request to collect anything.
  expect(await statusOf(writer, '/api/v1/hits', VIEW)).toBe(404);
  expect(await statusOf(stranger, '/api/v1/goal', {})).toBe(401);
}

/** By that. */
const REFUSED = { BODY_NOT_JSON: 1, VALIDATION_FAILED: 2, TOKEN_INVALID: 2, TOKEN_MISSING: 1 };

function itemsOf(rounds: number) {
  return {
    ...{ is_whole: true, received: 9 * rounds, opening_events: 0, duplicates: 2 * rounds },
    stored: { page_views: rounds, events: rounds, keep_alives: rounds },
    dropped: { 'ua-keyword': 2 * rounds, hostname: 2 * rounds },
  };
}

function refusedIn(rounds: number): Told['refused'] {
  return Object.fromEntries(Object.entries(REFUSED).map(([code, count]) => [code, count * rounds]));
}

test('beside the service it knows what was acknowledged, and a second later what was refused (P-31)', async () => {
  await sendOneOfEach(1);
  expect(await ask()).toMatchObject({ is_running: true, ...itemsOf(1) });
  await until(async () => isDeepStrictEqual((await ask()).refused, refusedIn(1)));
});

test('after clean stops, at once after the last request, it is exact, refused requests too (P-31)', async () => {
  await sendOneOfEach(2);
  expect(await running.stop()).toBe(0);
  const wanted = { is_running: false, ...itemsOf(2), refused: refusedIn(2) };
  expect(await ask()).toMatchObject(wanted);
  await running.start();
  expect(await ask()).toMatchObject({ ...wanted, is_running: true });
  await sendOneOfEach(3);
  await running.stop();
  const told = await ask();
  expect(told).toMatchObject({ is_running: false, ...itemsOf(3) });
  expect(told.refused).toEqual(refusedIn(3));
});

test('after a kill it has every item, and loses at most the refused requests of the last second (P-31)', async () => {
  await running.start();
  await sendOneOfEach(4);
  await running.kill();
  const told = await ask();
  expect(told).toMatchObject({ is_running: false, ...itemsOf(4) });
  for (const [code, count] of Object.entries(REFUSED)) {
    expect(told.refused[code]).toBeGreaterThanOrEqual(3 * count);
    expect(told.refused[code]).toBeLessThanOrEqual(4 * count);
  }
});
