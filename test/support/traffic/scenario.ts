/**
 * Random traffic of one domain, made by fast-check so that it shrinks and prints well. The persons
 * live in PLACES: a service that is asked about them needs the database of `placesDatabase`.
 *
 * A scenario is a list of steps. Each step moves the clock of its person and is one hit (or a burst
 * of them, to reach the page-view cap); `build` turns the steps into requests in order of arrival.
 * Persons have clocks of their own, so gaps of exactly 30 minutes occur, and lateness does too.
 */
import fc from 'fast-check';
import { ACQUISITIONS, AGENTS, LANGUAGES, SCREEN_WIDTHS } from './known.ts';
import { Cast, endpointOf, type Item, type ItemKind, type Person, printItem } from './notation.ts';
import { PLACES, type Place } from './place-database.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Days around which something happens to the calendar, and zones in which it does. */
export interface Scene {
  /** The UTC date on which the persons' clocks start. */
  date: string;
  zones: readonly string[];
}

const EVERYWHERE = ['UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

export const SCENES: readonly Scene[] = [
  { date: '2024-05-06', zones: [...EVERYWHERE, 'Asia/Tokyo', 'America/New_York'] },
  { date: '2024-03-09', zones: ['America/New_York', 'America/Havana', ...EVERYWHERE] },
  { date: '2024-03-30', zones: ['Europe/Berlin', 'Asia/Beirut', 'Europe/London', ...EVERYWHERE] },
  { date: '2024-04-06', zones: ['Australia/Lord_Howe', 'Pacific/Chatham', ...EVERYWHERE] },
  { date: '2024-04-25', zones: ['Africa/Cairo', 'UTC'] },
  { date: '2024-10-05', zones: ['Australia/Lord_Howe', 'Pacific/Chatham', ...EVERYWHERE] },
  { date: '2024-10-26', zones: ['Europe/Berlin', 'Asia/Beirut', 'Europe/London', ...EVERYWHERE] },
  { date: '2024-11-02', zones: ['America/New_York', 'America/Havana', 'America/St_Johns'] },
  { date: '2024-02-28', zones: ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'] },
  { date: '2023-12-30', zones: [...EVERYWHERE, 'Asia/Tokyo', 'America/New_York'] },
];

/** Every index into a table. */
function indexOf(table: readonly unknown[]): fc.Arbitrary<number> {
  return fc.nat({ max: table.length - 1 });
}

export const PATHS = ['/', '/a', '/b', '/A', '/a/', '/ü', '/😀', '/ﬁ', '/null'];
export const TITLES = ['', 'T', 'Ü', 't'];
export const EVENT_NAMES = ['order', 'scroll', 'Order', 'sign up'];
export const PAIRS: readonly Readonly<Record<string, string>>[] = [
  {},
  { k: '1' },
  { k: '2' },
  { K: '1', l: 'x' },
  { l: 'X', k: '1' },
  { k: '-2.5' },
  { k: '1e3', K: '.5' },
  { k: '+07', l: 'five' },
];
const LANGUAGE_KEYS = Object.keys(LANGUAGES);
const WIDTHS = Object.keys(SCREEN_WIDTHS).map(Number);

export interface Step {
  person: number;
  kind: ItemKind;
  /** How far the person's clock moves before the hit. */
  gapMs: number;
  /** How far before the person's clock the hit lies; the clock does not move back. */
  lateMs: number;
  /** So many hits, a second apart. */
  repeat: number;
  path: number;
  title: number;
  acquisition: number;
  eventName: number;
  pairs: number;
  nonInteractive: boolean;
  durationSeconds: number;
  language: number;
  width: number;
  isForeign: boolean;
  disableBotFilter: boolean;
  /** What happens after this step: the same request goes on, or ends (with a key of the pool). */
  request:
    | 'continues'
    | 'ends'
    | 'ends with key 1'
    | 'ends with key 2'
    | 'is sent twice with key 3';
}

export interface Player {
  /** Index into PLACES. */
  place: number;
  agent: number;
  startMs: number;
}

export interface Scenario {
  scene: number;
  players: readonly Player[];
  steps: readonly Step[];
  /** How the hits of one request are put together: endpoints take one kind each. */
  packing: 'runs' | 'kinds' | 'reversed';
}

const GAPS_MS: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 999, SECOND_MS, 1_500) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 29 * 60 }).map((s) => s * SECOND_MS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(30 * MINUTE_MS - 1, 30 * MINUTE_MS, 30 * MINUTE_MS + 1),
  },
  { weight: 2, arbitrary: fc.integer({ min: 30, max: 26 * 60 }).map((m) => m * MINUTE_MS) },
);

