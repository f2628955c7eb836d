/**
 * Goal: on a large site the first question about active visitors holds nobody up, and whatever happens
 * while its visitors are counted, every answer is exact (S-80 to S-82, A-64).
 * Method: slices of counting with random hits between them, compared with a scan; then an actor whose
 * event loop turns as it does.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { activeAsOf, answerActive, runActive } from '../../../src/query/live/active.ts';
import { ActiveWatch } from '../../../src/shard/active/active-watch.ts';
import { ActiveFills } from '../../../src/shard/actor/active-fills.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { DomainState, type StateReader } from '../../../src/shard/state/domain-state.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import type { Shard } from '../../../src/shard/state/shard.ts';
import { queryOf } from '../../query/ask.ts';
import { tries } from '../../support/runs.ts';
import { applyHits, event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';

const NOON = MONDAY_MS + 12 * HOUR_MS;
const NOON_DAY = MONDAY_MS / DAY_MS;
const NOTHING_STORED: StateReader = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};

describe('counts that are made slice by slice', () => {
  /** Visitors before anybody asks: some more, and the tables have other arrays. */
  const VISITORS = 4_090;
  const HIT = fc.record({
    make: fc.constantFrom(
      (person: number, timeMs: number) => hit(person, timeMs),
      (person: number, timeMs: number) => hit(person, timeMs, { path: `/${person % 3}` }),
      event,
      keepAlive,
    ),
    // Some were never seen.
    person: fc.nat({ max: VISITORS + 400 }),
    // Before the hour, before the window, within.
    agoMs: fc.oneof(fc.constant(0), fc.nat({ max: 700_000 }), fc.nat({ max: 2 * HOUR_MS })),
  });
  const BETWEEN = fc.record({
    // Rows are read in a handful of slices, then each window is counted in some thousand.
    slice: fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 3_500 })),
    hits: fc.array(HIT, { minLength: 1, maxLength: 30 }),
    pauseMs: fc.constantFrom(0, 1, 1_024, 90_000),
    window: fc.nat({ max: 1 }),
  });

  test('are those of a scan, whatever was applied between the slices', () => {
    fc.assert(
      fc.property(fc.array(BETWEEN, { maxLength: 12 }), (steps) => {
        const sessionizer = new Sessionizer();
        const domain = new DomainState(NOTHING_STORED, asDomainId('d'), null);
        const before = Array.from({ length: VISITORS }, (_, person) =>
          hit(person, NOON - ((person * 2_503) % (2 * HOUR_MS)), { path: `/${person % 5}` }),
        );
        applyHits(sessionizer, domain, before);
        const [open] = domain.segments.values();
        const watch = new ActiveWatch(open!, false);
        let nowMs = NOON;
        for (const [window, seconds] of [600, 3_600].entries()) {
          let slice = 0;
          for (const _ of watch.countInSlices(seconds, nowMs)) {
            for (const { hits, pauseMs, ...step } of steps) {
              if (step.slice !== slice || step.window !== window) continue;
              nowMs += pauseMs;
              const made = hits.map(({ make, person, agoMs }) => make(person, nowMs - agoMs));
              applyHits(sessionizer, domain, made);
              watch.catchUp();
            }
            slice++;
          }
          expect(slice).toBeGreaterThan(100);
          const asked = activeAsOf(queryOf('active', `start=${seconds}`, nowMs), nowMs);
          const scanned = runActive(asked, [open!.segment]);
          expect(answerActive(asked, [watch.boardOf(seconds, nowMs)])).toEqual(scanned);
        }
      }),
      tries(60),
    );
  });
});

