/**
 * Traffic: who arrives when. One half fills the past, the other plays the present.
 *
 * Control plane, pure: time is handed in, so a test stands at any moment. In the present a day of
 * the day-and-night curve passes in minutes and dwell times are shortened, or nothing would happen
 * while somebody watches; in the past both are true to life.
 */
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../model/limits.ts';
import type { Seeded } from './seeded.ts';
import type { SiteProfile } from './site.ts';
import {
  newVisitor,
  planVisit,
  type Step,
  VISIT_COUNT_MAX,
  type Visit,
  type Visitor,
} from './visitor.ts';

/** Visitors a site remembers, from whom the returning ones are taken. */
const KNOWN_VISITORS_MAX = 2_000;
/** Mean requests of a visit, over 10,000 planned visits of each site (3.8, 3.9, 5.5) by share. */
const VISIT_STEPS_MEAN = 4.2;
/** How long a day of the curve takes in the present. */
const PRESENT_DAY_MS = 120 * SECOND_MS;
/** The present goes by this many times faster than a real visit. */
const PRESENT_HURRY = 12;
/** Visits begin at this share of the peak rate and grow to all of it within `RAMP_MS`. */
const RAMP_START = 0.3;
const RAMP_MS = 10 * SECOND_MS;
/** No visit of the past begins later than this before the present: every session of it is over. */
const PAST_QUIET_MS = 2 * HOUR_MS;

/**
 * Time between two visits of one visitor in the past. A batch spans less (`PAST_BATCH_SPAN_MS`), so
 * that it may carry its page views before its events.
 */
const PAST_REST_MS = HOUR_MS;
/** Longest stretch of the past that may be sent as one batch of each kind. */
export const PAST_BATCH_SPAN_MS = HOUR_MS / 2;

/** A step that has happened: when, on which site, and whether it will count. */
export interface PastStep {
  timeMs: number;
  step: Step;
  isBot: boolean;
}

/** A visit that begins now. */
export interface Arrival {
  site: SiteProfile;
  visit: Visit;
}

/** How much faster than real the steps of a visit follow each other in the present. */
export const presentHurry = PRESENT_HURRY;

/** Share of the peak with which a site is visited at an hour of its day. */
export function dayShare(site: SiteProfile, hour: number): number {
  const before = Math.floor(hour) % 24;
  const within = hour - Math.floor(hour);
  const from = site.dayCurve[before] as number;
  const to = site.dayCurve[(before + 1) % 24] as number;
  return from + (to - from) * within;
}

/**
 * Everybody who visits one site. A visitor is on one visit at a time: an event of an earlier visit
 * that came after a later one from elsewhere would open a session (I-48, I-50).
 */
class Audience {
  readonly site: SiteProfile;
  readonly #random: Seeded;
  readonly #known: Visitor[] = [];
  #newCount = 0;

  constructor(site: SiteProfile, random: Seeded) {
    this.site = site;
    this.#random = random;
  }

