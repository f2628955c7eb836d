// Goal: what was acknowledged is found again, whole and in order, whatever the disk holds beside it.
// Method: commits into small files, then the files are torn or damaged.

import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSequence } from '../../../src/model/ids.ts';
import { tries } from '../../support/runs.ts';
import {
  bodyOf,
  changeBytes,
  FailingDisk,
  logDirectory,
  namesOf,
  newestCommit,
  openFiles,
  tear,
  textsOf,
} from '../log-directory.ts';

describe('a log', () => {
  test('begins with record 1 and goes on where it ended', () => {
    const dir = logDirectory();
    const first = openFiles(dir);
    expect(first.lastSequence).toBe(0);
    expect(first.commit([bodyOf('a', 'b')])).toBe(1);
    expect(first.commit([bodyOf('c'), bodyOf('d', 'e')])).toBe(3);
    first.close();
    const second = openFiles(dir);
    expect(second.lastSequence).toBe(5);
    expect(second.commit([bodyOf('f')])).toBe(6);
    second.close();
    expect(textsOf(dir)).toEqual(['1:a', '2:b', '3:c', '4:d', '5:e', '6:f']);
    expect(textsOf(dir, 4)).toEqual(['5:e', '6:f']);
    expect(textsOf(dir, 6)).toEqual([]);
  });

  test('keeps its position over starts that store nothing, also when all of it was trimmed', () => {
    const dir = logDirectory();
    const first = openFiles(dir);
    first.commit([bodyOf('a', 'b', 'c')]);
    first.close();
    for (let start = 0; start < 3; start++) {
      const log = openFiles(dir);
      log.trim(asSequence(3));
      log.prepareSpare(true);
      expect(log.lastSequence).toBe(3);
      log.close();
    }
    expect(openFiles(dir).commit([bodyOf('d')])).toBe(4);
  });

  test('whose newest file has no record yet is begun again in the same place', () => {
    const dir = logDirectory();
    const first = openFiles(dir);
    first.commit([bodyOf('a')]);
    first.close();
    tear(dir, 'b');
    const second = openFiles(dir);
    expect(second.commit([bodyOf('c')])).toBe(2);
    second.trim(asSequence(1));
    second.commit([bodyOf('d')]);
    second.close();
    expect(textsOf(dir).slice(-2)).toEqual(['2:c', '3:d']);
  });

  test.each([{ more: -1 }, { more: 0 }, { more: 1 }])(
    'takes a commit of a file’s size and $more bytes',
    ({ more }) => {
      const dir = logDirectory();
      const log = openFiles(dir);
      const text = 'x'.repeat(4_096 - 64 - 24 - 8 + more);
      log.commit([bodyOf('a')]);
      expect(log.commit([bodyOf(text)])).toBe(2);
      log.commit([bodyOf('b')]);
      log.close();
      expect(textsOf(dir)).toEqual(['1:a', `2:${text}`, '3:b']);
      const sizes = namesOf(dir, 'log-').map((name) => statSync(join(dir, name)).size);
      expect(sizes).toEqual([4_096, 4_096 + Math.max(more, 0), 4_096]);
    },
  );

  test('of 3 MiB in one commit is read back over the reader’s pieces', () => {
    const dir = logDirectory();
    const log = openFiles(dir, { fileBytes: 256 * 1_024 });
    const texts = Array.from({ length: 300 }, (_, index) => `${index}`.repeat(5_000));
    log.commit([bodyOf(...texts.slice(0, 250))]);
    for (const text of texts.slice(250)) log.commit([bodyOf(text)]);
    log.close();
    expect(textsOf(dir)).toEqual(texts.map((text, index) => `${index + 1}:${text}`));
  });

  test('with durability os syncs a file when it is full, so that only the newest can be torn', () => {
    const disk = new FailingDisk();
    const log = openFiles(logDirectory(), { files: disk, durability: 'os' });
    log.commit([bodyOf('a')]);
    const before = disk.calls.filter((call) => call === 'sync').length;
    log.commit([bodyOf('b')]);
    expect(disk.calls.filter((call) => call === 'sync').length).toBe(before);
    log.commit([bodyOf('x'.repeat(4_000))]);
    // One for the full file, and two while the next one was made.
    expect(disk.calls.filter((call) => call === 'sync').length).toBe(before + 2);
  });
});