const LATENESS_MS: fc.Arbitrary<number> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3_600 }).map((s) => s * SECOND_MS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(30 * MINUTE_MS - 1, 30 * MINUTE_MS, 30 * MINUTE_MS + 1),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 26 * 60 }).map((m) => m * MINUTE_MS) },
);

/** Persons like to come shortly before UTC midnight, where sessions are carried over (I-46). */
const START_MS: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -40, max: 40 }).map((minute) => DAY_MS + minute * MINUTE_MS),
  fc.integer({ min: 0, max: 47 }).map((hour) => hour * HOUR_MS),
);

const STEP: fc.Arbitrary<Step> = fc.record({
  person: fc.nat({ max: 4 }),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant<ItemKind>('pv') },
    { weight: 3, arbitrary: fc.constant<ItemKind>('ev') },
    { weight: 2, arbitrary: fc.constant<ItemKind>('ka') },
  ),
  gapMs: GAPS_MS,
  lateMs: LATENESS_MS,
  repeat: fc.oneof(
    { weight: 150, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constantFrom(2, 198, 199, 200, 201, 202) },
  ),
  path: indexOf(PATHS),
  title: indexOf(TITLES),
  acquisition: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: indexOf(ACQUISITIONS) },
  ),
  eventName: indexOf(EVENT_NAMES),
  pairs: indexOf(PAIRS),
  nonInteractive: fc.boolean(),
  durationSeconds: fc.constantFrom(0, 1, 2, 7.9, 60),
  language: indexOf(LANGUAGE_KEYS),
  width: indexOf(WIDTHS),
  isForeign: fc.oneof(
    { weight: 30, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  disableBotFilter: fc.boolean(),
  request: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Step['request']>('continues') },
    { weight: 4, arbitrary: fc.constant<Step['request']>('ends') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Step['request']>(
        'ends with key 1',
        'ends with key 2',
        'is sent twice with key 3',
      ),
    },
  ),
});

const PLAYER: fc.Arbitrary<Player> = fc.record({
  place: indexOf(PLACES),
  agent: indexOf(AGENTS),
  startMs: START_MS,
});

/** Traffic over several days. `size` bounds the number of steps. */
export function scenarios(size = 60): fc.Arbitrary<Scenario> {
  return fc.record({
    scene: indexOf(SCENES),
    players: fc.array(PLAYER, { minLength: 5, maxLength: 5 }),
    steps: fc.array(STEP, { minLength: 1, maxLength: size, size: 'max' }),
    packing: fc.constantFrom<Scenario['packing']>('runs', 'kinds', 'reversed'),
  });
}

/** One request to a batch endpoint: items of one kind. */
export interface Request {
  items: readonly Item[];
  idempotencyKey: string;
}

