// Goal: whatever moment the service is killed at, an acknowledged hit is counted exactly once, an
// unacknowledged one at most once, and one that is retried with its Idempotency-Key exactly once.
// Method: load from several connections while the service is killed with SIGKILL 20 times at seeded
// random moments (at times also while it starts), then every request is looked up by its own page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { type LedgerEntry, LoadClient, seededRandom } from '../support/load-client.ts';
import { type DomainCredentials, type RunningService, startService } from '../support/service.ts';

const KILLS = 20;
/** A life lasts up to this long, so that kills fall before, into and after checkpoints. */
const LIFE_MS_MAX = 2_200;
/** Share of the restarts that are killed while they recover. */
const KILLED_WHILE_STARTING = 0.25;
const DAY_MS = 86_400_000;
const PAGE_ROWS = 100;

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);

let running: RunningService;
let domain: DomainCredentials;
let reader: ApiClient;

beforeAll(async () => {
  running = await startService({ env: { FOOTFALL_LOG_LEVEL: 'warn' } });
  const { email } = await running.createAccount();
  domain = await running.createDomain({ email, hostname: 'crash.example', timezone: 'UTC' });
  reader = await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
});

afterAll(() => running.dispose());

/** From yesterday to tomorrow, so that a run across midnight sees all of its hits. */
function range(): { id: string; from: string; to: string } {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const now = Date.now();
  return { id: domain.id, from: day(now - DAY_MS), to: day(now + DAY_MS) };
}

async function totalViews(): Promise<number> {
  const total = (await reader.statistics('total', range())) as { views: number };
  return total.views;
}

/** A whole list, page by page: the value of one field by the value of another. */
async function wholeList(name: string, key: string, value: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const parameters = { ...range(), limit: PAGE_ROWS, offset };
    const rows = (await reader.statistics(name, parameters)) as Record<string, string | number>[];
    for (const row of rows) found.set(String(row[key]), Number(row[value]));
    if (rows.length < PAGE_ROWS) return found;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts it again; sometimes it is killed once more before it is up. @returns extra kills. */
async function startAgain(): Promise<number> {
  if (random() >= KILLED_WHILE_STARTING) {
    await running.start();
    return 0;
  }
  const starting = running.start().then(
    () => undefined,
    () => undefined,
  );
  await pause(random() * 900);
  await running.kill();
  await starting;
  await running.start();
  return 1;
}

/** What is wrong with one request's count; '' when nothing is. */
function verdict(entry: LedgerEntry, counted: number, expected: number): string {
  const must = entry.fate === 'acknowledged';
  const isRight = must ? counted === expected : counted === 0 || counted === expected;
  const isKeyedRight = entry.hasKey ? counted === expected : true;
  return isRight && isKeyedRight
    ? ''
    : `${entry.path} (${entry.fate}, ${entry.attempts} attempts, key: ${entry.hasKey}): ` +
        `counted ${counted} of ${expected}`;
}

test(`after ${KILLS} kills every acknowledged hit is counted exactly once (seed ${seed})`, {
  timeout: 240_000,
}, async () => {
  const load = new LoadClient({
    baseUrl: running.baseUrl,
    accessKey: domain.access_key,
    hostname: domain.hostname,
    connections: 8,
    restMsMax: 25,
    random,
  });
  load.start();
  let killsWhileStarting = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(random() * LIFE_MS_MAX);
    await running.kill();
    killsWhileStarting += await startAgain();
    const owed = load.acknowledgedViews;
    expect(await totalViews(), `after kill ${kill + 1}`).toBeGreaterThanOrEqual(owed);
  }
  await load.stop();

  const views = await wholeList('page', 'path', 'views');
  const visitors = await wholeList('page', 'path', 'visitors');
  const events = await wholeList('events', 'name', 'count');
  const wrong = load.ledger.flatMap((entry) =>
    [
      verdict(entry, views.get(entry.path) ?? 0, entry.views),
      entry.events === 0 ? '' : verdict(entry, events.get(entry.eventName) ?? 0, entry.events),
      (visitors.get(entry.path) ?? 0) > 1 ? `${entry.path}: more than one visitor` : '',
    ].filter((text) => text !== ''),
  );
  const count = (fate: string): number => load.ledger.filter((one) => one.fate === fate).length;
  console.log(
    `crash test, seed ${seed}: ${load.ledger.length} requests, ${count('acknowledged')} ` +
      `acknowledged, ${count('unknown')} unknown, ${count('refused')} refused, ` +
      `${load.ledger.filter((one) => one.attempts > 1).length} sent more than once, ` +
      `${KILLS} kills and ${killsWhileStarting} while starting`,
  );
  expect(wrong.slice(0, 20), `${wrong.length} wrong counts`).toEqual([]);
  const known = new Set(load.ledger.map((entry) => entry.path));
  expect([...views.keys()].filter((path) => !known.has(path))).toEqual([]);
  expect(await totalViews()).toBe([...views.values()].reduce((sum, one) => sum + one, 0));
  expect(count('acknowledged')).toBeGreaterThan(500);
});
