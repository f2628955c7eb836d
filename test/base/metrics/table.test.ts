// Goal: what threads count is read as one sum, whole numbers only, whichever of them come and go.
// Method: real threads over the built sources take seats of a table that this thread reads.
import { once } from 'node:events';
import { setEnvironmentData, Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { MetricsTable } from '../../../src/base/metrics/table.ts';

const ROWS = {
  hits: {
    kind: 'counter',
    name: 'hits',
    help: 'Hits.',
    labels: { kind: ['view', 'event'], outcome: ['stored', 'dropped', 'refused'] },
  },
  bytes: { kind: 'counter', name: 'read_bytes', help: 'Bytes.' },
  waiting: { kind: 'gauge', name: 'waiting', help: 'Waiting.' },
  answers: { kind: 'timer', name: 'answer_seconds', help: 'Time.', labels: { of: ['a', 'b'] } },
  turns: { kind: 'counter', name: 'turns', help: 'Turns.', isPerThread: true },
  processor: { kind: 'counter', name: 'cpu_seconds', help: 'CPU.', isPerThread: true },
} as const;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  // The next table is a process of its own.
  setEnvironmentData('footfall.metrics', undefined as never);
});

/** A thread with the same table that does something, says so, and stays. @returns its number. */
async function thread(work: string): Promise<{ id: number; end(): Promise<void> }> {
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { MetricsTable } = await import(workerData.module);
    const table = new MetricsTable(workerData.rows);
    const { hits, bytes, waiting, answers, turns } = table.writers;
    ${work}
    parentPort.on('message', () => {});
    parentPort.postMessage('done');
  `;
  const module = new URL('../../../dist/src/base/metrics/table.js', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { module, rows: ROWS },
  });
  workers.push(worker);
  await once(worker, 'message');
  const id = worker.threadId;
  return {
    id,
    async end() {
      await worker.terminate();
    },
  };
}

test('sums are of all threads, by label, and stay when a thread ends', async () => {
  const table = new MetricsTable(ROWS);
  table.share(3);
  table.writers.hits.add(1, 1, 2);
  const first = await thread('hits.add(5, 0, 1); hits.add(2, 1, 2); bytes.add(10);');
  await thread('hits.add(7, 0, 1); hits.add(4, 1, 0); bytes.add(20);');
  const seen = () =>
    table.read('hits').map(({ labels, cells }) => [...labels.map(([, value]) => value), ...cells]);
  const expected = [
    ['view', 'stored', 0],
    ['view', 'dropped', 12],
    ['view', 'refused', 0],
    ['event', 'stored', 4],
    ['event', 'dropped', 0],
    ['event', 'refused', 3],
  ];
  expect(seen()).toEqual(expected);
  await first.end();
  table.ended(first.id);
  expect(seen()).toEqual(expected);
  expect(table.total('hits', { outcome: 'dropped' })).toBe(12);
  expect(table.total('hits', { kind: 'event', outcome: 'refused' })).toBe(3);
  expect(table.total('hits')).toBe(19);
  expect(table.total('bytes')).toBe(30);
});

test('a thread that takes the seat of one that ended goes on from its counts', async () => {
  const table = new MetricsTable(ROWS);
  table.share(1);
  for (let round = 1; round <= 5; round++) {
    const { id, end } = await thread('bytes.add(10); waiting.set(3); turns.add(1);');
    expect([table.total('bytes'), table.total('waiting')]).toEqual([10 * round, 3]);
    await end();
    table.ended(id);
    expect([table.total('bytes'), table.total('waiting')]).toEqual([10 * round, 0]);
  }
});

test('one for whom there is no seat disturbs nobody', async () => {
  const table = new MetricsTable(ROWS);
  table.share(1);
  await thread('bytes.add(10);');
  await thread('bytes.add(500);');
  table.writers.bytes.add(1);
  expect(table.total('bytes')).toBe(11);
});

test('what is told per thread has the name of the thread, and begins at 0 with each', async () => {
  const table = new MetricsTable(ROWS);
  table.share(2);
  const name = (index: number) => `table.name({ kind: 2, index: ${index}, systemId: 99 });`;
  await thread(`${name(0)} turns.add(4);`);
  const second = await thread(`${name(1)} turns.add(9);`);
  // Nobody's until it says who it is.
  table.writers.turns.add(1);
  const seen = () =>
    table.read('turns').map(({ thread: of, cells }) => [of?.kind, of?.index, cells[0]]);
  expect(seen()).toEqual([
    [2, 0, 4],
    [2, 1, 9],
  ]);
  await second.end();
  table.ended(second.id);
  expect(seen()).toEqual([[2, 0, 4]]);
  await thread(`${name(7)} turns.add(1);`);
  expect(seen()).toEqual([
    [2, 0, 4],
    [2, 7, 1],
  ]);
  for (const of of table.threads()) table.setFor('processor', of, of.index + 0.5);
  const processor = table.read('processor').map(({ cells }) => cells[0]);
  expect(processor).toEqual([0.5, 7.5]);
  expect(table.threads().map(({ systemId }) => systemId)).toEqual([99, 99]);
});

test('a timer counts by duration and adds up, in microseconds', () => {
  const timers = new MetricsTable(ROWS);
  for (const ms of [0.01, 0.02, 0.02, 5]) timers.writers.answers.recordMs(ms, 1);
  const [untouched, recorded] = timers.read('answers');
  expect(untouched?.cells.every((cell) => cell === 0)).toBe(true);
  expect(recorded?.cells.slice(0, 2)).toEqual([1, 2]);
  expect(recorded?.cells.at(-1)).toBeCloseTo(5_050, 6);
  expect(timers.total('answers', { of: 'b' })).toBe(4);
});

test('a count is exact far beyond 32 bits', () => {
  const table = new MetricsTable(ROWS);
  const { bytes } = table.writers;
  for (let round = 0; round < 1_000; round++) bytes.add(2 ** 32 + 1);
  bytes.add(2 ** 52);
  expect(table.total('bytes')).toBe(1_000 * (2 ** 32 + 1) + 2 ** 52);
});

test('a reader never sees half of a number that a thread is writing', async () => {
  const table = new MetricsTable(ROWS);
  table.share(1);
  await thread(`
    // Both halves of the number are others each time.
    let number = 0;
    setInterval(() => {
      for (let round = 0; round < 1e6; round++) {
        number = (number + 1) & 0xfffff;
        waiting.set(number * (2 ** 32 + 1));
      }
    });
  `);
  const torn: number[] = [];
  const seen = new Set<number>();
  const endMs = performance.now() + 10_000;
  while (seen.size < 300 && performance.now() < endMs) {
    const number = table.total('waiting');
    seen.add(number);
    if (number % (2 ** 32 + 1) !== 0) torn.push(number);
  }
  expect(torn).toEqual([]);
  expect(seen.size).toBe(300);
});

test('two labels at a histogram, or tables that differ between threads, are refused', async () => {
  const labels = { one: ['a'], two: ['b'] };
  const twice = { kind: 'timer', name: 'x_seconds', help: 'X.', labels } as const;
  expect(() => new MetricsTable({ twice })).toThrow('few labels');
  new MetricsTable(ROWS).share(1);
  const { hits: _, ...others } = ROWS;
  expect(() => new MetricsTable(others)).toThrow('the same rows');
});
