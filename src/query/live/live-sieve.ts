/**
 * The filters of all listeners of an edge, in bounded time and memory (O-50).
 *
 * Control plane, between the requests of visitors: an expression that takes long, or a thousand
 * filters, must not keep these waiting. Listeners that ask the same share one test; a second has so much
 * time for all of them, and rows that come when it is used up are not looked at. What filters have
 * learned of paths is forgotten every second: it would grow with every path that ever comes.
 */

import { monotonicMs } from '../../base/clock.ts';
import { OperatingError } from '../../model/errors.ts';
import {
  LIVE_FILTER_MS_MAX,
  LIVE_ONE_FILTER_MS_MAX,
  LIVE_PATTERN_STEP_COUNT_MAX,
  SECOND_MS,
} from '../../model/limits.ts';
import type { LiveRow } from '../../model/live.ts';
import { isUnfiltered, type QueryFilters } from '../question/filters.ts';
import { forgetTextSpaces } from '../text/text-space.ts';
import type { LiveRows } from './live-filter.ts';

const BOUNDS = { stepsMax: LIVE_PATTERN_STEP_COUNT_MAX, timeMsMax: LIVE_ONE_FILTER_MS_MAX };

/** A filter in this second. */
interface Used {
  readonly filters: QueryFilters;
  spentMs: number;
}

/** What filters that ask the same are known by; '' of those that filter nothing. */
export function sieveKey(filters: QueryFilters): string {
  return isUnfiltered(filters) ? '' : JSON.stringify(filters);
}

/** The filters of one thread. */
export class LiveSieve {
  readonly #nowMs: () => number;
  readonly #used = new Map<string, Used>();
  #sinceMs = Number.NEGATIVE_INFINITY;
  #spentMs = 0;
  /** The latest message, and what of it has passed, by key; null: was not looked at to the end. */
  #rows: LiveRows | null = null;
  readonly #passed = new Map<string, readonly LiveRow[] | null>();

  /** @param nowMs of a clock that never goes back. */
  constructor(nowMs = monotonicMs) {
    this.#nowMs = nowMs;
  }

  /**
   * The rows of a message that pass.
   *
   * @param key of the filters (`sieveKey`).
   * @returns null when nobody knows: the time of this second is used up.
   */
  passing(rows: LiveRows, filters: QueryFilters, key: string): readonly LiveRow[] | null {
    if (key === '') return rows.rows;
    if (this.#rows !== rows) {
      this.#rows = rows;
      this.#passed.clear();
    }
    const known = this.#passed.get(key);
    if (known !== undefined) return known;
    const passing = this.#sift(rows, filters, key);
    this.#passed.set(key, passing);
    return passing;
  }

  #sift(rows: LiveRows, filters: QueryFilters, key: string): readonly LiveRow[] | null {
    const startMs = this.#nowMs();
    if (startMs - this.#sinceMs >= SECOND_MS) this.#begin(startMs);
    const used = this.#used.get(key) ?? {
      filters: bounded(filters),
      spentMs: 0,
    };
    this.#used.set(key, used);
    const isSpent = this.#spentMs >= LIVE_FILTER_MS_MAX || used.spentMs >= LIVE_ONE_FILTER_MS_MAX;
    if (isSpent) return null;
    try {
      return rows.passing(used.filters);
    } catch (error) {
      // More than a filter may take: of the rows nobody knows, and nothing else is wrong.
      if (error instanceof OperatingError) return null;
      throw error;
    } finally {
      const spentMs = this.#nowMs() - startMs;
      used.spentMs += spentMs;
      this.#spentMs += spentMs;
    }
  }

  #begin(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#spentMs = 0;
    this.#used.clear();
    forgetTextSpaces();
  }
}

/** A copy: what is kept beside the original would stay as long as its stream. */
function bounded(filters: QueryFilters): QueryFilters {
  const { pattern, also } = filters;
  return {
    ...structuredClone({ ...filters, also: null }),
    pattern: pattern === null ? null : { ...pattern, bounds: BOUNDS },
    also: also === null ? null : bounded(also),
  };
}
