/**
 * The heap of this thread: collected when it is known that much of it has just become free.
 *
 * Control plane. A thread at rest allocates next to nothing, so the engine has no reason to collect
 * and keeps what thousands of dropped arrays held. A collection takes some ten milliseconds.
 */

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MIB = 1_024 * 1_024;
const LOOK_MS = 60_000;
let collect: (() => void) | null = null;

/** Collects everything that is unreachable, buffers included. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

let starting = 0;

/**
 * Starts threads whose old generations are not collected as a whole while they hold less than a floor:
 * the engine lets a small heap grow by a few MB only, then all of it is marked again, by four helpers
 * on the cores that requests wait for.
 *
 * The engine knows this for a process, and a thread takes it over when it is made: kinds of threads with
 * other floors are started one after the other.
 *
 * @param floor bytes, which the engine bounds by half of what the thread may have; below a MiB it is
 *   left to the engine.
 * @param start settles once the thread has answered.
 */
export async function withHeapFloor<T>(floor: number, start: () => Promise<T>): Promise<T> {
  starting++;
  setFlagsFromString(`--initial-old-space-size=${Math.floor(floor / MIB)}`);
  try {
    return await start();
  } finally {
    if (--starting === 0) setFlagsFromString('--initial-old-space-size=0');
  }
}

/** Use of this thread's heap beyond which it counts as full: the rest is for what is under way. */
const FULL_SHARE = 0.5;

/** A budget of this thread, but no more than a share of its heap, which a flag may have bounded. */
export function withinHeap(bytes: number, share: number): number {
  return Math.min(bytes, getHeapStatistics().heap_size_limit * share);
}

/**
 * Whether so little of this thread's heap is free that nothing large may be brought in.
 *
 * @cost some microseconds; a collection when it looks full, since much of it may be garbage.
 */
export function isHeapFull(): boolean {
  if (!looksFull()) return false;
  collectGarbage();
  return looksFull();
}

function looksFull(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return used_heap_size > heap_size_limit * FULL_SHARE;
}

/** A thread that was active for no more than this share of a minute rests. */
const REST_SHARE = 0.01;
/** Activity since the last collection from which one is worth it. */
const ACTIVE_MS_MIN = 500;

/**
 * Collects once when this thread comes to rest after work, so that what a burst left does not stay
 * until the next one. Looks once a minute, and keeps no thread alive.
 */
export function collectAtRest(): void {
  let before = performance.eventLoopUtilization();
  let activeMs = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    activeMs += active;
    if (utilization > REST_SHARE || activeMs < ACTIVE_MS_MIN) return;
    activeMs = 0;
    collectGarbage();
  };
  setInterval(look, LOOK_MS).unref();
}
