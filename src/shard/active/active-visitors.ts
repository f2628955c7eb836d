/**
 * Active visitors of one domain (S-80 to S-82): which way a question is answered, and for how long
 * counts are kept.
 *
 * Nobody looks at most domains, so counting starts with the first question and ends a while after
 * the last; a start after a restart is no different. What counts cannot say is scanned: questions
 * with filters, and any while a hit is ahead of the clock.
 */

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import { type ActiveAnswer, answerActive, runActive } from '../../query/live/active.ts';
import { isUnfiltered } from '../../query/plan/query-context.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { ActiveWatch } from './active-watch.ts';

/** Counts are kept this long after the last question that used them. */
const REST_AFTER_MS = 2 * MINUTE_MS;
/** Hits further ahead of the clock than this end the counting: they would be in the way for long. */
const AHEAD_MS_MAX = MINUTE_MS;

/** What is kept of a domain for the statistic `active`. */
export class ActiveVisitors {
  /** One per segment of the last hour; empty while nobody asks. */
  #watches: ActiveWatch[] = [];
  /** Whether pages are told apart by title; the other way is scanned meanwhile. */
  #byTitle = false;
  #askedMs = 0;

  /** Bytes held. */
  get bytes(): number {
    return this.#watches.reduce((sum, watch) => sum + watch.bytes, 0);
  }

  /** Whether counts are kept, because somebody asked lately. */
  get isKept(): boolean {
    return this.#watches.length > 0;
  }

  /** Takes in what was applied. @cost constant per hit while somebody asks, else nothing. */
  advance(nowMs: number): void {
    const watches = this.#watches;
    for (let index = 0; index < watches.length; index++) {
      const watch = watches[index]!;
      if (watch.open.segment.maxMs > nowMs + AHEAD_MS_MAX) {
        this.#stop();
        return;
      }
      watch.catchUp();
    }
  }

  /** A day leaves memory: what is counted of it ends with it. */
  forget(open: OpenSegment): void {
    if (this.#watches.some((watch) => watch.open === open)) this.#stop();
  }

  /** Lets go of the counts when nobody asked for a while. */
  rest(nowMs: number): void {
    if (this.#watches.length > 0 && nowMs - this.#askedMs > REST_AFTER_MS) this.#stop();
  }

  /**
   * Answers a question as of now: its window is moved to end with the clock of this thread, which is
   * not behind any hit that was given the time of its receipt.
   *
   * @param segments the open segments of the domain, all that have activity in the last hour.
   * @throws QUERY_BUDGET_EXCEEDED when it has to be scanned and is too much.
   */
  answer(query: StatisticsQuery, segments: Iterable<OpenSegment>, nowMs: number): ActiveAnswer {
    const spanMs = query.range.endMs - 1 - query.range.startMs;
    const range = { ...query.range, startMs: nowMs - spanMs, endMs: nowMs + 1 };
    const asked = { ...query, range };
    const live: OpenSegment[] = [];
    let latestMs = 0;
    for (const open of segments) {
      if (open.segment.maxMs < nowMs - HOUR_MS) continue;
      live.push(open);
      latestMs = Math.max(latestMs, open.segment.maxMs);
    }
    if (!isUnfiltered(query.filters) || latestMs > nowMs || !this.#watch(live, query, nowMs)) {
      return runActive(asked, live.map(segmentOf));
    }
    this.#askedMs = nowMs;
    return answerActive(
      asked,
      this.#watches.map((watch) => watch.boardOf(spanMs / SECOND_MS, nowMs)),
    );
  }

  /** Sees to it that exactly the live segments are watched. @returns false when it cannot. */
  #watch(live: readonly OpenSegment[], query: StatisticsQuery, nowMs: number): boolean {
    if (this.#watches.length > 0 && query.byTitle !== this.#byTitle) return false;
    this.#byTitle = query.byTitle;
    const known = this.#watches;
    if (known.length === live.length && live.every((open, at) => known[at]!.open === open)) {
      return true;
    }
    for (const watch of known) if (!live.includes(watch.open)) watch.close();
    this.#watches = live.map(
      (open) =>
        known.find((watch) => watch.open === open) ?? new ActiveWatch(open, this.#byTitle, nowMs),
    );
    return true;
  }

  #stop(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
  }
}

function segmentOf(open: OpenSegment): Segment {
  return open.segment;
}
