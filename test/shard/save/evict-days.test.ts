/**
 * Goal: an actor's open days stay within their bound whatever one record touches, and nothing counts
 * twice or is lost when the process dies between two hits of a record.
 * Method: a shard whose days leave after every hit, killed behind them in turn, must hold
 * after the replay byte for byte what an undisturbed one holds; an actor is given more than it may hold.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { encodeSpooled } from '../../../src/bus/spool/spooled-records.ts';
import type { Drop, Hit, HitGroup } from '../../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId, shardIds } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { DayEviction } from '../../../src/shard/save/evict-days.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { OpenMemory } from '../../../src/shard/state/open-memory.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';

/** Hits between the deaths that are tried: 1 tries every hit, in two minutes. */
const EVERY = 11;
const NOON = MONDAY_MS + 12 * HOUR_MS;

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-relief-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

class Crash extends Error {}

/** Looks after every hit; the process dies behind a look of choice. */
class NoMemory extends OpenMemory {
  looks = 0;
  readonly #diesAt: number;

  constructor(diesAt: number) {
    super();
    this.#diesAt = diesAt;
  }

  override get isDue(): boolean {
    return true;
  }

  override check(): void {
    super.check();
    this.looks++;
    if (this.looks === this.#diesAt) throw new Crash();
  }
}

function openCramped(name: string, memory: OpenMemory): Shard {
  const shard = new Shard(join(dataDir, name), asShardId(0), new Sessionizer(), memory);
  const onFault = (error: Error) => {
    throw error;
  };
  new DayEviction(
    { values: () => [shard], epochOf: () => asEpoch(1) },
    { memory, bytesMax: 1, onFault },
  );
  return shard;
}

function group(domainId: string, hits: Hit[], fields: Partial<HitGroup> = {}): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs: NOON,
    idempotencyHash: '',
    dropped: null,
    hits,
    ...fields,
  };
}

/** Hits of a few visitors on each of five days, some of them over midnight. */
function hitsOf(seed: number): Hit[] {
  return Array.from({ length: 10 }, (_, index) => {
    const timeMs = NOON + (index >> 1) * DAY_MS + (index % 2) * 11.9 * HOUR_MS + seed * MINUTE_MS;
    const person = (seed + index) % 3;
    const fields = { path: `/${seed % 4}${index}`, utmSource: `s${seed % 2}` };
    if (index % 5 === 4) return keepAlive(person, timeMs);
    if (index % 3 === 2) return event(person, timeMs, { ...fields, pairs: ['k', `v${index}`] });
    return hit(person, timeMs, fields);
  });
}

function drop(reason: number, count: number, bot: string): Drop {
  return { reason, day: Math.floor(NOON / DAY_MS), bot, count };
}

/** Records of two domains side by side, with keys, repeats, drops, a deletion, and some spooled. */
function records(): LogRecord[] {
  const mixed = (seed: number) =>
    encodeGroups([
      group('a', hitsOf(seed), { idempotencyHash: `a${seed}`, dropped: [drop(1, 2, 'a bot')] }),
      group('b', hitsOf(seed + 1)),
      group('a', hitsOf(seed + 2), { idempotencyHash: `a${seed >> 1}` }),
      group('b', hitsOf(seed + 3), { dropped: [drop(2, 1, '')] }),
    ]);
  const erasure = encodeErasure({
    ...{ domainId: asDomainId('a'), kind: 'all', startMs: NOON, endMs: NOON + 1.1 * DAY_MS },
  });
  const payloads = [
    mixed(0),
    mixed(1),
    erasure,
    mixed(4),
    encodeSpooled('spool-of-abc', [
      { number: 1, payload: mixed(6) },
      { number: 2, payload: erasure },
      { number: 3, payload: mixed(7) },
    ]),
    mixed(9),
  ];
  return payloads.map((payload, index) => ({
    shard: asShardId(0),
    sequence: asSequence((index + 1) * 3),
    payload,
  }));
}

