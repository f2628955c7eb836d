/**
 * Random traffic of the last hour, for what looks back from now: `active` and the parameter `start`.
 * Active visitors are asked for between the hits too, as a dashboard does.
 *
 * Hits lie 20 seconds past a whole minute before now and windows are whole minutes, so the service
 * may be up to 40 seconds late and both sides still mean the same hits (S-80, F-6).
 */
import fc from 'fast-check';
import type { Bench } from './bench.ts';
import { askBoth, type Question, type Site, sendToBoth } from './judge.ts';
import { ACQUISITIONS, AGENTS } from './known.ts';
import { Cast, type Item, type ItemKind } from './notation.ts';
import { emptyWorld } from './oracle/world.ts';
import { EVENT_NAMES, PATHS, printRequests, type Request } from './scenario.ts';

const SECOND_MS = 1_000;

interface LiveHit {
  person: number;
  kind: ItemKind;
  /** Whole minutes before now, below 0 ahead of it; 20 seconds are added. */
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

const QUESTION: fc.Arbitrary<Question> = fc
  .record({
    name: fc.constantFrom(
      ...['active', 'active', 'total', 'page', 'events', 'browser', 'page/exit'],
      ...['growth', 'overview'],
    ),
    minutes: fc.constantFrom(0, 1, 5, 10, 30, 60, 61),
    filters: fc.array(FILTERS, { maxLength: 2 }),
  })
  .map(({ name, minutes, filters }) => {
    // Only `active` has a default window (S-80).
    const length = name === 'active' ? minutes : Math.max(minutes, 1);
    const start = length === 0 ? {} : { start: length * 60 };
    return { name, parameters: { ...Object.fromEntries(filters), ...start } };
  });

function requestsOf(hits: readonly LiveHit[], nowMs: number): Request[] {
  const cast = new Cast();
  const persons = ['a', 'b', 'c', 'd'].map((name, index) =>
    cast.add(name, index === 3 ? 'gb' : 'de', AGENTS[index] as (typeof AGENTS)[number]),
  );
  return hits.map((hit) => {
    const item: Item = {
      kind: hit.kind,
      person: persons[hit.person] as (typeof persons)[number],
      timeMs: nowMs - (hit.minutesAgo * 60 + 20) * SECOND_MS,
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
    async (hits, questions) => {
      const nowMs = Date.now();
      const bench = await options.open();
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
      if (found === '') found = await askBoth(bench, world, questions, { ...site, nowMs });
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
