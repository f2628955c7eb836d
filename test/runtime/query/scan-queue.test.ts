// Goal: a question starts in order of arrival, domains in turn, short ones past long ones; it is
//   answered when its time is over, wherever it stands, and leaves with its client.
// Method: the queue before lanes that answer when the test says so; real time, tenths of a second.

import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { asEpoch, asShardId } from '../../../src/model/ids.ts';
import type { BatchQuestion } from '../../../src/query/question/batch.ts';
import type { StatisticsQuery } from '../../../src/query/question/request.ts';
import { ScanQueue } from '../../../src/runtime/query/scan-queue.ts';
import type { ScanTask, ScanTurn } from '../../../src/runtime/query/scan-task.ts';

const LONG = 'session/list';
const SHORT = 'total';

function task(domainId: string, given: Partial<ScanTask> & { statistic?: string } = {}): ScanTask {
  const { statistic = LONG, ...rest } = given;
  const abandoned = new Int32Array(new SharedArrayBuffer(4));
  const query = { statistic, domainId } as StatisticsQuery;
  const arrivedMs = systemClock();
  return {
    shard: asShardId(0),
    epoch: asEpoch(0),
    query,
    arrivedMs,
    secondsMax: 30,
    abandoned,
    ...rest,
  };
}

/** A queue whose lanes note what starts and answer when they are told to. */
function makeQueue(given: { threads?: number; countMax?: number } = {}) {
  const { threads = 1, countMax = 1_000 } = given;
  const started: string[] = [];
  const ends: ((isOver: boolean) => void)[] = [];
  const waiting = new Int32Array(1);
  const running = new Map<number, string>();
  const lane = (name: string, takesLong: boolean) => ({
    takesLong,
    run: (turn: ScanTurn) => {
      const id = 'resumed' in turn ? turn.resumed : turn.id;
      if (!('resumed' in turn)) running.set(id, turn.query.domainId);
      const domainId = running.get(id) as string;
      started.push(`${domainId} in ${name}`);
      return new Promise<Uint8Array | null>((resolve) => {
        ends.push((isOver) => resolve(isOver ? Buffer.from(domainId) : null));
      });
    },
  });
  const long = Array.from({ length: threads }, () => lane('long', true));
  const queue = new ScanQueue([...long, lane('short', false)], {
    ...{ waiting, countMax },
    isShort: ({ query }) => 'statistic' in query && query.statistic === SHORT,
  });
  /** Answers the question that has run the longest. */
  const answerNext = async () => {
    ends.shift()?.(true);
    await new Promise(setImmediate);
  };
  /** Has the one that has run the longest give way: it is a batch. */
  const giveWay = async () => {
    ends.shift()?.(false);
    await new Promise(setImmediate);
  };
  return { queue, started, answerNext, giveWay, waiting };
}

const outcome = (answer: Promise<Uint8Array>): Promise<string> =>
  answer.then(
    (bytes) => `answer of ${Buffer.from(bytes)}`,
    (error: { code: string }) => error.code,
  );

test('with 60 waiting every one starts in order of arrival', async () => {
  const { queue, started, answerNext } = makeQueue();
  const answers: Promise<string>[] = [];
  for (let number = 0; number < 60; number++) answers.push(outcome(queue.run(task('a'))));
  const order: number[] = [];
  for (const [number, answer] of answers.entries()) void answer.then(() => order.push(number));
  for (let number = 0; number < 60; number++) await answerNext();
  expect(started).toHaveLength(60);
  expect(order).toEqual(answers.map((_, number) => number));
});

test("another domain's single question waits for one of a flood, not for all of it", async () => {
  const { queue, started, answerNext } = makeQueue();
  for (let number = 0; number < 50; number++) void outcome(queue.run(task('flood')));
  await answerNext();
  const answer = outcome(queue.run(task('other')));
  await answerNext();
  await answerNext();
  expect(started.slice(0, 4)).toEqual([
    'flood in long',
    'flood in long',
    'flood in long',
    'other in long',
  ]);
  await answerNext();
  expect(await answer).toBe('answer of other');
});

test('a short question starts while long ones hold every other thread', async () => {
  const { queue, started, answerNext } = makeQueue({ threads: 2 });
  for (let number = 0; number < 5; number++) void outcome(queue.run(task('slow')));
  void outcome(queue.run(task('quick', { statistic: SHORT })));
  expect(started).toEqual(['slow in long', 'slow in long', 'quick in short']);
  void outcome(queue.run(task('quick', { statistic: SHORT })));
  await answerNext();
  expect(started.at(-1)).toBe('slow in long');
});

test('short questions use the other threads when nothing long waits', () => {
  const { queue, started } = makeQueue({ threads: 2 });
  for (let number = 0; number < 4; number++)
    void outcome(queue.run(task('a', { statistic: SHORT })));
  expect(started).toEqual(['a in long', 'a in long', 'a in short']);
});

