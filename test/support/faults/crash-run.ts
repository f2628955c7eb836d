/**
 * The crash test: whatever moment the service is killed at, an acknowledged hit is counted exactly
 * once, an unacknowledged one at most once, and one that is retried with its Idempotency-Key exactly
 * once. What is dropped is in the ledger, and the ledger adds up to what was sent (P-31).
 *
 * Load on several domains from several connections, over two edges and two actors, while the service
 * is killed with SIGKILL at seeded random moments (at times also while it starts); then every request
 * is looked up by its own page. Run once per log.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../clients/client.ts';
import { LoadClient, seededRandom } from '../clients/load-client.ts';
import { IS_LONG, SEED } from '../runs.ts';
import {
  type AccountCredentials,
  type DomainCredentials,
  type RunningService,
  startService,
} from '../service.ts';
import { pause } from '../until.ts';
import { DropLoad, ledgerOf, wrongEntries } from './drop-load.ts';
import { billOf, type Site, storedRows, totalViews, wrongCounts } from './ledger-check.ts';

/** A life lasts up to this long, so that kills fall before, into and after checkpoints. */
const LIFE_MS_MAX = 2_200;
const DAY_MS = 86_400_000;
/** Share of the restarts that are killed while they recover. */
const KILLED_WHILE_STARTING = 0.25;

const random = seededRandom(SEED);

/** What the service stands on while it is killed. */
export interface CrashGround {
  /** In the long run, and in `npm test`. */
  kills: { long: number; short: number };
  /** Settings besides those of the test, once what they name is there. */
  prepare(): Promise<Readonly<Record<string, string>>>;
  /** Something else that goes wrong in the life of a service. */
  disturb?(random: () => number): Promise<void>;
  /** Ends a life; SIGKILL when it is left out. */
  end?(running: RunningService, random: () => number): Promise<void>;
  /** What happens to the files of a service that is dead. */
  displace?(dataDir: string, random: () => number): void;
  /** Called when the service is dead, before it is started again. */
  revive?(random: () => number): Promise<void>;
  /** Waits until statistics have everything that was acknowledged, where that takes a while. */
  settle?(baseUrl: string): Promise<void>;
  dispose(): Promise<void>;
}

let running: RunningService;
const sites: Site[] = [];
/** A domain that is sent much in vain. */
let dropped: { domain: DomainCredentials; reader: ApiClient; load: DropLoad };
/** Of the account that all of them are of. */
let account: AccountCredentials;
/** When the load began: no row is older. */
let startedMs = 0;

async function makeSite(email: string, hostname: string): Promise<Site> {
  const { baseUrl } = running;
  const domain = await running.createDomain({ email, hostname, timezone: 'UTC' });
  const reader = await ApiClient.whenKnown(baseUrl, domain.client_id, domain.client_secret);
  const load = new LoadClient({
    baseUrl,
    accessKey: domain.access_key,
    hostname,
    connections: 3,
    restMsMax: 25,
    random,
  });
  return { domain, reader, load };
}

