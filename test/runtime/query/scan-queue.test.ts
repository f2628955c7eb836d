// Goal: a question starts in order of arrival, domains in turn, short ones past long ones; it is
//   answered when its time is over, wherever it stands, and leaves with its client.
// Method: the queue before lanes that answer when the test says so; real time, tenths of a second.
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { StatisticsQuery } from '../../../src/query/question/request.ts';
import { ScanQueue } from '../../../src/runtime/query/scan-queue.ts';
import type { ScanTask } from '../../../src/runtime/query/scan-task.ts';

const LONG = 'session/list';
const SHORT = 'total';

function task(domainId: string, given: Partial<ScanTask> & { statistic?: string } = {}): ScanTask {
  const { statistic = LONG, ...rest } = given;
  const abandoned = new Int32Array(new SharedArrayBuffer(4));
  const query = { statistic, domainId } as StatisticsQuery;
  const arrivedMs = systemClock();
  return { shard: 0, epoch: 0, query, arrivedMs, secondsMax: 30, abandoned, ...rest };
}

/** A queue whose lanes note what starts and answer when they are told to. */
function makeQueue(given: { threads?: number; countMax?: number } = {}) {
  const { threads = 1, countMax = 1_000 } = given;
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const lane = (name: string, takesLong: boolean, count: number) => ({
    threads: count,
    takesLong,
    run: ({ query }: ScanTask) => {
      started.push(`${query.domainId} in ${name}`);
      return new Promise<Uint8Array>((resolve) => {
        ends.push(() => resolve(Buffer.from(query.domainId)));
      });
    },
  });
  const lanes = [lane('long', true, threads), lane('short', false, 1)];
  const queue = new ScanQueue(lanes, ({ query }) => query.statistic === SHORT, countMax);
  /** Answers the question that has run the longest. */
  const answerNext = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, started, answerNext };
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
  const queue = new ScanQueue([{ threads: 1, takesLong: true, run }], () => false);
  await expect(queue.run(task('a'))).rejects.toThrow('broken');
  await expect(queue.run(task('a'))).rejects.toThrow('broken');
  expect(calls).toBe(2);
});
