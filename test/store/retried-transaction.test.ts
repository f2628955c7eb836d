// Goal: a commit that LMDB refuses because others wrote meanwhile is tried again, and nothing else is.
// Method: transactions that fail as LMDB's do.
import { expect, test } from 'vitest';
import { retriedTransaction } from '../../src/store/retried-transaction.ts';

const refused = () =>
  Object.assign(new Error('MDB_BAD_TXN: Transaction must abort, has a child, or is invalid'), {
    code: -30_782,
  });

/** Fails so many times first. */
function failing(times: number, error: () => Error) {
  let count = 0;
  return {
    run: () => {
      if (count++ < times) throw error();
      return 'written';
    },
    count: () => count,
  };
}

test.each([0, 1, 2])('a transaction that is refused %d times is written in the end', (times) => {
  const { run, count } = failing(times, refused);
  expect(retriedTransaction(run)).toBe('written');
  expect(count()).toBe(times + 1);
});

test('one that is always refused fails', () => {
  const { run, count } = failing(9, refused);
  expect(() => retriedTransaction(run)).toThrow('MDB_BAD_TXN');
  expect(count()).toBe(3);
});

test('any other fault is told at once', () => {
  const { run, count } = failing(1, () => Object.assign(new Error('disk full'), { code: 28 }));
  expect(() => retriedTransaction(run)).toThrow('disk full');
  expect(count()).toBe(1);
});
