import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimStage, Stage } from '../../src/imports/job/stage.ts';
import { STAGED_RUN_ROW_COUNT } from '../../src/model/import-limits.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-stage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Keys in no order, each of them twice and more. */
const keyOf = (row: number) => (row * 7_919) % 50_021;

test('rows come back by key, equal ones in the order of the source, from as many runs as it takes', () => {
  const stage = new Stage(folder, claimStage(folder));
  const count = 2 * STAGED_RUN_ROW_COUNT + 1_234;
  for (let row = 0; row < count; row++) stage.addHits(keyOf(row), { row });
  stage.finish('any');
  expect(stage.notes).toMatchObject({ rowsStaged: count, runs: 3 });
  expect(stage.notes.hits).toEqual({ rows: count, least: 0, greatest: 50_020 });
  const wanted = Array.from({ length: count }, (_, row) => row).sort(
    (left, right) => keyOf(left) - keyOf(right) || left - right,
  );
  expect(Array.from(stage.hits(), ({ row }) => (row as { row: number }).row)).toEqual(wanted);
});

test('a stage that is opened again has what was safely there, and says how many rows that were', () => {
  const first = new Stage(folder, claimStage(folder));
  for (let row = 0; row < STAGED_RUN_ROW_COUNT + 10; row++) first.addHits(row, { row });
  const again = new Stage(folder, claimStage(folder));
  expect(again.notes).toMatchObject({ rowsRead: STAGED_RUN_ROW_COUNT, runs: 1, isWhole: false });
  for (let row = again.rowsRead; row < STAGED_RUN_ROW_COUNT + 10; row++)
    again.addHits(row, { row });
  again.finish('any');
  expect(Array.from(again.hits())).toHaveLength(STAGED_RUN_ROW_COUNT + 10);
});

test('one that was left behind by a service which was killed writes nothing beside the next one (P-3)', () => {
  const left = new Stage(folder, claimStage(folder));
  const next = new Stage(folder, claimStage(folder));
  left.addHits(1, { row: 'left' });
  expect(() => left.finish('any')).toThrow('another process');
  next.addHits(1, { row: 'next' });
  next.finish('any');
  expect(Array.from(new Stage(folder).hits(), ({ row }) => row)).toEqual([{ row: 'next' }]);
});

test('sums stand behind hits, each kind by its own keys, however they came (P-10, S-98)', () => {
  const stage = new Stage(folder, claimStage(folder));
  const sums = ['0020000a', '0000009a', '0020000b'];
  for (const [at, key] of sums.entries()) {
    stage.addSum(key, { key }, Number(key.slice(0, -1)));
    stage.addHits(5 - at, { at });
  }
  stage.finish('any');
  expect(Array.from(stage.hits(), ({ key }) => key)).toEqual([3, 4, 5]);
  expect(Array.from(stage.sums(), ({ key }) => key)).toEqual(sums.toSorted());
  expect(stage.notes).toMatchObject({
    ...{ rowsRead: 6, rowsStaged: 6, hits: { rows: 3, least: 3, greatest: 5 } },
    sums: { rows: 3, least: 9, greatest: 20_000 },
  });
});