describe('a site of many visitors', () => {
  const LARGE = { shard: asShardId(0), domainId: asDomainId('large') };
  const SMALL = { shard: asShardId(0), domainId: asDomainId('small') };
  /** Visitors, sessions and page views: more rows than are looked at in one go. */
  const VISITS = 20_000;
  const ASKED_MS = NOON + MINUTE_MS;
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-active-'));
  let sequence = 0;
  let actor: Actor;

  const take = ({ shard, domainId }: typeof LARGE, hits: Hit[]) => {
    const head = { domainId, receivedMs: NOON, idempotencyHash: '', dropped: null };
    const payload = encodeGroups([{ ...head, hits }]);
    actor.onRecords([{ shard, sequence: asSequence(++sequence), payload }], ASKED_MS);
  };
  /** What the actor says. */
  const request = async (
    { shard, domainId }: typeof LARGE,
    parameters: string,
    nowMs: number,
  ): Promise<unknown> => {
    const query = queryOf('active', parameters, nowMs);
    const at = { shard, domainId, sequence: asSequence(sequence) };
    const answer = await actor.ask({ kind: 'active', ...at, query }, nowMs);
    return typeof answer === 'string' ? JSON.parse(answer) : answer;
  };
  /** What it says at once. */
  const ask = (site: typeof LARGE, parameters = '', nowMs = ASKED_MS): Promise<unknown> =>
    Promise.race([request(site, parameters, nowMs), turn().then(() => 'nothing')]);
  const turn = () => new Promise((done) => setImmediate(done));
  /** What it says once it has the counts. */
  const counted = async (parameters = ''): Promise<unknown> => {
    for (;;) {
      const answer = await request(LARGE, parameters, ASKED_MS);
      if ((answer as { epoch?: number }).epoch === undefined) return answer;
      await turn();
    }
  };
  const LEFT = { epoch: expect.any(Number), nowMs: ASKED_MS };

  function open(): void {
    actor = new Actor({
      ...{ dataDir, shards: [asShardId(0)], leases: LeaseTable.alone(1) },
      onFault: (error) => {
        throw error;
      },
    });
  }

  function fill(): void {
    open();
    for (let first = 0; first < VISITS; first += 1_000) {
      const hits = Array.from({ length: 1_000 }, (_, index) =>
        hit(first + index + 1, NOON - VISITS + first + index),
      );
      take(LARGE, hits);
    }
    take(SMALL, [hit(1, NOON)]);
  }

  afterEach(async () => {
    await actor.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('is left to the query threads until its counts are there, in other turns; others are not', async () => {
    fill();
    expect(await ask(LARGE)).toEqual(LEFT);
    expect(await ask(SMALL)).toMatchObject({ visitors: 1 });
    take(LARGE, [hit(VISITS + 1, ASKED_MS)]);
    expect(await ask(LARGE)).toEqual(LEFT);
    expect(await counted()).toMatchObject({ visitors: VISITS + 1 });
    // Kept current from now on.
    take(LARGE, [hit(VISITS + 2, ASKED_MS)]);
    expect(await ask(LARGE)).toMatchObject({ visitors: VISITS + 2 });
    // Another window has other counts.
    expect(await ask(LARGE, 'start=60')).toEqual(LEFT);
    expect(await counted('start=60')).toMatchObject({ visitors: 2 });
  });

  test('is not scanned in the actor, whatever is asked of it', async () => {
    fill();
    await counted();
    for (const parameters of ['country=de', 'path=/', 'include_title=true']) {
      expect(await ask(LARGE, parameters)).toEqual(LEFT);
    }
    // Ahead of the clock: counts cannot say.
    take(LARGE, [hit(1, ASKED_MS + 1)]);
    expect(await ask(LARGE)).toEqual(LEFT);
    expect(await ask(LARGE, '', ASKED_MS + 1)).toMatchObject({ visitors: VISITS });
  });

  test('is not opened for a question after a start, and is when hits come', async () => {
    fill();
    await actor.close();
    open();
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(await ask(LARGE)).toEqual(LEFT);
    expect(await ask(SMALL)).toMatchObject({ visitors: 1 });
    const openBytes = actor.openBytes;
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(actor.openBytes).toBe(openBytes);
    take(LARGE, [hit(VISITS + 1, ASKED_MS)]);
    expect(await counted()).toMatchObject({ visitors: VISITS + 1 });
  });

  test('is answered from disk when its day left memory, also amid the counting', async () => {
    fill();
    await ask(LARGE);
    let shard: Shard | undefined;
    const found = vi.spyOn(ActiveFills.prototype, 'begin').mockImplementation((of) => {
      shard = of;
    });
    await ask(LARGE);
    found.mockRestore();
    const domain = shard!.domains.get(asDomainId(LARGE.domainId))!;
    domain.active.fill(() => true);
    domain.evictDay(NOON_DAY);
    expect(domain.active.isFilling).toBe(false);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(await ask(LARGE)).toEqual(LEFT);
    expect(domain.segments.size).toBe(0);
  });

  test('may be let go of amid the counting', async () => {
    fill();
    expect(await ask(LARGE)).toEqual(LEFT);
    await turn();
    await actor.drop(asShardId(LARGE.shard));
    for (let turns = 0; turns < 20; turns++) await turn();
    await expect(ask(LARGE)).rejects.toMatchObject({ code: 'SHARD_MOVED' });
  });
});
