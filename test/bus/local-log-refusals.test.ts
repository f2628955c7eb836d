// Goal: a disk that refuses loses nothing that was acknowledged and leaves nothing that was not.
// Method: commits into small files of a disk that is made to fail at each of its operations.

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asSequence } from '../../src/model/ids.ts';
import { bodyOf, FailingDisk, logDirectory, openFiles, textsOf } from './log-directory.ts';

describe('a disk that refuses', () => {
  test.each([{ writtenBytes: 0 }, { writtenBytes: 20 }, { writtenBytes: 45 }])(
    'a commit after $writtenBytes bytes stores nothing, and the next one succeeds',
    ({ writtenBytes }) => {
      const dir = logDirectory();
      const disk = new FailingDisk();
      const log = openFiles(dir, { files: disk });
      log.commit([bodyOf('a')]);
      disk.failing = 'write';
      disk.writtenBytes = writtenBytes;
      expect(() => log.commit([bodyOf('lost, and longer than what follows it')])).toThrow(
        expect.objectContaining({ code: 'LOG_WRITE_FAILED', status: 503 }),
      );
      expect(textsOf(dir)).toEqual(['1:a']);
      disk.failing = null;
      expect(log.commit([bodyOf('b')])).toBe(2);
      log.close();
      expect(textsOf(dir)).toEqual(['1:a', '2:b']);
      expect(openFiles(dir).lastSequence).toBe(2);
    },
  );

  test.each(['open', 'write', 'sync', 'rename'] as const)(
    'a new file at %s stores nothing, leaves no half-made file, and is asked again',
    (operation) => {
      const dir = logDirectory();
      const disk = new FailingDisk();
      const log = openFiles(dir, { files: disk });
      log.commit([bodyOf('a')]);
      disk.failing = operation;
      expect(() => log.commit([bodyOf('x'.repeat(4_020))])).toThrow(
        expect.objectContaining({ code: 'LOG_WRITE_FAILED' }),
      );
      disk.failing = null;
      expect(readdirSync(dir).filter((name) => name.endsWith('.draft'))).toEqual([]);
      log.commit([bodyOf('b')]);
      log.commit([bodyOf('x'.repeat(4_020))]);
      log.close();
      expect(textsOf(dir).map((text) => text.slice(0, 5))).toEqual(['1:a', '2:b', '3:xxx']);
    },
  );

  test.each([
    { what: 'a commit', operation: 'sync', text: 'b' },
    { what: 'the name of a new file', operation: 'syncDirectory', text: 'x'.repeat(4_020) },
  ] as const)('to sync $what ends the writer, and a start tells', ({ operation, text }) => {
    const dir = logDirectory();
    const disk = new FailingDisk();
    const log = openFiles(dir, { files: disk });
    log.commit([bodyOf('a')]);
    disk.failing = operation;
    expect(() => log.commit([bodyOf(text)])).toThrow(
      expect.objectContaining({ code: 'LOG_SYNC_FAILED' }),
    );
    const next = openFiles(dir);
    expect(next.lastSequence).toBeGreaterThanOrEqual(1);
    next.commit([bodyOf('c')]);
    next.close();
    expect([textsOf(dir)[0], textsOf(dir).at(-1)?.slice(-2)]).toEqual(['1:a', ':c']);
  });

  test('a spare file is not asked for it again until a file is needed', () => {
    const dir = logDirectory();
    const disk = new FailingDisk();
    const log = openFiles(dir, { files: disk });
    disk.failing = 'write';
    expect([log.prepareSpare(true), log.prepareSpare(true)]).toEqual([true, false]);
    expect(readdirSync(dir)).toEqual([]);
    disk.failing = null;
    expect(log.commit([bodyOf('a')])).toBe(1);
    expect(log.prepareSpare(true)).toBe(true);
  });

  test.each(['open', 'write', 'rename'] as const)(
    'is found out by a probe at %s, of which nothing is left in the log',
    (operation) => {
      const dir = logDirectory();
      const disk = new FailingDisk();
      const log = openFiles(dir, { files: disk });
      log.commit([bodyOf('a')]);
      disk.failing = operation;
      const large = bodyOf('x'.repeat(4_020));
      const refused = expect.objectContaining({ code: 'LOG_WRITE_FAILED' });
      expect(() => log.commit([large])).toThrow(refused);
      expect(() => log.probe()).toThrow(refused);
      expect(() => log.probe()).toThrow(refused);
      disk.failing = null;
      log.probe();
      log.probe();
      // Larger than the file that the probe has begun: another one takes its place and its name.
      expect(log.commit([bodyOf('y'.repeat(5_000))])).toBe(2);
      log.trim(asSequence(1));
      log.probe();
      expect(log.commit([bodyOf('b')])).toBe(3);
      log.close();
      expect(textsOf(dir).map((text) => text.slice(0, 4))).toEqual(['2:yy', '3:b']);
      expect(openFiles(dir).lastSequence).toBe(3);
    },
  );

  test('at the start says so in one line', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    log.commit([bodyOf('a')]);
    log.close();
    const disk = new FailingDisk();
    disk.failing = 'write';
    expect(() => openFiles(dir, { files: disk })).toThrow(
      expect.objectContaining({ code: 'LOG_WRITE_FAILED' }),
    );
  });
});