test('a question whose time is over while it waits is answered then, not when it is its turn', async () => {
  const { queue, started } = makeQueue();
  void outcome(queue.run(task('a')));
  const startMs = performance.now();
  const late = queue.run(task('a', { secondsMax: 0.3 }));
  await expect(late).rejects.toMatchObject({ code: 'QUERY_BUDGET_EXCEEDED', status: 503 });
  await expect(late).rejects.toHaveProperty(
    'retryAfterSeconds',
    expect.toSatisfy((s) => s > 0),
  );
  const waitedMs = performance.now() - startMs;
  expect(waitedMs).toBeGreaterThanOrEqual(290);
  expect(waitedMs).toBeLessThan(1_000);
  expect(started).toEqual(['a in long']);
  expect(queue.size).toBe(0);
});

test('a question whose client left is taken out and starts no more', async () => {
  const { queue, started, answerNext } = makeQueue();
  void outcome(queue.run(task('a')));
  const left = task('a');
  const answer = outcome(queue.run(left));
  void outcome(queue.run(task('b')));
  Atomics.store(left.abandoned, 0, 1);
  await vi.waitFor(() => expect(queue.size).toBe(1));
  expect(await answer).toBe('QUERY_BUDGET_EXCEEDED');
  await answerNext();
  expect(started).toEqual(['a in long', 'b in long']);
});

test('without room it is the flood that is refused, not who comes with one question', async () => {
  const { queue } = makeQueue({ countMax: 3 });
  const flood = Array.from({ length: 5 }, () => outcome(queue.run(task('flood'))));
  expect(await flood[4]).toBe('OVERLOADED');
  void outcome(queue.run(task('other')));
  expect(await flood[3]).toBe('OVERLOADED');
  expect(queue.size).toBe(3);
});

test('a lane that fails gives its thread back', async () => {
  let calls = 0;
  const run = () => {
    calls++;
    return Promise.reject<Uint8Array>(new Error('broken'));
  };
  const queue = new ScanQueue([{ takesLong: true, run }], { isShort: () => false });
  await expect(queue.run(task('a'))).rejects.toThrow('broken');
  await expect(queue.run(task('a'))).rejects.toThrow('broken');
  expect(calls).toBe(2);
});

/** A batch of a domain: it may give way. */
function batchTask(domainId: string, given: Partial<ScanTask> = {}): ScanTask {
  const query = { kind: 'batch', domainId, entries: [] } as unknown as BatchQuestion;
  return { ...task(domainId, given), query };
}

test('a batch takes turns with others, one of its domain at a time, and goes on where it began', async () => {
  const { queue, started, answerNext, giveWay, waiting } = makeQueue();
  const batch = outcome(queue.run(batchTask('a')));
  void outcome(queue.run(task('a')));
  for (const domain of ['b', 'b', 'c']) void outcome(queue.run(task(domain)));
  expect(Atomics.load(waiting, 0)).toBe(4);
  await giveWay();
  // The thread of short questions takes none of it: the moment is held elsewhere.
  expect(started).toEqual(['a in long', 'b in long']);
  for (let turn = 0; turn < 6; turn++) {
    if (started.at(-1) === 'a in long' && turn < 4) await giveWay();
    else await answerNext();
  }
  expect(started.slice(2)).toEqual([
    'c in long',
    'a in long',
    'b in long',
    'a in long',
    'a in long',
  ]);
  expect(await batch).toBe('answer of a');
});

test('a batch whose client has left lets go of its thread before anybody else has a turn', async () => {
  const { queue, started, answerNext, giveWay } = makeQueue();
  const left = batchTask('a');
  const batch = outcome(queue.run(left));
  for (let number = 0; number < 3; number++) void outcome(queue.run(task('b')));
  await giveWay();
  expect(started).toEqual(['a in long', 'b in long']);
  Atomics.store(left.abandoned, 0, 1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  await answerNext();
  expect(started.at(-1)).toBe('a in long');
  await answerNext();
  expect(await batch).toBe('answer of a');
});

test('a thread holds so many batches at most; further ones wait, single questions do not', async () => {
  const { queue, started, answerNext, giveWay } = makeQueue();
  for (let number = 0; number < 30; number++) void outcome(queue.run(batchTask(`site-${number}`)));
  for (let turn = 0; turn < 40; turn++) await giveWay();
  expect(new Set(started).size).toBe(16);
  void outcome(queue.run(task('single')));
  for (let turn = 0; turn < 20; turn++) await giveWay();
  expect(started).toContain('single in long');
  for (let turn = 0; turn < 31; turn++) await answerNext();
  expect(new Set(started).size).toBe(31);
});
