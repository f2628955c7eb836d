/**
 * Random traffic of the last hour and of that hour in the previous periods, for what looks back from
 * now: `active`, the parameter `start`, and the growth of today (S-72).
 *
 * Active visitors are asked for between the hits too, as a dashboard does.
 *
 * Hits lie 20 seconds past a whole minute before now and windows are whole minutes, so the service
 * may be up to 40 seconds late and both sides still mean the same hits (S-80, F-6).
 */
import fc from 'fast-check';
import { emptyWorld } from '../oracle/world.ts';
import { addDays, localDate } from '../oracle/zone.ts';
import { CONVERSIONS, conversions } from '../traffic/conversions.ts';
import { ACQUISITIONS, AGENTS } from '../traffic/known.ts';
import { Cast, type Item, type ItemKind } from '../traffic/notation.ts';
import { PLACES, type Place } from '../traffic/place-database.ts';
import { SORT_FIELDS } from '../traffic/questions.ts';
import { EVENT_NAMES, PATHS, printRequests, type Request } from '../traffic/scenario.ts';
import type { Bench } from './bench.ts';
import { askBoth, type Question, type Site, sendToBoth } from './judge.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

interface LiveHit {
  person: number;
  kind: ItemKind;
  /** Days before now; of the previous periods of S-72. */
  daysAgo: number;
  /** Whole minutes before that, below 0 ahead of it; 20 seconds are added. */
  minutesAgo: number;
  path: number;
  eventName: number;
  acquisition: number;
  /** Minutes of a question that is asked right after the hit; 0: none is. */
  askMinutes: number;
}

const LIVE_HIT: fc.Arbitrary<LiveHit> = fc.record({
  person: fc.nat({ max: 3 }),
  kind: fc.constantFrom<ItemKind>('pv', 'pv', 'pv', 'ev', 'ka'),
  daysAgo: fc.constantFrom(0, 0, 0, 1, 7),
  minutesAgo: fc.oneof(
    { weight: 20, arbitrary: fc.nat({ max: 14 }) },
    { weight: 20, arbitrary: fc.nat({ max: 70 }) },
    { weight: 1, arbitrary: fc.constantFrom(-1, -2, -61) },
  ),
  path: fc.nat({ max: 3 }),
  eventName: fc.nat({ max: 1 }),
  acquisition: fc.constantFrom(0, 0, 0, 2, 8),
  askMinutes: fc.constantFrom(0, 0, 0, 1, 10, 10, 60),
});

const FILTERS: fc.Arbitrary<readonly [string, string]> = fc.constantFrom(
  ['path', '/'] as const,
  ['path', '!/a'] as const,
  ['entry_path', '/a'] as const,
  ['event', 'order'] as const,
  ['event', '!order'] as const,
  ['browser', 'Chrome'] as const,
  ['platform', 'mobile'] as const,
  ['referrer_name', 'Google'] as const,
);

/** Days of the question's zone, counted from now; tomorrow and beyond are cut (F-3). */
type Days = readonly [from: number, to: number] | null;

const QUESTION: fc.Arbitrary<Question> = fc
  .record({
    name: fc.oneof(
      fc.constantFrom('active', 'growth', 'overview', 'session/list'),
      fc.constantFrom(...Object.keys(SORT_FIELDS)),
    ),
    minutes: fc.constantFrom(0, 1, 5, 10, 30, 60, 61),
    days: fc.constantFrom<Days>(null, null, [0, 0], [-1, -1], [-6, 0], [0, 3], [-7, -7]),
    zone: fc.constantFrom('', '', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
    filters: fc.array(FILTERS, { maxLength: 2 }),
  })
  .map(({ name, minutes, days, zone, filters }) => {
    const parameters: Record<string, string | number> = Object.fromEntries(filters);
    if (zone !== '') parameters.tz = zone;
    if (days !== null && name !== 'active') {
      const today = localDate(Date.now(), zone || 'UTC');
      return {
        name,
        parameters: { ...parameters, from: addDays(today, days[0]), to: addDays(today, days[1]) },
      };
    }
    // Only `active` has a default window (S-80).
    const length = name === 'active' ? minutes : Math.max(minutes, 1);
    return { name, parameters: length === 0 ? parameters : { ...parameters, start: length * 60 } };
  });

function requestsOf(hits: readonly LiveHit[], nowMs: number): Request[] {
  const cast = new Cast();
  const persons = ['a', 'b', 'c', 'd'].map((name, index) =>
    cast.addAt(name, PLACES[2 * index] as Place, AGENTS[index] as (typeof AGENTS)[number]),
  );
  return hits.map((hit) => {
    const item: Item = {
      kind: hit.kind,
      person: persons[hit.person] as (typeof persons)[number],
      timeMs: nowMs - hit.daysAgo * DAY_MS - (hit.minutesAgo * 60 + 20) * SECOND_MS,
      host: '',
      path: hit.kind === 'ka' ? '/' : (PATHS[hit.path] ?? '/'),
      acquisition: ACQUISITIONS[
        hit.kind === 'ka' ? 0 : hit.acquisition
      ] as (typeof ACQUISITIONS)[number],
      title: '',
      eventName: hit.kind === 'ev' ? (EVENT_NAMES[hit.eventName] ?? '') : '',
      pairs: {},
      nonInteractive: false,
      durationSeconds: 0,
      acceptLanguage: '',
      screenWidth: 0,
      disableBotFilter: false,
    };
    return { items: [item], idempotencyKey: '' };
  });
}

export interface LiveOptions {
  site: Site;
  seed: number;
  runs: number;
  open: () => Promise<Bench>;
}

/** As `findDisagreement`, for the last hour. @returns '' or the smallest case found. */
export async function findLiveDisagreement(options: LiveOptions): Promise<string> {
  const { site, seed, runs } = options;
  let smallest = '';
  const property = fc.asyncProperty(
    fc.array(LIVE_HIT, { minLength: 1, maxLength: 25, size: 'max' }),
    fc.array(QUESTION, { minLength: 1, maxLength: 8, size: 'max' }),
    conversions(),
    async (hits, questions, defined) => {
      const nowMs = Date.now();
      const bench = await options.open();
      if (questions.some(({ name }) => CONVERSIONS.includes(name))) await bench.define(defined);
      const world = emptyWorld();
      const requests = requestsOf(hits, nowMs);
      let found = '';
      for (const [index, request] of requests.entries()) {
        await sendToBoth(bench, world, request, site);
        const minutes = hits[index]?.askMinutes ?? 0;
        if (minutes === 0 || found !== '') continue;
        const question = { name: 'active', parameters: { start: minutes * 60 } };
        found = await askBoth(bench, world, [question], { ...site, nowMs });
      }
      const asked = { ...site, nowMs, conversions: defined };
      if (found === '') found = await askBoth(bench, world, questions, asked);
      if (found === '') return;
      smallest = [`now is ${new Date(nowMs).toISOString()}`, printRequests(requests), found].join(
        '\n',
      );
      throw new Error(found);
    },
  );
  const details = await fc.check(property, { seed, numRuns: runs });
  if (!details.failed) return '';
  const isFound = details.errorInstance instanceof Error && smallest !== '';
  return `seed ${seed}\n${isFound ? smallest : String(details.errorInstance)}`;
}
