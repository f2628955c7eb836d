// Goal: what is written down is told in order, at a measured pace and again at its times; a webhook
// that fails too often rests; what rests too long, or has no webhook any more, goes (O-2, O-3, O-11).
// Method: a real outbox on disk, a clock and receivers of the test's own.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Webhook } from '../../src/control/resources/webhook.ts';
import { waitMs } from '../../src/delivery/webhooks/back-off.ts';
import { type Fetch, Lane } from '../../src/delivery/webhooks/lane.ts';
import type { OutboxBounds } from '../../src/delivery/webhooks/shed-loads.ts';
import { Turns } from '../../src/delivery/webhooks/turns.ts';
import { WebhookSender } from '../../src/delivery/webhooks/webhook-sender.ts';
import { asDomainId, asEpoch, NO_LEASE } from '../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/limits.ts';
import type { AttemptOutcome, DueEntries, OutboxHead } from '../../src/model/outbox.ts';
import { attemptsOf, dueEntries, resend } from '../../src/shard/outbox/outbox-store.ts';
import { DOMAIN, SHARD, StoredOutbox } from './stored-outbox.ts';

interface Attempted {
  readonly webhookId: string;
  readonly id: string;
  readonly atMs: number;
}

const START_MS = Date.UTC(2026, 10, 23);
let outbox: StoredOutbox;
let sender: WebhookSender;
let webhooks: Map<string, Webhook>;
let attempted: Attempted[];
let faults: unknown[];
let sheds: { webhookId: string; count: number; reason: string }[];
let deactivated: string[];
let share: number;
/** What the receiver answers; it may take its time. */
let answer: (attempt: Attempted) => number | Promise<number>;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  outbox = new StoredOutbox();
  webhooks = new Map([['w1', webhookOf('w1')]]);
  attempted = [];
  faults = [];
  sheds = [];
  deactivated = [];
  share = 0.5;
  answer = () => 200;
  sender = start();
});

afterEach(async () => {
  await sender.stop(0, () => undefined);
  vi.useRealTimers();
  await outbox.close();
  expect(faults).toEqual([]);
});

function webhookOf(id: string, domainId = DOMAIN): Webhook {
  const times = { createdMs: START_MS, modifiedMs: START_MS };
  const address = { endpoint: `https://${id}.example/`, event: 'sold', description: '' };
  return { id, ...times, ...address, domainId, active: true, secret: 'whsec_' } as Webhook;
}

function start(tickMs = 100, bounds?: OutboxBounds): WebhookSender {
  return new WebhookSender({
    tickMs,
    ...(bounds === undefined ? {} : { bounds }),
    ask: outbox.ask,
    epochOf: () => (outbox.isMoved ? NO_LEASE : asEpoch(7)),
    find: (id) => webhooks.get(id) ?? null,
    isGone: async (id) => !webhooks.has(id),
    async deactivate(webhook) {
      deactivated.push(webhook.id);
      webhooks.set(webhook.id, { ...webhook, active: false });
    },
    async send(webhook, { id }): Promise<AttemptOutcome> {
      const attempt = { webhookId: webhook.id, id, atMs: Date.now() };
      attempted.push(attempt);
      const status = await answer(attempt);
      const error = status === 200 ? '' : `answered ${status}`;
      return { timeMs: attempt.atMs, durationMs: 1, status, error, response: '' };
    },
    nowMs: () => Date.now(),
    random: () => share,
    onShed: (what) => sheds.push(what),
    onFault: (error) => faults.push(error),
  });
}

function pause(ms: number, status: number): Promise<number> {
  return new Promise((resolve) => setTimeout(() => resolve(status), ms));
}

