// Goal: a reader finds all parts of a split domain, as of now, and tells apart what may be kept of them.
// Method: days saved by hand under the names of holders; what a query says of what is read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holderId } from '../../src/model/split.ts';
import { runStatistics } from '../../src/query/run.ts';
import { appendHidden, writeLanes } from '../../src/segment/hidden-rows.ts';
import { saveSegment } from '../../src/segment/persistence.ts';
import type { Segment } from '../../src/segment/segment.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { type Answer, NOW_MS, queryOf } from '../query/ask.ts';
import { SegmentBuilder } from '../query/segment-builder.ts';

const MONDAY = '2024-05-06';
const TUESDAY = '2024-05-07';
const RANGE = `from=${MONDAY}&to=${TUESDAY}`;
const CACHE_BYTES = 1_000_000;
const SHARD = 3;

let directory: string;
let environment: StateEnvironment;
let reader: SegmentReader;
let versions: Map<string, number>;
/** A name of its own for each test: a thread keeps sums by domain and revision. */
let domain = '';
let domainsMade = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-split-'));
  environment = new StateEnvironment(shardStatePath(directory, SHARD));
  reader = new SegmentReader(directory, CACHE_BYTES);
  versions = new Map();
  domainsMade++;
  domain = `domain-${domainsMade}-`;
});

afterEach(async () => {
  await reader.close();
  await environment.close();
  rmSync(directory, { recursive: true });
});

/** `{version}` in MessagePack, of a version below 128. */
const packedVersion = (version: number): Uint8Array =>
  Uint8Array.of(0x81, 0xa7, ...Buffer.from('version'), version);

/** Saves days of a holder the way the actor does. @param change more of the same transaction. */
function save(holder: string, days: readonly SegmentBuilder[], change = () => {}): void {
  const version = (versions.get(holder) ?? 0) + 1;
  versions.set(holder, version);
  environment.write(() => {
    for (const { segment } of days) saveSegment(environment, segment, null, version);
    environment.put(['d', holder], packedVersion(version));
    change();
  });
}

/** A day of a holder with one session per visitor. */
function dayOf(holder: string, date: string, visitors: readonly string[]): SegmentBuilder {
  const builder = new SegmentBuilder(date, holder);
  for (const visitor of visitors) builder.session(visitor, [{ at: '10:00', view: `/${visitor}` }]);
  return builder;
}

const split = (lanes: number[]) => () => writeLanes(environment, domain, { lanes, sequence: 1 });

const hide = (holder: string, date: string, rows: readonly number[], lane = '1.0') =>
  appendHidden(environment, { holderId: holder, day: Date.parse(date) / 86_400_000, lane }, rows);

const read = (): Segment[] =>
  reader.read({ shard: SHARD, epoch: 1, domainId: domain, startMs: 0, endMs: NOW_MS });

const ask = (segments: readonly Segment[], name: string): Answer =>
  runStatistics({ ...queryOf(name, RANGE), domainId: domain }, segments);

/** The paths that are seen, each of one visitor. */
const seen = (): string[] => ask(read(), 'page').map(({ path }: { path: string }) => path.slice(1));

test('a domain is read from all its lanes as soon as it is split, by day', () => {
  save(domain, [dayOf(domain, MONDAY, ['a', 'b']), dayOf(domain, TUESDAY, ['c'])]);
  expect(seen()).toEqual(['a', 'b', 'c']);
  const [first, second] = [holderId(domain, 1, 0), holderId(domain, 1, 1)];
  // Frozen state is not saved again when a split begins.
  environment.write(split([1, 2]));
  expect(seen()).toEqual(['a', 'b', 'c']);
  save(second, [dayOf(second, TUESDAY, ['e'])]);
  save(first, [dayOf(first, MONDAY, ['d'])]);
  expect(seen()).toEqual(['a', 'b', 'c', 'd', 'e']);
  const days = read().map(({ day }) => day);
  expect(days).toEqual([...days].sort());
  expect(ask(read(), 'total').visitors).toBe(5);
});

test('a domain whose name begins with that of another has nothing of it', () => {
  save(domain, [dayOf(domain, MONDAY, ['a'])], split([1, 1]));
  for (const other of [`${domain}1`, holderId(`${domain}1`, 1, 0)]) {
    save(other, [dayOf(other, MONDAY, ['x'])]);
  }
  expect(seen()).toEqual(['a']);
});

test('rows that a lane hides with its save are gone from the next answer', () => {
  const lane = holderId(domain, 1, 0);
  save(domain, [dayOf(domain, MONDAY, ['a', 'b', 'c'])], split([1, 1]));
  expect(seen()).toEqual(['a', 'b', 'c']);
  save(lane, [dayOf(lane, TUESDAY, ['d'])], () => hide(domain, MONDAY, [1]));
  expect(seen()).toEqual(['a', 'c', 'd']);
  save(lane, [], () => hide(domain, MONDAY, [0]));
  expect(seen()).toEqual(['c', 'd']);
  // A row may be said to be hidden twice, and one behind the last may be gone with a deletion.
  save(lane, [], () => hide(domain, MONDAY, [0, 3, 90_000]));
  expect(seen()).toEqual(['c', 'd']);
  save(lane, [], () => hide(domain, MONDAY, [2]));
  expect(seen()).toEqual(['d']);
});

test('rows are hidden in a lane that was frozen by another split, and only there', () => {
  const [old, now] = [holderId(domain, 1, 0), holderId(domain, 2, 0)];
  save(domain, [dayOf(domain, MONDAY, ['a', 'b'])], split([1, 1, 1]));
  save(old, [dayOf(old, MONDAY, ['c', 'd'])]);
  expect(seen()).toEqual(['a', 'b', 'c', 'd']);
  save(now, [dayOf(now, MONDAY, ['e'])], () => hide(old, MONDAY, [0], '2.0'));
  expect(seen()).toEqual(['a', 'b', 'd', 'e']);
});

test('parts of a day have revisions of their own, which change with the rows that are hidden', () => {
  const lanes = [0, 1].map((lane) => holderId(domain, 1, lane));
  save(domain, [dayOf(domain, MONDAY, ['a', 'b'])], split([1, 2]));
  for (const lane of lanes) save(lane, [dayOf(lane, MONDAY, [lane.slice(-1)])]);
  const revisions = () => read().map(({ revision }) => revision);
  const before = revisions();
  expect(new Set(before).size).toBe(3);
  expect(before.every((revision) => revision > 0 && Number.isSafeInteger(revision))).toBe(true);
  expect(revisions()).toEqual(before);
  save(lanes[1] as string, [], () => hide(domain, MONDAY, [1]));
  const after = revisions();
  expect(after[0]).not.toBe(before[0]);
  expect(after.slice(1)).toEqual(before.slice(1));
});

test('what is read of hidden rows is read again under another lease', () => {
  const lane = holderId(domain, 1, 0);
  save(domain, [dayOf(domain, MONDAY, ['a', 'b'])], split([1, 1]));
  save(lane, [dayOf(lane, MONDAY, ['c'])], () => hide(domain, MONDAY, [0]));
  const range = { domainId: domain, startMs: 0, endMs: NOW_MS };
  const of = (epoch: number) => {
    const segments = reader.read({ shard: SHARD, epoch, ...range });
    return {
      revisions: segments.map(({ revision }) => revision),
      answer: ask(segments, 'page'),
    };
  };
  const [first, second] = [of(1), of(2)];
  expect(second.answer).toEqual(first.answer);
  expect(second.revisions.some((revision) => first.revisions.includes(revision))).toBe(false);
});
