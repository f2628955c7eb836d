/** Waiting for what comes about by itself. */

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Waits until something is true.
 *
 * @returns milliseconds it took.
 * @throws Error when it is not within the time.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<number> {
  const startMs = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startMs > withinMs) throw new Error(`not within ${withinMs} ms`);
    await pause(10);
  }
  return Math.round(performance.now() - startMs);
}

/**
 * Waits until each count is as high as all, or none has grown for so long: thousands that come slowly
 * are no fault, and what is missing is judged by whoever asks.
 */
export async function untilAll(
  counts: () => readonly number[],
  all: number,
  silentMs: number,
): Promise<void> {
  let [before, grownMs] = [-1, performance.now()];
  for (;;) {
    const now = counts();
    if (now.every((count) => count >= all)) return;
    const sum = now.reduce((total, count) => total + count, 0);
    if (sum > before) [before, grownMs] = [sum, performance.now()];
    else if (performance.now() - grownMs > silentMs) return;
    // Counting thousands again and again would take the time from who is waited for.
    await pause(500);
  }
}
