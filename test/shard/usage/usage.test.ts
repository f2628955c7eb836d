/**
 * Goal: what a domain used is counted by UTC day, exactly, and nothing ever takes it back (S-99); its
 * first row is the first that is there (M-17). Every item that was sent is in the ledger, once (P-31).
 * Method: random traffic on a shard that is saved, killed, replayed, moved and erased at random, beside
 * a naive model of it; states as the build before left them, without sums.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { dropReason } from '../../../src/model/drop-reasons.ts';
import type { Drop, Hit } from '../../../src/model/hit.ts';
import {
  asDomainId,
  asEpoch,
  asSequence,
  asShardId,
  type DomainId,
} from '../../../src/model/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { blockKey } from '../../../src/segment/disk/packed-blocks.ts';
import { TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { answerUsage } from '../../../src/shard/actor/usage-answers.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { restoreSnapshot, saveSnapshot } from '../../../src/shard/snapshot/snapshot.ts';
import { eraseNextDay } from '../../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { runs, SEED } from '../../support/runs.ts';
import { event, hit, keepAlive } from '../hit-builder.ts';
import { MemoryStore } from '../snapshot/memory-store.ts';
import { Site } from './people.ts';

/** The last two days of a month, a leap day among them. */
const START_MS = Date.UTC(2024, 1, 28);
const START_DAY = START_MS / DAY_MS;
const SHARD = asShardId(0);
const ALWAYS = { fromDay: 0, toDay: START_DAY + 400 };

let root = '';
let directory = '';
let shard: Shard;
let log: LogRecord[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'footfall-usage-'));
  directory = join(root, 'first');
  shard = new Shard(directory, SHARD, new Sessionizer());
  log = [];
});

afterEach(async () => {
  await shard.close();
  rmSync(root, { recursive: true });
});

function append(payload: Uint8Array): void {
  const record = { shard: SHARD, sequence: asSequence(log.length + 1), payload };
  log.push(record);
  shard.apply(record, START_MS);
}

function send(
  domainId: DomainId,
  hits: Hit[],
  idempotencyHash = '',
  dropped: Drop[] | null = null,
): void {
  const head = { domainId, receivedMs: START_MS, idempotencyHash, dropped };
  append(encodeGroups([{ ...head, hits }]));
}

/** What was sent of a site, by day: items, those of repeats, and what the edge dropped by program. */
class Sent {
  readonly days = new Map<number, { items: number; duplicates: number; bots: number[] }>();

  add(hits: readonly Hit[], dropped: readonly Drop[], isRepeat: boolean): void {
    for (const { timeMs } of hits) this.#count(Math.floor(timeMs / DAY_MS), 1, isRepeat);
    for (const { day, count, bot } of dropped) {
      const of = this.#count(day, count, isRepeat);
      if (!isRepeat) of.bots[BOTS.indexOf(bot)]! += count;
    }
  }

  #count(day: number, count: number, isRepeat: boolean) {
    const of = this.days.get(day) ?? { items: 0, duplicates: 0, bots: BOTS.map(() => 0) };
    this.days.set(day, of);
    of.items += count;
    if (isRepeat) of.duplicates += count;
    return of;
  }
}

const BOTS = ['', 'curl', 'Some bot'];
const DUPLICATE = dropReason('duplicate');

/** A few items that an edge dropped. */
function dropsOf(random: () => number): Drop[] {
  return Array.from({ length: Math.floor(random() * 3) }, () => ({
    reason: 1 + Math.floor(random() * 15),
    day: START_DAY + Math.floor(random() * 4),
    bot: BOTS[Math.floor(random() * BOTS.length)]!,
    count: 1 + Math.floor(random() * 5),
  }));
}

