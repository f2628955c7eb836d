/** The demo's simulated visitors. */
import { describe, expect, test } from 'vitest';
import { BOT_USER_AGENTS } from '../../src/demo/simulator/devices.ts';
import { addressIn, PLACES } from '../../src/demo/simulator/places.ts';
import { Seeded } from '../../src/demo/simulator/seeded.ts';
import { SITES } from '../../src/demo/simulator/sites.ts';
import { dayShare, type PastStep, Traffic } from '../../src/demo/simulator/traffic.ts';
import { newVisitor, planVisit } from '../../src/demo/simulator/visitor.ts';
import { parsePageUrl } from '../../src/ingest/page/page-url.ts';
import { siteWith } from '../../src/ingest/page/site.ts';
import { Pipeline } from '../../src/ingest/pipeline.ts';
import { openLocator } from '../../src/ingest/place/locate.ts';
import type { RawHit } from '../../src/ingest/raw-hit.ts';
import { HitKind } from '../../src/model/hit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SESSION_PAGE_VIEWS_MAX } from '../../src/model/limits.ts';

// Goal: the demo knows exactly which of its hits must be in the statistics.
// Method: plan visits with a fixed seed and hold them against the rules that would drop or add rows.

const NOW_MS = Date.UTC(2026, 4, 6, 12);
const KINDS = { hit: HitKind.PageView, event: HitKind.Event, session: HitKind.KeepAlive };

function openPipeline(): Pipeline {
  return new Pipeline({ locate: openLocator([]), visitorKey: new Uint8Array(32) });
}

function pastOf(seed: number): PastStep[][] {
  const traffic = new Traffic({ sites: SITES, random: new Seeded(seed), peakPerSecond: 100 });
  return SITES.map((site) => traffic.past(site, { nowMs: NOW_MS, days: 3, visitsPerDay: 300 }));
}

/** Steps of each person, told apart as the service does: by address and user agent. */
function byPerson(steps: readonly PastStep[]): PastStep[][] {
  const people = new Map<string, PastStep[]>();
  for (const step of steps) {
    const person = `${step.step.body['ip']} ${step.step.body['user_agent']}`;
    const theirs = people.get(person);
    if (theirs === undefined) people.set(person, [step]);
    else theirs.push(step);
  }
  return [...people.values()];
}

describe('visits', () => {
  test('the same seed plans the same visits, another seed others', () => {
    expect(pastOf(7)).toEqual(pastOf(7));
    expect(pastOf(7)).not.toEqual(pastOf(8));
  });

  test('a visit begins with a page view, so that no event opens a session (I-50)', () => {
    const random = new Seeded(1);
    for (let index = 0; index < 500; index++) {
      const site = random.pick(SITES);
      const { steps } = planVisit(site, newVisitor(site, random, index), random);
      expect(steps[0]).toMatchObject({ kind: 'hit', atMs: 0 });
      const times = steps.map((step) => step.atMs);
      expect(times).toEqual([...times].sort((left, right) => left - right));
    }
  });

  test('what the ingest pipeline drops is what the simulator calls a bot', () => {
    const pipeline = openPipeline();
    const random = new Seeded(2);
    const bots = new Set<string>();
    for (let index = 0; index < 1_500; index++) {
      const site = random.pick(SITES);
      const { visitor, steps } = planVisit(site, newVisitor(site, random, index), random);
      const domain = siteWith('d', site.hostname);
      for (const step of steps) {
        const raw = step.body as unknown as RawHit;
        const page = parsePageUrl(raw.url ?? '');
        const kind = KINDS[step.kind];
        const hit = pipeline.run({
          kind,
          raw,
          page,
          site: domain,
          timeMs: NOW_MS + step.atMs,
          requestVerdict: 0,
        });
        expect({ ua: raw.user_agent, isDropped: typeof hit === 'number' }).toEqual({
          ua: raw.user_agent,
          isDropped: visitor.isBot,
        });
      }
      if (visitor.isBot) bots.add(visitor.device.userAgent);
    }
    expect([...bots].sort()).toEqual([...BOT_USER_AGENTS].sort());
  });

  test('an address is in the country that the visitor says', () => {
    const locate = openLocator([]);
    const random = new Seeded(3);
    for (const place of Object.values(PLACES)) {
      for (let index = 0; index < 200; index++) {
        const address = addressIn(place, random, index * 37);
        expect([address, locate(address).country]).toEqual([address, place.country]);
      }
    }
  });
});

describe('the past', () => {
  test('is in order of time and ends two hours before the present', () => {
    for (const steps of pastOf(42)) {
      const times = steps.map(({ timeMs }) => timeMs);
      expect(times.length).toBeGreaterThan(500);
      expect(times).toEqual([...times].sort((left, right) => left - right));
      expect(times.at(-1)).toBeLessThan(NOW_MS - 2 * HOUR_MS);
      expect(times[0]).toBeGreaterThanOrEqual(NOW_MS - 3 * DAY_MS);
    }
  });

  test('keeps every visitor below the cap of page views (I-49)', () => {
    for (const theirs of pastOf(42).flatMap(byPerson)) {
      const views = theirs.filter(({ step, isBot }) => step.kind === 'hit' && !isBot);
      expect(views.length).toBeLessThan(SESSION_PAGE_VIEWS_MAX);
    }
  });

  test('brings visitors back, but not within half an hour of their last step', () => {
    const people = pastOf(42).flatMap(byPerson);
    let returned = 0;
    for (const theirs of people) {
      for (let index = 1; index < theirs.length; index++) {
        const [before, now] = [theirs[index - 1], theirs[index]] as [PastStep, PastStep];
        if (now.step.atMs !== 0 || now.isBot) continue;
        returned++;
        expect(now.timeMs - before.timeMs).toBeGreaterThanOrEqual(30 * MINUTE_MS);
      }
    }
    expect(returned).toBeGreaterThan(50);
  });
});

describe('the present', () => {
  test('grows to the peak and follows day and night', () => {
    const traffic = new Traffic({ sites: SITES, random: new Seeded(5), peakPerSecond: 1_000 });
    const perSecond = Array.from({ length: 120 }, (_, second) => {
      const arrivals = traffic.arrivals(second * 1_000, 1_000);
      for (const arrival of arrivals) traffic.leave(arrival);
      return arrivals.length;
    });
    const busiest = Math.max(...perSecond.slice(20));
    expect(perSecond[0]).toBeLessThan(busiest / 3);
    // Nine in the morning at the start; deep night is 85 seconds later.
    expect(Math.min(...perSecond.slice(70, 100))).toBeLessThan(busiest / 3);
  });

  test('a day curve runs smoothly over midnight', () => {
    for (const site of SITES) {
      const before = dayShare(site, 23.999);
      const after = dayShare(site, 24);
      expect(Math.abs(before - after)).toBeLessThan(0.01);
    }
  });
});
