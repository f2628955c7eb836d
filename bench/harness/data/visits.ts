/**
 * Months of visits to one site, as the hits that the ingest pipeline would make of them.
 *
 * Control plane. Seeded: the same seed gives the same hits. Visitors come by the hour of the day and
 * the day of the week, some several times a day, some over midnight; what they look at, where they
 * come from and what they browse with follows Zipf's law over the tables of `site-texts.ts`.
 */
import { Seeded } from '../../../src/demo/simulator/seeded.ts';
import { type Hit, HitKind } from '../../../src/model/hit.ts';
import { DAY_MS, HOUR_MS, SECOND_MS, SESSION_GAP_MS } from '../../../src/model/limits.ts';
import {
  type Acquisition,
  AGENTS,
  LANGUAGES,
  makeCampaigns,
  makePages,
  makePlaces,
  makeReferrers,
  NO_ACQUISITION,
  PATH_COUNT,
  SCREENS,
  TITLES_PER_PATH,
} from './site-texts.ts';
import { Zipf } from './zipf.ts';

const VIEWS_PER_SESSION = 3.03;
const SESSION_VIEWS_MAX = 60;
const WAIT_MS_MEAN = 45 * SECOND_MS;
const WAIT_MS_MAX = 20 * 60 * SECOND_MS;
/** Sessions of somebody who was here earlier on the day, and of a regular of the site. */
const AGAIN_TODAY_SHARE = 0.1;
const REGULAR_SHARE = 0.35;
const REGULAR_COUNT = 200_000;
const EVENT_SHARE = 0.05;
const TAGGED_SHARE = 0.05;
const CAMPAIGN_SHARE = 0.2;
const REFERRED_SHARE = 0.35;
/** Monday to Sunday, against the mean day. */
const WEEKDAY_WEIGHTS = [1.1, 1.12, 1.1, 1.08, 1.04, 0.78, 0.78];
const EVENT_NAMES = 'scroll click play search sign-up download add-to-cart purchase'.split(' ');
const METHODS = ['email', 'single sign-on', 'invitation'];
const PLANS = ['free', 'solo', 'team', 'company', 'trial'];

/** What makes a run of days. */
export interface VisitsPlan {
  seed: number;
  /** Page views of an average day. */
  viewsPerDay: number;
  /** Days since the epoch. */
  firstDay: number;
  hostname: string;
  /** As far as texts go the site's worst day: half of them were never seen before. */
  isWide?: boolean;
}

/** Somebody with what they browse with; texts of the tables. */
interface Person {
  number: number;
  place: number;
  language: string;
  agent: number;
  version: string;
  screen: string;
}

