/**
 * What the visitors do: seeded requests of one client in one round, before anybody sends them.
 *
 * Two kinds of domains. In a *timed* one hits come in batches with times of their own, around a
 * UTC midnight, with gaps at the edges of a session and some of them late: the model knows every
 * figure. In a *live* one single hits get the time of their arrival, which only the service knows:
 * figures of time are left out there. A visitor belongs to one client, which sends its hits one
 * request after the other, so that their order is known.
 */
import { ACQUISITIONS, AGENTS, LANGUAGES, SCREEN_WIDTHS } from '../../support/traffic/known.ts';
import type { Item, ItemKind, Person } from '../../support/traffic/notation.ts';
import { addressAt, PLACES, type Place } from '../../support/traffic/place-database.ts';
import type { Stream } from '../random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Paths that many requests share; others have one of their own, by which they are told apart. */
export const PATHS = ['/', '/a', '/b', '/A', '/a/', '/ü', '/docs/start', '/docs/api'] as const;
export const EVENT_NAMES = ['order', 'scroll', 'Order', 'sign up'] as const;
const TITLES = ['', '', 'T', 'Ü', 't'];
const PAIRS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { k: '1' },
  { k: '2', l: 'x' },
  { K: '1', l: 'five' },
  { k: '-2.5' },
];
const LANGUAGE_KEYS = Object.keys(LANGUAGES);
const WIDTHS = Object.keys(SCREEN_WIDTHS).map(Number);
const PERSON_COUNT = 4;
const ITEM_COUNT_MAX = 8;
const OWN_PATH = 0.4;
/** Share of the live requests that have a visitor of their own and no Idempotency-Key. */
const WITHOUT_KEY = 0.5;
/** Items, pairs and characters of a batch that is larger than a message of NATS. */
const LARGE = { items: 36, pairs: 16, length: 1_900 };

/** One collection request, whoever sends it and how often. */
export interface Sending {
  /** Index of the domain. */
  domain: number;
  kind: ItemKind;
  isBatch: boolean;
  items: readonly Item[];
  /** '' is none; then the items' path is this request's alone. */
  key: string;
}

/** Whose visits, and when. */
export interface VisitPlan {
  random: Stream;
  round: number;
  client: number;
  /** Indices of the timed domains, and of the live one. */
  timed: readonly number[];
  live: number;
  /** 00:00 UTC of the day in whose night the visits of timed domains lie. */
  dayMs: number;
  /** Clocks are stepped: the order of a live visitor's hits is not that of their times. */
  hasClockSteps: boolean;
  /** Sends one request that is larger than a message of NATS. */
  isLarge: boolean;
}

interface Visitor {
  person: Person;
  clockMs: number;
}

/** The requests of one client, one after the other. */
export class Visits {
  readonly #plan: VisitPlan;
  readonly #random: Stream;
  readonly #visitors: Visitor[];
  readonly #live: Person[] = [];
  #count = 0;

