/**
 * Goal: when the last hit of a domain was stored is known exactly, whatever dies, moves or is
 * erased (O-41); and every domain with a crowd is found among all of them, without opening those
 * that are quiet (O-40).
 * Method: random hits on a shard that is saved, left, killed, moved and erased at random, beside a
 * list of what was sent. Of visitors the statistic `active` says how many there are at least; the
 * hits of the window say how many there are at most. A state as the build before left it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { errors } from '../../../src/model/errors.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/model/limits.ts';
import type { LastHit } from '../../../src/model/usage.ts';
import { runActive } from '../../../src/query/live/active.ts';
import { answerCrowds } from '../../../src/shard/actor/crowd-answers.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { evictIdleDomains } from '../../../src/shard/save/evict-domains.ts';
import { restoreSnapshot, saveSnapshot } from '../../../src/shard/snapshot/snapshot.ts';
import { eraseNextDay } from '../../../src/shard/state/erasure.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { queryOf } from '../../query/ask.ts';
import { seededRandom } from '../../support/clients/load-client.ts';
import { runs, SEED } from '../../support/runs.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';
import { MemoryStore } from '../snapshot/memory-store.ts';

const SHARD = asShardId(0);
const START_MS = MONDAY_MS + 20 * HOUR_MS;
const SITES = ['a', 'b', 'c'].map(asDomainId);
const SECONDS = 600;

let root: string;
let directory: string;
let shard: Shard;
let log: LogRecord[];
let nowMs: number;
let moves = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'footfall-pulse-'));
  directory = join(root, 'first');
  shard = new Shard(directory, SHARD, new Sessionizer());
  log = [];
  nowMs = START_MS;
});

afterEach(async () => {
  await shard.close();
  rmSync(root, { recursive: true });
});

function append(payload: Uint8Array): void {
  const record = { shard: SHARD, sequence: asSequence(log.length + 1), payload };
  log.push(record);
  shard.apply(record, nowMs);
}

function send(domainId: (typeof SITES)[number], hits: Hit[], receivedMs = nowMs): void {
  append(encodeGroups([{ domainId, receivedMs, idempotencyHash: '', dropped: null, hits }]));
}

function saveAll(): void {
  checkpoint(shard, [...shard.domains.values()]);
}

/** The process dies; another one replays the log from behind what is on disk. */
async function restart(): Promise<void> {
  await shard.close();
  shard = new Shard(directory, SHARD, new Sessionizer());
  for (const record of log) if (record.sequence > shard.savedSequence) shard.apply(record, nowMs);
}

/** Another node takes the shard over from a snapshot of what is on disk. */
async function move(): Promise<void> {
  const store = new MemoryStore();
  const place = { shard: SHARD, epoch: asEpoch(1), log: 'log', stored: new Map() };
  await saveSnapshot(shard.environment(), store, { ...place, isHeld: () => true });
  await shard.close();
  directory = join(root, `moved ${++moves}`);
  const target = new StateEnvironment(shardStatePath(directory, SHARD));
  await restoreSnapshot(target, store.manifest?.value as never, store);
  await target.close();
  await restart();
}

/** Everything of a site goes. */
function erase(domainId: (typeof SITES)[number]): void {
  const endMs = Number.MAX_SAFE_INTEGER;
  append(encodeErasure({ domainId, kind: '', startMs: 0, endMs }));
  const domain = shard.existingDomain(domainId, nowMs);
  while (domain !== null && domain.pendingErasures.size > 0) eraseNextDay(domain);
}

/** Small domains leave memory, once what is to be erased is: a replay brings erasures back. */
function leave(): void {
  for (const domain of shard.domains.values()) {
    while (domain.pendingErasures.size > 0) eraseNextDay(domain);
  }
  saveAll();
  nowMs += 3 * MINUTE_MS;
  evictIdleDomains(shard, nowMs);
  expect(shard.domains.size).toBe(0);
}

const lastHitOf = (domainId: (typeof SITES)[number]): LastHit =>
  shard.usage.answer(domainId, null, true).lastHit;

const crowdsOf = (visitors: number, isHeld = () => true) => {
  const looks = SITES.map((domainId) => ({ domainId, seconds: SECONDS, visitors }));
  return answerCrowds(shard, { kind: 'crowds', looks }, { nowMs, isHeld });
};

/** Who is active, by the statistic (S-82), of all that the shard has. */
function activeOn(domainId: (typeof SITES)[number]): number {
  const domain = shard.existingDomain(domainId, nowMs);
  domain?.reopenDays(nowMs - HOUR_MS);
  const segments = [...(domain?.segments.values() ?? [])].map(({ segment }) => segment);
  return runActive(queryOf('active', `start=${SECONDS}`, nowMs), segments).visitors;
}

/** What was sent of a site. */
class Sent {
  lastHitMs = 0;
  readonly timesMs: number[] = [];

