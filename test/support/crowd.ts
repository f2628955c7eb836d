/**
 * One busy day of a domain: more rows than a block holds, hundreds of paths, many visitors.
 *
 * Seeded and dense, not shrunk: it is there for block edges, wide ids and paging, which small random
 * scenarios never reach.
 */
import fc from 'fast-check';
import { ACQUISITIONS, AGENTS, LANGUAGES } from './known.ts';
import { Cast, type Item, type ItemKind, type Person } from './notation.ts';
import { EVENT_NAMES, PAIRS, type Request } from './scenario.ts';

const SECOND_MS = 1_000;
const PERSON_COUNT = 120;
const PATH_COUNT = 700;
const ITEMS_PER_REQUEST = 97;
const COUNTRIES = ['de', 'gb', 'jp', ''];

interface CrowdHit {
  person: number;
  kind: ItemKind;
  /** Seconds after the day's start. */
  second: number;
  path: number;
  acquisition: number;
  eventName: number;
  pairs: number;
  language: number;
}

const CROWD_HIT: fc.Arbitrary<CrowdHit> = fc.record({
  person: fc.nat({ max: PERSON_COUNT - 1 }),
  kind: fc.constantFrom<ItemKind>('pv', 'pv', 'pv', 'pv', 'ev', 'ka'),
  second: fc.integer({ min: 0, max: 86_399 }),
  path: fc.nat({ max: PATH_COUNT - 1 }),
  acquisition: fc.constantFrom(0, 0, 0, 0, 2, 4, 8),
  eventName: fc.nat({ max: EVENT_NAMES.length - 1 }),
  pairs: fc.nat({ max: PAIRS.length - 1 }),
  language: fc.nat({ max: 3 }),
});

function itemOf(hit: CrowdHit, person: Person, dayMs: number): Item {
  const hasPage = hit.kind !== 'ka';
  const acquisition = ACQUISITIONS[hasPage ? hit.acquisition : 0];
  return {
    kind: hit.kind,
    person,
    timeMs: dayMs + hit.second * SECOND_MS,
    host: '',
    path: hasPage ? `/page/${hit.path}` : '/',
    acquisition: acquisition as (typeof ACQUISITIONS)[number],
    title: '',
    eventName: hit.kind === 'ev' ? (EVENT_NAMES[hit.eventName] ?? '') : '',
    pairs: hasPage ? (PAIRS[hit.pairs] ?? {}) : {},
    nonInteractive: false,
    durationSeconds: hit.kind === 'ev' ? hit.path : 0,
    acceptLanguage: hasPage ? (Object.keys(LANGUAGES)[hit.language] ?? '') : '',
    screenWidth: 0,
    disableBotFilter: false,
  };
}

/**
 * Requests of one day.
 *
 * @param date the UTC date, `YYYY-MM-DD`.
 * @param count hits; in order of time but for the batches, each of which takes one kind.
 */
export function crowdRequests(date: string, count: number, seed: number): Request[] {
  const cast = new Cast();
  const persons = Array.from({ length: PERSON_COUNT }, (_, index) =>
    cast.add(
      `p${index}`,
      COUNTRIES[index % COUNTRIES.length] ?? '',
      AGENTS[index % 7] as (typeof AGENTS)[number],
    ),
  );
  const dayMs = Date.parse(`${date}T00:00:00Z`);
  const items = fc
    .sample(CROWD_HIT, { seed, numRuns: count })
    .map((hit) => itemOf(hit, persons[hit.person] as Person, dayMs))
    .sort((a, b) => a.timeMs - b.timeMs);
  const requests: Request[] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_REQUEST) {
    const chunk = items.slice(at, at + ITEMS_PER_REQUEST);
    for (const kind of ['pv', 'ev', 'ka']) {
      const ofKind = chunk.filter((item) => item.kind === kind);
      if (ofKind.length > 0) requests.push({ items: ofKind, idempotencyKey: '' });
    }
  }
  return requests;
}

/** What is asked about a busy day: every statistic, plain and filtered, first and last pages. */
export function crowdQuestions(
  date: string,
): { name: string; parameters: Record<string, string> }[] {
  const range = { from: date, to: date };
  const lists = [
    'page',
    'page/entry',
    'page/exit',
    'referrer',
    'country',
    'browser',
    'os',
    'device',
  ];
  const names = [...lists, 'language', 'screen', 'events', 'total', 'visitor', 'platform'];
  const filters: Record<string, string>[] = [
    {},
    { path: '/page/7' },
    { path: '~9', browser: 'Chrome' },
    { event: 'order', country: '!de' },
    { entry_path: '~/page/1', language: 'de', tz: 'Asia/Kathmandu' },
  ];
  const plain = names.flatMap((name) =>
    filters.map((filter) => ({ name, parameters: { ...range, ...filter } })),
  );
  const paged = ['100', '600', '650'].flatMap((offset) => [
    { name: 'page', parameters: { ...range, offset, include_avg_time_on_page: 'true' } },
    { name: 'page/entry', parameters: { ...range, offset, sort: 'path', direction: 'desc' } },
    { name: 'page/exit', parameters: { ...range, offset, sort: 'exit_rate', direction: 'asc' } },
  ]);
  return [...plain, ...paged];
}