  constructor(plan: VisitPlan) {
    this.#plan = plan;
    this.#random = plan.random;
    this.#visitors = Array.from({ length: PERSON_COUNT }, (_, index) => ({
      person: this.#person(plan.client * PERSON_COUNT + index),
      clockMs: plan.dayMs + DAY_MS + this.#random.whole(-90, 30) * MINUTE_MS,
    }));
  }

  /** The next request. */
  next(): Sending {
    const { random } = this.#plan;
    this.#count++;
    if (this.#plan.isLarge && this.#count === 3) return this.#large();
    return random.chance(0.25) ? this.#single() : this.#batch();
  }

  /** What tells this request apart. */
  get #name(): string {
    const { round, client } = this.#plan;
    return `r${round}c${client}n${this.#count}`;
  }

  #person(index: number): Person {
    const random = this.#random;
    // The last agent is one that the bot filter drops.
    const isBot = random.chance(0.05);
    const agent = isBot ? AGENTS.at(-1) : random.pick(AGENTS.slice(0, -1));
    const place = random.pick(PLACES);
    const address = addressOf(place, index);
    return { name: `v${index}`, address, place, agent: agent as (typeof AGENTS)[number] };
  }

  #kind(): ItemKind {
    return this.#random.weighted([
      [6, 'pv'],
      [3, 'ev'],
      [2, 'ka'],
    ]);
  }

  #batch(): Sending {
    const random = this.#random;
    const kind = this.#kind();
    const count = random.whole(1, ITEM_COUNT_MAX);
    const ownPath = `/of/${this.#name}`;
    const items = Array.from({ length: count }, () => {
      const visitor = random.pick(this.#visitors);
      visitor.clockMs += gapMs(random);
      const path = random.chance(OWN_PATH) ? ownPath : random.pick(PATHS);
      const timeMs = this.#inRange(visitor.clockMs - latenessMs(random));
      return itemOf(random, { kind, person: visitor.person, path, timeMs });
    });
    const domain = random.pick(this.#plan.timed);
    return { domain, kind, isBatch: true, items, key: `key-${this.#name}` };
  }

  /** Times of the hits stay between the day before and the day after the night. */
  #inRange(timeMs: number): number {
    const { dayMs } = this.#plan;
    return Math.min(Math.max(timeMs, dayMs - DAY_MS), dayMs + 3 * DAY_MS - 1);
  }

  #single(): Sending {
    const random = this.#random;
    const { client, live, round } = this.#plan;
    const shared = { domain: live, isBatch: false };
    const seed = ((round % 10) * 6_000 + client * 600 + this.#count) % 60_000;
    if (random.chance(WITHOUT_KEY) || this.#plan.hasClockSteps) {
      const kind = random.chance(0.7) ? 'pv' : 'ev';
      const person = this.#person(seed);
      const item = itemOf(random, { kind, person, path: `/once/${this.#name}`, timeMs: 0 });
      return { ...shared, kind, items: [{ ...item, host: '' }], key: '' };
    }
    if (this.#live.length < PERSON_COUNT || random.chance(0.2)) this.#live.push(this.#person(seed));
    const person = random.pick(this.#live.slice(-PERSON_COUNT));
    const kind = this.#kind();
    const path = random.chance(OWN_PATH) ? `/of/${this.#name}` : random.pick(PATHS);
    const item = itemOf(random, { kind, person, path, timeMs: 0 });
    return { ...shared, kind, items: [{ ...item, host: '' }], key: `key-${this.#name}` };
  }

  /** Events with so much metadata that the record goes in parts. */
  #large(): Sending {
    const random = this.#random;
    const visitor = this.#visitors[0] as Visitor;
    const items = Array.from({ length: LARGE.items }, (_, index) => {
      visitor.clockMs += SECOND_MS;
      const pairs = Object.fromEntries(
        Array.from({ length: LARGE.pairs }, (_none, pair) => [
          `large${pair}`,
          `${this.#name}-${index}-${pair}-`.padEnd(LARGE.length, 'x'),
        ]),
      );
      const timeMs = this.#inRange(visitor.clockMs);
      const item = itemOf(random, { kind: 'ev', person: visitor.person, path: '/large', timeMs });
      return { ...item, pairs };
    });
    const domain = random.pick(this.#plan.timed);
    return { domain, kind: 'ev', isBatch: true, items, key: `key-${this.#name}` };
  }
}

/** As `addressAt`, for more addresses than it has. */
function addressOf(place: Place, index: number): string {
  const [first, second] = addressAt(place, 0).split('.');
  return `${first}.${second}.${Math.floor(index / 250)}.${1 + (index % 250)}`;
}

/** Often exactly at the edge of a session (I-40). */
function gapMs(random: Stream): number {
  return random.weighted<() => number>([
    [3, () => random.pick([0, 1, 999, SECOND_MS, 1_500])],
    [8, () => random.whole(1, 600) * SECOND_MS],
    [2, () => 30 * MINUTE_MS + random.whole(-1, 1)],
    [1, () => random.whole(30, 300) * MINUTE_MS],
  ])();
}

/** Mostly on time (I-72). */
function latenessMs(random: Stream): number {
  return random.weighted<() => number>([
    [12, () => 0],
    [2, () => random.whole(1, 3_600) * SECOND_MS],
    [1, () => 30 * MINUTE_MS + random.whole(-1, 1)],
    [1, () => random.whole(1, 600) * MINUTE_MS],
  ])();
}

function itemOf(random: Stream, given: Pick<Item, 'kind' | 'person' | 'path' | 'timeMs'>): Item {
  const { kind, person } = given;
  const hasPage = kind !== 'ka';
  const acquisition = random.chance(0.75) ? ACQUISITIONS[0] : random.pick(ACQUISITIONS);
  const bare = {
    ...given,
    path: hasPage ? given.path : '/',
    disableBotFilter: person.agent.dropped !== '' && random.chance(0.5),
    ...{ host: '', title: '', eventName: '', pairs: {}, nonInteractive: false },
    ...{ durationSeconds: 0, acceptLanguage: '', screenWidth: 0 },
    acquisition: (hasPage ? acquisition : ACQUISITIONS[0]) as (typeof ACQUISITIONS)[number],
  };
  if (!hasPage) return bare;
  const event = {
    eventName: random.pick(EVENT_NAMES),
    nonInteractive: random.chance(0.5),
    durationSeconds: random.pick([0, 0, 1, 7.9, 60]),
  };
  return {
    ...bare,
    ...(kind === 'ev' ? event : {}),
    host: random.chance(0.03) ? 'other.test' : '',
    title: random.pick(TITLES),
    pairs: random.pick(PAIRS),
    acceptLanguage: random.pick(LANGUAGE_KEYS),
    screenWidth: random.pick(WIDTHS),
  };
}