/** Ends what is under way. */
async function letGo(): Promise<void> {
  const stopped = sender.stop(0, () => undefined);
  await pass(HOUR_MS);
  await stopped;
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

const idsOf = (webhookId: string) =>
  attempted.filter((one) => one.webhookId === webhookId).map(({ id }) => id);

test('A-60: what is saved is seen within a tenth of a second, also after a time without webhooks', async () => {
  await pass(1_100);
  webhooks.set('w1', { ...webhookOf('w1'), active: false });
  const ids = outbox.note('w1', 1, START_MS);
  sender.onNews(SHARD);
  await pass(50);
  expect(attempted).toEqual([]);
  webhooks.set('w1', webhookOf('w1'));
  await pass(150);
  expect(idsOf('w1')).toEqual(ids);
});

test('O-11: entries are told once each, in the order of their events', async () => {
  const ids = outbox.note('w1', 500, START_MS);
  sender.onNews(SHARD);
  await pass(5_000);
  expect(idsOf('w1')).toEqual(ids);
  expect(outbox.heads()).toMatchObject([{ entries: 0, bytes: 0, failures: 0 }]);
});

test('O-11: each wait is longer or shorter by a fifth at most', () => {
  const waits = [5, 30, 120, 600, 3_600, 10_800, 28_800];
  for (const [index, seconds] of waits.entries()) {
    const at = (share: number) => (waitMs(index + 1, share) as number) / 1_000;
    expect([at(0), at(0.5), at(1)]).toEqual([0.8, 1, 1.2].map((part) => part * seconds));
  }
  expect(waitMs(8, 0.5)).toBeNull();
});

test('O-11: failures come again at its times, and after the last one it is given up', async () => {
  await sender.stop(0, () => undefined);
  sender = start(MINUTE_MS / 12);
  answer = () => 500;
  outbox.note('w1', 1, START_MS);
  sender.onNews(SHARD);
  await pass(14 * HOUR_MS);
  const waits = [5, 30, 120, 600, 3_600, 10_800, 28_800];
  const gaps = attempted.slice(1).map(({ atMs }, index) => (atMs - attempted[index]!.atMs) / 1_000);
  expect(gaps).toHaveLength(waits.length);
  for (const [index, gap] of gaps.entries()) {
    expect(gap).toBeGreaterThanOrEqual(waits[index]!);
    expect(gap).toBeLessThanOrEqual(waits[index]! + 5);
  }
  expect(outbox.heads()).toMatchObject([{ entries: 0, failures: 8 }]);
  outbox.environment.refresh();
  const told = attemptsOf(outbox.environment, 'w1');
  expect(told.map(({ attempt }) => attempt)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
});

test('O-11, O-2: at most four at a time, one until it has answered; who waits for a time holds no place', async () => {
  let open = 0;
  let most = 0;
  let isGood = false;
  answer = async () => {
    open++;
    most = Math.max(most, open);
    await pause(9_000, 0);
    open--;
    return isGood ? 200 : 500;
  };
  outbox.note('w1', 100, START_MS);
  webhooks.set('w2', webhookOf('w2'));
  sender.onNews(SHARD);
  await pass(60_000);
  expect(most).toBe(1);
  isGood = true;
  await pass(60_000);
  expect(most).toBe(4);
  await letGo();
});

test('O-2: one that never answers is in nobodys way', async () => {
  answer = ({ webhookId }) => (webhookId === 'w1' ? pause(HOUR_MS, 500) : 200);
  webhooks.set('w2', webhookOf('w2'));
  outbox.note('w1', 1_000, START_MS);
  const ids = outbox.note('w2', 1_000, START_MS);
  sender.onNews(SHARD);
  await pass(5_000);
  expect(idsOf('w2')).toEqual(ids);
  expect(idsOf('w1')).toHaveLength(1);
  await letGo();
});

test('A-60, O-11: after more than 100 failures in a row it rests; saving it sends what waits', async () => {
  answer = () => 503;
  const ids = outbox.note('w1', 300, START_MS);
  sender.onNews(SHARD);
  await pass(30_000);
  expect(deactivated).toEqual(['w1']);
  expect(attempted).toHaveLength(101);
  await pass(10 * HOUR_MS);
  expect(attempted).toHaveLength(101);
  expect(outbox.heads()).toMatchObject([{ entries: 300, inactiveMs: expect.any(Number) }]);
  answer = () => 200;
  webhooks.set('w1', { ...webhooks.get('w1')!, active: true });
  await pass(60_000);
  expect(new Set(idsOf('w1'))).toEqual(new Set(ids));
  expect(outbox.heads()).toMatchObject([{ entries: 0, inactiveMs: 0, failures: 0 }]);
});

test('A-60: one good answer, or saving it, begins the count anew', async () => {
  let count = 0;
  answer = () => {
    count++;
    return count === 100 ? 200 : 500;
  };
  outbox.note('w1', 150, START_MS);
  sender.onNews(SHARD);
  await pass(3_000);
  expect(attempted).toHaveLength(150);
  expect(deactivated).toEqual([]);
  expect(outbox.heads()).toMatchObject([{ failures: 50 }]);
  webhooks.set('w1', { ...webhooks.get('w1')! });
  // The others come once more: had the count gone on, it would rest after 51 of them.
  await pass(30_000);
  expect(deactivated).toEqual(['w1']);
  expect(attempted).toHaveLength(150 + 101);
});

test('O-11: entries of one that is inactive stay for 24 hours and go then', async () => {
  await sender.stop(0, () => undefined);
  sender = start(MINUTE_MS / 2);
  webhooks.set('w1', { ...webhookOf('w1'), active: false });
  outbox.note('w1', 10, START_MS);
  sender.onNews(SHARD);
  await pass(DAY_MS - MINUTE_MS);
  expect(outbox.heads()).toMatchObject([{ entries: 10 }]);
  await pass(3 * MINUTE_MS);
  expect(outbox.heads()).toMatchObject([{ entries: 0, bytes: 0 }]);
  expect(sheds).toEqual([{ webhookId: 'w1', count: 10, reason: 'inactive' }]);
  expect(attempted).toEqual([]);
});

test('O-1: of a webhook that is deleted nothing is told, and nothing is kept', async () => {
  webhooks.clear();
  outbox.note('w1', 10, START_MS);
  sender.onNews(SHARD);
  await pass(2 * MINUTE_MS);
  expect(attempted).toEqual([]);
  expect(outbox.heads()).toEqual([]);
});

test('O-3: who does not hold the shard any more tells nothing, and its next owner goes on', async () => {
  const ids = outbox.note('w1', 50, START_MS);
  answer = async () => {
    return await pause(1_000, 200);
  };
  sender.onNews(SHARD);
  await pass(3_500);
  outbox.isMoved = true;
  await pass(10_000);
  const before = attempted.length;
  expect(before).toBeLessThan(20);
  outbox.isMoved = false;
  sender.onNews(SHARD);
  await pass(60_000);
  expect(new Set(idsOf('w1'))).toEqual(new Set(ids));
  // What was under way when it moved is told again, under the same id.
  expect(attempted.length - ids.length).toBeLessThanOrEqual(4);
});

test('O-1: what cannot be written down now is written down later, and is not told twice meanwhile', async () => {
  outbox.isBroken = true;
  outbox.note('w1', 20, START_MS);
  sender.onNews(SHARD);
  await pass(20_000);
  expect(attempted).toHaveLength(20);
  expect(faults.length).toBeGreaterThan(0);
  faults = [];
  outbox.isBroken = false;
  await pass(2_000);
  expect(attempted).toHaveLength(20);
  expect(outbox.heads()).toMatchObject([{ entries: 0 }]);
});

test('O-13: an attempt is told again at once, whether it failed, waits or was told', async () => {
  const ids = outbox.note('w1', 2, START_MS);
  answer = ({ id }) => (id === ids[0] ? 500 : 200);
  sender.onNews(SHARD);
  await pass(1_000);
  expect(idsOf('w1')).toEqual(ids);
  answer = () => 200;
  outbox.environment.refresh();
  for (const { number } of attemptsOf(outbox.environment, 'w1')) {
    expect(resend(outbox.environment, 'w1', number)).toBe(true);
  }
  expect(resend(outbox.environment, 'w1', 99)).toBe(false);
  sender.onNews(SHARD);
  await pass(500);
  expect(idsOf('w1').slice(2).sort()).toEqual(ids.toSorted());
  await pass(60_000);
  expect(attempted).toHaveLength(4);
  expect(outbox.heads()).toMatchObject([{ entries: 0, bytes: 0 }]);
});

test('O-3: a lease that runs out and is renewed costs nothing but the time between', async () => {
  const ids = outbox.note('w1', 40, START_MS);
  answer = async () => await pause(1_000, 200);
  sender.onNews(SHARD);
  await pass(3_500);
  outbox.isMoved = true;
  await pass(10_000);
  expect(attempted.length).toBeLessThan(20);
  // Nothing new comes: what is left is found all the same.
  outbox.isMoved = false;
  await pass(60_000);
  expect(new Set(idsOf('w1'))).toEqual(new Set(ids));
  expect(attempted.length - ids.length).toBeLessThanOrEqual(4);
  expect(outbox.heads()).toMatchObject([{ entries: 0 }]);
});

test('O-3: news that came while the shard was nobodys are not forgotten', async () => {
  outbox.isMoved = true;
  const ids = outbox.note('w1', 5, START_MS);
  sender.onNews(SHARD);
  await pass(5_000);
  outbox.isMoved = false;
  await pass(2_000);
  expect(idsOf('w1')).toEqual(ids);
});

test('O-1: what could not be read is read again', async () => {
  outbox.isMute = true;
  const ids = outbox.note('w1', 5, START_MS);
  sender.onNews(SHARD);
  await pass(10_000);
  expect(attempted).toEqual([]);
  expect(faults.length).toBeGreaterThan(1);
  faults = [];
  outbox.isMute = false;
  await pass(2_000);
  expect(idsOf('w1')).toEqual(ids);
});

test('A-60: paused and saved again while entries are read, none is left out', () => {
  outbox.note('w1', 200, START_MS);
  const [head] = outbox.heads() as unknown as [OutboxHead];
  const lane = new Lane(SHARD, asEpoch(7), head);
  const fetched = ({ after, count }: Fetch) =>
    dueEntries(outbox.environment, 'w1', { after, nowMs: START_MS, count });
  const take = (count: number) => {
    for (let taken = 0; taken < count; taken++) {
      lane.begin();
      lane.ended(true);
    }
  };
  const first = lane.beginFetch() as Fetch;
  expect(lane.took(first, fetched(first))).toBe(true);
  take(2);
  // It answers well: more of it is fetched at once.
  const many = lane.beginFetch() as Fetch;
  expect([first.count, many.count]).toEqual([2, 64]);
  expect(lane.took(many, fetched(many))).toBe(true);
  take(60);
  const second = lane.beginFetch() as Fetch;
  expect(second.after).not.toBeNull();
  // Four that were in memory are forgotten here: what comes now is behind them.
  lane.rest();
  lane.resume();
  expect(lane.took(second, fetched(second))).toBe(false);
  let third = lane.beginFetch() as Fetch;
  expect(third.after).toBeNull();
  // What is not settled yet comes again, and is known.
  while (!lane.took(third, fetched(third))) third = lane.beginFetch() as Fetch;
  expect(lane.begin().sequence).toBe(63);
});

test('O-2: a thousand receivers that hang with large entries take little memory', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `hangs-${at}`);
  for (const name of names) webhooks.set(name, webhookOf(name));
  answer = () => pause(HOUR_MS, 500);
  for (let event = 0; event < 20; event++) outbox.noteFor(names, 'x'.repeat(40_000));
  let fetchedBytes = 0;
  const { ask } = outbox;
  await sender.stop(0, () => undefined);
  outbox.ask = async (shard, call) => {
    const answered = await ask(shard, call);
    if (call.kind !== 'outbox-due') return answered;
    for (const { body } of (answered as DueEntries).entries) fetchedBytes += body.length;
    return answered;
  };
  sender = start();
  sender.onNews(SHARD);
  await pass(5_000);
  expect(attempted).toHaveLength(64);
  expect(fetchedBytes).toBeGreaterThan(names.length * 40_000);
  expect(fetchedBytes).toBeLessThan(names.length * 3 * 40_000);
  await letGo();
});

