/**
 * Goal: what statistics say depends on what was sent, not on what the service did in between (I-78).
 * Method: random traffic on five domains each: in one go, among the traffic of other domains, and
 * with a pause in the middle in which finished days are saved and leave memory, in which the service
 * is stopped and started, or in which it is killed. All five have to say the same, and that is what
 * the oracle says (five domains that lost everything would agree as well).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type TestSite } from '../../support/domains.ts';
import { type Bench, siteBench } from '../../support/judge/bench.ts';
import { difference } from '../../support/judge/difference.ts';
import { comparableSessions } from '../../support/judge/session-judge.ts';
import type { RawParameters } from '../../support/oracle/answers/question.ts';
import { answer } from '../../support/oracle/answers/statistics.ts';
import { collect } from '../../support/oracle/collect/collect.ts';
import { emptyWorld } from '../../support/oracle/world.ts';
import { addDays } from '../../support/oracle/zone.ts';
import { runs, seedOf, tries } from '../../support/runs.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { modelHitOf } from '../../support/traffic/notation.ts';
import { SORT_FIELDS } from '../../support/traffic/questions.ts';
import {
  build,
  printRequests,
  type Request,
  SCENES,
  scenarios,
} from '../../support/traffic/scenario.ts';

const SCENARIO_COUNT = runs(12);
const HOSTNAME = 'example.org';
/** An actor looks for finished days four times a second. */
const SEALED_AFTER_MS = 1_000;
const VARIANTS = ['in one go', 'interleaved', 'sealed', 'restarted', 'killed'] as const;
/** Filters that statistics without would be empty with (S-66). */
const ASKED_WITH: Readonly<Record<string, RawParameters>> = {
  'event/page': { event: 'order' },
  'event/meta': { event: '!none', event_meta_key: 'k' },
  'tag/details': { tag: 'k' },
};

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({
    hasCities: true,
    env: { FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: '4' },
  });
  const count = (SCENARIO_COUNT + 1) * VARIANTS.length;
  site = await openSite(running, { hostname: HOSTNAME, count });
});

afterAll(() => running?.dispose());

async function sendAll(bench: Bench, requests: readonly Request[]): Promise<void> {
  for (const { items, idempotencyKey } of requests) await bench.send(items, idempotencyKey);
}

/** One scenario, its two halves, and the domains that get it. */
interface Play {
  halves: readonly [Request[], Request[]];
  range: { from: string; to: string };
  benches: Readonly<Record<(typeof VARIANTS)[number], Bench>>;
}

async function playOf(scenario: Parameters<typeof build>[0]): Promise<Play> {
  const requests = build(scenario);
  const middle = Math.ceil(requests.length / 2);
  const date = SCENES[scenario.scene]?.date ?? '';
  const benches: Partial<Record<(typeof VARIANTS)[number], Bench>> = {};
  for (const variant of VARIANTS) benches[variant] = await siteBench(site);
  return {
    halves: [requests.slice(0, middle), requests.slice(middle)],
    range: { from: addDays(date, -30), to: addDays(date, 120) },
    benches: benches as Play['benches'],
  };
}

/** Sends one half to the domains of a variant, all domains at the same time. */
async function sendHalves(
  plays: readonly Play[],
  variant: (typeof VARIANTS)[number],
  half: 0 | 1,
): Promise<void> {
  await Promise.all(plays.map(({ halves, benches }) => sendAll(benches[variant], halves[half])));
}

type Asking = (name: string, parameters: RawParameters) => Promise<unknown>;

/** Every statistic; sessions without ids, which no two domains share (I-31). No funnel is defined. */
async function everything(ask: Asking, range: Play['range']): Promise<Record<string, unknown>> {
  const names = Object.keys(SORT_FIELDS).filter((name) => name !== 'funnel');
  const answers = await Promise.all(
    names.map((name) => ask(name, { ...range, tz: 'Europe/Berlin', ...ASKED_WITH[name] })),
  );
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      name === 'session/list' ? comparableSessions(answers[at]) : answers[at],
    ]),
  );
}

/** The oracle, after it was sent the same. */
function oracleOn(requests: readonly Request[]): Asking {
  const world = emptyWorld();
  for (const { items, idempotencyKey } of requests) {
    const hits = items.map((item) => modelHitOf(item, HOSTNAME));
    collect(world, hits, idempotencyKey);
  }
  const context = { nowMs: Date.now(), timezone: 'UTC', groupByTitle: false };
  return async (name, parameters) => answer(world, name, parameters, context);
}

async function sendInAllWays(plays: readonly Play[]): Promise<void> {
  for (const { halves, benches } of plays) {
    for (const half of halves) await sendAll(benches['in one go'], half);
  }
  for (const half of [0, 1] as const) await sendHalves(plays, 'interleaved', half);
  for (const variant of ['sealed', 'restarted', 'killed'] as const) {
    await sendHalves(plays, variant, 0);
  }
  // A question saves its domain; what is saved and over leaves memory.
  for (const { range, benches } of plays) await benches.sealed.ask('total', range);
  await sleep(SEALED_AFTER_MS);
  await sendHalves(plays, 'sealed', 1);
  await running.restart();
  await sendHalves(plays, 'restarted', 1);
  await running.kill();
  await running.start();
  await sendHalves(plays, 'killed', 1);
}

test('saving, sealing, a restart, a crash and other domains change no statistic (I-74, I-78)', async () => {
  const plays: Play[] = [];
  for (const scenario of fc.sample(scenarios(40), tries(12))) plays.push(await playOf(scenario));
  await sendInAllWays(plays);
  for (const { halves, range, benches } of plays) {
    const wanted = await everything(oracleOn(halves.flat()), range);
    for (const variant of VARIANTS) {
      const got = await everything(benches[variant].ask, range);
      const found = difference(got, wanted, variant);
      expect(found === '' ? '' : `${found}\n${printRequests(halves.flat())}`).toBe('');
    }
  }
});

test('a domain says the same to the letter before and after a restart and a crash (I-78)', async () => {
  const seed = seedOf('one domain across restarts');
  const [scenario] = fc.sample(scenarios(40), { ...tries(1), seed });
  const { halves, range, benches } = await playOf(scenario as Parameters<typeof build>[0]);
  const bench = benches['in one go'];
  for (const half of halves) await sendAll(bench, half);
  // Ids of visitors and sessions included.
  const ask = async (): Promise<string> =>
    JSON.stringify([await bench.ask('session/list', range), await everything(bench.ask, range)]);
  const before = await ask();
  await running.restart();
  expect(await ask()).toBe(before);
  await running.kill();
  await running.start();
  expect(await ask()).toBe(before);
});
