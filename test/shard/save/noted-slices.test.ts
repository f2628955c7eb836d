// Goal: events for many webhooks take the memory of a slice, not of all their entries, and a death
// behind any slice makes no entry twice and loses none (O-1, O-2).
// Method: one record whose events come to several slices; the process dies behind each save in turn, and
// once more over the replay. An undisturbed shard says what is to be there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { asDomainId, asSequence, asShardId, shardIds } from '../../../src/model/ids.ts';
import { HOUR_MS } from '../../../src/model/limits.ts';
import type { OutboxEntry } from '../../../src/model/outbox.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { dueEntries, outboxHeads } from '../../../src/shard/outbox/outbox-store.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { OpenMemory } from '../../../src/shard/state/open-memory.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { event, MONDAY_MS } from '../hit-builder.ts';

const NOON = MONDAY_MS + 12 * HOUR_MS;
const WEBHOOKS = Array.from({ length: 8 }, (_, index) => `w${index}`);
/** Some 8 kB each as it is written, with what it sends: three slices and a rest. */
const EVENTS = 70;
const TEXTS = Array.from({ length: 3 }, (_, index) => [`key ${index}`, 'x'.repeat(2_000)]).flat();
const SLICE_BYTES = 160 * 1_024;

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-noted-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

class Crash extends Error {}

function record(count = EVENTS): LogRecord {
  const told = { webhooks: WEBHOOKS.join(','), pairs: TEXTS };
  const hits = Array.from({ length: count }, (_, person) => event(person, NOON, told));
  const head = { receivedMs: NOON, idempotencyHash: '', dropped: null };
  const payload = encodeGroups([
    { ...head, domainId: asDomainId('a'), hits },
    { ...head, domainId: asDomainId('b'), hits: hits.slice(0, 5) },
  ]);
  return { shard: asShardId(0), sequence: asSequence(7), payload };
}

/** A shard that saves as its actor does, and dies behind a save of choice. */
function openShard(name: string, diesAt = 0): Shard {
  const memory = new OpenMemory(SLICE_BYTES);
  const shard = new Shard(join(dataDir, name), asShardId(0), new Sessionizer(), memory);
  let saves = 0;
  memory.onNoted(() => {
    checkpoint(
      shard,
      [...shard.domains.values()].filter(({ notes }) => notes.length > 0),
    );
    if (++saves === diesAt) throw new Crash();
  });
  return shard;
}

/** @returns whether the process lived. */
async function applied(shard: Shard): Promise<boolean> {
  try {
    shard.apply(record(), NOON);
    checkpoint(shard, [...shard.unsaved]);
    return true;
  } catch (error) {
    if (error instanceof Crash) return false;
    throw error;
  } finally {
    await shard.close();
  }
}

/** The ids of a webhook's entries, which are fetched a few at a time. */
function idsIn(environment: StateEnvironment, webhookId: string): string[] {
  const ids: string[] = [];
  let after: OutboxEntry | null = null;
  for (;;) {
    const asked = { after, nowMs: NOON, count: Number.MAX_SAFE_INTEGER };
    const { entries, hasMore } = dueEntries(environment, webhookId, asked);
    ids.push(...entries.map(({ id }) => id));
    after = entries.at(-1) ?? null;
    if (!hasMore || after === null) return ids;
  }
}

/** By webhook: the ids of its entries, in order. */
async function entriesIn(environment: StateEnvironment): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { webhookId, entries } of [...outboxHeads(environment)]) {
    const ids = idsIn(environment, webhookId);
    expect(ids).toHaveLength(entries);
    found.set(webhookId, ids);
  }
  await environment.close();
  return found;
}

const stateOf = (name: string) =>
  new StateEnvironment(shardStatePath(join(dataDir, name), asShardId(0)));

test('O-1: a death behind any slice leaves each event one entry for each of its webhooks', async () => {
  expect(await applied(openShard('plain'))).toBe(true);
  const undisturbed = await entriesIn(stateOf('plain'));
  expect(undisturbed.size).toBe(WEBHOOKS.length);
  for (const ids of undisturbed.values()) expect(new Set(ids).size).toBe(EVENTS + 5);
  for (let diesAt = 1, lived = false; !lived; diesAt++) {
    const name = `dies-at-${diesAt}`;
    lived = await applied(openShard(name, diesAt));
    if (lived) expect(diesAt).toBeGreaterThan(3);
    // Over the replay once more, behind what it had.
    await applied(openShard(name, 1));
    await applied(openShard(name));
    expect(await entriesIn(stateOf(name))).toEqual(undisturbed);
  }
}, 60_000);

test('O-2: an actor has written all but a slice of them when the record is applied', async () => {
  // Two slices of an actor, and a rest.
  const count = 2_500;
  const leases = LeaseTable.alone(1);
  const onFault = (error: Error) => {
    throw error;
  };
  const actor = new Actor({ dataDir, shards: shardIds(1), leases, onFault });
  actor.onRecords([record(count)], NOON);
  const written = (await entriesIn(stateOf('.'))).get('w7')?.length;
  expect(written).toBeGreaterThan(count / 2);
  expect(written).toBeLessThan(count);
  actor.tick(NOON);
  expect((await entriesIn(stateOf('.'))).get('w7')).toHaveLength(count + 5);
  await actor.close();
}, 60_000);
