// Goal: what was acknowledged is found again, whole and in order, whatever the disk holds beside it.
// Method: commits into small files, then the files are damaged, recycled, or the disk made to fail.
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LocalLogFiles } from '../../../src/bus/local/log-files.ts';
import {
  bodyOf,
  changeBytes,
  FailingDisk,
  logDirectory,
  newestCommit,
  openFiles,
  textsOf,
} from '../log-directory.ts';

const namesOf = (dir: string, prefix: string) =>
  readdirSync(dir).filter((name) => name.startsWith(prefix) && !name.endsWith('.draft'));

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
      log.trim(3);
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
    second.trim(1);
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
      { numRuns: 150 },
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
      log.trim(1);
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

describe('recycled files', () => {
  test('are used again up to a few; the rest, and files of odd sizes, are deleted', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    log.commit([bodyOf('y'.repeat(5_000))]);
    for (let commit = 0; commit < 20; commit++) log.commit([bodyOf('x'.repeat(3_900))]);
    log.trim(20);
    expect(namesOf(dir, 'spare-')).toHaveLength(16);
    expect(namesOf(dir, 'log-')).toHaveLength(1);
    for (let commit = 0; commit < 4; commit++) log.commit([bodyOf('z'.repeat(3_900))]);
    log.close();
    expect(namesOf(dir, 'spare-')).toHaveLength(12);
    expect(textsOf(dir).map((text) => text.slice(0, 4))).toEqual([
      '21:x',
      '22:z',
      '23:z',
      '24:z',
      '25:z',
    ]);
    expect(readdirSync(dir).map((name) => statSync(join(dir, name)).size)).toEqual(
      Array(17).fill(4_096),
    );
  });

  test('stay while they are needed; those nobody needed for a while go, down to two', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    let sequence = 0;
    const fill = (files: number) => {
      for (let file = 0; file < files; file++) sequence = log.commit([bodyOf('x'.repeat(3_900))]);
    };
    const spares = () => namesOf(dir, 'spare-').length;
    fill(11);
    log.trim(sequence);
    expect([spares(), log.hasSurplus]).toEqual([10, true]);
    // They were made since the last look, so nobody can tell yet.
    log.giveBack();
    expect(spares()).toBe(10);
    // Three of ten were never taken.
    fill(7);
    log.trim(sequence);
    log.giveBack();
    expect([spares(), log.hasSurplus]).toEqual([7, true]);
    // All of them were.
    fill(7);
    log.trim(sequence);
    log.giveBack();
    expect(spares()).toBe(7);
    log.giveBack();
    expect([spares(), log.hasSurplus]).toEqual([2, false]);
    log.giveBack();
    expect(spares()).toBe(2);
    fill(3);
    log.close();
    expect(textsOf(dir, sequence - 1)).toHaveLength(1);
  });

  test('keep what a trim has not reached', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    for (let commit = 0; commit < 6; commit++) log.commit([bodyOf('x'.repeat(1_500))]);
    log.trim(1);
    expect(textsOf(dir)).toHaveLength(6);
    log.trim(2);
    expect(textsOf(dir)).toHaveLength(4);
    log.trim(1_000);
    expect(textsOf(dir)).toHaveLength(2);
  });

  test('never bring old records back: any order of commits, trims, failures and restarts', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), runSteps), { numRuns: 120 });
  });
});

type Step =
  | { do: 'commit'; sizes: number[] }
  | { do: 'trim'; behind: number }
  | { do: 'tear'; bytes: number }
  | { do: 'restart' }
  | { do: 'spare' }
  | { do: 'probe' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      sizes: fc.array(fc.nat(900), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trim' as const), behind: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tear' as const), bytes: fc.nat(700) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('spare' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('probe' as const) }) },
);

function runSteps(steps: readonly Step[]): void {
  const dir = logDirectory();
  const options = { fileBytes: 1_024, durability: 'sync' } as const;
  let log = openFiles(dir, options);
  const texts: string[] = [];
  let trimmed = 0;
  const restart = () => {
    log.close();
    // Whatever is still there is the end of what was stored, and nothing needed is missing.
    const found = textsOf(dir);
    expect(found).toEqual(texts.slice(texts.length - found.length));
    expect(found.length).toBeGreaterThanOrEqual(texts.length - trimmed);
    expect(textsOf(dir, trimmed)).toEqual(texts.slice(trimmed));
    log = openFiles(dir, options);
    expect(log.lastSequence).toBe(texts.length);
  };
  for (const each of steps) {
    if (each.do === 'commit') {
      const added = each.sizes.map((size, index) => `${texts.length}.${index}.${'x'.repeat(size)}`);
      expect(log.commit([bodyOf(...added)])).toBe(texts.length + 1);
      for (const text of added) texts.push(`${texts.length + 1}:${text}`);
    } else if (each.do === 'trim') {
      trimmed = Math.max(trimmed, texts.length - each.behind);
      log.trim(trimmed);
    } else if (each.do === 'tear') {
      log.close();
      tear(dir, 'y'.repeat(each.bytes), options.fileBytes);
      log = openFiles(dir, options);
    } else if (each.do === 'spare') {
      log.prepareSpare(true);
      log.giveBack();
    } else if (each.do === 'probe') log.probe();
    else restart();
  }
  restart();
  log.close();
}

/** Leaves what a process leaves that dies in the middle of a commit. */
function tear(dir: string, text: string, fileBytes = 4_096): void {
  const disk = new FailingDisk();
  const log = LocalLogFiles.open({ dir, durability: 'sync', fileBytes, files: disk }, () => {});
  const write = disk.write.bind(disk);
  // Only the commit itself is cut; the file before it was made.
  disk.write = (fd, parts, position) => {
    const isCommit = parts.length > 1;
    disk.failing = isCommit ? 'write' : null;
    disk.writtenBytes = isCommit ? 24 + Math.floor(text.length / 2) : 0;
    write(fd, parts, position);
  };
  expect(() => log.commit([bodyOf(text)])).toThrow();
  disk.failing = null;
  log.close();
}
