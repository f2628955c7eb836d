// Goal: a batch that gives way after each of its questions is true to one state all the same, whoever
//   writes and reads meanwhile, and lets go of it whatever ends it (D-14).
// Method: the batches of a thread over a real environment, that a shard goes on writing between turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import { STATISTICS } from '../../../src/query/answers/statistics.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import { parseStatisticsRequest } from '../../../src/query/question/request.ts';
import { BatchRuns } from '../../../src/runtime/query/batch-run.ts';
import { answerQuestion } from '../../../src/runtime/query/scan-answer.ts';
import type { ScanResult } from '../../../src/runtime/query/scan-task.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { hit, MONDAY_MS } from '../../shard/hit-builder.ts';

const SHARD = asShardId(0);
const RANGE = 'from=2024-05-06&to=2024-05-08';

let dataDir: string;
let shard: Shard;
let reader: SegmentReader;
let batches: BatchRuns;
let sequence = 0;
/** Another one for each test: what a thread keeps of a domain is told apart by its revisions alone. */
let domainId = asDomainId('');

let count = 0;

beforeEach(() => {
  count++;
  domainId = asDomainId(`site-${count}`);
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-batch-'));
  shard = new Shard(dataDir, SHARD, new Sessionizer());
  reader = new SegmentReader(dataDir, 1_000_000);
  batches = new BatchRuns(reader, () => true, 0);
  sequence = 0;
});

afterEach(async () => {
  await reader.close();
  await shard.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Visits of new visitors on each of three days, on disk. */
function save(visitors: number): void {
  sequence++;
  const hits = [0, 1, 2].flatMap((day) =>
    Array.from({ length: visitors }, (_, index) =>
      hit(sequence * 10_000 + index, MONDAY_MS + day * DAY_MS + index),
    ),
  );
  const head = { domainId, receivedMs: 0, idempotencyHash: '', dropped: null };
  const payload = encodeGroups([{ ...head, hits }]);
  shard.apply({ shard: SHARD, sequence: asSequence(sequence), payload }, 0);
  checkpoint(shard, [...shard.unsaved]);
}

function queryOf(name: string, parameters = RANGE) {
  const statistic = STATISTICS.find((one) => one.name === name);
  const domain = { id: domainId, timezone: 'UTC', groupByTitle: false, activeVisitorsSeconds: 600 };
  const context = { domain, nowMs: MONDAY_MS + 3 * DAY_MS };
  return parseStatisticsRequest(statistic!, parseQueryString(parameters), context);
}

const NAMES = ['total', 'page', 'visitor', 'country', 'session/list', 'total'];

function task(epoch = 1) {
  const common = {
    ...{ shard: SHARD, epoch: asEpoch(epoch), arrivedMs: Date.now(), secondsMax: 30 },
    abandoned: new Int32Array(new SharedArrayBuffer(4)),
  };
  const entries = NAMES.map((name) => queryOf(name));
  return { ...common, id: 1, query: { kind: 'batch' as const, domainId, entries } };
}

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect
function answerOf({ outcome }: ScanResult): any {
  if ('error' in outcome) return outcome.error.code;
  return outcome.value === null ? null : JSON.parse(Buffer.from(outcome.value).toString());
}

/** Views by every query of a batch. */
function viewsOf({ results }: { results: readonly unknown[] }): number[] {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any statistic
  return results.map((result: any) =>
    Array.isArray(result)
      ? result.reduce((sum, { views = 1 }) => sum + views, 0)
      : (result.views ?? result.error[0]),
  );
}

test('a batch answers from the moment it began, though others write and read before its end', () => {
  save(3);
  const first = batches.begin(task());
  expect(answerOf(first)).toBeNull();
  let last = first;
  for (let turn = 0; turn < NAMES.length - 1; turn++) {
    save(5);
    // The same days, read anew by somebody else between two turns.
    const alone = answerQuestion(reader, { ...task(), query: queryOf('total') }, []);
    expect(JSON.parse(Buffer.from(alone).toString()).views).toBe(9 + (turn + 1) * 15);
    last = batches.resume(1);
  }
  const answer = answerOf(last);
  expect(answer.position).toBe(1);
  // Countries have visitors only, a row each.
  expect(viewsOf(answer)).toEqual([9, 9, 9, 1, 9, 9]);
  const next = new BatchRuns(reader, () => false).begin(task());
  expect(answerOf(next).position).toBe(sequence);
  expect(viewsOf(answerOf(next))[0]).toBe(9 + 5 * 15);
});

test('a shard without any data is empty to the end of the batch', () => {
  const first = batches.begin(task());
  save(2);
  let last = first;
  while (answerOf(last) === null) last = batches.resume(1);
  expect(answerOf(last).position).toBe(0);
  expect(viewsOf(answerOf(last))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('with another lease since, a batch that had begun ends, and its files are let go of', () => {
  save(2);
  expect(answerOf(batches.begin(task(1)))).toBeNull();
  answerQuestion(reader, { ...task(2), query: queryOf('total') }, []);
  expect(answerOf(batches.resume(1))).toBe('SHARD_MOVED');
  expect(answerOf(batches.resume(1))).toBe('SHARD_MOVED');
});

test('what is found by the time that its client leaves, or its time is over, is answered', () => {
  save(2);
  const left = task();
  batches.begin(left);
  Atomics.store(left.abandoned, 0, 1);
  let last = batches.resume(1);
  while (answerOf(last) === null) last = batches.resume(1);
  const told = viewsOf(answerOf(last));
  expect(told[0]).toBe(6);
  expect(told.slice(1)).toEqual(told.slice(1).map(() => expect.stringMatching(/30|27/)));
});

test('nobody waits: all of it is one turn', () => {
  save(1);
  const alone = new BatchRuns(reader, () => false, 0);
  expect(viewsOf(answerOf(alone.begin(task())))).toEqual([3, 3, 3, 1, 3, 3]);
});