/** The ledger of a site is what was sent of it, and what the model says is stored. */
function compareLedger(domainId: DomainId, sent: Sent, site: Site): void {
  const rows = shard.usage.ledger(domainId, { span: ALWAYS, hasBots: true }, true);
  const none = { views: 0, events: 0, keepAlives: 0 };
  for (const row of rows) {
    const { day, pageViews, events, keepAlives, openings, dropped } = row;
    const { views, ...others } = site.billed.get(day) ?? none;
    expect({ day, views: pageViews + openings, events, keepAlives }).toEqual({
      ...{ day, views, ...others },
    });
    const lost = (isCounted: (drop: (typeof dropped)[number]) => boolean) =>
      dropped.filter(isCounted).reduce((sum, [, , count]) => sum + count, 0);
    const items = pageViews + events + keepAlives + lost(() => true);
    const duplicates = lost(([reason]) => reason === DUPLICATE);
    const bots = BOTS.slice(1).map((name) => lost(([, bot]) => bot === name));
    const counted = { day, items, duplicates, bots };
    const of = sent.days.get(day);
    expect(counted).toEqual({ day, ...of, bots: of?.bots.slice(1) });
  }
  expect(rows.map(({ day }) => day)).toEqual([...sent.days.keys()].sort((a, b) => a - b));
  const plain = shard.usage.ledger(domainId, { span: ALWAYS, hasBots: false }, true);
  for (const [at, { dropped }] of plain.entries()) {
    expect(new Set(dropped.map(([reason]) => reason)).size).toBe(dropped.length);
    const total = (all: typeof dropped) => all.reduce((sum, [, , count]) => sum + count, 0);
    expect(total(dropped)).toBe(total(rows[at]!.dropped));
  }
}

function saveAll(): void {
  checkpoint(shard, [...shard.domains.values()]);
}

/** The process dies; another one replays the log from behind what is on disk. */
async function restart(): Promise<void> {
  await shard.close();
  shard = new Shard(directory, SHARD, new Sessionizer());
  for (const record of log)
    if (record.sequence > shard.savedSequence) shard.apply(record, START_MS);
}

/** Another node takes the shard over from a snapshot of what is on disk. */
async function move(): Promise<void> {
  const store = new MemoryStore();
  const place = { shard: SHARD, epoch: asEpoch(1), log: 'log', stored: new Map() };
  await saveSnapshot(shard.environment(), store, { ...place, isHeld: () => true });
  await shard.close();
  directory = join(root, `moved ${log.length}`);
  const target = new StateEnvironment(shardStatePath(directory, SHARD));
  await restoreSnapshot(target, store.manifest?.value as never, store);
  await target.close();
  await restart();
}

/** Nothing is left to erase: what a question sees is what stays. */
function finishErasures(): void {
  for (const domainId of shard.erasing) {
    const domain = shard.existingDomain(domainId, START_MS);
    while (domain !== null && domain.pendingErasures.size > 0) eraseNextDay(domain);
  }
  saveAll();
}

function usageOf(domainId: DomainId, span = ALWAYS) {
  return shard.usage.answer(domainId, span, true).usage;
}

test.each(Array.from({ length: runs(24) }, (_, index) => SEED + index))(
  'sums by day and first rows are those of a naive model, whatever dies or moves when (S-99, M-17, P-31, seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const sites = new Map(
      ['a', 'b', 'c'].map((name) => [asDomainId(name), new Site()] as [DomainId, Site]),
    );
    const ledgers = new Map([...sites.keys()].map((domainId) => [domainId, new Sent()]));
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const compare = () => {
      finishErasures();
      for (const [domainId, site] of sites) {
        const fromDay = START_DAY + Math.floor(random() * 5);
        const toDay = fromDay + Math.floor(random() * 4);
        expect(usageOf(domainId)).toEqual(site.usage(0, ALWAYS.toDay));
        expect(usageOf(domainId, { fromDay, toDay })).toEqual(site.usage(fromDay, toDay));
        expect(shard.usage.answer(domainId, null, true).firstRowMs).toBe(site.firstRowMs);
        compareLedger(domainId, ledgers.get(domainId)!, site);
      }
    };
    for (let step = 0; step < 300; step++) {
      const [domainId, site] = pick([...sites]);
      const what = random();
      if (what < 0.75) {
        const hits = Array.from({ length: 1 + Math.floor(random() * 20) }, () =>
          site.hit(random, START_MS),
        );
        const key = random() < 0.3 ? `key ${step}` : '';
        const drops = dropsOf(random);
        send(domainId, hits, key, drops);
        ledgers.get(domainId)!.add(hits, drops, false);
        if (key === '') continue;
        // A client that got no answer sends again (I-76).
        send(domainId, hits, key, drops);
        ledgers.get(domainId)!.add(hits, drops, true);
      } else if (what < 0.8) {
        const startMs = START_MS + Math.floor(random() * 96) * 60 * MINUTE_MS;
        const endMs = startMs + Math.floor(random() * 48) * 60 * MINUTE_MS;
        const kind = pick(['', 'events'] as const);
        append(encodeErasure({ domainId, kind, startMs, endMs }));
        site.erase(startMs, endMs, kind);
      } else if (what < 0.88)
        checkpoint(
          shard,
          [...shard.unsaved].filter(() => random() < 0.5),
        );
      else if (what < 0.92) await restart();
      else if (what < 0.94 && shard.hasEnvironment) await move();
      else if (what < 0.96) {
        saveAll();
        // As when they were quiet for long.
        for (const [id, { segments }] of shard.domains) {
          if (random() < 0.5) segments.clear();
          else if (!shard.erasing.has(id)) shard.domains.delete(id);
        }
      } else compare();
    }
    compare();
    const billed = [...sites.values()].flatMap((site) => [...site.billed.values()]);
    expect(
      billed.filter(({ views, events, keepAlives }) => views * events * keepAlives > 0).length,
    ).toBeGreaterThan(6);
  },
);

