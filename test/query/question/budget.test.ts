// Goal: a query ends at its bound of rows, at its bound of time, and when its client has left.
// Method: a clock that is set by hand; the thread of queries over a state on disk.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, SECOND_MS } from '../../../src/model/limits.ts';
import { TOTAL } from '../../../src/query/answers/totals/totals.ts';
import { Budget } from '../../../src/query/question/budget.ts';
import { parseQueryString } from '../../../src/query/question/parameters.ts';
import { parseStatisticsRequest } from '../../../src/query/question/request.ts';
import type { ScanTask } from '../../../src/runtime/query/scan-task.ts';
import { openScanThread } from '../../../src/runtime/query/scan-thread.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { hit, MONDAY_MS } from '../../shard/hit-builder.ts';

function budgetOf(limits: { rowsMax?: number; spentMs?: number; isAbandoned?: boolean }) {
  const clock = { ms: 1_000 };
  const { rowsMax = 10, spentMs = 0, isAbandoned = false } = limits;
  const bounds = { rowsMax, secondsMax: 2, spentMs, isAbandoned: () => isAbandoned };
  return { clock, budget: new Budget(bounds, () => clock.ms) };
}

describe('a budget', () => {
  test.each([
    [9, ''],
    [10, ''],
    [11, 'budget of 10 rows'],
  ])('of 10 rows after %i says %j', (rows, fault) => {
    const { budget } = budgetOf({});
    const take = () => {
      for (let row = 0; row < rows; row++) budget.take(1);
    };
    if (fault === '') expect(take).not.toThrow();
    else expect(take).toThrow(fault);
  });

  test.each([
    [0, 1_999, ''],
    [0, 2_000, 'budget of 2 s'],
    [0, 2_001, 'budget of 2 s'],
    [500, 1_499, ''],
    [500, 1_500, 'budget of 2 s'],
    [2_000, 0, 'budget of 2 s'],
  ])('of 2 s after waiting %i ms and %i ms of work says %j', (spentMs, workMs, fault) => {
    const { budget, clock } = budgetOf({ spentMs });
    clock.ms += workMs;
    if (fault === '') expect(() => budget.check()).not.toThrow();
    else expect(() => budget.check()).toThrow(fault);
  });

  test('is over when the client has left', () => {
    expect(() => budgetOf({ isAbandoned: true }).budget.take(1)).toThrow('budget');
  });
});

describe('the thread of queries', () => {
  let dataDir = '';
  let run: ReturnType<typeof openScanThread>;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'footfall-budget-'));
    const shard = new Shard(dataDir, asShardId(0), new Sessionizer());
    const hits = [0, 1, 2].map((day) => hit(1, MONDAY_MS + day * DAY_MS));
    const head = { domainId: asDomainId('a'), receivedMs: 0, idempotencyHash: '', dropped: null };
    shard.apply(
      { shard: asShardId(0), sequence: asSequence(1), payload: encodeGroups([{ ...head, hits }]) },
      0,
    );
    checkpoint(shard, [...shard.unsaved]);
    await shard.close();
    run = openScanThread({
      dataDir,
      cacheShare: 1,
      waiting: new Int32Array(new SharedArrayBuffer(4)),
    });
  });

  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  function task(asked: string, change: { rowsMax?: number; ageMs?: number; left?: boolean }) {
    const domain = { id: 'a', timezone: 'UTC', groupByTitle: false, activeVisitorsSeconds: 600 };
    const { rowsMax = 6, ageMs = 0, left = false } = change;
    const context = { domain, nowMs: Date.now(), rowsMax };
    const abandoned = new Int32Array(new SharedArrayBuffer(4));
    if (left) abandoned[0] = 1;
    return {
      query: parseStatisticsRequest(TOTAL, parseQueryString(asked), context),
      ...{
        shard: asShardId(0),
        epoch: asEpoch(1),
        arrivedMs: Date.now() - ageMs,
        secondsMax: 5,
        abandoned,
      },
    } satisfies ScanTask;
  }

  const ALL = 'from=2024-05-06&to=2024-05-08';
  /** What it says: '' is an answer. */
  const fault = (given: ScanTask): string => {
    const { outcome } = run({ ...given, id: 1 });
    return 'error' in outcome ? outcome.error.code : '';
  };

  test.each([
    // A session and a view on each of three days.
    [7, ''],
    [6, ''],
    [5, 'QUERY_BUDGET_EXCEEDED'],
  ])('a scan with a bound of %i rows over 6 rows says %j', (rowsMax, code) => {
    expect(fault(task(`${ALL}&country=!xx`, { rowsMax }))).toBe(code);
  });

  test('a range of five years costs only the rows that are there', () => {
    const years = 'from=2020-01-01&to=2024-12-31';
    expect(fault(task(years, { rowsMax: 6 }))).toBe('');
    expect(fault(task('from=2014-01-01&to=2018-12-31', { rowsMax: 1 }))).toBe('');
  });

  test('a query that waited beyond its time, or for a client that left, is dropped', () => {
    expect(fault(task(ALL, { ageMs: 4 * SECOND_MS }))).toBe('');
    expect(fault(task(ALL, { ageMs: 5 * SECOND_MS }))).toBe('QUERY_BUDGET_EXCEEDED');
    expect(fault(task(ALL, { left: true }))).toBe('QUERY_BUDGET_EXCEEDED');
  });
});
