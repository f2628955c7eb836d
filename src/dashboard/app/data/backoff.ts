/**
 * How long to wait before something is tried again: longer each time, never all pages at once, and as
 * long as the service asked for (`Retry-After`).
 */

const FIRST_MS = 1_000;
const MOST_MS = 30_000;
const MS_PER_SECOND = 1_000;

/**
 * Milliseconds to wait.
 *
 * @param failures how often it failed in a row, 1 the first time.
 * @param retryAfterSeconds what the service asked for; 0: nothing.
 */
export function backoffMs(failures: number, retryAfterSeconds: number): number {
  const mostMs = Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS);
  // Half of it is left to chance: the pages of a service that starts again come one after the other.
  const ownMs = mostMs * (0.5 + Math.random() / 2);
  if (retryAfterSeconds === 0) return ownMs;
  return retryAfterSeconds * MS_PER_SECOND + ownMs / 2;
}

/** Waits, but not longer than until the signal or until the browser has a network again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    addEventListener('online', end);
    if (signal.aborted) end();
  });
}
