/**
 * Small disks of their own for data directories, which can be full: tmpfs, where root may mount
 * one.
 *
 * A disk becomes full by being made as small as what it holds.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

/** Room on a disk that is not full; memory is taken only by what is written. */
const DISK_BYTES = 2 * 1_024 ** 3;

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
    const { blocks, bfree, bsize } = statfsSync(directory);
    resize(directory, (blocks - bfree) * bsize);
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

function resize(directory: string, bytes: number): void {
  execFileSync('mount', ['-o', `remount,size=${bytes}`, directory]);
}
