/**
 * Environments of LMDB are opened and closed by one process at a time.
 *
 * LMDB counts on locks of its lock file for that, and they leave a gap: who closes an environment as the
 * last one destroys its mutexes, and another process that waits to open it meanwhile takes them for whole.
 * Then it cannot read ("No transaction to renew"), or two of them write at once: of six processes that made
 * the same directories, two had keys of their own in one of 1,200. Nothing else is kept out by the gate.
 *
 * Control plane. The gate is an empty file beside the environment's own, locked while somebody is in it.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../base/clock.ts';
import { loadLocks } from '../base/file-locks.ts';

const FILE = 'gate.lock';
/** Who is in the gate longer has stopped; then LMDB's own locks have to do. */
const WAIT_MS_MAX = 5_000;
const LOOK_MS = 1;

/** Directories in whose gate this thread is: it never waits for itself. */
const entered = new Set<string>();
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Opens or closes the environment of a directory while nobody else does. Blocks the thread until then.
 *
 * @param act does it; of a promise the end counts.
 */
export function throughGate<Result>(directory: string, act: () => Result): Result {
  if (entered.has(directory)) return act();
  const descriptor = lockedFile(join(directory, FILE));
  entered.add(directory);
  const leave = () => {
    entered.delete(directory);
    if (descriptor !== null) closeSync(descriptor);
  };
  let isDone = true;
  try {
    const result = act();
    isDone = !(result instanceof Promise);
    return result instanceof Promise ? (result.finally(leave) as Result) : result;
  } finally {
    if (isDone) leave();
  }
}

/** Null where there is nothing to lock: a disk that cannot be written to, or has no locks. */
function lockedFile(path: string): number | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'a', 0o600);
    const { tryLock } = loadLocks();
    const endMs = monotonicMs() + WAIT_MS_MAX;
    while (!tryLock(descriptor) && monotonicMs() < endMs) Atomics.wait(clock, 0, 0, LOOK_MS);
  } catch {
    // What is wrong with the disk is found out, and told, by who opens the environment.
  }
  return descriptor;
}