/** One stream of visits; days are asked for in order. */
export class Visits {
  readonly #plan: VisitsPlan;
  readonly #random: Seeded;
  readonly #pages = makePages(PATH_COUNT);
  readonly #places = makePlaces();
  readonly #referrers = makeReferrers();
  readonly #campaigns = makeCampaigns();
  readonly #draw = {
    page: new Zipf(PATH_COUNT, 0.9),
    title: new Zipf(TITLES_PER_PATH, 1),
    place: new Zipf(this.#places.length, 0.8),
    language: new Zipf(LANGUAGES.length, 1.2),
    agent: new Zipf(AGENTS.length, 1),
    version: new Zipf(AGENTS[0]!.browserVersions.length, 1.3),
    screen: new Zipf(SCREENS.length, 0.8),
    referrer: new Zipf(this.#referrers.length, 1),
    campaign: new Zipf(this.#campaigns.length, 1),
    event: new Zipf(EVENT_NAMES.length, 0.8),
  };
  #strangers = REGULAR_COUNT;
  /** Hits of sessions that the midnight before cut: they come first on the next day. */
  #overMidnight: Hit[] = [];

  constructor(plan: VisitsPlan) {
    this.#plan = plan;
    this.#random = new Seeded(plan.seed);
  }

  /** The hits of a day in order of time. */
  day(day: number): Hit[] {
    const endMs = (day + 1) * DAY_MS;
    // The epoch was a Thursday.
    const weight = WEEKDAY_WEIGHTS[(day + 3) % 7] as number;
    const count = Math.round((this.#plan.viewsPerDay * weight) / VIEWS_PER_SESSION);
    const hits = this.#overMidnight;
    const visitors: { person: Person; startMs: number }[] = [];
    for (let session = 0; session < count; session++) {
      const visitor = this.#visitor(day, visitors);
      visitors.push(visitor);
      this.#session(visitor.person, visitor.startMs, hits);
    }
    hits.sort((left, right) => left.timeMs - right.timeMs);
    const first = hits.findIndex((hit) => hit.timeMs >= endMs);
    this.#overMidnight = first < 0 ? [] : hits.splice(first);
    return hits;
  }

  #visitor(
    day: number,
    earlier: readonly { person: Person; startMs: number }[],
  ): { person: Person; startMs: number } {
    const random = this.#random;
    if (earlier.length > 0 && random.happens(AGAIN_TODAY_SHARE)) {
      const { person, startMs } = random.pick(earlier);
      const againMs = startMs + SESSION_GAP_MS + random.wait(3 * HOUR_MS);
      if (againMs < (day + 1) * DAY_MS) return { person, startMs: Math.floor(againMs) };
    }
    const isRegular = random.happens(REGULAR_SHARE);
    const number = isRegular ? random.below(REGULAR_COUNT) : this.#strangers++;
    // Most come around noon, some at any hour.
    const hour = random.happens(0.3) ? random.next() : (random.next() + random.next()) / 2;
    return { person: this.#person(number), startMs: day * DAY_MS + Math.floor(hour * DAY_MS) };
  }

  /** The same number is the same person, whenever they come. */
  #person(number: number): Person {
    const random = new Seeded(Math.imul(number + 1, 0x9e3779b1) ^ this.#plan.seed);
    const agent = this.#draw.agent.draw(random);
    return {
      number,
      place: this.#draw.place.draw(random),
      language: LANGUAGES[this.#draw.language.draw(random)]!,
      agent,
      version: AGENTS[agent]!.browserVersions[this.#draw.version.draw(random)]!,
      screen: SCREENS[this.#draw.screen.draw(random)]!,
    };
  }

  #session(person: Person, startMs: number, hits: Hit[]): void {
    const random = this.#random;
    const acquisition = this.#acquisition();
    const more = Math.log(1 - random.next()) / Math.log(1 - 1 / VIEWS_PER_SESSION);
    const views = Math.min(1 + Math.floor(more), SESSION_VIEWS_MAX);
    let timeMs = startMs;
    for (let view = 0; view < views; view++) {
      // The site's own pages refer to each other; only the first hit has come from elsewhere.
      const from = view === 0 ? acquisition : NO_ACQUISITION;
      const hit = this.#hit(person, timeMs, from);
      if (this.#plan.isWide === true) this.#widen(hit, person, view);
      if (random.happens(TAGGED_SHARE)) hit.pairs = this.#tags();
      hits.push(hit);
      if (random.happens(EVENT_SHARE))
        hits.push(this.#event(hit, timeMs + 1 + random.below(5_000)));
      timeMs += 6_000 + Math.floor(Math.min(random.wait(WAIT_MS_MEAN), WAIT_MS_MAX));
    }
  }

  #acquisition(): Acquisition {
    const random = this.#random;
    if (random.happens(CAMPAIGN_SHARE)) return this.#campaigns[this.#draw.campaign.draw(random)]!;
    const isReferred = random.happens(REFERRED_SHARE / (1 - CAMPAIGN_SHARE));
    return isReferred ? this.#referrers[this.#draw.referrer.draw(random)]! : NO_ACQUISITION;
  }

  #hit(person: Person, timeMs: number, from: Acquisition): Hit {
    const random = this.#random;
    const page = this.#pages[this.#draw.page.draw(random)]!;
    const place = this.#places[person.place]!;
    const agent = AGENTS[person.agent]!;
    const day = Math.floor(timeMs / DAY_MS);
    const hasPrevious = timeMs - day * DAY_MS < SESSION_GAP_MS;
    return {
      kind: HitKind.PageView,
      timeMs,
      visitorLow: visitorHalf(person.number, day, 0x85ebca6b),
      visitorHigh: visitorHalf(person.number, day, 0xc2b2ae35),
      previousLow: hasPrevious ? visitorHalf(person.number, day - 1, 0x85ebca6b) : 0,
      previousHigh: hasPrevious ? visitorHalf(person.number, day - 1, 0xc2b2ae35) : 0,
      platform: agent.platform,
      path: page.path,
      title: page.titles[this.#draw.title.draw(random)]!,
      country: place.country,
      region: place.region,
      city: place.city,
      language: person.language,
      referrer: from.referrer,
      referrerName: from.referrerName,
      referrerIcon: '',
      channel: from.channel,
      os: agent.os,
      osVersion: agent.osVersion,
      browser: agent.browser,
      browserVersion: person.version,
      screenClass: person.screen,
      utmSource: from.utmSource,
      utmMedium: from.utmMedium,
      utmCampaign: from.utmCampaign,
      utmContent: from.utmContent,
      utmTerm: from.utmTerm,
      hostname: this.#plan.hostname,
      pairs: null,
      eventName: '',
      eventDurationSeconds: 0,
      nonInteractive: false,
    };
  }

  /** Makes every other text of a hit one that nobody has seen. */
  #widen(hit: Hit, person: Person, view: number): void {
    const random = this.#random;
    const unseen = () => Math.floor(random.next() * 2 ** 48).toString(36);
    if (person.number % 2 === 0) {
      hit.browserVersion = `${person.number}.0.${person.number % 97}`;
      hit.osVersion = `${person.number}.1`;
      hit.city = `City ${person.number}`;
    }
    if (random.happens(0.5)) hit.path = `/found/${unseen()}/of-the-site/${unseen()}`;
    if (random.happens(0.5)) hit.title = `Found: ${unseen()} – Example`;
    if (view > 0 || random.happens(0.5)) return;
    hit.referrer = `https://${unseen()}.example/${unseen()}`;
    hit.referrerName = `${unseen()}.example`;
    hit.utmSource = unseen();
    hit.utmTerm = `${unseen()} ${unseen()}`;
  }

  #event(on: Hit, timeMs: number): Hit {
    const random = this.#random;
    const name = this.#draw.event.draw(random);
    const pairs = ['plan', random.pick(PLANS)];
    if (name % 2 === 1) pairs.push('amount', String(1 + random.below(500)));
    if (random.happens(0.3)) pairs.push('method', random.pick(METHODS));
    if (this.#plan.isWide === true) pairs.push('order', `order ${random.next()}`);
    return {
      ...on,
      kind: HitKind.Event,
      timeMs,
      referrer: '',
      referrerName: '',
      utmSource: '',
      utmMedium: '',
      utmCampaign: '',
      utmContent: '',
      utmTerm: '',
      pairs,
      eventName: EVENT_NAMES[name]!,
      eventDurationSeconds: random.below(120),
      nonInteractive: name === 0,
    };
  }

  #tags(): string[] {
    const random = this.#random;
    const tags = ['author', `author ${random.popular(60)}`];
    if (random.happens(0.4)) tags.push('kind', random.pick(['guide', 'news', 'opinion', 'video']));
    if (this.#plan.isWide === true) tags.push('note', `note ${random.next()}`);
    return tags;
  }
}

/** Half of a visitor's id of a day; never 0, which stands for "none". */
function visitorHalf(person: number, day: number, salt: number): number {
  let mixed = Math.imul(person ^ salt, 0x9e3779b1) ^ Math.imul(day + salt, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  mixed = (mixed ^ (mixed >>> 15)) >>> 0;
  return mixed === 0 ? 1 : mixed;
}
