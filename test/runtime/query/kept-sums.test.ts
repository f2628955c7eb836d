// Goal: an answer from sums of days at rest that are kept on disk is what a scan of those days says,
//   whatever hit, deletion, packing, zone, restart or damage of the disk comes between.
// Method: random hits over seven days in portions, deletions between them; days are packed now and
//   then. A query thread that has just been started asks, and hands over the sums that it made, at once
//   or when the days have moved on; another that has just been started asks again. Each answer is
//   compared with a scan. Bits of what is kept are flipped in the file. Sums are of two and four days,
//   and worth it of any.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { runStatistics } from '../../../src/query/answers/run.ts';
import { statisticNamed } from '../../../src/query/answers/statistics.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import {
  parseStatisticsRequest,
  type StatisticsQuery,
  spanOf,
} from '../../../src/query/question/request.ts';
import { forgetTextSpaces } from '../../../src/query/text/text-space.ts';
import { type CountedDay, keepCounts } from '../../../src/segment/disk/day-counts.ts';
import { keepSum, type SummedDays } from '../../../src/segment/disk/day-sums.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { checkpoint, packDays } from '../../../src/shard/save/checkpoint.ts';
import { eraseNextDay } from '../../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, MONDAY_MS } from '../../shard/hit-builder.ts';
import { tries } from '../../support/runs.ts';

vi.mock('../../../src/model/limits.ts', async (original) => ({
  ...(await original<object>()),
  ...{ SUM_DAY_COUNTS: [4, 2, 1], SUM_VIEWS_PER_ROW_MIN: 0 },
}));

const SHARD = asShardId(0);
const EPOCH = asEpoch(1);
const DAYS = 7;
const TIMEOUT_MS = 600_000;

const STATISTICS = [
  ...['total', 'growth', 'visitor', 'duration/session', 'page', 'page/entry', 'page/exit'],
  ...['country', 'city', 'region', 'browser', 'browser/version', 'platform', 'referrer'],
  ...['utm/campaign', 'events', 'event/meta', 'tags', 'options/page'],
];
const RANGES = ['from=2024-05-06&to=2024-05-12', 'from=2024-05-07&to=2024-05-10'];
const ZONES = ['UTC', 'UTC', 'Asia/Kolkata', 'America/New_York'];

const anyHit = fc.record({
  person: fc.integer({ min: 1, max: 12 }),
  atMs: fc.integer({ min: 0, max: DAYS * DAY_MS - HOUR_MS }),
  page: fc.integer({ min: 0, max: 5 }),
  place: fc.constantFrom('de,Bayern,Bamberg', 'de,Hessen,Kassel', 'fr,,', ',,'),
  referrer: fc.constantFrom('', 'a,https://a.test/1', 'a,https://a.test/2', 'b,https://b.test/'),
  kind: fc.constantFrom('view', 'view', 'view', 'event', 'tagged'),
});
const anyStep = fc.record({
  hits: fc.array(anyHit, { maxLength: 25 }),
  erased: fc.option(fc.integer({ min: 0, max: DAYS - 1 }), { freq: 6 }),
  isPacked: fc.constantFrom(true, true, false),
  names: fc.uniqueArray(fc.constantFrom(...STATISTICS), { minLength: 1, maxLength: 4 }),
  range: fc.constantFrom(...RANGES),
  zone: fc.constantFrom(...ZONES),
  keeps: fc.constantFrom('now', 'now', 'now', 'late', 'never'),
  isDamaged: fc.constantFrom(false, false, true),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof anyStep>;

let caseCount = 0;
/** Sums of a day and of several that were found on disk, and those that were found damaged. */
const found = { days: 0, folds: 0, damaged: 0 };

test('answers from kept sums are what a scan says, after late hits, deletions, damage, restarts (A-24, A-81)', {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
      expect(await disagreements(steps)).toEqual([]);
    }),
    tries(160),
  );
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(5);
});

async function disagreements(steps: readonly Step[]): Promise<string[]> {
  const state = new State();
  const differing: string[] = [];
  try {
    for (const [at, step] of steps.entries()) {
      state.change(step);
      const queries = step.names.map((name) => state.queryOf(name, step));
      const scanned = await state.ask(queries, 'scan');
      const first = await state.ask(queries, 'best');
      const isKept = state.keep(first, step.keeps);
      const again = await state.ask(queries, 'best');
      if (isKept && again.summed.length > 0) differing.push(`${at}: summed again`);
      const isDamaged = step.isDamaged && isKept;
      const damaged = isDamaged ? await state.damaged(queries) : scanned;
      for (const { text } of [first, again, damaged]) {
        if (text !== scanned.text) differing.push(`${at} ${step.names}: ${text} ${scanned.text}`);
      }
    }
  } finally {
    await state.close();
  }
  return differing;
}

