/**
 * Small disks of their own for data directories, which can be full: tmpfs, where root may mount
 * one.
 *
 * A disk becomes full by being made as small as what it holds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

/** Room on a disk that is not full; memory is taken only by what is written. */
const DISK_BYTES = 2 * 1_024 ** 3;

/** What a full disk may still take, since programs go on writing while it is made full. */
const SLACKS_BYTES = [0, 0, 65_536, 1_048_576, 8_388_608];

/** The disks of a run. */
export class Disks {
  readonly #mounted: string[] = [];
  /** Why there are none, '' where they can be had. */
  reason = '';

  /** A directory, on a disk of its own where that is possible. */
  make(directory: string): void {
    mkdirSync(directory, { recursive: true });
    if (this.reason !== '') return;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'footfall', directory], {
        stdio: 'ignore',
      });
      this.#mounted.push(directory);
    } catch {
      this.reason = 'no tmpfs can be mounted here (it takes root on Linux)';
    }
  }

  /** From now on nothing more can be written. */
  fill(directory: string): void {
    for (const slackBytes of SLACKS_BYTES) {
      const { blocks, bfree, bsize } = statfsSync(directory);
      // Refused when something was written in between.
      if (resize(directory, (blocks - bfree) * bsize + slackBytes)) return;
    }
  }

  /** There is room again. */
  clear(directory: string): void {
    resize(directory, DISK_BYTES);
  }

  /** Removes every disk with what it holds. */
  dispose(): void {
    for (const directory of this.#mounted) execFileSync('umount', ['-l', directory]);
    this.#mounted.length = 0;
  }
}

function resize(directory: string, bytes: number): boolean {
  const size = `remount,size=${bytes}`;
  return spawnSync('mount', ['-o', size, directory], { stdio: 'ignore' }).status === 0;
}
