// Goal: many requests share one append, each is answered once, and what does not fit is refused.
// Method: an appender that settles when the test says so.

import { expect, test } from 'vitest';
import { HitWriter } from '../../../src/bus/log/hit-writer.ts';
import type { AppendDone, LogAppender, ShardBatch } from '../../../src/bus/log/interface.ts';
import { decodeGroups } from '../../../src/bus/record/codec.ts';
import { createHit } from '../../../src/model/blank-hit.ts';
import { errors } from '../../../src/model/errors.ts';
import { type Hit, type HitGroup, HitKind } from '../../../src/model/hit.ts';
import {
  asDomainId,
  asShardId,
  BEGINNING,
  type DomainId,
  type Sequence,
} from '../../../src/model/ids.ts';
import { PENDING_ERASURE_COUNT_MAX, PENDING_HIT_COUNT_MAX } from '../../../src/model/limits.ts';
import { budgets } from '../../../src/model/memory.ts';

/** Keeps appends until they are settled. */
class HeldAppender implements LogAppender {
  readonly appends: { batches: ShardBatch[]; done: AppendDone }[] = [];
  backlog = 0;

  append(batches: readonly ShardBatch[], done: AppendDone): void {
    const copies = batches.map(({ shard, payload }) => ({ shard, payload: payload.slice() }));
    this.appends.push({ batches: copies, done });
  }

  durableSequence(): Sequence {
    return BEGINNING;
  }

  hasten(): void {}

  backlogBytes(): number {
    return this.backlog;
  }

  settle(append: number, error: Error | null = null): void {
    this.appends[append]!.done(error);
  }

  /** What an append carries: shard, then domain and number of hits of every group. */
  read(append: number): unknown[] {
    return this.appends[append]!.batches.map(({ shard, payload }) => [
      shard,
      ...decodeGroups(payload).groups.map(({ domainId, first, end }) => [domainId, end - first]),
    ]);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
/**
 * Longer than the writer waits for clients that were answered; then it hands over in the turn's
 * immediates, also where both waits end in one turn of a thread that stood still.
 */
const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 20)).then(turn);
const shardOf = (domainId: DomainId) => asShardId(domainId.length);

test('what arrives in one turn is one append: a record per shard, a group per domain', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('1'));
  writer.submit([group('bb', 2)], answers('2'));
  writer.submit([group('a', 3)], answers('3'));
  expect(appender.appends).toHaveLength(0);
  await turn();
  expect(appender.appends).toHaveLength(1);
  expect(appender.read(0)).toEqual([
    [1, ['a', 4]],
    [2, ['bb', 2]],
  ]);
  expect(answers.given).toEqual([]);
  appender.settle(0);
  expect(answers.given).toEqual(['1', '2', '3']);
});

test('what arrives while an append is in flight goes with the next one, soon after it', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('1'));
  await turn();
  writer.submit([group('a', 2)], answers('2'));
  await turn();
  writer.submit([group('a', 3)], answers('3'));
  await turn();
  expect(appender.appends).toHaveLength(1);
  appender.settle(0);
  await wait();
  expect(appender.read(1)).toEqual([[1, ['a', 5]]]);
  appender.settle(1);
  expect(answers.given).toEqual(['1', '2', '3']);
});

test('who waits goes as soon as the clients just answered are back', async () => {
  const { appender, writer, answers } = open();
  for (const name of ['1', '2', '3']) writer.submit([group('a', 1)], answers(name));
  await turn();
  writer.submit([group('a', 1)], answers('4'));
  appender.settle(0);
  // Three were answered and one waits: with all of them back nobody is waited for.
  for (const name of ['1', '2', '3']) writer.submit([group('a', 1)], answers(`${name} again`));
  await turn();
  expect(appender.read(1)).toEqual([[1, ['a', 4]]]);
  appender.settle(1);
  await wait();
  expect(appender.appends).toHaveLength(2);
});

test('who waits goes without clients that do not come back', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('1'));
  await turn();
  writer.submit([group('a', 2)], answers('2'));
  appender.settle(0);
  await wait();
  expect(appender.read(1)).toEqual([[1, ['a', 2]]]);
});

test('a request with a key is a group of its own, and nothing overtakes it (I-76, I-70)', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('1'));
  writer.submit([{ ...group('a', 2), idempotencyHash: 'f'.repeat(32) }], answers('2'));
  writer.submit([group('a', 3)], answers('3'));
  await turn();
  expect(appender.read(0)).toEqual([[1, ['a', 1], ['a', 2], ['a', 3]]]);
});

