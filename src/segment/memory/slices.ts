/** Work in slices of about a millisecond, done in one go where nobody waits. Data plane, per segment. */

/** @returns what the work comes to. */
export function finish<Result>(slices: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}
