/** When a failed attempt is made again (O-11). */

import { assert } from '../../base/assert.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import { WEBHOOK_ATTEMPT_COUNT_MAX } from '../../model/outgoing-limits.ts';

/** After the first failure, the second … */
const WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
  ...[HOUR_MS, 3 * HOUR_MS, 8 * HOUR_MS],
];
/** Each is longer or shorter by up to this share, so that not all come back at once. */
const SPREAD = 0.2;

assert(WAITS_MS.length === WEBHOOK_ATTEMPT_COUNT_MAX - 1, 'each attempt but the last has a wait');

/**
 * How long to wait after a failure; null: it is given up.
 *
 * @param attempts how many have failed by now.
 * @param share random, from 0 to 1.
 */
export function waitMs(attempts: number, share: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + SPREAD * (2 * share - 1)));
}
