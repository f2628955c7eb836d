/**
 * Goal: who is active on a large site is exact in every answer and sees every hit acknowledged
 * before, whoever gives it: counts, a query thread while they are made, or one after a start (S-80 to
 * S-82, A-64).
 * Method: a site of more visitors than are counted in one go; a hit of a new visitor before every
 * question, so that each answer has to be larger by one than the one before.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
/** Visitors, sessions and page views are rows: 50,000 are counted slice by slice. */
const BATCHES = 3;
const BATCH_HITS = 7_000;
const QUESTIONS = 25;

let service: RunningService;
let domain: DomainCredentials;
let writer: ApiClient;
let reader: ApiClient;
let visitors = 0;

beforeAll(async () => {
  service = await startService({});
  const { email } = await service.createAccount();
  domain = await service.createDomain({ email, hostname: 'example.org' });
  await connect();
  for (let batch = 0; batch < BATCHES; batch++) {
    const time = new Date().toISOString();
    const items = Array.from({ length: BATCH_HITS }, () => ({ ...hit('/'), time }));
    await writer.collect('hit/batch', items);
  }
});

afterAll(() => service?.dispose());

test('every answer about a large site has every visitor acknowledged before it', async () => {
  await askAll();
  await service.restart();
  await connect();
  // Nothing of the site is in memory.
  const first = (await ask('start=3600')) as Active;
  expect(first.visitors).toBe(visitors);
  await askAll();
});

interface Active {
  visitors: number;
  stats: { path: string; visitors: number }[];
}

async function askAll(): Promise<void> {
  const before = visitors;
  for (let question = 0; question < QUESTIONS; question++) {
    await writer.collect('hit', hit('/late'));
    const late = visitors - before;
    // Windows and filters in turn; hits of both halves of the test lie in all of them.
    const all = (await ask(question % 2 === 0 ? 'start=3600' : 'start=3599')) as Active;
    expect(all.visitors).toBe(visitors);
    const some = (await ask('start=3600&path=/late')) as Active;
    expect(some.visitors).toBeGreaterThanOrEqual(late);
    expect(some.stats).toEqual([{ path: '/late', title: '', visitors: some.visitors }]);
    expect(all.stats.reduce((sum, page) => sum + page.visitors, 0)).toBe(visitors);
  }
}

function ask(parameters: string): Promise<unknown> {
  return reader.statistics(
    'active',
    Object.fromEntries(new URLSearchParams(`id=${domain.id}&${parameters}`)),
  );
}

async function connect(): Promise<void> {
  writer = new ApiClient(service.baseUrl, domain.access_key);
  reader = await ApiClient.whenKnown(service.baseUrl, domain.client_id, domain.client_secret);
}

/** A page view of somebody new. */
function hit(path: string) {
  const number = visitors++;
  const ip = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  return { url: `https://example.org${path}`, user_agent: AGENT, ip };
}