const DROP = { reason: 2, day: 19_849, bot: 'curl', count: 1 };

test('a request with a key and no hit left is stored all the same: it uses up its key (I-77)', async () => {
  const { appender, writer, answers } = open();
  const dropped = { ...group('a', 0), idempotencyHash: 'f'.repeat(32), dropped: [DROP] };
  writer.submit([dropped], answers('1'));
  await turn();
  expect(appender.read(0)).toEqual([[1, ['a', 0]]]);
});

test('an append that fails answers everything in it with the error, and the next goes on', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('1'));
  writer.submit([group('bb', 1)], answers('2'));
  await turn();
  writer.submit([group('a', 1)], answers('3'));
  appender.settle(0, errors.LOG_WRITE_FAILED({ reason: 'full' }));
  expect(answers.given).toEqual(['1 LOG_WRITE_FAILED', '2 LOG_WRITE_FAILED']);
  await wait();
  appender.settle(1);
  expect(answers.given.at(-1)).toBe('3');
});

test.each([
  { more: -1, answer: [] },
  { more: 0, answer: [] },
  { more: 1, answer: ['late OVERLOADED'] },
])('$more hits over the bound of what waits are answered $answer', async ({ more, answer }) => {
  const opened = open();
  const { writer, answers } = opened;
  writer.submit([group('a', 1)], answers('first'));
  await turn();
  writer.submit([group('a', PENDING_HIT_COUNT_MAX + more)], answers('many'));
  writer.submit([group('a', 1)], answers('late'));
  expect(answers.given).toEqual(answer);
  await expectNextTaken(opened);
});

test.each([
  { texts: budgets.pending / 2 ** 20 - 1, answer: [] },
  { texts: budgets.pending / 2 ** 20, answer: ['late OVERLOADED'] },
  { texts: budgets.pending / 2 ** 20 + 1, answer: ['64 OVERLOADED', 'late OVERLOADED'] },
])('with $texts texts of one MiB gathered the next hit is answered $answer', async (at) => {
  const opened = open();
  const { writer, answers } = opened;
  writer.submit([group('a', 1)], answers('first'));
  await turn();
  for (let index = 0; index < at.texts; index++) {
    const path = `/${index} `.padEnd(2 ** 20, 'x');
    // Each of a domain of its own: none has more than its share.
    const { hits: _, ...head } = group(`a${index}`, 1);
    writer.submit([{ ...head, hits: [{ ...HIT, path }] }], answers(`${index}`));
  }
  writer.submit([group('a', 1)], answers('late'));
  expect(answers.given).toEqual(at.answer);
  await expectNextTaken(opened);
});

test('what is refused is counted by its code, until somebody asks', async () => {
  const { appender, writer, answers } = open();
  appender.backlog = budgets.backlog + 1;
  for (const name of ['1', '2']) writer.submit([group('a', 1)], answers(name));
  appender.backlog = 0;
  for (const name of ['3', '4', '5']) writer.submit([group('a', 1)], answers(name));
  await turn();
  appender.settle(0, errors.LOG_FULL({}));
  expect([...writer.takeRefused()]).toEqual([
    ['OVERLOADED', 2],
    ['LOG_FULL', 3],
  ]);
  expect(writer.takeRefused().size).toBe(0);
});

test('more deletions than an edge gathers are refused', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('first'));
  await turn();
  const erasure = { domainId: asDomainId('a'), kind: '', startMs: 0, endMs: 1 } as const;
  for (let index = 0; index <= PENDING_ERASURE_COUNT_MAX; index++) {
    writer.submitErasure(erasure, answers(`${index}`));
  }
  expect(answers.given).toEqual([`${PENDING_ERASURE_COUNT_MAX} OVERLOADED`]);
  appender.settle(0);
  await wait();
  appender.settle(1);
  expect(answers.given).toHaveLength(PENDING_ERASURE_COUNT_MAX + 2);
});

test.each([
  { more: -1, count: 0 },
  { more: 0, count: 0 },
  { more: 1, count: 1 },
])('$more bytes over the bound of the backlog refuse $count hit', ({ more, count }) => {
  const { appender, writer, answers } = open();
  appender.backlog = budgets.backlog + more;
  writer.submit([group('a', 1)], answers('1'));
  expect(answers.given).toHaveLength(count);
});

