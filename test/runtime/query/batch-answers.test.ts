// Goal: whatever a thread has kept of questions before, and whichever questions stand together, a batch
//   says what each of its questions says alone of the same state (D-14).
// Method: random hits over three days in portions, saved one after the other; between them random
//   batches under filters that were asked before, or never. Each answer is compared with a scan, which
//   keeps nothing, of the days as another reader opens them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
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
import { BatchRuns } from '../../../src/runtime/query/batch-run.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, MONDAY_MS } from '../../shard/hit-builder.ts';
import { tries } from '../../support/runs.ts';

const SHARD = asShardId(0);
const EPOCH = asEpoch(1);
const TIMEOUT_MS = 600_000;

const STATISTICS = [
  ...['total', 'growth', 'visitor', 'hours', 'hours/week', 'duration/session'],
  ...['page', 'page/entry', 'page/exit', 'country', 'browser', 'referrer', 'utm/campaign'],
  ...['events', 'tags', 'session/list'],
];
const FILTERS = [
  ...['', 'country=de', 'country=!de', 'browser=b1', 'country=de&browser=b1', 'referrer_name=r1'],
  ...['path=/p1', 'pattern=^/p[12]', 'path=/p1&country=de', 'path=~p&browser=!b1', 'tag=author'],
  ...['event=buy', 'event=buy&country=de', 'event=!buy', 'platform=desktop&entry_path=/p1'],
];
const RANGES = ['from=2024-05-06&to=2024-05-08', 'from=2024-05-07&to=2024-05-07'];
const ZONES = ['UTC', 'Asia/Kolkata'];

const anyHit = fc.record({
  person: fc.integer({ min: 1, max: 12 }),
  atMs: fc.integer({ min: 0, max: 3 * DAY_MS - HOUR_MS }),
  page: fc.integer({ min: 0, max: 3 }),
  country: fc.constantFrom('de', 'fr', ''),
  browser: fc.constantFrom('b1', 'b2'),
  referrer: fc.constantFrom('', 'r1', 'r2'),
  kind: fc.constantFrom('view', 'view', 'view', 'event', 'tagged'),
});
const anyQuestion = fc.record({
  name: fc.constantFrom(...STATISTICS),
  filter: fc.constantFrom(...FILTERS),
  range: fc.constantFrom(...RANGES),
});
const anyCase = fc.record({
  zone: fc.constantFrom(...ZONES),
  steps: fc.array(
    fc.record({
      hits: fc.array(anyHit, { maxLength: 40 }),
      // As on a page, most questions of a batch are under its own filter.
      shared: fc.constantFrom(...FILTERS),
      names: fc.array(fc.constantFrom(...STATISTICS), { maxLength: 12 }),
      others: fc.array(anyQuestion, { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Case = Drawn<typeof anyCase>;

let caseCount = 0;

test('D-14: a batch says what each question says alone, under filters known and new', {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async (drawn) => {
      expect(await disagreements(drawn)).toEqual([]);
    }),
    tries(240),
  );
});

async function disagreements({ zone, steps }: Case): Promise<string[]> {
  // What a thread keeps of a domain is told apart by its revisions alone.
  const domainId = asDomainId(`batched-${++caseCount}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-batches-'));
  const shard = new Shard(dataDir, SHARD, new Sessionizer());
  // So small that columns come and go between questions in some of the cases.
  const reader = new SegmentReader(dataDir, caseCount % 2 === 0 ? 4_000 : 100_000_000);
  const batches = new BatchRuns(reader, () => false);
  const queryOf = ({ name, filter, range }: Drawn<typeof anyQuestion>) =>
    parseStatisticsRequest(statisticNamed(name), parseQueryString(`${range}&${filter}`), {
      domain: { id: domainId, timezone: zone, groupByTitle: false, activeVisitorsSeconds: 600 },
      nowMs: MONDAY_MS + 3 * DAY_MS,
    });
  const found: string[] = [];
  try {
    for (const [step, { hits, shared, names, others }] of steps.entries()) {
      save(shard, { domainId, hits, sequence: step + 1 });
      const asked = [
        ...names.map((name) => ({ name, filter: shared, range: RANGES[0] as string })),
        ...others,
      ];
      const queries = asked.map(queryOf);
      const answers = batched(batches, structuredClone(queries));
      for (const [at, query] of queries.entries()) {
        const alone = await scanned(dataDir, query);
        if (JSON.stringify(answers[at]) === alone) continue;
        found.push(`${step} ${JSON.stringify(asked[at])}: ${JSON.stringify(answers[at])} ${alone}`);
      }
    }
  } finally {
    await reader.close();
    await shard.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return found;
}

function batched(batches: BatchRuns, entries: StatisticsQuery[]): readonly unknown[] {
  const [first] = entries as [StatisticsQuery];
  const { outcome } = batches.begin({
    ...{ id: 1, shard: SHARD, epoch: EPOCH, arrivedMs: Date.now(), secondsMax: 60 },
    abandoned: new Int32Array(new SharedArrayBuffer(4)),
    query: { kind: 'batch', domainId: first.domainId, entries },
  });
  if (!('value' in outcome) || outcome.value === null) throw new Error(JSON.stringify(outcome));
  return (JSON.parse(Buffer.from(outcome.value).toString()) as { results: unknown[] }).results;
}

async function scanned(dataDir: string, query: StatisticsQuery): Promise<string> {
  const reader = new SegmentReader(dataDir, 100_000_000);
  try {
    const { domainId } = query;
    const segments = reader.read({ shard: SHARD, epoch: EPOCH, domainId, ...spanOf(query) });
    return JSON.stringify(runStatistics(query, segments, null, 'scan'));
  } finally {
    await reader.close();
  }
}

function save(
  shard: Shard,
  {
    domainId,
    hits,
    sequence,
  }: {
    domainId: ReturnType<typeof asDomainId>;
    hits: readonly Drawn<typeof anyHit>[];
    sequence: number;
  },
): void {
  const inOrder = hits.map(hitOf).sort((left, right) => left.timeMs - right.timeMs);
  if (inOrder.length === 0) return;
  const head = { domainId, receivedMs: 0, idempotencyHash: '', dropped: null };
  const payload = encodeGroups([{ ...head, hits: inOrder }]);
  shard.apply({ shard: SHARD, sequence: asSequence(sequence), payload }, 0);
  checkpoint(shard, [...shard.unsaved]);
}

function hitOf({
  person,
  atMs,
  page,
  country,
  browser,
  referrer,
  kind,
}: Drawn<typeof anyHit>): Hit {
  const fields = { path: `/p${page}`, country, browser };
  const timeMs = MONDAY_MS + atMs;
  if (kind === 'event') {
    return event(person, timeMs, { ...fields, eventName: page === 0 ? 'play' : 'buy' });
  }
  const pairs = kind === 'tagged' ? ['author', `a${page}`] : [];
  return hit(person, timeMs, { ...fields, referrerName: referrer, pairs });
}
