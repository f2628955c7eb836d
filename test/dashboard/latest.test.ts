// Goal: an answer that comes after a later question was asked is shown nowhere (D-14).
// Method: questions whose answers the test gives, and which do not heed that they were aborted.
import { expect, test } from 'vitest';
import { Latest } from '../../src/dashboard/app/data/latest.ts';

/** A question, and the means to answer it. */
function question() {
  let resolve: (answer: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  let signal: AbortSignal | undefined;
  const ask = (aborted: AbortSignal) => {
    signal = aborted;
    return promise;
  };
  return { ask, given: { promise, resolve, reject }, isAborted: () => signal?.aborted };
}

test('of two questions the later one counts, in whatever order they are answered (D-14)', async () => {
  for (const isInOrder of [true, false]) {
    const latest = new Latest();
    const [first, second] = [question(), question()];
    const [before, after] = [latest.ask(first.ask), latest.ask(second.ask)];
    expect([first.isAborted(), second.isAborted()]).toEqual([true, false]);
    for (const one of isInOrder ? [first, second] : [second, first]) {
      one.given.resolve(one === first ? 'first' : 'second');
      await one.given.promise;
    }
    expect([await before, await after]).toEqual([null, 'second']);
  }
});

test('what fails after a later question was asked is no fault of the view (D-14)', async () => {
  const latest = new Latest();
  const [first, second] = [question(), question()];
  const [before, after] = [latest.ask(first.ask), latest.ask(second.ask)];
  first.given.reject(new Error('too late to matter'));
  expect(await before).toBeNull();
  second.given.reject(new Error('this matters'));
  await expect(after).rejects.toThrow('this matters');
});

test('what is cancelled counts no more, and the next question does (D-14)', async () => {
  const latest = new Latest();
  const [first, second] = [question(), question()];
  const before = latest.ask(first.ask);
  latest.cancel();
  first.given.resolve('first');
  expect([await before, first.isAborted()]).toEqual([null, true]);
  const after = latest.ask(second.ask);
  second.given.resolve('second');
  expect(await after).toBe('second');
});
