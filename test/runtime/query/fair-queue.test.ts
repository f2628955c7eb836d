// Goal: whoever has many items waiting waits for themselves.
// Method: the queue alone, with random arrivals against a model that looks at all that waits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from '../../../src/runtime/query/fair-queue.ts';

function takeAll<T>(queue: FairQueue<T>): T[] {
  const taken: T[] = [];
  for (let item = queue.take(); item !== null; item = queue.take()) taken.push(item);
  return taken;
}

test('keys take turns, and a key has its items in order of arrival', () => {
  const queue = new FairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0] as string, item);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('an item that comes while another key has hundreds waits for one of them', () => {
  const queue = new FairQueue<string>(1_000);
  for (let number = 0; number < 500; number++) queue.push('flood', `flood ${number}`);
  expect(queue.take()).toBe('flood 0');
  queue.push('single', 'single');
  expect([queue.take(), queue.take()]).toEqual(['flood 1', 'single']);
});

test('without room the last item of whoever has the most goes', () => {
  const queue = new FairQueue<string>(3);
  for (const item of ['a1', 'a2', 'a3']) expect(queue.push('a', item)).toBeNull();
  expect(queue.push('b', 'b1')).toBe('a3');
  expect(queue.push('a', 'a4')).toBe('a4');
  expect(queue.size).toBe(3);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('what is taken out leaves the others in their order', () => {
  const queue = new FairQueue<number>(100);
  for (let number = 0; number < 10; number++) queue.push(String(number % 2), number);
  expect(queue.takeWhere((number) => number < 4 || number === 7)).toEqual([0, 2, 1, 3, 7]);
  expect(queue.size).toBe(5);
  expect(takeAll(queue)).toEqual([4, 5, 6, 9, 8]);
});

test('nothing is lost, doubled or overtaken within its key, and nobody waits for two of another', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
    { weight: 2, arbitrary: fc.constant(null) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new FairQueue<{ key: string; number: number }>(1_000);
      const waiting: { key: string; number: number; passedBy: Map<string, number> }[] = [];
      let pushed = 0;
      for (const key of steps) {
        if (key !== null) {
          queue.push(key, { key, number: pushed });
          waiting.push({ key, number: pushed, passedBy: new Map() });
          pushed++;
          continue;
        }
        const taken = queue.take();
        const at = waiting.findIndex(({ number }) => number === taken?.number);
        if (taken === null) expect(waiting).toHaveLength(0);
        else expect(waiting.findIndex((other) => other.key === taken.key)).toBe(at);
        if (at >= 0) waiting.splice(at, 1);
        const seen = new Set<string>();
        for (const other of waiting) {
          // Only the first of its key waits for others.
          if (seen.has(other.key) || other.key === taken?.key) continue;
          seen.add(other.key);
          const passed = (other.passedBy.get(taken?.key ?? '') ?? 0) + 1;
          other.passedBy.set(taken?.key ?? '', passed);
          expect(passed).toBeLessThanOrEqual(1);
        }
      }
      expect(queue.size).toBe(waiting.length);
    }),
    { numRuns: 300 },
  );
});