describe('a torn newest commit', () => {
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('truncate' as const), at: fc.nat(), bytes: fc.constant(1) }),
    fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bytes: fc.constant(1) }),
    fc.record({
      kind: fc.constant('zero' as const),
      at: fc.nat(),
      bytes: fc.integer({ min: 1, max: 400 }),
    }),
  );
  const commits = fc.array(fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  });

  test('ends the log before it; every commit before it is whole', () => {
    fc.assert(
      fc.property(commits, damage, (groups, { kind, at, bytes }) => {
        const dir = logDirectory();
        const log = openFiles(dir);
        for (const texts of groups) log.commit([bodyOf(...texts)]);
        log.close();
        const whole = textsOf(dir);
        const commit = newestCommit(dir);
        const offset = at % commit.bytes;
        let isChanged = true;
        if (kind === 'truncate') truncateSync(commit.path, commit.position + offset);
        else {
          isChanged = changeBytes(commit.path, commit, (content) => {
            if (kind === 'flip') content[offset]! ^= 1 << (at % 8);
            else content.fill(0, offset, Math.min(offset + bytes, content.length));
          });
        }
        const lost = isChanged ? groups.at(-1)!.length : 0;
        const kept = whole.slice(0, whole.length - lost);
        expect(textsOf(dir)).toEqual(kept);
        const next = openFiles(dir);
        expect(next.commit([bodyOf('next')])).toBe(kept.length + 1);
        next.close();
        expect(textsOf(dir)).toEqual([...kept, `${kept.length + 1}:next`]);
      }),
      tries(150),
    );
  });

  test('never comes back, even if the disk shows it whole later', () => {
    const dir = logDirectory();
    const first = openFiles(dir);
    first.commit([bodyOf('a')]);
    first.commit([bodyOf('torn')]);
    first.close();
    const commit = newestCommit(dir);
    changeBytes(commit.path, commit, (bytes) => bytes.writeUInt8(bytes[30]! ^ 1, 30));
    const second = openFiles(dir);
    second.commit([bodyOf('b')]);
    second.close();
    changeBytes(commit.path, commit, (bytes) => bytes.writeUInt8(bytes[30]! ^ 1, 30));
    expect(textsOf(dir)).toEqual(['1:a', '2:b']);
  });

  test('that turns out whole is written and synced again before anything builds on it', () => {
    const dir = logDirectory();
    const first = openFiles(dir);
    first.commit([bodyOf('a')]);
    first.close();
    const disk = new FailingDisk();
    openFiles(dir, { files: disk });
    expect(disk.calls).toEqual(['open', 'write', 'sync', 'close']);
    expect(textsOf(dir)).toEqual(['1:a']);
  });
});

describe('damage that no torn write leaves', () => {
  test('in a file before the newest refuses the start and names the file', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    for (let commit = 0; commit < 8; commit++) log.commit([bodyOf('x'.repeat(1_000))]);
    log.close();
    const path = join(dir, namesOf(dir, 'log-')[0]!);
    changeBytes(path, { position: 1_500, bytes: 1 }, (bytes) => bytes.writeUInt8(0));
    expect(() => openFiles(dir)).toThrow(`${path} cannot be used: record 2 and what follows`);
    expect(() => openFiles(dir)).toThrow(expect.objectContaining({ code: 'LOG_DAMAGED' }));
  });

  test('in the middle of the newest file refuses the start: commits behind it were synced', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    for (const text of ['a', 'b', 'c']) log.commit([bodyOf(text)]);
    log.close();
    const path = join(dir, namesOf(dir, 'log-')[0]!);
    changeBytes(path, { position: 64 + 24 + 8, bytes: 1 }, (bytes) => bytes.writeUInt8(0));
    expect(() => openFiles(dir)).toThrow(expect.objectContaining({ code: 'LOG_DAMAGED' }));
  });

  test('of that kind ends the log if commits were not synced: a power cut may leave it', () => {
    const dir = logDirectory();
    const log = openFiles(dir, { durability: 'os' });
    for (const text of ['a', 'b', 'c']) log.commit([bodyOf(text)]);
    log.close();
    const path = join(dir, namesOf(dir, 'log-')[0]!);
    changeBytes(path, { position: 64 + 33 + 24 + 8, bytes: 1 }, (bytes) => bytes.writeUInt8(0));
    expect(textsOf(dir)).toEqual(['1:a']);
  });

  test('of a file’s head refuses the start', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    log.commit([bodyOf('a')]);
    log.close();
    const path = join(dir, namesOf(dir, 'log-')[0]!);
    changeBytes(path, { position: 9, bytes: 1 }, (bytes) => bytes.writeUInt8(bytes[0]! ^ 1));
    expect(() => openFiles(dir)).toThrow(`${path} cannot be used: its first bytes are damaged`);
  });

  test('a missing file in the middle refuses the start', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    for (let commit = 0; commit < 9; commit++) log.commit([bodyOf('x'.repeat(1_500))]);
    log.close();
    const [, second] = namesOf(dir, 'log-');
    new FailingDisk().remove(join(dir, second!));
    expect(() => openFiles(dir)).toThrow(expect.objectContaining({ code: 'LOG_DAMAGED' }));
  });

  test('records of another format refuse the start and say so', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    const body = bodyOf('a');
    body[2] = 77;
    log.commit([body]);
    log.close();
    expect(() => openFiles(dir)).toThrow('format 77');
  });
});
