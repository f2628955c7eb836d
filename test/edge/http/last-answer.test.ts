// Goal: the answer with which a connection ends waits for the rest of a body, but not for ever.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LastAnswer } from '../../../src/edge/http/last-answer.ts';
import { DISCARDED_BODY_BYTES_MAX, LAST_ANSWER_MS_MAX } from '../../../src/model/limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lastAnswer(isBodyAwaited: boolean) {
  const write = vi.fn();
  const last = new LastAnswer(write, isBodyAwaited);
  /** After a turn of the event loop: it is never written at once. */
  const count = (): number => {
    vi.advanceTimersByTime(1);
    return write.mock.calls.length;
  };
  return { last, write, count };
}

test('is given in the next turn when nothing is awaited', () => {
  const { write, count } = lastAnswer(false);
  expect(write).not.toHaveBeenCalled();
  expect(count()).toBe(1);
});

test('is given behind the last piece, once', () => {
  const { last, count } = lastAnswer(true);
  last.passed(10, false);
  expect(count()).toBe(0);
  last.passed(10, true);
  expect(count()).toBe(1);
  vi.advanceTimersByTime(2 * LAST_ANSWER_MS_MAX);
  expect(count()).toBe(1);
});

test('is given to who sends without end', () => {
  const { last, count } = lastAnswer(true);
  last.passed(DISCARDED_BODY_BYTES_MAX, false);
  expect(count()).toBe(0);
  last.passed(1, false);
  last.passed(1, false);
  expect(count()).toBe(1);
});

test('is given to who sends nothing any more', () => {
  const { last, count } = lastAnswer(true);
  vi.advanceTimersByTime(LAST_ANSWER_MS_MAX - 1_000);
  expect(count()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(count()).toBe(1);
  last.passed(1, true);
  expect(count()).toBe(1);
});
