/**
 * Goal: what must hold between statistics holds, whatever the traffic; no oracle involved.
 * Method: random scenarios over HTTP, a few questions each, sums and bounds over the answers.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, httpBench } from '../support/bench.ts';
import { ApiClient } from '../support/client.ts';
import { difference } from '../support/difference.ts';
import { createTestSite, type TestDomain } from '../support/domains.ts';
import { announceSeed } from '../support/judge.ts';
import { addDays } from '../support/oracle/zone.ts';
import { build, SCENES, type Scenario, scenarios } from '../support/scenario.ts';
import { type RunningService, startService } from '../support/service.ts';

type Row = Record<string, number>;

const RUNS = 25;
const HOSTNAME = 'example.org';

let running: RunningService;
let reader: ApiClient;
const unused: TestDomain[] = [];

beforeAll(async () => {
  running = await startService({
    autoStart: false,
    hasCities: true,
    env: { FOOTFALL_ACTORS: '2' },
  });
  const made = await createTestSite({ dataDir: running.dataDir, count: 600 });
  unused.push(...made.domains);
  await running.start();
  const { client_id: clientId, client_secret: clientSecret } = made.account;
  reader = await ApiClient.withSecret(running.baseUrl, clientId, clientSecret);
});

afterAll(async () => {
  await running?.dispose();
});

function open(): Bench {
  const domain = unused.shift();
  if (domain === undefined) throw new Error('no domain is left');
  const writer = new ApiClient(running.baseUrl, domain.accessKey);
  return httpBench({ domainId: domain.id, hostname: HOSTNAME, writer, reader, missing: new Set() });
}

/** A range that holds every hit of a scenario. */
function rangeOf(scenario: Scenario): { from: string; to: string } {
  const date = SCENES[scenario.scene]?.date ?? '';
  return { from: addDays(date, -30), to: addDays(date, 120) };
}

async function sendAll(bench: Bench, scenario: Scenario): Promise<void> {
  for (const { items, idempotencyKey } of build(scenario)) await bench.send(items, idempotencyKey);
}

function sum(rows: readonly Row[], field: string): number {
  return rows.reduce((total, row) => total + (row[field] ?? 0), 0);
}

/** Every page of a list, 100 rows at a time. */
async function allRows(bench: Bench, name: string, range: object): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const more = (await bench.ask(name, { ...range, limit: 100, offset: rows.length })) as Row[];
    rows.push(...more);
    if (more.length < 100) return rows;
  }
}

async function checkInvariants(bench: Bench, range: object): Promise<void> {
  const total = (await bench.ask('total', { ...range })) as Row;
  const { visitors = 0, sessions = 0, views = 0, bounces = 0 } = total;
  expect(visitors).toBeLessThanOrEqual(sessions);
  expect(sessions).toBeLessThanOrEqual(views);
  expect(bounces).toBeLessThanOrEqual(sessions);
  for (const scale of ['day', 'week', 'month', 'year']) {
    const series = (await bench.ask('visitor', { ...range, scale })) as Row[];
    expect([scale, sum(series, 'views')]).toEqual([scale, views]);
    expect(sum(series, 'visitors')).toBeGreaterThanOrEqual(visitors);
  }
  expect(sum(await allRows(bench, 'page', range), 'views')).toBe(views);
  expect(sum(await allRows(bench, 'page/entry', range), 'entries')).toBe(sessions);
  expect(sum(await allRows(bench, 'page/exit', range), 'exits')).toBe(sessions);
  expect(sum(await allRows(bench, 'referrer', range), 'sessions')).toBe(sessions);
  const lists = ['page', 'page/entry', 'page/exit', 'referrer', 'country', 'browser', 'os'];
  for (const name of [...lists, 'language', 'screen', 'events']) {
    for (const row of await allRows(bench, name, range)) {
      expect(row.visitors).toBeLessThanOrEqual(visitors);
    }
  }
  // A visitor has one address and one user agent, hence one platform, country and browser.
  const platform = (await bench.ask('platform', { ...range })) as Row;
  const { platform_desktop = 0, platform_mobile = 0, platform_unknown = 0 } = platform;
  expect(platform_desktop + platform_mobile + platform_unknown).toBe(visitors);
  for (const name of ['country', 'browser', 'os']) {
    expect(sum(await allRows(bench, name, range), 'visitors')).toBe(visitors);
  }
}

test('days, pages, entries, exits and groups add up to the totals (S-3, S-20 to S-60)', async () => {
  const seed = announceSeed('invariants', RUNS);
  await fc.assert(
    fc.asyncProperty(
      scenarios(50),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
      async (scenario, tz) => {
        const bench = open();
        await sendAll(bench, scenario);
        await checkInvariants(bench, { ...rangeOf(scenario), tz });
      },
    ),
    { seed, numRuns: RUNS },
  );
});

test('statistics of a domain do not depend on what other domains receive in between (I-74)', async () => {
  const seed = announceSeed('interleaved domains', RUNS);
  await fc.assert(
    fc.asyncProperty(scenarios(40), scenarios(40), async (scenario, other) => {
      const [alone, interleaved, noise] = [open(), open(), open()];
      await sendAll(alone, scenario);
      const others = build(other);
      for (const [index, request] of build(scenario).entries()) {
        const more = others[index];
        if (more !== undefined) await noise.send(more.items, more.idempotencyKey);
        await interleaved.send(request.items, request.idempotencyKey);
      }
      const range = rangeOf(scenario);
      for (const name of ['total', 'page', 'page/entry', 'page/exit', 'referrer', 'events']) {
        const [wanted, got] = await Promise.all([
          alone.ask(name, range),
          interleaved.ask(name, range),
        ]);
        expect(difference(got, wanted, name)).toBe('');
      }
    }),
    { seed, numRuns: RUNS },
  );
});