  add(hits: readonly Hit[], receivedMs: number): void {
    this.timesMs.push(...hits.map(({ timeMs }) => timeMs));
    this.lastHitMs = Math.max(this.lastHitMs, receivedMs);
  }

  /** How many hits have a time of the window. */
  recent(): number {
    const startMs = nowMs - SECONDS * SECOND_MS;
    return this.timesMs.filter((timeMs) => timeMs >= startMs && timeMs <= nowMs).length;
  }
}

test.each(Array.from({ length: runs(40) }, (_, index) => SEED + index))(
  'the last hit, and who may have a crowd, are those of what was sent, whatever dies or moves (O-40, O-41, seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const sites = new Map(SITES.map((id) => [id, new Sent()]));
    const visit = () => {
      const domainId = pick(SITES);
      // Nobody has a session of that visitor: it is dropped, and no hit that was stored.
      const orphan = keepAlive(1_000 + log.length, nowMs);
      if (random() < 0.2) return send(domainId, [orphan]);
      // A spool brings what came before; a batch has times of its own.
      const receivedMs = nowMs - (random() < 0.1 ? Math.floor(random() * HOUR_MS) : 0);
      const aheadMs = random() < 0.05 ? 20 * MINUTE_MS : -Math.floor(random() * 5 * MINUTE_MS);
      const hits = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        pick([hit, hit, event])(1 + Math.floor(random() * 9), nowMs + aheadMs),
      );
      sites.get(domainId)?.add(hits, receivedMs);
      return send(domainId, [...hits, orphan], receivedMs);
    };
    for (let step = 0; step < 60; step++) {
      nowMs += Math.floor(random() * 4 * MINUTE_MS);
      const choice = random();
      if (choice < 0.6) visit();
      else if (choice < 0.7) saveAll();
      else if (choice < 0.8) leave();
      else if (choice < 0.87) await restart();
      else if (choice < 0.94) await move();
      else erase(pick(SITES));
      const visitors = pick([1, 2, 4, 8]);
      const crowds = await crowdsOf(visitors);
      for (const [domainId, sent] of sites) {
        expect(lastHitOf(domainId)).toBe(sent.lastHitMs || 'never');
        if (sent.recent() < visitors) expect(crowds).not.toContain(domainId);
        if (activeOn(domainId) >= visitors) expect(crowds).toContain(domainId);
      }
    }
  },
);

test('quiet domains are looked at without being opened, and crowds without staying open (O-40)', async () => {
  const people = (count: number) => Array.from({ length: count }, (_, at) => hit(at + 1, nowMs));
  send(SITES[0]!, people(5));
  send(SITES[1]!, people(2));
  leave();
  // Too few sessions, or none.
  expect(await crowdsOf(6)).toEqual([]);
  expect(shard.domains.size).toBe(0);
  expect(await crowdsOf(5)).toEqual([SITES[0]]);
  expect([...shard.domains.keys()]).toEqual([SITES[0]]);
  evictIdleDomains(shard, nowMs + 2 * MINUTE_MS);
  expect(shard.domains.size).toBe(0);
  nowMs += SECONDS * SECOND_MS - 3 * MINUTE_MS;
  expect(await crowdsOf(5)).toEqual([SITES[0]]);
  nowMs++;
  expect(await crowdsOf(1)).toEqual([]);
});

test('who does not hold the shard any more does not say who has a crowd (O-3)', async () => {
  send(SITES[0]!, [hit(1, nowMs)]);
  let looks = 0;
  await expect(crowdsOf(1, () => looks++ === 0)).rejects.toThrow('another node');
});

test('what is damaged has no crowd, and nobody knows its last hit (O-40, O-41)', async () => {
  send(SITES[0]!, [hit(1, nowMs)]);
  saveAll();
  const damage = { domainId: SITES[0]!, day: '', path: 'a', fault: 'b' };
  shard.setAside(SITES[0]!, errors.STATE_DAMAGED(damage));
  expect(lastHitOf(SITES[0]!)).toBe('unknown');
  expect(await crowdsOf(1)).toEqual([]);
});

test('of a state that an earlier build left the last hit is the latest that is there, until one comes (O-41)', async () => {
  const latestMs = nowMs - DAY_MS + 7;
  send(SITES[0]!, [hit(1, nowMs - 2 * DAY_MS)]);
  send(SITES[0]!, [hit(2, latestMs)]);
  const state = shard.domains.get(SITES[0]!)!;
  expect(state.lastHitMs).toBe(nowMs);
  (state as { lastHitMs: unknown }).lastHitMs = undefined;
  saveAll();
  await restart();
  expect(lastHitOf(SITES[0]!)).toBe(latestMs);
  // It is opened and saved by this build.
  expect(shard.existingDomain(SITES[0]!, nowMs)?.lastHitMs).toBe(latestMs);
  nowMs += MINUTE_MS;
  send(SITES[0]!, [hit(2, nowMs)]);
  saveAll();
  await restart();
  expect(lastHitOf(SITES[0]!)).toBe(nowMs);
});