interface Asked {
  readonly text: string;
  readonly counted: readonly CountedDay[];
  readonly summed: readonly SummedDays[];
}

/** A shard with one domain, and what query threads have handed over of it. */
class State {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'footfall-sums-'));
  readonly #shard = new Shard(this.#dataDir, SHARD, new Sessionizer());
  readonly #domainId = asDomainId(`sums-${++caseCount}`);
  #sequence = 0;
  #late: readonly SummedDays[] = [];
  #kept: readonly SummedDays[] = [];

  constructor() {
    this.#send(Array.from({ length: DAYS }, (_, day) => hit(1, MONDAY_MS + day * DAY_MS)));
  }

  change({ hits, erased, isPacked }: Step): void {
    if (hits.length > 0) this.#send(hits.map(hitOf));
    if (erased !== null) this.#erase(erased);
    const domain = this.#shard.existingDomain(this.#domainId, 0);
    if (domain !== null && isPacked) {
      packDays(this.#shard, domain, [...domain.segments.values()]);
      this.#shard.domains.clear();
    }
    // What was summed of the days as they were before.
    for (const sum of this.#late) keepSum(this.#shard.environment(), sum);
    this.#late = [];
    this.#kept = [];
  }

  queryOf(name: string, { range, zone }: Step): StatisticsQuery {
    return parseStatisticsRequest(statisticNamed(name), parseQueryString(range), {
      domain: {
        id: this.#domainId,
        timezone: zone,
        groupByTitle: false,
        activeVisitorsSeconds: 60,
      },
      nowMs: MONDAY_MS + DAYS * DAY_MS,
      registered: {},
    });
  }

  /** Asks as a thread does that has just been started: it has nothing but the disk. */
  async ask(queries: readonly StatisticsQuery[], way: 'scan' | 'best'): Promise<Asked> {
    forgetTextSpaces();
    const reader = new SegmentReader(this.#dataDir, 1e8);
    try {
      const answers = queries.map((query) => {
        const request = { shard: SHARD, epoch: EPOCH, domainId: query.domainId };
        return runStatistics(query, reader.read({ ...request, ...spanOf(query) }), null, way);
      });
      const [counted, summed] = [reader.takeCounted(), reader.takeSummed()];
      return { text: JSON.stringify(answers), counted, summed };
    } finally {
      await reader.close();
    }
  }

  /** @returns whether all of it is on disk now. */
  keep({ counted, summed }: Asked, when: Step['keeps']): boolean {
    if (when === 'late') this.#late = summed;
    if (when !== 'now') return false;
    keepCounts(this.#shard.environment(), counted);
    for (const sum of summed) {
      keepSum(this.#shard.environment(), sum);
      if (sum.states.length > 1) found.folds++;
      else found.days++;
    }
    this.#kept = summed;
    return true;
  }

  /** Flips a bit of every sum that was kept last, asks, and has them kept as they are made again. */
  async damaged(queries: readonly StatisticsQuery[]): Promise<Asked> {
    const { path } = this.#shard.environment();
    const file = readFileSync(path);
    const descriptor = openSync(path, 'r+');
    for (const { bytes } of this.#kept) {
      // Pages that were written since may have copies of it.
      for (let from = file.indexOf(bytes); from >= 0; from = file.indexOf(bytes, from + 1)) {
        const at = from + Math.floor(bytes.length / 2);
        writeSync(descriptor, Uint8Array.of((file[at] as number) ^ 4), 0, 1, at);
      }
    }
    closeSync(descriptor);
    const asked = await this.ask(queries, 'best');
    expect(asked.summed.length).toBe(this.#kept.length);
    found.damaged += this.#kept.length;
    for (const sum of asked.summed) keepSum(this.#shard.environment(), sum);
    this.#kept = [];
    return asked;
  }

  async close(): Promise<void> {
    await this.#shard.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #send(hits: readonly Hit[]): void {
    const sorted = hits.toSorted((left, right) => left.timeMs - right.timeMs);
    const head = { receivedMs: 0, idempotencyHash: '', dropped: null };
    this.#apply(encodeGroups([{ ...head, domainId: this.#domainId, hits: sorted }]));
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

function hitOf({ person, atMs, page, place, referrer, kind }: Step['hits'][number]): Hit {
  const [country = '', region = '', city = ''] = place.split(',');
  const [referrerName = '', url = ''] = referrer.split(',');
  const fields = {
    ...{ path: `/p${page}`, country, region, city, referrerName, referrer: url },
    ...{ browser: `b${person % 3}`, browserVersion: `${person % 2}`, utmCampaign: `c${page % 2}` },
    pairs: kind === 'view' ? null : [page === 0 ? 'author' : 'section', `v${person % 3}`],
  };
  return kind === 'event'
    ? event(person, MONDAY_MS + atMs, { ...fields, eventName: page < 3 ? 'play' : 'buy' })
    : hit(person, MONDAY_MS + atMs, fields);
}
