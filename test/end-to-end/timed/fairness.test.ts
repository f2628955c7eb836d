// Goal: one site's flood of large batches does not keep another site's single hits waiting, nor has
// them refused (issue 11, 14).
// Method: a service with one edge; many connections send the largest batches of one site, one client
// sends single hits of another. Times are compared with each other, since machines differ.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

const CONNECTIONS = 16;
const BATCHES_EACH = 2;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let service: RunningService;
let flooded: DomainCredentials;
let quiet: DomainCredentials;

beforeAll(async () => {
  service = await startService({ env: { FOOTFALL_EDGES: '1' } });
  const { email } = await service.createAccount();
  flooded = await service.createDomain({ email, hostname: 'flooded.example' });
  quiet = await service.createDomain({ email, hostname: 'quiet.example' });
  for (const domain of [flooded, quiet]) {
    await ApiClient.whenKnown(service.baseUrl, domain.client_id, domain.client_secret);
  }
});

afterAll(() => service?.dispose());

test('single hits of one site are taken at once beside a flood of batches of another', async () => {
  let isOver = false;
  const flood = Promise.all(Array.from({ length: CONNECTIONS }, sendBatches)).finally(() => {
    isOver = true;
  });
  const single = new ApiClient(service.baseUrl, quiet.access_key);
  const singles: Timed[] = [];
  while (!isOver)
    singles.push(
      await timed(() => single.request('POST', '/api/v1/hit', { body: hit('quiet.example') })),
    );
  const batches = (await flood).flat();

  const taken = batches.filter(({ status }) => status === 200);
  expect(taken.length).toBeGreaterThan(CONNECTIONS / 2);
  expect(new Set(singles.map(({ status }) => status))).toEqual(new Set([200]));
  // A batch waits for the others of its site; a single hit for one slice of them and a commit.
  const batchMs = percentile(taken, 0.5);
  expect(percentile(singles, 0.9)).toBeLessThan(batchMs / 4);
  expect(percentile(singles, 1)).toBeLessThan(batchMs);
});

interface Timed {
  status: number;
  ms: number;
}

async function sendBatches(): Promise<Timed[]> {
  const client = new ApiClient(service.baseUrl, flooded.access_key);
  const time = new Date().toISOString();
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    ...hit('flooded.example'),
    ...{
      ip: `10.0.${index >> 8}.${index & 255}`,
      title: 't'.repeat(300),
      time,
    },
  }));
  const sent: Timed[] = [];
  for (let count = 0; count < BATCHES_EACH; count++) {
    sent.push(await timed(() => client.request('POST', '/api/v1/hit/batch', { body: items })));
  }
  return sent;
}

async function timed(send: () => Promise<{ status: number }>): Promise<Timed> {
  const startMs = performance.now();
  const { status } = await send();
  return { status, ms: performance.now() - startMs };
}

function percentile(all: readonly Timed[], share: number): number {
  const sorted = all.map(({ ms }) => ms).toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

function hit(hostname: string) {
  return { url: `https://${hostname}/`, ip: '81.2.69.142', user_agent: AGENT };
}
