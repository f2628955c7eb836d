// Goal: a record that came through a spool counts once, however often and in whatever pieces it was
//   forwarded, and whatever was saved when.
// Method: messages of spools into a real shard over LMDB that is saved and opened again at random.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { encodeSpooled, type SpooledRecord } from '../../../src/bus/spool/spooled-records.ts';
import { asDomainId, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { otherEntries } from '../../../src/shard/snapshot/snapshot-parts.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { hit, MONDAY_MS } from '../hit-builder.ts';

const NOON = MONDAY_MS + 12 * HOUR_MS;
const SPOOLS = ['a'.repeat(12), 'b'.repeat(12)] as const;
const DOMAINS = ['one', 'two', 'three'] as const;

let dataDir = '';
let shard: Shard;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-marks-'));
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
});

afterEach(async () => {
  await shard.close();
  rmSync(dataDir, { recursive: true });
});

function hitsOf(domainId: string, person: number): Uint8Array {
  const hits = [hit(person, NOON)];
  return encodeGroups([
    { domainId: asDomainId(domainId), receivedMs: NOON, idempotencyHash: '', dropped: null, hits },
  ]);
}

function message(sequence: number, spool: string, records: readonly SpooledRecord[]): LogRecord {
  return {
    shard: asShardId(0),
    sequence: asSequence(sequence),
    payload: encodeSpooled(spool, records),
  };
}

function viewsOf(domainId: string): number {
  const segment = shard
    .existingDomain(asDomainId(domainId), NOON)
    ?.existingSegment(MONDAY_MS / DAY_MS);
  return segment?.segment.views.rowCount ?? 0;
}

async function reopen(): Promise<void> {
  await shard.close();
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
}

test('a message that comes twice counts once, one that overlaps adds what is new', () => {
  const record = (number: number) => ({ number, payload: hitsOf('one', number) });
  const [first, second, third] = [record(1), record(2), record(3)];
  expect(shard.apply(message(1, SPOOLS[0], [first, second]), 0)).toBe(2);
  expect(shard.apply(message(2, SPOOLS[0], [first, second]), 0)).toBe(0);
  expect(shard.apply(message(3, SPOOLS[0], [second, third]), 0)).toBe(1);
  expect(viewsOf('one')).toBe(3);
});

test('the numbers of two spools have nothing to do with each other', () => {
  for (const [index, spool] of SPOOLS.entries()) {
    const records = [{ number: 1, payload: hitsOf('one', index) }];
    expect(shard.apply(message(index + 1, spool, records), 0)).toBe(1);
  }
});

test('a deletion that comes through a spool takes what was before it, once (A-81)', () => {
  const erasure = {
    domainId: asDomainId('one'),
    kind: 'all',
    startMs: MONDAY_MS,
    endMs: NOON + 1,
  } as const;
  const records = [
    { number: 1, payload: hitsOf('one', 1) },
    { number: 2, payload: encodeErasure(erasure) },
  ];
  shard.apply(message(1, SPOOLS[0], records), 0);
  expect(shard.erasing.has(asDomainId('one'))).toBe(true);
  expect(shard.apply(message(2, SPOOLS[0], records), 0)).toBe(0);
});

test('marks outlive the process together with the position they belong to', async () => {
  const records = [{ number: 7, payload: hitsOf('one', 1) }];
  shard.apply(message(5, SPOOLS[0], records), 0);
  checkpoint(shard, [...shard.unsaved]);
  await reopen();
  expect(shard.apply(message(6, SPOOLS[0], records), 0)).toBe(0);
  expect(viewsOf('one')).toBe(1);
});

test('marks have a table of their own: packed days beside them are none, snapshots have them', async () => {
  const records = [{ number: 7, payload: hitsOf('one', 1) }];
  shard.apply(message(5, SPOOLS[0], records), 0);
  checkpoint(shard, [...shard.unsaved]);
  const environment = shard.environment();
  // As `segment/disk/packed-blocks.ts` writes them: bytes of its own.
  const packed = () =>
    environment.put(['s', 'one', MONDAY_MS / DAY_MS, 0], Buffer.from([4, 1, 1, 1]));
  environment.write(packed);
  const snapshot = environment.snapshot();
  const marks = otherEntries(snapshot).filter(([key]) => key.includes(SPOOLS[0]));
  expect(marks).toHaveLength(1);
  snapshot.done();
  await reopen();
  expect(shard.apply(message(6, SPOOLS[0], records), 0)).toBe(0);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'after random saves, ends and repeated messages every record counts once (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const log: LogRecord[] = [];
    const spooled = SPOOLS.map(() => [] as SpooledRecord[]);
    const sent = SPOOLS.map(() => 0);
    for (let step = 0; step < 120; step++) {
      const index = below(SPOOLS.length);
      const records = spooled[index]!;
      const domain = DOMAINS[below(DOMAINS.length)]!;
      records.push({ number: records.length + 1, payload: hitsOf(domain, step) });
      // A few from somewhere before what was sent, to somewhere behind it: as a new start does.
      const from = below(sent[index]! + 1);
      const end = Math.max(sent[index]!, from) + below(records.length - sent[index]! + 1);
      if (end > from) {
        log.push(message(log.length + 1, SPOOLS[index]!, records.slice(from, end)));
        sent[index] = Math.max(sent[index]!, end);
        if (random() < 0.9) shard.apply(log.at(-1)!, 0);
        else await replay();
      }
      if (random() < 0.3) {
        const some = [...shard.unsaved].filter(() => random() < 0.6);
        if (some.length > 0) checkpoint(shard, some);
      }
      if (random() < 0.1) await replay();
    }
    await replay();
    for (const [index, records] of spooled.entries()) {
      const first = log.length + 1;
      const rest = records.slice(sent[index]);
      if (rest.length > 0) log.push(message(first, SPOOLS[index]!, rest));
      if (rest.length > 0) shard.apply(log.at(-1)!, 0);
    }
    const total = DOMAINS.reduce((sum, domain) => sum + viewsOf(domain), 0);
    expect(total).toBe(120);

    async function replay(): Promise<void> {
      await reopen();
      const after = shard.savedSequence;
      for (const record of log) if (record.sequence > after) shard.apply(record, 0);
    }
  },
);