async function makeDropped(email: string): Promise<typeof dropped> {
  const domain = await running.createDomain({ email, hostname: 'drops.example', timezone: 'UTC' });
  const { client_id, client_secret } = domain;
  const reader = await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
  return { domain, reader, load: new DropLoad(domain, () => running.baseUrl, random) };
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

/** One line for people: what the test has gone through. */
function summary(kills: number, killsWhileStarting: number): string {
  const all = sites.flatMap(({ load }) => load.ledger);
  const count = (fate: string): number => all.filter((entry) => entry.fate === fate).length;
  const repeated = all.filter((entry) => entry.attempts > 1).length;
  return (
    `crash test, seed ${SEED}: ${all.length} requests, ${count('acknowledged')} acknowledged, ` +
    `${count('unknown')} unknown, ${count('refused')} refused, ${repeated} sent more than once, ` +
    `${kills} kills and ${killsWhileStarting} while starting`
  );
}

async function killAndRestart(kill: number, ground: CrashGround): Promise<number> {
  await pause(random() * LIFE_MS_MAX);
  await ground.disturb?.(random);
  await ground.end?.(running, random);
  await running.kill();
  ground.displace?.(running.dataDir, random);
  await ground.revive?.(random);
  const killsWhileStarting = await startAgain();
  await ground.settle?.(running.baseUrl);
  for (const site of sites) {
    const owed = site.load.acknowledgedViews;
    expect(await totalViews(site), `after kill ${kill}`).toBeGreaterThanOrEqual(owed);
  }
  // Asked, it is saved: so there are kills between its saves, too.
  const owed = dropped.load.sent.views;
  expect(await totalViews(dropped), `after kill ${kill}`).toBeGreaterThanOrEqual(owed);
  return killsWhileStarting;
}

/** S-99, M-17: whatever was killed when, the bill has each row once. */
async function expectRightBill(): Promise<void> {
  const { client_id, client_secret } = account;
  const owner = await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
  const bill = await billOf(owner);
  for (const site of sites) {
    const billed = bill.get(site.domain.id);
    expect(billed?.pageViews, 'page views on the bill').toBe(await storedRows(site));
    expect(Date.parse(billed?.start ?? '')).toBeGreaterThanOrEqual(startedMs);
  }
}

interface Told {
  is_whole: boolean;
  received: number;
  stored: object;
  dropped: object;
  duplicates: number;
}

/** P-31: by domain over HTTP, and of all of them by the command, beside the service and without it. */
async function expectRightLedger(): Promise<void> {
  const { domain, reader, load } = dropped;
  const counted = await ledgerOf(reader, domain.id);
  console.log(`ledger of ${JSON.stringify(load.sent)}: ${JSON.stringify(counted)}`);
  expect(wrongEntries(load, counted)).toEqual([]);
  expect(load.sent.bots).toBeGreaterThan(0);
  let received = 0;
  for (const site of [dropped, ...sites]) {
    const { stored, ...ledger } = await ledgerOf(site.reader, site.domain.id);
    received += ledger.received;
    if (site === dropped) continue;
    const rows = stored.page_views + ledger.opening_events + stored.events;
    expect(rows, 'stored by the ledger').toBe(await storedRows(site as Site));
    expect([ledger.dropped, stored.keep_alives]).toEqual([{}, 0]);
    expect(ledger.received).toBe(stored.page_views + stored.events + ledger.duplicates);
  }
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const asked = ['ledger', '--from', day(-DAY_MS), '--to', day(DAY_MS)];
  const beside = await running.command<Told>(asked);
  if (!beside.is_whole) return;
  expect(beside.received).toBe(received);
  await running.kill();
  const without = await running.command<Told>(asked);
  expect(without).toEqual({ ...beside, is_running: false });
}

/** Runs the test on a ground. */
export function testCrashes(ground: CrashGround): void {
  const kills = IS_LONG ? ground.kills.long : ground.kills.short;

  beforeAll(async () => {
    const env = await ground.prepare();
    running = await startService({
      env: { FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', ...env },
    });
    account = await running.createAccount();
    const { email } = account;
    for (const name of ['one', 'two', 'three']) {
      sites.push(await makeSite(email, `${name}.example`));
    }
    dropped = await makeDropped(email);
  });

  afterAll(async () => {
    await running.dispose();
    await ground.dispose();
  });

  test(`after ${kills} kills every acknowledged hit is counted exactly once (seed ${SEED})`, {
    timeout: 300_000,
  }, async () => {
    startedMs = Date.now();
    for (const { load } of [dropped, ...sites]) load.start();
    let killsWhileStarting = 0;
    for (let kill = 1; kill <= kills; kill++)
      killsWhileStarting += await killAndRestart(kill, ground);
    for (const { load } of [dropped, ...sites]) await load.stop();
    console.log(summary(kills, killsWhileStarting));
    await ground.settle?.(running.baseUrl);
    for (const site of sites) {
      const wrong = await wrongCounts(site);
      expect(wrong.slice(0, 20), `${wrong.length} wrong counts`).toEqual([]);
      expect(site.load.acknowledgedViews).toBeGreaterThan(15 * kills);
    }
    await expectRightBill();
    await expectRightLedger();
  });
}
