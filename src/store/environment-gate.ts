/**
 * The gate of an LMDB environment: nobody opens or closes it while somebody else does, or commits.
 *
 * LMDB as lmdb-js 3.5 has it leaves two gaps between processes. Who opens an environment reads the
 * number of the last transaction from its file and then writes it into what all processes share: a
 * commit in between is taken back, and the next one writes over its pages. And who closes it as the
 * last one destroys its mutexes, also when another process waits to open it. Measured without the
 * gate: DECISIONS 104.
 *
 * Control plane, and two calls of the system around each commit. The gate is an empty file beside
 * the environment's own, locked while somebody is in it.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../base/clock.ts';
import { type FileLocks, loadLocks } from '../base/file-locks.ts';

const FILE = 'gate.lock';
/** Who is in the gate longer was stopped; then LMDB's own locks have to do. */
const WAIT_MS_MAX = 5_000;
const LOOK_MS = 1;

/** Directories in whose gate this thread is: it never waits for itself. */
const entered = new Set<string>();
const clock = new Int32Array(new SharedArrayBuffer(4));

/** The gate of one environment, for who goes through it again and again. */
export class EnvironmentGate {
  readonly #directory: string;
  /** Null where nothing can be locked: a disk that cannot be written to, or has no locks. */
  #file: { readonly descriptor: number; readonly locks: FileLocks } | null | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Does what nobody else may do meanwhile. Blocks the thread until it can.
   *
   * @param act opens, closes or commits; of a promise the end counts.
   */
  through<Result>(act: () => Result): Result {
    if (entered.has(this.#directory)) return act();
    this.#enter();
    let isDone = true;
    try {
      const result = act();
      isDone = !(result instanceof Promise);
      return result instanceof Promise ? (result.finally(() => this.#leave()) as Result) : result;
    } finally {
      if (isDone) this.#leave();
    }
  }

  /** Lets go of its file. */
  close(): void {
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #enter(): void {
    if (this.#file === undefined) this.#file = openFile(this.#directory);
    entered.add(this.#directory);
    if (this.#file === null) return;
    const { descriptor, locks } = this.#file;
    const endMs = monotonicMs() + WAIT_MS_MAX;
    while (!isLocked(locks, descriptor) && monotonicMs() < endMs)
      Atomics.wait(clock, 0, 0, LOOK_MS);
  }

  #leave(): void {
    entered.delete(this.#directory);
    if (this.#file) this.#file.locks.unlock(this.#file.descriptor);
  }
}

/** Goes through the gate of an environment once. */
export function throughGate<Result>(directory: string, act: () => Result): Result {
  const gate = new EnvironmentGate(directory);
  let isDone = true;
  try {
    const result = gate.through(act);
    isDone = !(result instanceof Promise);
    return result instanceof Promise ? (result.finally(() => gate.close()) as Result) : result;
  } finally {
    if (isDone) gate.close();
  }
}

/** What is wrong with a disk is found out, and told, by who opens the environment on it. */
function openFile(directory: string) {
  try {
    return { descriptor: openSync(join(directory, FILE), 'a', 0o600), locks: loadLocks() };
  } catch {
    return null;
  }
}

/** True as well where there are no locks. */
function isLocked(locks: FileLocks, descriptor: number): boolean {
  try {
    return locks.tryLock(descriptor);
  } catch {
    return true;
  }
}
