/**
 * Intervals of a thread that fall together: those of 250 ms, 500 ms and a second all fall on the same
 * whole seconds, so that a service at rest wakes once for what is due then and not for each.
 *
 * Control plane. Waking a thread costs more than most of its looks do.
 */

import { monotonicMs } from './clock.ts';

/** Longer periods end at whole seconds, too. */
const STEP_MS_MAX = 1_000;
/** A timer may come so much too early. */
const EARLY_MS = 1;

interface Interval {
  readonly work: (dueMs: number) => void;
  readonly periodMs: number;
  dueMs: number;
}

const intervals = new Set<Interval>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls `work` once a period; calls that a busy thread has missed are left out. What it
 * throws is uncaught, as of a timer, and the others go on. It keeps no process alive.
 *
 * @param work gets the moment at which it was due, by `monotonicMs`.
 * @returns what ends it.
 */
export function setSharedInterval(work: (dueMs: number) => void, periodMs: number): () => void {
  const interval = { work, periodMs, dueMs: 0 };
  schedule(interval);
  intervals.add(interval);
  arm();
  return () => {
    if (intervals.delete(interval)) arm();
  };
}

function schedule(interval: Interval): void {
  const { periodMs, dueMs } = interval;
  const stepMs = Math.min(periodMs, STEP_MS_MAX);
  const afterMs = Math.max(monotonicMs(), dueMs) + periodMs - stepMs;
  interval.dueMs = (Math.floor(afterMs / stepMs) + 1) * stepMs;
}

function arm(): void {
  clearTimeout(timer);
  const dueMs = Math.min(...[...intervals].map((interval) => interval.dueMs));
  if (dueMs === Number.POSITIVE_INFINITY) return;
  timer = setTimeout(run, Math.ceil(dueMs - monotonicMs())).unref();
}

function run(): void {
  const untilMs = monotonicMs() + EARLY_MS;
  try {
    for (const interval of intervals) {
      if (interval.dueMs > untilMs) continue;
      const { dueMs } = interval;
      schedule(interval);
      interval.work(dueMs);
    }
  } finally {
    arm();
  }
}