const A = asDomainId('a');

test('an event that opens a session is one item, though it writes a page view, too (P-31, I-50)', async () => {
  send(A, [event(1, START_MS), hit(1, START_MS + 1), event(1, START_MS + 2)]);
  const row = { day: START_DAY, pageViews: 1, events: 2, keepAlives: 0, openings: 1, dropped: [] };
  const ledger = () => shard.usage.ledger(A, { span: ALWAYS, hasBots: true }, true);
  expect(ledger()).toEqual([row]);
  saveAll();
  await restart();
  expect(ledger()).toEqual([row]);
  expect(usageOf(A)).toEqual({ views: 2, events: 2, keepAlives: 0 });
});

test('a day keeps 200 names of programs; further ones are counted as one, whenever it is saved (P-31)', async () => {
  for (let first = 0; first < 300; first += 50) {
    const drops = Array.from({ length: 50 }, (_, index) => ({
      ...{ reason: 12, day: START_DAY, bot: `bot ${first + index}`, count: 1 },
    }));
    send(A, [], '', drops);
    if (first === 50 || first === 150) saveAll();
    if (first === 200) await restart();
  }
  send(A, [], '', [{ reason: 12, day: START_DAY, bot: 'bot 7', count: 1 }]);
  const [row] = shard.usage.ledger(A, { span: ALWAYS, hasBots: true }, true);
  expect(row?.dropped.length).toBe(201);
  const countOf = (name: string) => row?.dropped.find(([, bot]) => bot === name)?.[2];
  expect([countOf('bot 7'), countOf('(other)')]).toEqual([2, 100]);
});

test('sums that the build before wrote have no opening events, and go on (S-99, P-31)', async () => {
  send(A, [hit(1, START_MS), event(1, START_MS + 9)]);
  saveAll();
  const environment = shard.environment();
  const [month] = [...environment.range(['v'], ['w'])];
  // As msgpack: a list of six, −5, the day; then of four, without the mark and the last.
  const day = [0xcd, START_DAY >> 8, START_DAY & 0xff];
  expect([...month!.value]).toEqual([0x96, 0xfb, ...day, 1, 1, 0, 0]);
  environment.write(() => environment.put(month!.key, Uint8Array.of(0x94, ...day, 1, 1, 0)));
  await restart();
  expect(usageOf(A)).toEqual({ views: 1, events: 1, keepAlives: 0 });
  send(A, [event(2, START_MS + 10)]);
  saveAll();
  await restart();
  const [row] = shard.usage.ledger(A, { span: ALWAYS, hasBots: true }, true);
  expect(row).toMatchObject({ pageViews: 1, events: 2, openings: 1 });
});

