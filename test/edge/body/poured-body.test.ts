// Goal: what came whole is kept or removed by its sink's own word, though the client is gone (P-2).
// Method: a sink that ends when it is told to, and counts how often it was broken off.
import { expect, test } from 'vitest';
import type { Answer } from '../../../src/api/endpoint.ts';
import { PouredBody } from '../../../src/edge/body/poured-body.ts';

function pour() {
  let resolve: (answer: Answer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Answer>((kept, failed) => {
    [resolve, reject] = [kept, failed];
  });
  const ending = { promise, resolve, reject };
  const seen = { aborted: 0, answers: [] as Promise<Answer>[] };
  const sink = {
    write: () => true,
    room: () => Promise.resolve(),
    end: () => ending.promise as Promise<string>,
    abort: () => void seen.aborted++,
  };
  const client = { pause: () => client, resume: () => client };
  const outcome = {
    answer: (answer: Promise<Answer>) => void seen.answers.push(answer),
    refuse: () => undefined,
  };
  return { ending, seen, body: new PouredBody(sink, client as never, outcome) };
}

test('who leaves in the middle leaves nothing', () => {
  const { body, seen } = pour();
  body.take(Buffer.from('half'), false, null);
  body.abort();
  expect(seen.aborted).toBe(1);
});

test('who leaves behind the last byte takes nothing away from what is being kept', async () => {
  const { body, seen, ending } = pour();
  body.take(Buffer.from('all'), true, null);
  body.abort();
  ending.resolve('{}');
  expect(await seen.answers[0]).toBe('{}');
  body.abort();
  expect(seen.aborted).toBe(0);
});

test('what could not be kept is removed, once', async () => {
  const { body, seen, ending } = pour();
  body.take(Buffer.from('all'), true, null);
  ending.reject(new Error('the disk is full'));
  await expect(seen.answers[0]).rejects.toThrow('the disk is full');
  body.abort();
  expect(seen.aborted).toBe(1);
});
