// Goal (P-20): a backup waits until hits that a node has acknowledged are out of its spool, does not
//   take what the node told before it was asked, and is refused where they stay.
// Method: boards as nodes would write them, one a look.
import { expect, test } from 'vitest';
import { spoolsAreEmpty } from '../../../src/runtime/backup/spool-check.ts';
import { type Board, emptyBoard, type Member } from '../../../src/runtime/cluster/lease-plan.ts';

/** @returns how many looks there were. */
async function looksAt(boards: readonly (Record<string, Member> | null)[]): Promise<number> {
  let looks = 0;
  const read = async (): Promise<Board | null> => {
    const members = boards[Math.min(looks, boards.length - 1)] ?? null;
    looks++;
    return members === null ? null : { ...emptyBoard(1), members };
  };
  await spoolsAreEmpty(read, 60_000);
  return looks;
}

test('P-20: without nodes nothing is waited for; of a node its second word counts', async () => {
  expect(await looksAt([null])).toBe(1);
  expect(await looksAt([{}])).toBe(1);
  expect(await looksAt([{ a: { beat: 7 } }, { a: { beat: 8 } }, { a: { beat: 9 } }])).toBe(3);
});

test('P-20: hits that came to the spool before the question are waited for', async () => {
  const told = [
    { a: { beat: 1 } },
    { a: { beat: 2, hasSpooled: true as const } },
    { a: { beat: 4, hasSpooled: true as const } },
    { a: { beat: 5 } },
  ];
  expect(await looksAt(told)).toBe(4);
});

test('P-20: a node that leaves the board is not waited for', async () => {
  expect(await looksAt([{ a: { beat: 1 }, b: { beat: 1 } }, { b: { beat: 3 } }])).toBe(2);
});

test('P-20: where hits stay in a spool the backup is refused, and the node named', async () => {
  const board = { ...emptyBoard(1), members: { abc: { beat: 3, hasSpooled: true as const } } };
  await expect(spoolsAreEmpty(async () => board, 300)).rejects.toThrow(
    'hits wait in the spool of a node (abc) and are not in the stream yet',
  );
});
