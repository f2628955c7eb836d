// Goal: a data directory keeps to the number of shards and to the log it was made with.
// Method: the functions on temporary directories, as a node calls them at every start.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('a directory of an earlier build is refused in one line, not read', () => {
  bindLog(directory, 8, LOCAL);
  const path = join(directory, 'layout.json');
  const layout = JSON.parse(readFileSync(path, 'utf8')) as { format: number };
  writeFileSync(path, JSON.stringify({ ...layout, format: layout.format - 1 }));
  const open = () => fixedShardCount(directory, { shards: 8, isExplicit: false });
  expect(open).toThrow(new RegExp(`its format is ${layout.format - 1}, not ${layout.format}`));
});
