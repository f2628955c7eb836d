/** Which days have a key for their visitors' ids (P-22), and where it stands. Control plane. */

import { DAY_KEY_AHEAD_DAYS_MAX, DAY_KEY_PLACE_COUNT, DAY_KEY_REST_DAYS } from './limits.ts';

/** Whether a day's key is kept: until 48 h after the day's end, and a week ahead of it at the most. */
export function hasDayKey(dayIndex: number, today: number): boolean {
  return dayIndex >= today - DAY_KEY_REST_DAYS && dayIndex <= today + DAY_KEY_AHEAD_DAYS_MAX;
}

/** Where a day's key stands, in memory and in its file: no two days that have one share a place. */
export function dayKeyPlace(dayIndex: number): number {
  const rest = dayIndex % DAY_KEY_PLACE_COUNT;
  // A clock that begins in 1970 looks two days back.
  return rest < 0 ? rest + DAY_KEY_PLACE_COUNT : rest;
}