  /** The next visit: of somebody known who is not there now, or of somebody new. */
  arrive(): Visit {
    const random = this.#random;
    const isReturning = this.#known.length > 0 && random.happens(this.site.returnChance);
    const visitor = isReturning
      ? this.#takeKnown()
      : newVisitor(this.site, random, this.#newCount++);
    return planVisit(this.site, visitor, random);
  }

  /** The visit is over: its visitor may come again. */
  leave(visitor: Visitor): void {
    if (visitor.isBot || visitor.visits >= VISIT_COUNT_MAX) return;
    if (this.#known.length < KNOWN_VISITORS_MAX) this.#known.push(visitor);
    else this.#known[this.#random.below(KNOWN_VISITORS_MAX)] = visitor;
  }

  #takeKnown(): Visitor {
    const index = this.#random.below(this.#known.length);
    const visitor = this.#known[index] as Visitor;
    const last = this.#known.pop() as Visitor;
    if (index < this.#known.length) this.#known[index] = last;
    return visitor;
  }
}

/** The visitors of all sites. */
export class Traffic {
  readonly #random: Seeded;
  readonly #audiences: readonly Audience[];
  readonly #shareSum: number;
  readonly #peakPerSecond: number;
  #owed: number[];

  /** @param options.peakPerSecond requests a second of all sites together at the busiest hour. */
  constructor(options: { sites: readonly SiteProfile[]; random: Seeded; peakPerSecond: number }) {
    this.#random = options.random;
    this.#audiences = options.sites.map((site) => new Audience(site, options.random));
    this.#shareSum = options.sites.reduce((sum, site) => sum + site.share, 0);
    this.#peakPerSecond = options.peakPerSecond;
    this.#owed = options.sites.map(() => 0);
  }

  /**
   * The visits that begin in the last stretch of the present.
   *
   * @param elapsedMs since the present began.
   * @param stretchMs how long the stretch was.
   */
  arrivals(elapsedMs: number, stretchMs: number): Arrival[] {
    const hour = ((elapsedMs % PRESENT_DAY_MS) / PRESENT_DAY_MS) * 24;
    const ramp = Math.min(1, RAMP_START + ((1 - RAMP_START) * elapsedMs) / RAMP_MS);
    const begun: Arrival[] = [];
    this.#audiences.forEach((audience, index) => {
      // The present opens at nine in the morning, when every site has visitors.
      const share = (audience.site.share / this.#shareSum) * dayShare(audience.site, hour + 9);
      const perSecond = (this.#peakPerSecond * share * ramp) / VISIT_STEPS_MEAN;
      const jitter = 0.5 + this.#random.next();
      let owed = (this.#owed[index] as number) + (perSecond * stretchMs * jitter) / SECOND_MS;
      for (; owed >= 1; owed--) begun.push({ site: audience.site, visit: audience.arrive() });
      this.#owed[index] = owed;
    });
    return begun;
  }

  /**
   * What happened on a site in the days before the present, in order of time.
   *
   * @param options.nowMs the present; the past ends `PAST_QUIET_MS` before it.
   * @param options.days how many days back it begins.
   * @param options.visitsPerDay visits of an average day.
   */
  past(
    site: SiteProfile,
    options: { nowMs: number; days: number; visitsPerDay: number },
  ): PastStep[] {
    const { nowMs, days, visitsPerDay } = options;
    const audience = this.#audienceOf(site);
    const endMs = nowMs - PAST_QUIET_MS;
    const spanMs = days * DAY_MS - PAST_QUIET_MS;
    const count = Math.round((visitsPerDay * spanMs) / DAY_MS);
    const startsMs = Array.from({ length: count }, () => endMs - this.#random.next() * spanMs)
      .filter((startMs) => this.#random.happens(dayShare(site, hourOfDay(startMs))))
      .sort((left, right) => left - right);
    const steps: PastStep[] = [];
    let resting: { visitor: Visitor; untilMs: number }[] = [];
    for (const startMs of startsMs) {
      for (const rest of resting) if (rest.untilMs <= startMs) audience.leave(rest.visitor);
      resting = resting.filter((rest) => rest.untilMs > startMs);
      const { visitor, steps: planned } = audience.arrive();
      const lastMs = startMs + (planned.at(-1) as Step).atMs;
      resting.push({ visitor, untilMs: lastMs + PAST_REST_MS });
      for (const step of planned) {
        const timeMs = Math.floor(startMs + step.atMs);
        if (timeMs < endMs) steps.push({ timeMs, step, isBot: visitor.isBot });
      }
    }
    for (const { visitor } of resting) audience.leave(visitor);
    return steps.sort((left, right) => left.timeMs - right.timeMs);
  }

  /** The visit is over: its visitor may come again. */
  leave({ site, visit }: Arrival): void {
    this.#audienceOf(site).leave(visit.visitor);
  }

  #audienceOf(site: SiteProfile): Audience {
    return this.#audiences.find((audience) => audience.site === site) as Audience;
  }
}

/** Hour of the UTC day with its fraction: close enough to the site's own for a curve. */
function hourOfDay(instantMs: number): number {
  return (instantMs % DAY_MS) / HOUR_MS;
}
