// Goal: what the build before the dimension `device` wrote is read: its days, packed or not, and its
// log records; every statistic says what it said, and what it says of hits that were counted now.
// Method: two actors get the same hits. The state of one is written down between them as that build
// wrote it (31 columns of a session, no pre-aggregates by device), and later records come in its
// format (22 texts a hit). Both numbers stand here, not derived from the table.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeGroups, encodeGroups } from '../../src/bus/record/codec.ts';
import { offsetsOf, readCounts } from '../../src/bus/record/layout.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/limits.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { encodeBlock } from '../../src/segment/disk/block-codec.ts';
import { blockKey, packSegment } from '../../src/segment/disk/packed-blocks.ts';
import { loadSegment } from '../../src/segment/disk/persistence.ts';
import {
  readHeader,
  type SegmentHeader,
  writeHeader,
} from '../../src/segment/disk/segment-header.ts';
import { SegmentReader } from '../../src/segment/disk/segment-reader.ts';
import {
  DERIVED_SESSIONS,
  type Layout,
  ROLLUPS,
  SESSIONS,
  TABLE_NAMES,
  type TableName,
} from '../../src/segment/memory/layout.ts';
import { Table } from '../../src/segment/memory/table.ts';
import { Actor } from '../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { ask } from '../query/ask.ts';
import { event, hit, keepAlive, MONDAY_MS } from './hit-builder.ts';

const COLUMNS_BEFORE = 31;
const TEXTS_BEFORE = 22;
const DEVICE_FAMILY = 24;
/** Word of a payload. */
const DROP_COUNT_AT = 5;
const DAYS = [MONDAY_MS, MONDAY_MS + DAY_MS];
const NOON = MONDAY_MS + 12 * HOUR_MS;
/** No day is over for so long that it is packed by itself. */
const NOW = MONDAY_MS + DAY_MS + HOUR_MS;
const RANGE = 'from=2024-05-06&to=2024-05-07';

/** Two days of visits, the second page of some over midnight; more sessions than a block has rows. */
function visits(device: string): Hit[] {
  return Array.from({ length: 4_500 }, (_, index) => {
    const person = (index % 1_300) + 1;
    const atMs = NOON + index * 12_000;
    const fields = {
      ...{ path: `/p${index % 40}`, title: `T${index % 7}`, device, country: 'de' },
      ...{ os: `o${index % 3}`, osVersion: `${index % 5}`, city: `c${index % 9}`, region: 'r' },
    };
    if (index % 11 === 0) return event(person, atMs, { ...fields, pairs: ['k', `${index % 3}`] });
    return index % 13 === 0 ? keepAlive(person, atMs) : hit(person, atMs, fields);
  });
}

