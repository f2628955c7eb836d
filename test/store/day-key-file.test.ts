// Goal (P-22): a key of a day is on disk when it is said to be, and its bytes are nowhere once it
// is erased.
// Method: a file in a temporary directory, opened anew, looked through byte by byte, and damaged.
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomKey } from '../../src/base/random.ts';
import { DAY_KEY_BYTES } from '../../src/model/limits.ts';
import {
  DAY_KEY_FILE,
  DayKeyFile,
  destroyDayKeys,
  hasDamagedDayKeys,
} from '../../src/store/day-key-file.ts';

const DAY = 20_780;

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-day-keys-'));
  path = join(directory, DAY_KEY_FILE);
});

afterEach(() => rmSync(directory, { recursive: true }));

function withFile<Value>(work: (file: DayKeyFile) => Value): Value {
  const file = new DayKeyFile(directory);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

const found = () => withFile((file) => [...file.found].toSorted(([left], [right]) => left - right));

test('P-22: keys are there at the next start, each for its day; the newest one of a day stands', () => {
  const keys = [0, 1, 2, 3].map((at) => [DAY + at, randomKey(DAY_KEY_BYTES)] as const);
  withFile((file) => {
    file.put(DAY, randomKey(DAY_KEY_BYTES));
    for (const [day, key] of keys) file.put(day, key);
  });
  expect(found()).toEqual(keys);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(hasDamagedDayKeys(directory)).toBe(false);
});

test('P-22: an erased key is overwritten where it stood, and those beside it stay', () => {
  const [gone, stays] = [randomKey(DAY_KEY_BYTES), randomKey(DAY_KEY_BYTES)];
  const inode = withFile((file) => {
    file.put(DAY, gone);
    file.put(DAY + 1, stays);
    const { ino } = statSync(path);
    file.erase(DAY);
    // Of another day in the same place, and of one that is not there: nothing.
    file.erase(DAY + 1 + 16);
    file.erase(DAY);
    return ino;
  });
  // The same file: a new one would leave the old blocks to whoever reads the disk.
  expect(statSync(path).ino).toBe(inode);
  expect(readFileSync(path).includes(Buffer.from(gone))).toBe(false);
  expect(found()).toEqual([[DAY + 1, stays]]);
});

test('P-22: a place that is not what was written is emptied, told, and no key of anybody', () => {
  const key = randomKey(DAY_KEY_BYTES);
  withFile((file) => {
    file.put(DAY, key);
    file.put(DAY + 1, key);
  });
  const bytes = readFileSync(path);
  const start = bytes.indexOf(Buffer.from(key));
  for (const at of [start - 8, start - 4, start, start + DAY_KEY_BYTES, start + 400]) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 4;
    writeFileSync(path, flipped);
    expect(hasDamagedDayKeys(directory)).toBe(true);
    expect(withFile((file) => [file.damagedCount, file.found.size])).toEqual([1, 1]);
    expect(hasDamagedDayKeys(directory)).toBe(false);
    expect(withFile((file) => file.damagedCount)).toBe(0);
  }
  appendFileSync(path, 'x');
  expect(hasDamagedDayKeys(directory)).toBe(true);
  expect(withFile((file) => [file.damagedCount, file.found.size])).toEqual([1, 0]);
});

test('P-22: with fixed keys what is there is overwritten and removed', () => {
  const key = randomKey(DAY_KEY_BYTES);
  withFile((file) => file.put(DAY, key));
  expect(destroyDayKeys(directory)).toEqual([DAY]);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  expect(destroyDayKeys(directory)).toEqual([]);
  expect(hasDamagedDayKeys(directory)).toBe(false);
});