test('a month ends at midnight UTC: a session over it is billed where its rows are (S-99)', () => {
  const midnight = Date.UTC(2024, 2, 1);
  send(A, [hit(1, midnight - 1), keepAlive(1, midnight), event(1, midnight + 1)]);
  saveAll();
  send(A, [keepAlive(1, midnight + 2), hit(1, midnight + 3)]);
  const day = midnight / DAY_MS;
  const february = { fromDay: day - 29, toDay: day - 1 };
  expect(usageOf(A, february)).toEqual({ views: 1, events: 0, keepAlives: 0 });
  const march = { fromDay: day, toDay: day + 30 };
  expect(usageOf(A, march)).toEqual({ views: 1, events: 1, keepAlives: 2 });
});

test('keep-alives without a session, and views beyond the cap of one, are not billed (I-45, I-49)', () => {
  send(A, [keepAlive(1, START_MS)]);
  send(
    A,
    Array.from({ length: 203 }, (_, index) => hit(2, START_MS + index)),
  );
  expect(usageOf(A)).toEqual({ views: 200, events: 0, keepAlives: 0 });
});

test('keep-alives beyond what a session counts still extend it, and are billed (I-44)', () => {
  send(A, [hit(1, START_MS)]);
  for (let sent = 0; sent < 66_000; sent += 6_000) {
    send(
      A,
      Array.from({ length: 6_000 }, () => keepAlive(1, START_MS + 1)),
    );
  }
  expect(usageOf(A).keepAlives).toBe(66_000);
});

/** Takes away what the build before did not write. */
function forgetSums(): void {
  const environment = shard.environment();
  const keys = [...environment.range(['u'], ['w'])].map(({ key }) => key);
  environment.write(() => {
    for (const key of keys) environment.remove(key);
  });
}

test('of a domain that an earlier build counted sums are made of its rows, once (S-99, M-17)', async () => {
  const midnight = START_MS + DAY_MS;
  send(A, [hit(1, START_MS + 5), keepAlive(1, START_MS + 7), event(1, START_MS + 9)]);
  send(A, [hit(2, midnight - 1), hit(2, midnight + 1), event(3, midnight + 2)]);
  saveAll();
  forgetSums();
  const expected = [
    { views: 2, events: 1, keepAlives: 1 },
    { views: 2, events: 1, keepAlives: 0 },
  ];
  const days = () =>
    [START_DAY, START_DAY + 1].map((day) => usageOf(A, { fromDay: day, toDay: day }));
  for (const restarts of [true, true, false, false]) {
    if (restarts) await restart();
    expect(days()).toEqual(expected);
    expect(shard.usage.answer(A, null, true).firstRowMs).toBe(START_MS + 5);
  }
  // Hits come before anybody asks, and the process dies before they are saved.
  forgetSums();
  await restart();
  send(A, [hit(1, START_MS + 11)]);
  await restart();
  expected[0]!.views++;
  expect(days()).toEqual(expected);
  saveAll();
  await restart();
  expect(days()).toEqual(expected);
});

test('a day of an earlier build that is damaged is billed by its number of rows (S-99)', async () => {
  send(A, [hit(1, START_MS), event(1, START_MS + 9)]);
  send(A, [hit(1, START_MS + DAY_MS)]);
  saveAll();
  forgetSums();
  const environment = shard.environment();
  const key = blockKey(A, START_DAY, TABLE_NAMES.indexOf('views'), 0);
  environment.write(() => environment.put(key, new Uint8Array(40).fill(7)));
  await restart();
  expect(usageOf(A)).toEqual({ views: 2, events: 1, keepAlives: 0 });
  expect(shard.aside.takeUntold()).not.toEqual([]);
});

test('domains that were never seen used nothing; who does not hold the shard does not say', async () => {
  send(A, [hit(1, START_MS)]);
  const request = {
    ...({ kind: 'usage', shard: SHARD, sequence: asSequence(0), span: ALWAYS } as const),
    domainIds: [asDomainId('other'), A],
  };
  const none = { views: 0, events: 0, keepAlives: 0 };
  expect(JSON.parse(await answerUsage(shard, request, () => true))).toEqual([
    { firstRowMs: null, usage: none, lastHit: 'never', importedDays: null },
    {
      firstRowMs: START_MS,
      usage: { ...none, views: 1 },
      lastHit: START_MS,
      importedDays: null,
    },
  ]);
  let looks = 0;
  const losesIt = () => looks++ === 0;
  await expect(answerUsage(shard, request, losesIt)).rejects.toThrow('another node');
});
