/**
 * Goal: a domain's imports outlive saves and moves as they are, batches count once, and a deletion of
 * what is imported touches no own row (S-98, A-81).
 * Method: one domain's imports beside an environment on disk and a store of snapshots in memory; the
 * engine for what rows say.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asDomainId, asEpoch, asShardId } from '../../../src/model/ids.ts';
import { type ImportRecord, storedSum } from '../../../src/model/imported-sum.ts';
import { readImports } from '../../../src/segment/disk/imported-sums.ts';
import { DomainImports } from '../../../src/shard/imports/domain-imports.ts';
import {
  newestManifest,
  restoreSnapshot,
  saveSnapshot,
} from '../../../src/shard/snapshot/snapshot.ts';
import {
  placeOfKey,
  StateEnvironment,
  type StateKey,
} from '../../../src/store/state-environment.ts';
import { BERLIN, withEngine } from '../../support/judge/engine-cases.ts';
import { Cast, parseNotation } from '../../support/traffic/notation.ts';
import { MemoryStore } from '../snapshot/memory-store.ts';

const DOMAIN = asDomainId('site');
const COUNTS = { visitors: 1, views: 2, sessions: 1, bounces: 0 };
const DAY = 19_783; // 2024-03-01
const ALL: [StateKey, StateKey] = [['g'], ['j']];

function environment(): StateEnvironment {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-imports-'));
  const made = new StateEnvironment(directory);
  onTestFinished(async () => {
    await made.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return made;
}

function added(importId: string, batch: number, dates: readonly string[]): ImportRecord {
  const sums = dates.map((date) => storedSum({ date, dimension: 'page', value: '/a', ...COUNTS }));
  return { domainId: DOMAIN, importId, kind: 'add', batch, sums };
}

function shown(importId: string, days: readonly [number, number]): ImportRecord {
  return { domainId: DOMAIN, importId, kind: 'show', fromDay: days[0], toDay: days[1] };
}

/** Applies records, each saved by itself. */
function applied(state: StateEnvironment, records: readonly ImportRecord[]): DomainImports {
  for (const [index, record] of records.entries()) {
    const imports = new DomainImports(readImports(state, DOMAIN));
    imports.apply(record, String(index));
    state.write(() => imports.save(state, DOMAIN));
  }
  return new DomainImports(readImports(state, DOMAIN));
}

const keysOf = (state: StateEnvironment) => state.keys(...ALL).map((key) => key.join(' '));

test('batches count once, a later import replaces days, and nothing is left of one taken back', () => {
  const state = environment();
  const first = added('a', 1, ['2024-03-01', '2024-03-02']);
  const begun = applied(state, [first, first, added('a', 2, ['2024-03-02'])]);
  const days = { fromDay: DAY, toDay: DAY + 1 };
  expect(begun.summaries()).toEqual([{ importId: 'a', isShown: false, sums: 3, days }]);
  expect(begun.shownDays).toBe(null);
  const replaced = applied(state, [
    shown('a', [DAY, DAY + 5]),
    added('b', 1, ['2024-03-02', '2024-04-01']),
    shown('b', [DAY + 1, DAY + 5]),
  ]);
  expect(replaced.summaries()).toEqual([
    { importId: 'a', isShown: true, sums: 1, days: { fromDay: DAY, toDay: DAY } },
    { importId: 'b', isShown: true, sums: 1, days: { fromDay: DAY + 1, toDay: DAY + 1 } },
  ]);
  expect(keysOf(state)).toEqual(['g site', `i site 1 ${DAY} a 1`, `i site 1 ${DAY + 1} b 1`]);
  const back: ImportRecord[] = ['a', 'b'].map((importId) => {
    return { domainId: DOMAIN, importId, kind: 'take-back' };
  });
  expect(applied(state, back).isEmpty).toBe(true);
  expect(keysOf(state)).toEqual([]);
});

test('sums move with their shard, stored again only when they change; damage names their day', async () => {
  const state = environment();
  applied(state, [added('a', 1, ['2024-03-01', '2024-03-02']), shown('a', [DAY, DAY + 1])]);
  const store = new MemoryStore();
  const stored = new Map();
  const save = (position: number) => {
    state.write(() => state.put(['p'], Buffer.from([position])));
    const of = { shard: asShardId(7), log: 'made once', epoch: asEpoch(1), stored };
    return saveSnapshot(state, store, { ...of, isHeld: () => true });
  };
  await save(1);
  const before = (await newestManifest(store, asShardId(7)))?.value.parts ?? {};
  expect(Object.keys(before)).toEqual(['rest', 'imports site']);
  await save(2);
  const manifest = (await newestManifest(store, asShardId(7)))?.value;
  expect(manifest?.parts['imports site']).toBe(before['imports site']);
  const copy = environment();
  if (manifest !== undefined) await restoreSnapshot(copy, manifest, store);
  expect(keysOf(copy)).toEqual(keysOf(state));
  const key: StateKey = ['i', 'site', 1, DAY, 'a', 1];
  expect(copy.get(key)).toEqual(state.get(key));
  expect(placeOfKey(key)).toEqual({ domainId: 'site', day: '2024-03-01' });
});

test('a deletion of what is imported leaves a day that only has an event as it is (A-81)', async () => {
  await withEngine('disk', async (open) => {
    const bench = await open(BERLIN);
    // A keep-alive carries the session over midnight: the second day has a link and no row.
    const cast = new Cast();
    await bench.send(parseNotation('a 05-06 23:45 ev order @/', cast));
    await bench.send(parseNotation('a 05-07 00:10 ka', cast));
    const range = { from: '2024-05-06', to: '2024-05-07', tz: 'UTC' };
    const before = await bench.ask('options/page', range);
    expect(before).toEqual(['/']);
    await bench.erase({ kind: 'imported', from: '2024-05-05', to: '2024-05-08' });
    expect(await bench.ask('options/page', range)).toEqual(before);
    expect(await bench.ask('session/list', range)).toHaveLength(1);
  });
});

test('what is shown is the same before it is saved and after, for an export of either (P-10, S-98)', () => {
  const records: ImportRecord[] = [
    added('a', 1, ['2024-03-01', '2024-03-02', '2024-03-03']),
    shown('a', [DAY, DAY + 2]),
    added('b', 1, ['2024-03-02']),
    shown('b', [DAY + 1, DAY + 1]),
    added('c', 1, ['2024-03-03']),
    { domainId: DOMAIN, importId: 'b', kind: 'take-back' },
  ];
  const all = { fromDay: 0, toDay: DAY + 9 };
  for (let saved = 0; saved <= records.length; saved++) {
    const state = environment();
    const imports = applied(state, records.slice(0, saved));
    for (const [at, record] of records.slice(saved).entries()) imports.apply(record, `${at}`);
    const found = Array.from(
      imports.shownSums(state, DOMAIN, all),
      ({ day, dimension, columns }) => [...[day, dimension, columns.values, columns.views]],
    );
    expect(found).toEqual([
      [DAY, 'page', ['/a'], [2]],
      [DAY + 2, 'page', ['/a'], [2]],
    ]);
    const some = imports.shownSums(state, DOMAIN, { fromDay: DAY + 1, toDay: DAY + 9 });
    expect(Array.from(some, ({ day }) => day)).toEqual([DAY + 2]);
  }
});
