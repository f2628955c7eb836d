// Goal: sessions of any length are counted once per page, hour, minute and tag key, whatever is kept
// of them beside the rows and whenever that is lost or let go.
// Method: up to four people with one to three long sessions each, views out of order, pages that come
// again with other titles, hours apart, events and keep-alives between; memory is lost in the middle,
// and so few long sessions are kept that they push each other out. Compared with a rebuild.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/limits.ts';
import { OpenSegment } from '../../../src/segment/open/open-segment.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { tries } from '../../support/runs.ts';
import { applyHits, event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';
import { describeRebuilt, describeRollups } from '../rollup-rows.ts';

function domainState(): DomainState {
  const nothing = {
    segment: () => null,
    segmentMaxMs: () => Number.NEGATIVE_INFINITY,
    idempotencyReceivedMs: () => undefined,
  };
  return new DomainState(nothing, asDomainId('d'), null);
}

const steps = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE_MS }) },
  { weight: 3, arbitrary: fc.integer({ min: -20 * MINUTE_MS, max: 0 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2 * MINUTE_MS, max: 29 * MINUTE_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * HOUR_MS }) },
);

const traffic = fc.array(
  fc.record({
    kind: fc.constantFrom('view', 'view', 'view', 'view', 'view', 'event', 'keepAlive'),
    person: fc.nat({ max: 3 }),
    step: steps,
    path: fc.nat({ max: 60 }),
    title: fc.nat({ max: 2 }),
    // Another referrer opens another session (I-48): seldom.
    referrer: fc.nat({ max: 40 }),
    nonInteractive: fc.boolean(),
    tags: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
  }),
  { minLength: 30, maxLength: 400 },
);

function hitsOf(given: typeof traffic extends fc.Arbitrary<infer T> ? T : never): Hit[] {
  let timeMs = MONDAY_MS + 8 * HOUR_MS;
  return given.map(({ kind, person, step, path, title, referrer, nonInteractive, tags }) => {
    timeMs = Math.max(timeMs + step, MONDAY_MS);
    if (kind === 'keepAlive') return keepAlive(person, timeMs);
    const pairs = tags.flatMap((key) => [`k${key}`, 'x']);
    const fields = {
      path: `/${path}`,
      title: title === 0 ? '' : `t${title}`,
      referrer: referrer < 2 ? `https://r${referrer}` : '',
      pairs: pairs.length === 0 ? null : pairs,
    };
    if (kind === 'view') return hit(person, timeMs, fields);
    return event(person, timeMs, { ...fields, eventName: `e${title}`, nonInteractive });
  });
}

/** As if the actor had lost its memory: everything derived is made anew. */
function reopened(open: OpenSegment): OpenSegment {
  const stored = { segment: open.segment, header: open.header as never };
  return new OpenSegment(asDomainId('d'), open.day, stored);
}

test('sessions of any length count what their rows say, whatever was kept of them (I-78)', () => {
  fc.assert(
    fc.property(traffic, fc.array(fc.nat(), { maxLength: 12 }), fc.nat(), (given, cuts, lost) => {
      const domain = domainState();
      const sessionizer = new Sessionizer();
      const hits = hitsOf(given);
      const points = new Set(cuts.map((cut) => cut % hits.length));
      for (const [at, one] of hits.entries()) {
        applyHits(sessionizer, domain, [one]);
        if (!points.has(at) && at !== lost % hits.length) continue;
        domain.flushRollups();
        for (const [day, open] of domain.segments) {
          const next = at === lost % hits.length ? reopened(open) : open;
          domain.segments.set(day, next);
          next.longSessionsMax = 1 + (lost % 3);
        }
      }
      domain.flushRollups();
      for (const { segment } of domain.segments.values()) {
        expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
      }
    }),
    tries(300),
  );
});

test('what is kept of long sessions goes when they are over', () => {
  const domain = domainState();
  const sessionizer = new Sessionizer();
  const people = 700;
  for (let wave = 0; wave < 4; wave++) {
    const hits: Hit[] = [];
    for (let index = 0; index < people * 12; index++) {
      const person = wave * people + (index % people);
      const timeMs = MONDAY_MS + wave * HOUR_MS + Math.floor(index / people) * SECOND_MS;
      hits.push(hit(person, timeMs, { path: `/${index % 30}` }));
    }
    applyHits(sessionizer, domain, hits);
    domain.flushRollups();
  }
  const [open] = domain.segments.values();
  const { segment, longSessions } = open as OpenSegment;
  expect(segment.sessions.rowCount).toBe(4 * people);
  expect(longSessions.size).toBeGreaterThanOrEqual(people);
  expect(longSessions.size).toBeLessThanOrEqual(2 * people);
  expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
});

test('a session that is over when it is counted still counts each of its pages once', () => {
  const domain = domainState();
  const sessionizer = new Sessionizer();
  applyHits(sessionizer, domain, [hit(9, MONDAY_MS, {})]);
  domain.flushRollups();
  const [open] = domain.segments.values();
  // So few are kept that the second one pushes out the first.
  (open as OpenSegment).longSessionsMax = 1;
  const hits: Hit[] = [];
  for (const [session, referrer] of ['https://r0', 'https://r1'].entries()) {
    for (let index = 0; index < 12; index++) {
      const timeMs = MONDAY_MS + session * HOUR_MS + index * SECOND_MS;
      const fields = { path: `/${session}`, referrer: index === 0 ? referrer : '' };
      hits.push(hit(1, timeMs, { ...fields, pairs: [`k${index}`, 'x'] }));
    }
  }
  hits.push(hit(2, MONDAY_MS + 5 * HOUR_MS, {}));
  applyHits(sessionizer, domain, hits);
  domain.flushRollups();
  const { segment } = open as OpenSegment;
  expect(segment.sessions.rowCount).toBe(4);
  expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
});
