/** Time on page: a property of two neighbouring page views of a session (I-60). Data plane. */

import { SECOND_MS, TIME_ON_PAGE_SECONDS_MAX } from '../../model/limits.ts';

/** Whole seconds from a view to the next one of its session, capped (I-60). */
export function timeOnPage(fromMs: number, toMs: number): number {
  return Math.min(Math.floor((toMs - fromMs) / SECOND_MS), TIME_ON_PAGE_SECONDS_MAX);
}