/** The requests of a scenario in order of arrival. */
export function build(scenario: Scenario): Request[] {
  const date = SCENES[scenario.scene]?.date ?? '2024-05-06';
  const sceneMs = Date.parse(`${date}T00:00:00Z`);
  const cast = new Cast();
  const persons = scenario.players.map((player, index) =>
    cast.addAt(
      'abcde'.charAt(index),
      PLACES[player.place] as Place,
      AGENTS[player.agent] as (typeof AGENTS)[number],
    ),
  );
  const clocks = scenario.players.map((player) => sceneMs + player.startMs);
  const requests: Request[] = [];
  let pending: Item[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    for (let time = 0; time < step.repeat; time++) {
      const gapMs = time === 0 ? step.gapMs : SECOND_MS;
      clocks[step.person] = (clocks[step.person] ?? 0) + gapMs;
      const timeMs = (clocks[step.person] ?? 0) - step.lateMs;
      pending.push(itemOf(step, persons[step.person] as Person, timeMs));
    }
    const isLast = index === scenario.steps.length - 1;
    if (step.request === 'continues' && !isLast) continue;
    requests.push(...packed(pending, scenario.packing, step.request));
    pending = [];
  }
  return requests;
}

function itemOf(step: Step, person: Person, timeMs: number): Item {
  const hasEvent = step.kind === 'ev';
  const hasPage = step.kind !== 'ka';
  return {
    kind: step.kind,
    person,
    timeMs,
    host: hasPage && step.isForeign ? 'other.test' : '',
    path: hasPage ? (PATHS[step.path] ?? '/') : '/',
    acquisition: ACQUISITIONS[hasPage ? step.acquisition : 0] as (typeof ACQUISITIONS)[number],
    title: hasPage ? (TITLES[step.title] ?? '') : '',
    eventName: hasEvent ? (EVENT_NAMES[step.eventName] ?? '') : '',
    pairs: hasPage ? (PAIRS[step.pairs] ?? {}) : {},
    nonInteractive: hasEvent && step.nonInteractive,
    durationSeconds: hasEvent ? step.durationSeconds : 0,
    acceptLanguage: hasPage ? (LANGUAGE_KEYS[step.language] ?? '') : '',
    screenWidth: hasPage ? (WIDTHS[step.width] ?? 0) : 0,
    disableBotFilter: step.disableBotFilter && person.agent.dropped !== '',
  };
}

function packed(
  items: readonly Item[],
  packing: Scenario['packing'],
  request: Step['request'],
): Request[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group =
      packing === 'kinds'
        ? groups.find((other) => other[0]?.kind === item.kind)
        : groups.at(-1)?.[0]?.kind === item.kind
          ? groups.at(-1)
          : undefined;
    if (group === undefined) groups.push([item]);
    else if (packing === 'reversed') group.unshift(item);
    else group.push(item);
  }
  const key = /key (\d)/.exec(request)?.[1];
  return groups.flatMap((group, index): Request[] => {
    // One key per group, else all kinds but the first would be repeats.
    const idempotencyKey = key === undefined ? '' : `key-${key}-${index}`;
    const sent = { items: group, idempotencyKey };
    return request.startsWith('is sent twice') ? [sent, sent] : [sent];
  });
}

/** The requests in the notation of the worked examples, one line per batch, and who is who. */
export function printRequests(requests: readonly Request[]): string {
  const items = requests.flatMap((request) => request.items);
  const people = [...new Set(items.map((item) => item.person))].map(
    (person) => `  ${person.name} is ${person.agent.label} from '${Object.values(person.place)}'`,
  );
  const lines = requests.map((request) => {
    const key = request.idempotencyKey === '' ? '' : ` [${request.idempotencyKey}]`;
    const first = request.items[0];
    const endpoint = first === undefined ? 'nothing' : endpointOf(first);
    const hits = condensed(request.items.map(printItem)).join(' ; ');
    return `  ${endpoint}/batch${key}: ${hits}`;
  });
  return [...people, ...lines].join('\n');
}

/** Long bursts are shown by their ends. */
function condensed(hits: readonly string[]): readonly string[] {
  if (hits.length <= 60) return hits;
  return [...hits.slice(0, 25), `… ${hits.length - 50} more …`, ...hits.slice(-25)];
}
