// Goal: a data directory keeps to the number of shards and to the log it was made with.
// Method: the functions on temporary directories, as a node calls them at every start.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { bindLog, fixedShardCount } from '../../src/runtime/data-layout.ts';

const STREAM = { kind: 'nats', stream: 'FOOTFALL_HITS', created: '2026-11-20T10:00:00Z' } as const;
const LOCAL = { kind: 'local' } as const;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-layout-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  fixedShardCount(directory, { shards: 8, isExplicit: false });
});

test('a new directory takes the log it is given, and the same one again', () => {
  for (const log of [STREAM, STREAM, { ...STREAM }]) bindLog(directory, log);
  expect(fixedShardCount(directory, { shards: 64, isExplicit: false })).toBe(8);
});

test('a directory of the local log refuses a stream, and one of a stream the local log', () => {
  bindLog(directory, LOCAL);
  expect(() => bindLog(directory, STREAM)).toThrow(/log of this machine; unset FOOTFALL_NATS/);
  const other = mkdtempSync(join(tmpdir(), 'footfall-layout-'));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  fixedShardCount(other, { shards: 8, isExplicit: false });
  bindLog(other, STREAM);
  expect(() => bindLog(other, LOCAL)).toThrow(/the stream FOOTFALL_HITS; set FOOTFALL_NATS/);
});

test('a directory made before logs were written down has the local log if it holds one', () => {
  mkdirSync(join(directory, 'log'));
  bindLog(directory, LOCAL);
  expect(() => bindLog(directory, STREAM)).toThrow(/log of this machine/);
});

test('another stream under the same name is refused: its positions mean other hits', () => {
  bindLog(directory, STREAM);
  const made = { ...STREAM, created: '2026-11-21T10:00:00Z' };
  expect(() => bindLog(directory, made)).toThrow(/was made at 2026-11-21.*made at 2026-11-20/);
  expect(() => bindLog(directory, { ...STREAM, stream: 'OTHER_HITS' })).toThrow(/OTHER_HITS/);
});