test('an answer that submits at once finds one append in flight, not two', async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], () => writer.submit([group('a', 1)], answers('inner')));
  await turn();
  writer.submit([group('a', 2)], answers('2'));
  appender.settle(0);
  await turn();
  expect(appender.read(1)).toEqual([[1, ['a', 3]]]);
  writer.submit([group('a', 1)], answers('3'));
  await wait();
  expect(appender.appends).toHaveLength(2);
});

test('everyone who waits for it to be drained is told when the last answer is given', async () => {
  const { appender, writer, answers } = open();
  await writer.drained();
  writer.submit([group('a', 1)], answers('1'));
  const told: string[] = [];
  const waits = [1, 2].map(async (who) => {
    await writer.drained();
    told.push(`${who} after ${answers.given.length}`);
  });
  await turn();
  writer.submit([group('a', 1)], answers('2'));
  appender.settle(0);
  await wait();
  expect(told).toEqual([]);
  appender.settle(1);
  await Promise.all(waits);
  expect(told).toEqual(['1 after 2', '2 after 2']);
});

function open() {
  const appender = new HeldAppender();
  const given: string[] = [];
  const answers = Object.assign(
    (name: string): AppendDone =>
      (error) => {
        given.push(
          error === null ? name : `${name} ${(error as unknown as { code: string }).code}`,
        );
      },
    { given },
  );
  return { appender, writer: new HitWriter(appender, shardOf), answers };
}

/** Once what waits is durable, the next hit is taken. */
async function expectNextTaken({ appender, writer, answers }: ReturnType<typeof open>) {
  appender.settle(0);
  await wait();
  appender.settle(1);
  writer.submit([group('a', 1)], answers('again'));
  await turn();
  appender.settle(2);
  expect(answers.given).toContain('again');
}

function group(domainId: string, hits: number): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs: 1,
    idempotencyHash: '',
    dropped: null,
    hits: Array.from({ length: hits }, () => HIT),
  };
}

const HIT: Hit = { ...createHit(HitKind.PageView, 1), visitorLow: 1, path: '/' };

test("a domain's flood is refused while there is room for others", async () => {
  const { appender, writer, answers } = open();
  writer.submit([group('a', 1)], answers('first'));
  await turn();
  const flood = PENDING_HIT_COUNT_MAX / 100;
  for (let index = 0; index < 100; index++) writer.submit([group('a', flood)], answers('flood'));
  // A quarter is for all; of the rest a domain has what it leaves free.
  const refused = answers.given.length;
  expect(refused).toBeGreaterThanOrEqual(35);
  expect(refused).toBeLessThanOrEqual(40);
  for (let index = 0; index < 1_000; index++) writer.submit([group('bb', 1)], answers('other'));
  writer.submit([group('bb', 1), group('a', 1)], answers('both'));
  expect(answers.given.slice(refused)).toEqual(['both OVERLOADED']);
  appender.settle(0);
  await wait();
  // All of it is on its way: nobody counts any more.
  writer.submit([group('a', flood)], answers('again'));
  expect(answers.given.slice(refused)).toEqual(['both OVERLOADED', 'first']);
});

test('a domain that is counted slower than it sends is refused, others are not', async () => {
  const { appender, writer, answers } = open();
  const path = '/'.padEnd(2 ** 20, 'x');
  const { hits: _, ...head } = group('a', 1);
  let isRefused = false;
  while (!isRefused && appender.backlog < budgets.backlog) {
    writer.submit([{ ...head, hits: [{ ...HIT, path }] }], (error) => {
      isRefused = error !== null;
    });
    if (isRefused) break;
    await wait();
    appender.settle(appender.appends.length - 1);
    appender.backlog += 2 ** 20;
  }
  // Its own is no more than what it left.
  expect(appender.backlog).toBeGreaterThan(budgets.backlog * 0.6);
  expect(appender.backlog).toBeLessThan(budgets.backlog * 0.7);
  writer.submit([group('bb', 1)], answers('other'));
  writer.submit([group('a', 1)], answers('flood'));
  expect(answers.given).toEqual(['flood OVERLOADED']);
  // All of it is counted.
  appender.backlog = 0;
  writer.submit([group('a', 1)], answers('again'));
  await wait();
  appender.settle(appender.appends.length - 1);
  expect(answers.given).toEqual(['flood OVERLOADED', 'other', 'again']);
});
