/**
 * Assertions: a programmer's error stops the thread; the supervisor restarts it from the checkpoint.
 *
 * Both planes. Never caught anywhere else. In the data plane they stand before a loop, never in it.
 */

/**
 * Stops the thread when something that must hold does not.
 *
 * @param condition what must hold.
 * @param claim the condition in words, as a claim: 'pathId covers the block'.
 */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${claim}`);
}

/** Makes a forgotten case of a union a compile error, and stops the thread if one slips through. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}

/**
 * A value that must be there by what was decided before.
 *
 * @param claim as of `assert`.
 */
export function must<T>(value: T | null | undefined, claim: string): T {
  assert(value !== null && value !== undefined, claim);
  return value;
}
