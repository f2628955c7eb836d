// Goal: an import that rested until its idempotency keys were forgotten has everything once, hits and
// sums (P-3, S-98).
// Method: an import of both is killed behind each of its portions, before it could note that one, and
//   goes on at once or after a day; the log is a naive one, which knows keys for as long as it may, and
//   has the engine's own sums.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImportLog, type ImportTask, runImport } from '../../src/imports/job/import-run.ts';
import { packHit } from '../../src/imports/job/native-hits.ts';
import { claimStage, Stage } from '../../src/imports/job/stage.ts';
import { createHit } from '../../src/model/blank-hit.ts';
import { HitKind } from '../../src/model/hit.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { IMPORT_REST_MS_MAX, IMPORTED_HITS_PER_RECORD } from '../../src/model/import-limits.ts';
import type { StoredSum } from '../../src/model/imported-sum.ts';
import { DAY_MS, SUM_BATCH_COUNT_MAX } from '../../src/model/limits.ts';
import { DomainImports } from '../../src/shard/imports/domain-imports.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const DOMAIN = asDomainId('domain');
const FIRST_DAY = 19_000;
/** Three portions of each. */
const HITS = 2 * IMPORTED_HITS_PER_RECORD + 7;
const SUMS = 2 * SUM_BATCH_COUNT_MAX + 7;
const PORTIONS = 6;

let folder: string;
let nowMs: number;
/** What the domain has: its hits, and its sums. */
let hits: number;
let sums: DomainImports;
let keys: Set<string>;
let records: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-late-import-'));
  [nowMs, hits, records, sums, keys] = [NOW_MS, 0, 0, new DomainImports(), new Set()];
  const stage = new Stage(folder, claimStage(folder));
  for (let row = 0; row < HITS; row++) {
    const atMs = FIRST_DAY * DAY_MS + row;
    stage.addHits(atMs, [packHit(createHit(HitKind.PageView, atMs))]);
  }
  for (let row = 0; row < SUMS; row++) {
    const sum: StoredSum = {
      ...{ day: FIRST_DAY, dimension: 'page', value: `/${row}`, country: '' },
      ...{ visitors: 1, views: 2, sessions: 1, bounces: 0, seconds: 3 },
    };
    stage.addSum(`${FIRST_DAY} ${String(row).padStart(9, '0')}`, sum, FIRST_DAY);
  }
  stage.finish('footfall');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Portions after which it is killed. */
let left: number;

function applied(done: (error: Error | null) => void): void {
  left--;
  done(left === 0 ? new Error('killed') : null);
}

const log: ImportLog = {
  submit(groups, done) {
    for (const { idempotencyHash, hits: own } of groups) {
      if (!keys.has(idempotencyHash)) hits += own.length;
      keys.add(idempotencyHash);
    }
    applied(done);
  },
  submitErasure(_, done) {
    hits = 0;
    done(null);
  },
  submitImport(record, done) {
    sums.apply(record, String(++records));
    if (record.kind === 'add') applied(done);
    else done(null);
  },
};

/** @param portions after which it is killed. */
function run(portions: number): Promise<boolean> {
  left = portions;
  return runImport(
    {
      ...{ id: 'import', folder, mayHaveWritten: false, files: [], timezone: 'UTC' },
      site: { domainId: DOMAIN, hostname: 'a.example', alternatives: [], blocked: [], allowed: [] },
      ...{ visitorKey: new Uint8Array(32), fromDay: null, toDay: null, nativeMs: NOW_MS },
    } as ImportTask,
    {
      ...{ log, backlogBytes: () => 0, nowMs: () => nowMs, isStopped: () => false },
      read: () => Promise.reject(new Error('it was read')),
      onProgress: async () => undefined,
      onWriting: async () => false,
    },
  );
}

const shown = () => sums.summaries().map((one) => ({ isShown: one.isShown, sums: one.sums }));

test.each([
  ['at once', 0],
  ['when its keys are forgotten', IMPORT_REST_MS_MAX + 1],
])('P-3: killed behind any portion it goes on %s, and has everything once', async (_, restMs) => {
  for (let portion = 1; portion <= PORTIONS; portion++) {
    rmSync(join(folder, 'written.json'), { force: true });
    [hits, sums, keys] = [0, new DomainImports(), new Set()];
    await expect(run(portion)).rejects.toThrow('killed');
    expect(hits).toBeGreaterThan(0);
    nowMs += restMs;
    if (restMs > 0) keys.clear();
    expect(await run(Number.POSITIVE_INFINITY)).toBe(true);
    expect(hits, `behind ${portion}`).toBe(HITS);
    expect(shown(), `behind ${portion}`).toEqual([{ isShown: true, sums: SUMS }]);
  }
});