/** One actor with its state, and what it is asked. */
class Node {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'footfall-earlier-build-'));
  #actor = this.#open();
  #sequence = 0;

  #open(): Actor {
    const onFault = (error: unknown) => {
      throw error;
    };
    const leases = LeaseTable.alone(1);
    return new Actor({ dataDir: this.dataDir, shards: [asShardId(0)], leases, onFault });
  }

  apply(hits: Hit[], write = (payload: Uint8Array) => payload): void {
    const head = {
      domainId: asDomainId('d1'),
      receivedMs: NOW,
      idempotencyHash: '',
      dropped: null,
    };
    for (let first = 0; first < hits.length; first += 500) {
      const payload = write(encodeGroups([{ ...head, hits: hits.slice(first, first + 500) }]));
      this.#actor.onRecords(
        [{ shard: asShardId(0), sequence: asSequence(++this.#sequence), payload }],
        NOW,
      );
    }
  }

  save(): void {
    for (let tick = 0; tick < 3; tick++) this.#actor.tick(NOW + MINUTE_MS + tick);
  }

  /** Leaves everything on disk, works on it, and starts anew. */
  async restart(work: (environment: StateEnvironment) => void): Promise<void> {
    await this.#actor.close();
    const environment = new StateEnvironment(shardStatePath(this.dataDir, asShardId(0)));
    work(environment);
    await environment.close();
    this.#actor = this.#open();
  }

  async answers(parameters: string): Promise<Record<string, unknown>> {
    const reader = new SegmentReader(this.dataDir, 1e9);
    const range = { startMs: MONDAY_MS, endMs: MONDAY_MS + 3 * DAY_MS };
    const segments = reader.read({
      shard: asShardId(0),
      epoch: asEpoch(1),
      domainId: asDomainId('d1'),
      ...range,
    });
    const names = STATISTICS.map(({ name }) => name).filter((name) => name !== 'active');
    const answers = names.map((name) => [name, ask(segments, name, parameters)]);
    await reader.close();
    return Object.fromEntries(answers);
  }

  async close(): Promise<void> {
    await this.#actor.close();
    rmSync(this.dataDir, { recursive: true });
  }
}

/** Writes a day down as the build before did. */
function writeAsBefore(environment: StateEnvironment, day: number, isPacked: boolean): void {
  const header = readHeader(environment, asDomainId('d1'), day) as SegmentHeader;
  expect(header.packed).toBeNull();
  const { segment } = loadSegment(environment, asDomainId('d1'), day, header);
  const layout = Object.fromEntries(Object.entries(SESSIONS).filter(([name]) => name !== 'device'));
  const sessions = copyOf(segment.sessions, layout as Layout, [...DERIVED_SESSIONS], () => true);
  expect(sessions.storedNames).toHaveLength(COLUMNS_BEFORE);
  const { family } = segment.rollups.columns;
  const rollups = copyOf(segment.rollups, ROLLUPS, [], (row) => family[row] !== DEVICE_FAMILY);
  expect(rollups.rowCount).toBeLessThan(segment.rollups.rowCount);
  const written = { ...header, blockVersions: header.blockVersions.map((list) => [...list]) };
  environment.write(() => {
    for (const [name, table] of Object.entries({ sessions, rollups })) {
      const index = TABLE_NAMES.indexOf(name as TableName);
      const versions = written.blockVersions[index] as number[];
      for (let block = table.blockCount; block < versions.length; block++) {
        environment.remove(blockKey(asDomainId('d1'), day, index, block));
      }
      versions.length = table.blockCount;
      written.rows[index] = table.rowCount;
      for (let block = 0; block < table.blockCount; block++) {
        environment.put(blockKey(asDomainId('d1'), day, index, block), encodeBlock(table, block));
      }
    }
    writeHeader(environment, asDomainId('d1'), day, written);
    const { version } = written;
    if (isPacked)
      packSegment(environment, { domainId: asDomainId('d1'), day }, { header: written, version });
  });
}

function copyOf(
  from: { readonly columns: object; readonly rowCount: number },
  layout: Layout,
  derived: string[],
  isKept: (row: number) => boolean,
): Table<Record<string, 'u32'>> {
  const table = new Table(layout as Record<string, 'u32'>, { derived });
  for (const name of table.names) table.widen(name, 0xffff_ffff);
  const source = from.columns as Record<string, Uint32Array>;
  for (let row = 0; row < from.rowCount; row++) {
    if (!isKept(row)) continue;
    const at = table.append();
    for (const name of table.names) table.columns[name]![at] = source[name]![row]!;
  }
  return table;
}

/** A payload as the build before wrote it. Its hits have no device, its drops neither day nor bot. */
function payloadAsBefore(payload: Uint8Array): Uint8Array {
  const { buffer } = new Uint8Array(payload);
  const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
  const counts = readCounts(words);
  const { drops, numbers, refs: at } = offsetsOf(counts);
  const refs = new Uint16Array(buffer, at * 4);
  const kept = Array.from(refs.subarray(0, counts.hits * counts.refsPerHit)).filter(
    (_, index) => index % counts.refsPerHit < TEXTS_BEFORE,
  );
  const pairs = refs.subarray(counts.hits * counts.refsPerHit);
  const reasons = words.slice(drops, numbers).filter((_, index) => index % 4 < 2);
  words[0] = counts.groups;
  words[DROP_COUNT_AT] = reasons.length;
  for (let group = 0; group < counts.groups; group++) words[drops - group * 4 - 1]! /= 2;
  return Buffer.concat([
    new Uint8Array(buffer, 0, drops * 4),
    new Uint8Array(reasons.buffer),
    new Uint8Array(buffer, numbers * 4, (at - numbers) * 4),
    new Uint8Array(Uint16Array.from([...kept, ...pairs]).buffer),
  ]);
}

async function bothNodes(): Promise<{ before: Node; control: Node }> {
  const nodes = { before: new Node(), control: new Node() };
  onTestFinished(async () => {
    await nodes.before.close();
    await nodes.control.close();
  });
  return nodes;
}

test.each([
  { what: 'in blocks of their own', isPacked: false },
  { what: 'packed', isPacked: true },
])(
  'days of the build before, $what, answer as they did, and device is empty (X-8)',
  async ({ isPacked }) => {
    const { before, control } = await bothNodes();
    for (const node of [before, control]) {
      node.apply(visits(''));
      node.save();
    }
    const asked = [RANGE, `${RANGE}&device=null`, `${RANGE}&path=/p1&os=!o1`, `${RANGE}&device=x`];
    await before.restart((environment) => {
      for (const day of DAYS) writeAsBefore(environment, day / DAY_MS, isPacked);
    });
    for (const parameters of [...asked, `${RANGE}&to_time=13:30`]) {
      expect(await before.answers(parameters)).toEqual(await control.answers(parameters));
    }
    const { device, total } = await before.answers(RANGE);
    const { visitors } = total as { visitors: number };
    expect(device).toEqual([{ device: '', visitors, relative_visitors: 1 }]);

    // New hits of the same days: sessions of before go on, others open with a device.
    for (const node of [before, control]) {
      node.apply(visits('Pixel 8').map((one) => ({ ...one, timeMs: one.timeMs + 10 * MINUTE_MS })));
      node.save();
    }
    for (const parameters of [...asked, `${RANGE}&device=Pixel 8`]) {
      expect(await before.answers(parameters)).toEqual(await control.answers(parameters));
    }
    expect((await before.answers(RANGE))['options/device']).toEqual(['Pixel 8']);
  },
);

test('records that the build before wrote and nobody saved are counted (X-8, I-78)', async () => {
  const { before, control } = await bothNodes();
  const sent = visits('');
  const half = sent.length / 2;
  control.apply(sent);
  control.save();
  before.apply(sent.slice(0, half));
  before.save();
  // Half of the hits reach into the first day only.
  await before.restart((environment) => writeAsBefore(environment, MONDAY_MS / DAY_MS, false));
  before.apply(sent.slice(half), payloadAsBefore);
  before.save();
  expect(await before.answers(RANGE)).toEqual(await control.answers(RANGE));
});

test('a record of the build before is what it was, hit by hit', () => {
  const head = {
    domainId: asDomainId('a'),
    receivedMs: 1,
    idempotencyHash: 'key',
    dropped: null,
  };
  const now = encodeGroups([{ ...head, hits: visits('') }]);
  const before = payloadAsBefore(now);
  expect(before.length).toBe(now.length - visits('').length * 2);
  expect(decodeGroups(before)).toEqual(decodeGroups(now));
});

test('what a build before dropped was dropped when it came, by nobody known (P-31)', () => {
  const head = { domainId: asDomainId('a'), receivedMs: NOON, hits: [hit(1, NOON)] };
  const day = Math.floor(NOON / DAY_MS);
  const drops = [
    { reason: 1, day, bot: '', count: 2 },
    { reason: 12, day, bot: '', count: 70_000 },
  ];
  const sent = [
    { ...head, idempotencyHash: 'one', dropped: drops },
    { ...head, idempotencyHash: 'two', dropped: null },
    { ...head, idempotencyHash: 'three', dropped: drops.slice(1) },
  ];
  const before = decodeGroups(payloadAsBefore(encodeGroups(sent)));
  expect(before.groups.map(({ dropped }) => dropped)).toEqual(sent.map(({ dropped }) => dropped));
  expect(before).toEqual(decodeGroups(encodeGroups(sent)));
});
