/**
 * Write locks of open files, held by the kernel: they end with the last descriptor of the open file,
 * however its process ends, and exclude threads and containers as well as processes.
 *
 * Native code, so it is loaded by those only who take a lock. It has no types of its own.
 */
import { createRequire } from 'node:module';

/** What of fs-native-extensions is used. */
export interface FileLocks {
  /** @returns false when another open file holds it; throws what the system says otherwise. */
  tryLock(descriptor: number): boolean;
  unlock(descriptor: number): void;
}

/** The locks of this system (`F_OFD_SETLK`, open file description locks). */
export function loadLocks(): FileLocks {
  const require = createRequire(import.meta.url);
  return require('fs-native-extensions') as FileLocks;
}
