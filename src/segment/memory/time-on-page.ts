/** Time on page: a property of two neighbouring page views of a session (I-60). Data plane. */

import { SECOND_MS, TIME_ON_PAGE_SECONDS_MAX } from '../../model/limits.ts';

/** Whole seconds from a view to the next one of its session, capped (I-60). */
export function timeOnPage(fromMs: number, toMs: number): number {
  return Math.min(Math.floor((toMs - fromMs) / SECOND_MS), TIME_ON_PAGE_SECONDS_MAX);
}

/**
 * Time on page of the views of one session, in the order in which they came.
 *
 * @param into zeros: the last of them by time has none.
 */
export function fillTimesOnPage(
  times: Uint32Array | Float64Array,
  { start, end }: { start: number; end: number },
  into: Uint16Array | Uint32Array,
): void {
  for (let view = start + 1; view < end; view++) {
    if (times[view]! >= times[view - 1]!) {
      into[view - 1] = timeOnPage(times[view - 1]!, times[view]!);
      continue;
    }
    // Some came late. Equal times keep the order of arrival, as in the chain of views.
    const order = Array.from({ length: end - start }, (_, at) => start + at);
    order.sort((one, other) => times[one]! - times[other]!);
    for (const [at, of] of order.entries()) {
      const next = order[at + 1];
      into[of] = next === undefined ? 0 : timeOnPage(times[of]!, times[next]!);
    }
    return;
  }
}
