// Goal: the bounds of I-79 by bytes are those of the rule, to the byte.
// Method: texts of megabytes, so that few of them reach a bound.
import { expect, test } from 'vitest';
import {
  KIND_TEXT_BYTES_MAX,
  OTHER_VALUE,
  SEGMENT_TEXT_BYTES_MAX,
} from '../../../src/model/limits.ts';
import { Dictionary, KIND, UNKNOWN_ID } from '../../../src/segment/memory/dictionary.ts';

const MIB = 1_024 * 1_024;

/** A text of so many bytes, unlike all others by its first letters. */
function textOf(number: number, bytes: number): string {
  return String(number).padStart(6, '0') + 'x'.repeat(bytes - 6);
}

function textAt(dictionary: Dictionary, kind: number, id: number): string | undefined {
  return dictionary.texts(kind)[id];
}

test('the numbers are those of the rule (I-79)', () => {
  expect([KIND_TEXT_BYTES_MAX, SEGMENT_TEXT_BYTES_MAX]).toEqual([16 * MIB, 64 * MIB]);
});

test.each([
  { missing: 1, isKept: true },
  { missing: 0, isKept: false },
  { missing: -1, isKept: false },
])(
  'once the texts of a kind lack $missing bytes of 16 MiB a further one is kept: $isKept (I-79)',
  ({ missing, isKept }) => {
    const dictionary = new Dictionary(() => {});
    for (let at = 0; at < 7; at++) dictionary.intern(KIND.utmSource, textOf(at, 2 * MIB));
    // Wide letters count as the bytes that they take.
    const wide = 'é'.repeat(MIB / 2);
    const rest = textOf(7, MIB - missing);
    dictionary.intern(KIND.utmSource, wide);
    dictionary.intern(KIND.utmSource, rest);
    const expected = isKept ? 'further' : OTHER_VALUE;
    expect(dictionary.lookup(KIND.utmSource, 'further')).toBe(UNKNOWN_ID);
    const id = dictionary.intern(KIND.utmSource, 'further');
    expect(textAt(dictionary, KIND.utmSource, id)).toBe(expected);
    expect(dictionary.lookup(KIND.utmSource, 'further')).toBe(id);
    // What is known and other kinds go on.
    expect(textAt(dictionary, KIND.utmSource, dictionary.intern(KIND.utmSource, wide))).toBe(wide);
    expect(textAt(dictionary, KIND.path, dictionary.intern(KIND.path, '/new'))).toBe('/new');
  },
);

test('once the texts of a segment take 64 MiB a further one of any kind is (other) (I-79)', () => {
  const dictionary = new Dictionary(() => {});
  const kinds = [KIND.utmSource, KIND.utmMedium, KIND.utmTerm, KIND.title, KIND.metaValue];
  for (const kind of kinds.slice(0, 4)) {
    for (let at = 0; at < 15; at++) dictionary.intern(kind, textOf(at, MIB));
  }
  for (let at = 0; at < 3; at++) dictionary.intern(KIND.metaValue, textOf(at, MIB));
  dictionary.intern(KIND.metaValue, textOf(3, MIB - 2));
  expect(textAt(dictionary, KIND.path, dictionary.intern(KIND.path, '/'))).toBe('/');
  expect(textAt(dictionary, KIND.os, dictionary.intern(KIND.os, 'Q'))).toBe('Q');
  // Now it is full: also for kinds that have no text yet, and those of closed lists.
  for (const kind of [...kinds, KIND.path, KIND.country, KIND.eventName]) {
    expect(textAt(dictionary, kind, dictionary.intern(kind, 'further'))).toBe(OTHER_VALUE);
  }
  expect(textAt(dictionary, KIND.path, dictionary.intern(KIND.path, '/'))).toBe('/');
});

test('a dictionary that was read back is as full as the one that was written', () => {
  const written = new Dictionary(() => {});
  for (let at = 0; at < 16; at++) written.intern(KIND.utmSource, textOf(at, MIB));
  written.intern(KIND.utmSource, 'further');
  const read = new Dictionary(() => {});
  for (let entry = 0; entry < written.entryCount; entry++) {
    read.load(written.entryKind(entry), written.entryText(entry));
  }
  const id = read.intern(KIND.utmSource, 'another');
  expect([id, textAt(read, KIND.utmSource, id)]).toEqual([17, OTHER_VALUE]);
  expect(read.bytes).toBe(written.bytes);
});

test('a text keeps its id, however many its kind has (I-79)', () => {
  const dictionary = new Dictionary(() => undefined);
  const name = (id: number) => `/${id}`;
  for (let id = 1; id <= 40; id++) {
    expect(dictionary.lookup(KIND.path, name(id))).toBe(UNKNOWN_ID);
    expect(dictionary.intern(KIND.path, name(id))).toBe(id);
    for (let known = 1; known <= id; known++) {
      expect(dictionary.intern(KIND.path, name(known))).toBe(known);
      expect(dictionary.find(KIND.path, name(known))).toBe(known);
    }
  }
  expect(dictionary.entryCount).toBe(40);
});
