// Goal: a data directory keeps to the number of shards and to the log it was made with.
// Method: the functions on temporary directories, as a node calls them at every start.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bindLog, fixedShardCount } from '../../../src/runtime/directory/data-layout.ts';

const STREAM = { kind: 'nats', stream: 'FOOTFALL_HITS', created: '2026-11-20T10:00:00Z' } as const;
const LOCAL = { kind: 'local' } as const;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-layout-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  expect(fixedShardCount(directory, { shards: 8, isExplicit: false })).toBe(8);
});

test('a new directory takes the log it is given, and the same one again', () => {
  for (const log of [STREAM, STREAM, { ...STREAM }]) bindLog(directory, 8, log);
  expect(fixedShardCount(directory, { shards: 64, isExplicit: false })).toBe(8);
});

test('a start that was refused before its log was open has fixed nothing', () => {
  expect(fixedShardCount(directory, { shards: 16, isExplicit: true })).toBe(16);
  expect(fixedShardCount(directory, { shards: 32, isExplicit: true })).toBe(32);
  bindLog(directory, 32, STREAM);
  expect(() => fixedShardCount(directory, { shards: 16, isExplicit: true })).toThrow(/32 shards/);
});

test('a directory of the local log refuses a stream, and one of a stream the local log', () => {
  bindLog(directory, 8, LOCAL);
  expect(() => bindLog(directory, 8, STREAM)).toThrow(/log of this machine; unset FOOTFALL_NATS/);
  const other = mkdtempSync(join(tmpdir(), 'footfall-layout-'));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  bindLog(other, 8, STREAM);
  expect(() => bindLog(other, 8, LOCAL)).toThrow(/the stream FOOTFALL_HITS; set FOOTFALL_NATS/);
});

test('a directory made before logs were written down has the local log if it holds one', () => {
  mkdirSync(join(directory, 'log'));
  expect(() => bindLog(directory, 8, STREAM)).toThrow(/log of this machine/);
  bindLog(directory, 8, LOCAL);
  expect(() => bindLog(directory, 8, STREAM)).toThrow(/log of this machine/);
});

test('another stream under the same name is refused: its positions mean other hits', () => {
  bindLog(directory, 8, STREAM);
  const made = { ...STREAM, created: '2026-11-21T10:00:00Z' };
  expect(() => bindLog(directory, 8, made)).toThrow(/was made at 2026-11-21.*made at 2026-11-20/);
  expect(() => bindLog(directory, 8, { ...STREAM, stream: 'OTHER_HITS' })).toThrow(/OTHER_HITS/);
});

describe("a directory that is not this version's says what to do", () => {
  const layoutPath = () => join(directory, 'layout.json');
  const refusal = () => {
    try {
      fixedShardCount(directory, { shards: 8, isExplicit: false });
    } catch (error) {
      return (error as Error).message;
    }
    return 'not refused';
  };

  test.each([
    [2, 'an earlier', '{"format":2,"shards":8,"log":{"kind":"local"}}'],
    [1, 'an earlier', '{"format":1,"shards":8}'],
  ])('format %d is that of %s version', (format, age, text) => {
    writeFileSync(layoutPath(), text);
    expect(refusal()).toContain(
      `it was written by ${age} version of Footfall (its format is ${format}, this version's is 9); ` +
        'use that version, or start with an empty data directory',
    );
  });

  test("a newer version's is named as such", () => {
    const text = JSON.stringify({ format: 10, shards: 8 });
    const check = crc32(text);
    writeFileSync(layoutPath(), JSON.stringify({ format: 10, shards: 8, check }));
    expect(refusal()).toContain('it was written by a newer version of Footfall (its format is 10');
  });

  test('one of a build before the latest dimensions is read, and refused by that build from then on', () => {
    const log = { kind: 'local' };
    const text = JSON.stringify({ format: 3, shards: 8, log });
    writeFileSync(layoutPath(), JSON.stringify({ format: 3, shards: 8, log, check: crc32(text) }));
    expect(fixedShardCount(directory, { shards: 64, isExplicit: false })).toBe(8);
    expect(JSON.parse(readFileSync(layoutPath(), 'utf8')).format).toBe(3);
    bindLog(directory, 8, LOCAL);
    expect(JSON.parse(readFileSync(layoutPath(), 'utf8'))).toMatchObject({ format: 9, shards: 8 });
    expect(fixedShardCount(directory, { shards: 64, isExplicit: false })).toBe(8);
  });

  test('one whose layout.json was damaged, whichever bit of it, is to be restored', () => {
    bindLog(directory, 8, LOCAL);
    const whole = readFileSync(layoutPath());
    for (let bit = 0; bit < (whole.length - 1) * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(layoutPath(), damaged);
      expect(refusal(), `bit ${bit}`).toContain(
        'its layout.json is damaged; restore it from a backup',
      );
    }
  });

  test.each(['log', 'state', 'states'])(
    'one with %s and no layout.json is to be restored',
    (name) => {
      mkdirSync(join(directory, name));
      expect(refusal()).toBe('not refused');
      writeFileSync(join(directory, name, '0'), '');
      expect(refusal()).toContain(`layout.json is missing, though there is '${name}'; restore it`);
    },
  );
});