test('O-2: many that hang are not in the way of another of the same domain', async () => {
  const names = Array.from({ length: 70 }, (_, at) => `hangs-${at}`);
  for (const name of names) {
    webhooks.set(name, webhookOf(name));
    outbox.note(name, 3, START_MS);
  }
  answer = ({ webhookId }) => (webhookId === 'w1' ? 200 : pause(10_000, 500));
  sender.onNews(SHARD);
  await pass(25_000);
  const ids = outbox.note('w1', 200, START_MS);
  sender.onNews(SHARD);
  await pass(1_000);
  expect(idsOf('w1')).toEqual(ids);
  await pass(20_000);
  // Everybody has had a turn.
  expect(names.filter((name) => idsOf(name).length === 0)).toEqual([]);
  await letGo();
});

test('O-2: of all connections who fails has half, and a domain an eighth', () => {
  const turns = new Turns();
  const laneOf = (domain: string, failures: number) => {
    const head = { domainId: asDomainId(domain) };
    return { head, isFailing: failures > 0 } as Lane;
  };
  const fill = (domain: string, failures: number) => {
    const ends: (() => void)[] = [];
    while (turns.hasRoomFor(laneOf(domain, failures)))
      ends.push(turns.take(laneOf(domain, failures)));
    return ends;
  };
  const ends = Array.from({ length: 10 }, (_, at) => fill(`failing-${at}`, 1));
  expect(ends.map(({ length }) => length)).toEqual([...Array(8).fill(32), 0, 0]);
  expect(fill('failing-0', 0)).toHaveLength(32);
  expect([1, 2, 3, 4].map((at) => fill(`good-${at}`, 0).length)).toEqual([64, 64, 64, 32]);
  expect(turns.hasRoom).toBe(false);
  ends[0]?.[0]?.();
  expect(turns.hasRoomFor(laneOf('other', 1))).toBe(true);
});