/** Everything that is on disk of segments, and what domains say beside them. */
async function finish(shard: Shard): Promise<Map<string, string>> {
  // Days that no hit has asked for since the deletion.
  for (const domainId of ['a', 'b']) {
    const domain = shard.existingDomain(asDomainId(domainId), NOON);
    for (let day = 0; day < 7; day++) domain?.existingSegment(NOON / DAY_MS - 0.5 + day);
    if (domain !== null) checkpoint(shard, [domain]);
  }
  checkpoint(shard, [...shard.unsaved]);
  const states = new Map<string, string>();
  for (const kind of ['b', 't', 'k', 'l']) {
    for (const { key, value } of shard.environment().range([kind, ''], [`${kind}!`])) {
      states.set(key.join(' '), Buffer.from(value).toString('hex'));
    }
  }
  for (const { domainId, sequence } of shard.domains.values()) {
    states.set(domainId, JSON.stringify(sequence));
  }
  states.set('position', String(shard.savedSequence));
  await shard.close();
  return states;
}

test('a death behind any hit of any record changes nothing (I-78)', async () => {
  const log = records();
  const plain = new Shard(join(dataDir, 'plain'), asShardId(0), new Sessionizer());
  for (const each of log) plain.apply(each, 0);
  const undisturbed = await finish(plain);
  expect(undisturbed.size).toBeGreaterThan(20);
  let diesAt = 0;
  for (let isOver = false; !isOver; ) {
    diesAt += EVERY;
    const name = `dies-at-${diesAt}`;
    const first = openCramped(name, new NoMemory(diesAt));
    isOver = appliesAll(first, log);
    await first.close();
    // It dies once more over the replay, a little further on.
    const second = openCramped(name, new NoMemory(5 + (diesAt % 11)));
    appliesAll(second, log.slice(log.findIndex(({ sequence }) => sequence > second.savedSequence)));
    await second.close();
    const third = openCramped(name, new NoMemory(-1));
    appliesAll(third, log);
    expect([diesAt, ...(await finish(third))]).toEqual([diesAt, ...undisturbed]);
  }
  expect(diesAt).toBeGreaterThan(100);
}, 120_000);

/** @returns false when the process died. */
function appliesAll(shard: Shard, log: readonly LogRecord[]): boolean {
  try {
    for (const each of log) shard.apply(each, 0);
    return true;
  } catch (error) {
    if (error instanceof Crash) return false;
    throw error;
  }
}

const OPEN_BYTES_MAX = 4 * 1_024 * 1_024;

function openActor(): { actor: Actor; opened: () => number } {
  const actor = new Actor({
    ...{ dataDir, shards: shardIds(1), leases: LeaseTable.alone(1), openBytesMax: OPEN_BYTES_MAX },
    onFault: (error) => {
      throw error;
    },
  });
  return { actor, opened: () => actor.openBytes };
}

/** A batch that touches as many days as it has hits, each with texts of its own. */
function wideBatch(seed: number, days: number): LogRecord {
  const hits = Array.from({ length: days }, (_, day) =>
    event(seed, NOON + day * DAY_MS, {
      path: `/${seed}/${'x'.repeat(1_500)}/${day}`,
      pairs: Array.from({ length: 40 }, (__, at) =>
        at % 2 === 0 ? `k${at}` : `${seed} ${day} ${at} ${'y'.repeat(1_500)}`,
      ),
    }),
  );
  return {
    shard: asShardId(0),
    sequence: asSequence(seed),
    payload: encodeGroups([group('a', hits)]),
  };
}

test('an actor holds no more open days than it has memory for, live and in a replay', async () => {
  const days = 60;
  const log = Array.from({ length: 12 }, (_, at) => wideBatch(at + 1, days));
  const live = openActor();
  let most = 0;
  for (const each of log) {
    live.actor.onRecords([each], NOON);
    most = Math.max(most, live.opened());
  }
  // 60 days of some 350 kB each: five times what it may hold.
  expect(most).toBeGreaterThan(OPEN_BYTES_MAX / 4);
  expect(most).toBeLessThan(OPEN_BYTES_MAX * 1.5);
  // It dies as it is; the next one replays what was not saved.
  await live.actor.drop(asShardId(0));
  const next = openActor();
  next.actor.recover(
    {
      replay(after, visit) {
        for (const each of log) if (each.sequence > after) visit(each);
        return log.length;
      },
    },
    NOON,
  );
  expect(next.opened()).toBeLessThan(OPEN_BYTES_MAX * 1.5);
  await next.actor.close();
  const shard = new Shard(dataDir, asShardId(0), new Sessionizer());
  const domain = shard.existingDomain(asDomainId('a'), NOON);
  const events = Array.from({ length: days }, (_, day) => {
    const open = domain?.existingSegment(Math.floor(NOON / DAY_MS) + day);
    return open?.segment.events.rowCount;
  });
  expect(events).toEqual(events.map(() => log.length));
  await shard.close();
}, 120_000);
