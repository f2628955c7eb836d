// Goal: files that are used again never bring old records back, and go when nobody needs them.
// Method: commits, trims, failures and restarts in chosen and in random orders.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSequence } from '../../src/model/ids.ts';
import { tries } from '../support/runs.ts';
import { bodyOf, logDirectory, namesOf, openFiles, tear, textsOf } from './log-directory.ts';

describe('recycled files', () => {
  test('are used again up to a few; the rest, and files of odd sizes, are deleted', () => {
    const dir = logDirectory();
    const log = openFiles(dir);
    log.commit([bodyOf('y'.repeat(5_000))]);
    for (let commit = 0; commit < 20; commit++) log.commit([bodyOf('x'.repeat(3_900))]);
    log.trim(asSequence(20));
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
    log.trim(asSequence(sequence));
    expect([spares(), log.hasSurplus]).toEqual([10, true]);
    // They were made since the last look, so nobody can tell yet.
    log.giveBack();
    expect(spares()).toBe(10);
    // Three of ten were never taken.
    fill(7);
    log.trim(asSequence(sequence));
    log.giveBack();
    expect([spares(), log.hasSurplus]).toEqual([7, true]);
    // All of them were.
    fill(7);
    log.trim(asSequence(sequence));
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
    log.trim(asSequence(1));
    expect(textsOf(dir)).toHaveLength(6);
    log.trim(asSequence(2));
    expect(textsOf(dir)).toHaveLength(4);
    log.trim(asSequence(1_000));
    expect(textsOf(dir)).toHaveLength(2);
  });

  test('never bring old records back: any order of commits, trims, failures and restarts', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), runSteps), tries(120));
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
      log.trim(asSequence(trimmed));
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
