// Goal: pre-aggregates are what the columns say, after any traffic and whenever they are settled.
// Method: random hits of few visitors over midnight (late ones, changing referrers, many sessions,
// repeated keys) through the sessionizer; every segment's tables are compared with a rebuild.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hit } from '../../../src/model/hit.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/limits.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { OpenSegment } from '../../../src/segment/open/open-segment.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { applyHits, event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';
import { describeRebuilt, describeRollups, rowsOf } from '../rollup-rows.ts';

const RUNS = Number(process.env['FOOTFALL_ROLLUP_RUNS'] ?? 500);

function domainState(): DomainState {
  const nothing = {
    segment: () => null,
    segmentMaxMs: () => Number.NEGATIVE_INFINITY,
    idempotencyReceivedMs: () => undefined,
  };
  return new DomainState(nothing, 'd', null);
}

const small = (max: number) => fc.nat({ max });
const maybe = (text: string, max: number) => small(max).map((n) => (n === 0 ? '' : `${text}${n}`));

/** Mostly a minute apart, sometimes hours, sometimes back. */
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 * MINUTE_MS }) },
  { weight: 2, arbitrary: fc.integer({ min: -25 * MINUTE_MS, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20 * MINUTE_MS, max: 5 * HOUR_MS }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 30 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS) },
);

const traffic = fc.array(
  fc.record({
    kind: fc.constantFrom('view', 'view', 'view', 'event', 'keepAlive'),
    person: small(2),
    step: steps,
    path: small(3),
    title: maybe('t', 2),
    country: maybe('c', 2),
    region: maybe('r', 1),
    city: maybe('y', 1),
    referrer: maybe('https://u', 2),
    referrerName: maybe('n', 2),
    referrerIcon: maybe('i', 2),
    utmSource: maybe('s', 1),
    browser: maybe('b', 1),
    browserVersion: maybe('v', 2),
    eventName: small(2),
    seconds: small(90),
    nonInteractive: fc.boolean(),
    tags: fc.array(small(3), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 120 },
);

function hitsOf(given: typeof traffic extends fc.Arbitrary<infer T> ? T : never): Hit[] {
  let timeMs = MONDAY_MS + 20 * HOUR_MS;
  return given.map((one) => {
    timeMs = Math.max(timeMs + one.step, MONDAY_MS);
    if (one.kind === 'keepAlive') return keepAlive(one.person, timeMs);
    const { country, region, city, referrer, referrerName, referrerIcon } = one;
    const { utmSource, browser, browserVersion, title } = one;
    const shared = { country, region, city, referrer, referrerName, referrerIcon };
    const fields = { ...shared, utmSource, browser, browserVersion, title, path: `/${one.path}` };
    const pairs = one.tags.flatMap((key) => [`k${key}`, 'x']);
    const rest = { ...fields, pairs: pairs.length === 0 ? null : pairs };
    if (one.kind === 'view') return hit(one.person, timeMs, rest);
    const { seconds: eventDurationSeconds, nonInteractive } = one;
    const eventName = `e${one.eventName}`;
    return event(one.person, timeMs, { ...rest, eventName, eventDurationSeconds, nonInteractive });
  });
}

/** As if the actor had lost its memory: everything derived is made anew. */
function reopened(open: OpenSegment): OpenSegment {
  return new OpenSegment('d', open.day, { segment: open.segment, header: open.header as never });
}

test('pre-aggregates are what the columns say, whatever comes in whatever order', () => {
  fc.assert(
    fc.property(traffic, fc.nat(), (given, cut) => {
      const domain = domainState();
      const sessionizer = new Sessionizer();
      const hits = hitsOf(given);
      const middle = cut % hits.length;
      applyHits(sessionizer, domain, hits.slice(0, middle));
      domain.settle();
      for (const [day, open] of domain.segments) domain.segments.set(day, reopened(open));
      applyHits(sessionizer, domain, hits.slice(middle));
      domain.settle();
      for (const { segment } of domain.segments.values()) {
        expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
      }
    }),
    { numRuns: RUNS },
  );
});

test('when pre-aggregates are settled changes no row of them (I-78)', () => {
  fc.assert(
    fc.property(traffic, fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (given, cuts) => {
      const hits = hitsOf(given);
      const [once, often] = [domainState(), domainState()];
      const sessionizer = new Sessionizer();
      applyHits(sessionizer, once, hits);
      once.settle();
      const points = new Set(cuts.map((cut) => cut % hits.length));
      for (const [at, one] of hits.entries()) {
        applyHits(sessionizer, often, [one]);
        if (points.has(at)) often.settle();
      }
      often.settle();
      for (const [day, { segment }] of once.segments) {
        const other = often.segments.get(day)?.segment as Segment;
        for (const name of ['rollups', 'pages', 'titledPages', 'quarters'] as const) {
          expect(rowsOf(other[name])).toEqual(rowsOf(segment[name]));
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test.each([7, 8, 9, 30])('a visitor of %i sessions is counted once per group', (sessions) => {
  const domain = domainState();
  const sessionizer = new Sessionizer();
  const hits = Array.from({ length: sessions * 3 }, (_, index) => {
    const timeMs = MONDAY_MS + index * 20 * SECOND_MS;
    const referrerName = `n${Math.floor(index / 3) % 2}`;
    const pairs = [`k${index % 4}`, 'x'];
    return index % 3 === 2
      ? event(1, timeMs, { eventName: `e${index % 2}`, path: '/a' })
      : hit(1, timeMs, { referrerName, path: `/${index % 5}`, title: `t${index % 7}`, pairs });
  });
  applyHits(sessionizer, domain, hits);
  domain.settle();
  const [open] = domain.segments.values();
  const segment = (open as OpenSegment).segment;
  expect(segment.sessions.rowCount).toBe(sessions);
  expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
});
