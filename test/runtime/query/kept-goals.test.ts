// Goal: what is kept on disk of a goal's days is never another number than a scan of those days gives,
//   whatever hit, deletion, packing, zone or restart comes between (S-63, A-81).
// Method: random hits over three days in portions, deletions between them; days are packed now and then.
//   A query thread that has just been started asks, hands over what it counted, at once or when the days
//   have moved on; another that has just been started asks again. Both are compared with a scan.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { runStatistics } from '../../../src/query/answers/run.ts';
import { statisticNamed } from '../../../src/query/answers/statistics.ts';
import { type GoalCondition, goalQuestion } from '../../../src/query/question/conversions.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import {
  parseStatisticsRequest,
  type StatisticsQuery,
  spanOf,
} from '../../../src/query/question/request.ts';
import { forgetTextSpaces } from '../../../src/query/text/text-space.ts';
import { type CountedDay, keepCounts } from '../../../src/segment/disk/day-counts.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { checkpoint, packDays } from '../../../src/shard/save/checkpoint.ts';
import { eraseNextDay } from '../../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, MONDAY_MS } from '../../shard/hit-builder.ts';
import { tries } from '../../support/runs.ts';

const SHARD = asShardId(0);
const EPOCH = asEpoch(1);
const DAYS = 3;
const TIMEOUT_MS = 600_000;

const RANGES = ['from=2024-05-06&to=2024-05-08', 'from=2024-05-07&to=2024-05-07'];
const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York'];
const FILTERS = ['', '', '', 'country=de'];

const NO_GOAL: GoalCondition = {
  ...{ name: '', pattern: null, eventName: null, eventMetaKey: null, eventMetaValue: null },
  ...{ customMetricKey: null, customMetricType: null },
};
const GOALS: readonly GoalCondition[] = [
  { ...NO_GOAL, name: 'page', pattern: '^/p[12]$' },
  { ...NO_GOAL, name: 'event', eventName: 'buy' },
  { ...NO_GOAL, name: 'both', pattern: '^/p', eventName: 'buy' },
];

const anyHit = fc.record({
  person: fc.integer({ min: 1, max: 12 }),
  atMs: fc.integer({ min: 0, max: DAYS * DAY_MS - HOUR_MS }),
  page: fc.integer({ min: 0, max: 3 }),
  country: fc.constantFrom('de', 'fr'),
  isEvent: fc.boolean(),
});
const anyStep = fc.record({
  hits: fc.array(anyHit, { maxLength: 25 }),
  erased: fc.option(fc.integer({ min: 0, max: DAYS - 1 }), { freq: 5 }),
  isPacked: fc.boolean(),
  range: fc.constantFrom(...RANGES),
  zone: fc.constantFrom(...ZONES),
  filter: fc.constantFrom(...FILTERS),
  keeps: fc.constantFrom('now', 'now', 'late', 'never'),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof anyStep>;

let caseCount = 0;
/** Days whose counts were found on disk, so that the test is about something. */
let foundCount = 0;

test('what is kept of goals is what a scan says, after late hits, deletions and restarts (S-63, A-81)', {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
      expect(await disagreements(steps)).toEqual([]);
    }),
    tries(320),
  );
  expect(foundCount).toBeGreaterThan(50);
});

async function disagreements(steps: readonly Step[]): Promise<string[]> {
  const state = new State();
  const found: string[] = [];
  try {
    for (const [at, step] of steps.entries()) {
      state.change(step);
      const query = state.queryOf(step);
      const scanned = await state.ask(query, 'scan');
      const first = await state.ask(query, 'best');
      const kept = state.keep(first.counted, step.keeps);
      const again = await state.ask(query, 'best');
      for (const { text } of [first, again]) {
        if (text !== scanned.text) found.push(`${at}: ${text} ${scanned.text}`);
      }
      if (kept && again.counted.length > 0) found.push(`${at}: counted again`);
    }
  } finally {
    await state.close();
  }
  return found;
}

/** A shard with one domain, and what query threads have handed over of it. */
class State {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'footfall-kept-'));
  readonly #shard = new Shard(this.#dataDir, SHARD, new Sessionizer());
  readonly #domainId = asDomainId(`kept-${++caseCount}`);
  #sequence = 0;
  #late: readonly CountedDay[] = [];

  change({ hits, erased, isPacked }: Step): void {
    if (hits.length > 0) this.#send(hits);
    if (erased !== null) this.#erase(erased);
    const domain = this.#shard.existingDomain(this.#domainId, 0);
    if (domain !== null && isPacked) {
      packDays(this.#shard, domain, [...domain.segments.values()]);
      this.#shard.domains.clear();
    }
    // What was counted of the days as they were before.
    if (this.#late.length > 0) keepCounts(this.#shard.environment(), this.#late);
    this.#late = [];
  }

  queryOf({ range, zone, filter }: Step): StatisticsQuery {
    const goals = GOALS.map((goal) => goalQuestion(goal, { name: goal.name }));
    return parseStatisticsRequest(statisticNamed('goals'), parseQueryString(`${range}&${filter}`), {
      domain: {
        id: this.#domainId,
        timezone: zone,
        groupByTitle: false,
        activeVisitorsSeconds: 60,
      },
      nowMs: MONDAY_MS + DAYS * DAY_MS,
      registered: { goals },
    });
  }

  /** Asks as a thread does that has just been started: it has nothing but the disk. */
  async ask(query: StatisticsQuery, way: 'scan' | 'best') {
    forgetTextSpaces();
    const reader = new SegmentReader(this.#dataDir, 1e8);
    try {
      const request = { shard: SHARD, epoch: EPOCH, domainId: query.domainId };
      const segments = reader.read({ ...request, ...spanOf(query) });
      const text = JSON.stringify(runStatistics(query, segments, null, way));
      return { text, counted: reader.takeCounted() };
    } finally {
      await reader.close();
    }
  }

  /** @returns whether it is on disk now. */
  keep(counted: readonly CountedDay[], when: Step['keeps']): boolean {
    if (counted.length === 0) return false;
    if (when === 'late') this.#late = counted;
    if (when !== 'now') return false;
    keepCounts(this.#shard.environment(), counted);
    foundCount += counted.length;
    return true;
  }

  async close(): Promise<void> {
    await this.#shard.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #send(hits: Step['hits']): void {
    const made = hits.map(({ person, atMs, page, country, isEvent }) => {
      const fields = { path: `/p${page}`, country };
      return isEvent
        ? event(person, MONDAY_MS + atMs, { ...fields, eventName: page === 0 ? 'play' : 'buy' })
        : hit(person, MONDAY_MS + atMs, fields);
    });
    made.sort((left, right) => left.timeMs - right.timeMs);
    const head = { receivedMs: 0, idempotencyHash: '', dropped: null };
    this.#apply(encodeGroups([{ ...head, domainId: this.#domainId, hits: made }]));
  }

  #erase(day: number): void {
    const startMs = MONDAY_MS + day * DAY_MS;
    const endMs = startMs + DAY_MS;
    this.#apply(encodeErasure({ domainId: this.#domainId, kind: '', startMs, endMs }));
    const domain = this.#shard.existingDomain(this.#domainId, 0);
    while (domain !== null && domain.pendingErasures.size > 0) eraseNextDay(domain);
    this.#save();
  }

  #apply(payload: Uint8Array): void {
    this.#sequence++;
    this.#shard.apply({ shard: SHARD, sequence: asSequence(this.#sequence), payload }, 0);
    this.#save();
  }

  #save(): void {
    if (this.#shard.unsaved.size > 0) checkpoint(this.#shard, [...this.#shard.unsaved]);
  }
}
