// Goal: after a power cut every acknowledged hit counts once and the service starts by itself, whatever
// of the bytes and names that were not synced has reached the disk.
// Method: a recorded run; a model of the disk that keeps what was synced and, of the rest, what a seed
// says (`support/disk/power-cut.ts`); a start on each of the states.
import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '../../support/clients/load-client.ts';
import type { Luck } from '../../support/disk/power-cut.ts';
import { type Recording, recordRun, tryCut } from '../../support/disk/power-run.ts';
import { diskShim } from '../../support/disk/shim.ts';
import { IS_LONG, SEED, seedOf } from '../../support/runs.ts';

/** At any moment. */
const STATES = IS_LONG ? 64 : 2;
/** After each of the first changes: the first start makes what later ones rely on. */
const FIRST_CHANGES = IS_LONG ? 60 : 1;
const NAMES: readonly Luck['names'][] = ['lost', 'some', 'kept', 'some'];

const shim = diskShim();
if (shim.path === '') process.stderr.write(`power-cut: skipped, ${shim.reason}\n`);

afterAll(() => shim.dispose());

/** The moment of a cut, and what is left of what was not synced then. */
function cutOf({ changes }: Recording, number: number) {
  const random = seededRandom(seedOf(`power cut ${number}`));
  const names = NAMES[number % NAMES.length]!;
  // Nothing that was not synced; else a part of it, in pages or in sectors.
  const share = names === 'lost' ? 0 : random();
  const luck: Luck = { random, names, share, isTorn: number % 3 === 1 };
  // Many of them at the end, where most has been promised.
  const isEnd = number % 4 === 0;
  const count = isEnd ? changes.length : 1 + Math.floor(random() * (changes.length - 1));
  return { number, count, luck };
}

function earlyCutOf(recording: Recording, index: number) {
  const { number, luck } = cutOf(recording, STATES + index);
  return { number, count: index + 1, luck: { ...luck, names: 'some' as const, isTorn: true } };
}

test.skipIf(shim.path === '')(
  `after each of ${STATES + FIRST_CHANGES} power cuts what was acknowledged counts once (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const recording = await recordRun(shim);
    const { changes, work } = recording;
    expect(work.odd).toEqual([]);
    expect(work.asked.every(({ fate }) => fate === 'acknowledged')).toBe(true);
    const wrong: string[] = [];
    const cuts = [
      ...Array.from({ length: STATES }, (_, number) => cutOf(recording, number)),
      ...Array.from({ length: FIRST_CHANGES }, (_, index) => earlyCutOf(recording, index)),
    ];
    for (const cut of cuts) {
      const { names, share, isTorn } = cut.luck;
      const where = `cut ${cut.number} after ${cut.count} of ${changes.length} changes`;
      const how = `names ${names}, ${Math.round(share * 100)} %${isTorn ? ', torn' : ''}`;
      for (const text of await tryCut(recording, cut)) wrong.push(`${where} (${how}): ${text}`);
    }
    console.log(`power cuts: ${cuts.length} states of ${changes.length} changes`);
    expect(wrong).toEqual([]);
  },
);
