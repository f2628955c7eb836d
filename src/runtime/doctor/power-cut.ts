/**
 * Whether a disk keeps what it has synced when its power is cut, for certain: blocks with numbers are
 * written and synced, each number is told to somebody on another machine, and after the cut they must
 * be there.
 *
 * Control plane. Blocks go round in a file of a fixed size, as the log writes into files that are there.
 */

import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { syncDirectory } from '../../base/sync-directory.ts';
import { bad, type Finding, fine } from './finding.ts';

const BLOCK_BYTES = 4_096;
const BLOCKS = 1_024;
/** A number is told no more often: who listens is a terminal. */
const TELL_MS = 20;
/** Blocks in one turn, so that a signal is heard. */
const BLOCKS_PER_TURN = 16;
const CHECK = 'power cut';

/** The file of the blocks. */
function powerCutFile(directory: string): string {
  return join(directory, '.footfall-power-cut');
}

/**
 * Writes until the power is cut, or the process ended.
 *
 * @param to.tell gets numbers that are synced.
 * @param to.countMax blocks after which it ends; default: never.
 */
export async function writeUntilCut(
  directory: string,
  { tell, countMax = Number.POSITIVE_INFINITY }: { tell(number: number): void; countMax?: number },
): Promise<void> {
  const fd = openSync(powerCutFile(directory), 'w', 0o600);
  try {
    writeSync(fd, Buffer.alloc(BLOCK_BYTES * BLOCKS));
    fsyncSync(fd);
    syncDirectory(directory);
    let toldMs = Number.NEGATIVE_INFINITY;
    for (let number = 1; number <= countMax; number++) {
      writeSync(fd, blockOf(number), 0, BLOCK_BYTES, placeOf(number) * BLOCK_BYTES);
      fdatasyncSync(fd);
      if (monotonicMs() - toldMs >= TELL_MS) {
        tell(number);
        toldMs = monotonicMs();
      }
      if (number % BLOCKS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Looks after the cut, and removes the file.
 *
 * @param last the last number that was told before it.
 */
export function lookAfterCut(directory: string, last: number): Finding {
  const path = powerCutFile(directory);
  const change =
    'this disk says that it has synced what it has not: use another, or turn off its cache';
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return bad(CHECK, `the file of the blocks is gone: ${(error as Error).message}`, change);
  }
  rmSync(path);
  const numbers = Array.from({ length: BLOCKS }, (_, place) => numberIn(bytes, place));
  // The one that was being written may be torn, and the one that stood there is gone.
  const next = Math.max(...numbers) + 1;
  const torn = next > last ? placeOf(next) : -1;
  let lost = 0;
  for (let number = Math.max(1, last - BLOCKS + 1); number <= last; number++) {
    const place = placeOf(number);
    if (place !== torn && numbers[place]! < number) lost++;
  }
  const looked = Math.min(last, BLOCKS);
  if (lost === 0) return fine(CHECK, `all of the last ${looked} blocks up to ${last} are there`);
  return bad(CHECK, `${lost} of the last ${looked} blocks up to ${last} are gone`, change);
}

/** 0 when no whole block is there. */
function numberIn(bytes: Buffer, place: number): number {
  const block = bytes.subarray(place * BLOCK_BYTES, (place + 1) * BLOCK_BYTES);
  if (block.length < BLOCK_BYTES) return 0;
  const number = Number(block.readBigUInt64LE(0));
  if (number === 0 || !Number.isSafeInteger(number)) return 0;
  return blockOf(number).equals(block) ? number : 0;
}

function placeOf(number: number): number {
  return (number - 1) % BLOCKS;
}

/** Each eight bytes of a block are its number, so that a torn one is not whole. */
function blockOf(number: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 8) block.writeBigUInt64LE(BigInt(number), at);
  return block;
}
