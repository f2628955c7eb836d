// Goal: texts have one number per domain, whatever segment they come from and however it grows.
// Method: small segments, and a bound of a few texts so that spaces are given up.

import { expect, test } from 'vitest';
import { openTextSpace, spaceIds, trimTextSpaces } from '../../../src/query/text/text-space.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { PairIndex } from '../../../src/segment/memory/pair-index.ts';
import { Segment } from '../../../src/segment/memory/segment.ts';

function segmentWith(...paths: string[]): Segment {
  const segment = new Segment('texts', 0);
  for (const path of paths) segment.dictionary.intern(KIND.path, path);
  return segment;
}

test('the same path has the same number in two segments, and new paths get new ones', () => {
  const space = openTextSpace('texts-a');
  const first = segmentWith('/a', '/b');
  const second = segmentWith('/b', '/c');
  expect([...spaceIds(space, first, KIND.path)]).toEqual([0, 1, 2]);
  expect([...spaceIds(space, second, KIND.path)]).toEqual([0, 2, 3]);
  for (let i = 0; i < 50; i++) {
    first.dictionary.intern(KIND.path, `/new${i}`);
    const ids = spaceIds(space, first, KIND.path);
    expect(space.texts(KIND.path)[ids[3 + i] as number]).toBe(`/new${i}`);
    expect(ids[2]).toBe(2);
  }
});

test('beyond the bound the space least recently used is given up, and its segments numbered anew', () => {
  const segment = segmentWith('/x', '/y');
  const before = openTextSpace('texts-b');
  spaceIds(before, segment, KIND.path);
  const other = openTextSpace('texts-c');
  trimTextSpaces('texts-c');
  expect(openTextSpace('texts-b')).toBe(before);
  trimTextSpaces('texts-c', 40);
  expect(openTextSpace('texts-c')).toBe(other);
  const after = openTextSpace('texts-b');
  expect(after).not.toBe(before);
  expect([...spaceIds(after, segment, KIND.path)]).toEqual([0, 1, 2]);
});

test('a space that is too large by itself is given up before a query, not while one runs', () => {
  const space = openTextSpace('texts-d');
  for (let number = 0; number < 100; number++) space.idOf(KIND.path, `/${number}`);
  expect(openTextSpace('texts-d')).toBe(space);
  trimTextSpaces('texts-d', 50);
  expect(openTextSpace('texts-d')).not.toBe(space);
});

test('a hundred thousand pairs keep their numbers', () => {
  const pairs = new PairIndex();
  for (let i = 0; i < 100_000; i++) expect(pairs.idOf(i % 317, i)).toBe(i);
  for (let i = 0; i < 100_000; i += 997) {
    expect(pairs.idOf(i % 317, i)).toBe(i);
    expect([pairs.firsts[i], pairs.seconds[i]]).toEqual([i % 317, i]);
  }
  expect(pairs.count).toBe(100_000);
  expect(pairs.idOf(0xffff_ffff, 0xffff_ffff)).toBe(100_000);
});