test('O-2: all webhooks of a domain together have a part of the connections', async () => {
  let open = 0;
  let mostOpen = 0;
  answer = async () => {
    open++;
    mostOpen = Math.max(mostOpen, open);
    await pause(1_000, 0);
    open--;
    return 200;
  };
  const ids: string[] = [];
  for (let at = 0; at < 100; at++) {
    webhooks.set(`many-${at}`, webhookOf(`many-${at}`));
    ids.push(...outbox.note(`many-${at}`, 8, START_MS));
  }
  sender.onNews(SHARD);
  await pass(60_000);
  expect(mostOpen).toBe(64);
  expect(attempted.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('O-2: beyond its bound the oldest of the receiver furthest behind go, counted', async () => {
  await sender.stop(0, () => undefined);
  sender = start(100, { entries: 1_000, bytes: 1e9 });
  answer = () => pause(HOUR_MS, 500);
  webhooks.set('w2', webhookOf('w2'));
  const [far, near] = [outbox.note('w1', 2_500, START_MS), outbox.note('w2', 300, START_MS)];
  sender.onNews(SHARD);
  await pass(2_000);
  expect(outbox.heads()).toMatchObject([{ entries: 700 }, { entries: 300 }]);
  expect(sheds.reduce((sum, { count }) => sum + count, 0)).toBe(1_800);
  expect(new Set(sheds.map(({ webhookId, reason }) => `${webhookId} ${reason}`))).toEqual(
    new Set(['w1 full']),
  );
  await letGo();
  outbox.environment.refresh();
  const left = (webhookId: string) =>
    dueEntries(outbox.environment, webhookId, { after: null, nowMs: 0, count: 9_999 }).entries;
  expect(left('w1').map(({ id }) => id)).toEqual(far.slice(1_800));
  // The first one is under way, and was when the service was told to stop.
  expect(
    left('w2')
      .map(({ id }) => id)
      .slice(-299),
  ).toEqual(near.slice(1));
});

test('O-2: the bytes that wait have a bound of their own', async () => {
  await sender.stop(0, () => undefined);
  answer = () => pause(HOUR_MS, 500);
  outbox.note('w1', 1_000, START_MS);
  const [{ bytes }] = outbox.heads() as unknown as [{ bytes: number }];
  sender = start(100, { entries: 1e9, bytes: Math.floor(bytes / 2) });
  sender.onNews(SHARD);
  await pass(2_000);
  const [head] = outbox.heads() as unknown as [{ entries: number; bytes: number }];
  expect(head.bytes).toBeLessThanOrEqual(bytes / 2);
  expect(head.entries).toBeGreaterThan(480);
  expect(sheds.reduce((sum, { count }) => sum + count, 0)).toBe(1_000 - head.entries);
  await letGo();
});
