/**
 * Goal: active visitors are counted while somebody asks, and scanned where counts cannot say (S-80).
 * Method: hits through the sessionizer, questions through the public method; what is held tells
 * which way was taken.
 */
import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/model/hit.ts';
import { DomainState, type StateReader } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { queryOf } from '../../query/ask.ts';
import { applyHits, event, hit, keepAlive } from '../hit-builder.ts';

const NOW_MS = Date.parse('2024-05-06T12:00:00Z');
const MINUTE_MS = 60_000;
const NOTHING_STORED: StateReader = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};

class Site {
  readonly domain = new DomainState(NOTHING_STORED, 'd', null);
  readonly #sessionizer = new Sessionizer();
  nowMs = NOW_MS;

  take(...hits: Hit[]): void {
    applyHits(this.#sessionizer, this.domain, hits);
    this.domain.active.advance(this.nowMs);
  }

  ask(parameters = '') {
    const query = queryOf('active', parameters, this.nowMs);
    return this.domain.active.answer(query, this.domain.segments.values(), this.nowMs);
  }

  get isCounting(): boolean {
    return this.domain.active.bytes > 0;
  }
}

/** A page view, so many milliseconds before noon. */
function visit(person: number, agoMs: number, fields: Partial<Hit> = {}): Hit {
  return hit(person, NOW_MS - agoMs, fields);
}

const SLASH = { path: '/', title: '' };

describe('active visitors', () => {
  test('are not counted before somebody asks, and no longer than two minutes after (S-80)', () => {
    const site = new Site();
    site.take(visit(1, 5_000));
    expect(site.isCounting).toBe(false);
    expect(site.ask()).toEqual({ visitors: 1, stats: [{ ...SLASH, visitors: 1 }] });
    expect(site.isCounting).toBe(true);
    for (const [afterMs, isCounting] of [
      [2 * MINUTE_MS - 1, true],
      [2 * MINUTE_MS, true],
      [2 * MINUTE_MS + 1, false],
    ] as const) {
      site.domain.active.rest(NOW_MS + afterMs);
      expect(site.isCounting).toBe(isCounting);
    }
    site.take(visit(2, 1_000));
    expect(site.ask().visitors).toBe(2);
  });

  test('stay current by views, events and keep-alives that come after a question (S-82)', () => {
    const site = new Site();
    site.take(visit(1, 800_000), visit(2, 800_000), visit(3, 800_000));
    expect(site.ask()).toEqual({ visitors: 0, stats: [] });
    site.take(
      keepAlive(1, NOW_MS - 30),
      event(2, NOW_MS - 20, { path: '/e' }),
      visit(3, 10, { path: '/x' }),
    );
    expect(site.ask()).toEqual({
      visitors: 3,
      stats: [{ path: '/x', title: '', visitors: 1 }],
    });
    site.nowMs += 600_015;
    expect(site.ask()).toEqual({ visitors: 0, stats: [] });
    expect(site.ask('start=3600').visitors).toBe(3);
  });

  test('are scanned under a filter and by the other kind of page, and are the same', () => {
    const site = new Site();
    site.take(visit(1, 3_000, { country: 'de', title: 'A' }), visit(2, 2_000, { title: 'B' }));
    expect(site.ask().stats).toEqual([{ ...SLASH, visitors: 2 }]);
    expect(site.ask('country=de').visitors).toBe(1);
    expect(site.ask('path=/x')).toEqual({ visitors: 0, stats: [] });
    expect(site.ask('include_title=true').stats).toEqual([
      { path: '/', title: 'A', visitors: 1 },
      { path: '/', title: 'B', visitors: 1 },
    ]);
  });

  test('are counted by title where the site groups by it (S-46)', () => {
    const site = new Site();
    site.take(visit(1, 3_000, { title: 'A' }));
    expect(site.ask('include_title=true').stats).toEqual([{ path: '/', title: 'A', visitors: 1 }]);
    site.take(visit(2, 2_000, { title: 'B' }), visit(3, 1_000, { title: 'B' }));
    expect(site.ask('include_title=true').stats).toEqual([
      { path: '/', title: 'B', visitors: 2 },
      { path: '/', title: 'A', visitors: 1 },
    ]);
    expect(site.isCounting).toBe(true);
  });

  test.each([
    { aheadMs: 1, keeps: true },
    { aheadMs: MINUTE_MS, keeps: true },
    { aheadMs: MINUTE_MS + 1, keeps: false },
  ])('whose hit is $aheadMs ms ahead of the clock count when it is there', ({ aheadMs, keeps }) => {
    const site = new Site();
    site.take(visit(1, 5_000, { path: '/now' }));
    expect(site.ask().visitors).toBe(1);
    // Their last activity is not in the window any more, and not yet; the page view still is.
    site.take(visit(1, -aheadMs, { path: '/then' }));
    expect(site.isCounting).toBe(keeps);
    const early = { visitors: 0, stats: [{ path: '/now', title: '', visitors: 1 }] };
    expect(site.ask()).toEqual(early);
    site.nowMs += aheadMs - 1;
    expect(site.ask()).toEqual(early);
    site.nowMs += 1;
    expect(site.ask()).toEqual({
      visitors: 1,
      stats: [
        { path: '/now', title: '', visitors: 1 },
        { path: '/then', title: '', visitors: 1 },
      ],
    });
    expect(site.isCounting).toBe(true);
  });

  test('of two days are added around midnight, page by page (S-81, I-46)', () => {
    const site = new Site();
    const midnight = Date.parse('2024-05-07T00:00:00Z');
    site.nowMs = midnight - 1_000;
    site.take(hit(1, midnight - 2_000), hit(2, midnight - 2_000));
    expect(site.ask().visitors).toBe(2);
    site.nowMs = midnight + 3_000;
    site.take(hit(1, midnight + 1_000, { path: '/x' }), hit(3, midnight + 2_000));
    expect(site.ask()).toEqual({
      visitors: 3,
      stats: [
        { ...SLASH, visitors: 3 },
        { path: '/x', title: '', visitors: 1 },
      ],
    });
    expect(site.domain.segments.size).toBe(2);
  });
});
