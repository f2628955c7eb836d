/**
 * Active visitors of one domain (S-80 to S-82): whether a query is answered from running counts or
 * by a scan, and for how long counts are kept.
 *
 * Counting starts with the first query of a domain and stops some time after the last, also after a
 * restart. The counts cannot answer queries with filters, nor any query while a hit is ahead of the
 * clock: those are scanned. On large days neither is done in one go: counts are made in slices
 * (`actor/active-fills.ts`), and query threads scan.
 */

import { monotonicMs } from '../../base/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, SLICED_DAY_ROW_COUNT_MIN } from '../../model/limits.ts';
import {
  ACTIVE,
  type ActiveAnswer,
  activeAsOf,
  answerActive,
  runActive,
} from '../../query/live/active.ts';
import type { ExplainedAnswer } from '../../query/plan/explain.ts';
import { type Plan, planOf } from '../../query/plan/planner.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { ActiveWatch } from './active-watch.ts';

/** Counts are kept this long after the last question that used them. */
const IDLE_AFTER_MS = 2 * MINUTE_MS;
/** Hits further ahead of the clock than this end the counting: they would be in the way for long. */
const AHEAD_MS_MAX = MINUTE_MS;

/** What is kept of a domain for the statistic `active`. */
export class ActiveVisitors {
  /** One per segment of the last hour; empty while nobody asks. */
  #watches: ActiveWatch[] = [];
  /** Whether pages are told apart by title; the other way is scanned meanwhile. */
  #byTitle = false;
  #askedMs = 0;
  /** What is still to be counted; null when nothing is. */
  #filling: Generator<undefined, void> | null = null;

  /** Bytes held. */
  get bytes(): number {
    return this.#watches.reduce((sum, watch) => sum + watch.bytes, 0);
  }

  /** Whether counts are kept, because somebody asked lately. */
  get isCounting(): boolean {
    return this.#watches.length > 0;
  }

  /** Whether counts are being made (`fill`). */
  get isFilling(): boolean {
    return this.#filling !== null;
  }

  /** Makes counts until they are there or the time is over. @returns whether they are. */
  fill(isOver: () => boolean): boolean {
    while (this.#filling !== null && !isOver()) {
      if (this.#filling.next().done === true) this.#filling = null;
    }
    return this.#filling === null;
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
  stopWhenIdle(nowMs: number): void {
    if (this.#watches.length > 0 && nowMs - this.#askedMs > IDLE_AFTER_MS) this.#stop();
  }

  /**
   * Answers a question as of now: its window is moved to end with the clock of this thread, which is
   * not behind any hit that was given the time of its receipt.
   *
   * @param segments the open segments of the domain, all that have activity in the last hour.
   * @returns null when that would take long: a query thread is to be asked, counts are made meanwhile
   *   where they will do.
   * @throws QUERY_BUDGET_EXCEEDED when it has to be scanned and is too much.
   */
  answer(
    query: StatisticsQuery,
    segments: Iterable<OpenSegment>,
    nowMs: number,
  ): ActiveAnswer | null {
    return this.#answer(query, segments, nowMs)?.answer ?? null;
  }

  /** The same with its plan, for EXPLAIN. @throws QUERY_BUDGET_EXCEEDED as `answer` does. */
  explain(
    query: StatisticsQuery,
    segments: Iterable<OpenSegment>,
    nowMs: number,
  ): ExplainedAnswer | null {
    const startMs = monotonicMs();
    const found = this.#answer(query, segments, nowMs);
    return found === null ? null : { ...found, segments: [], ms: monotonicMs() - startMs };
  }

  #answer(
    query: StatisticsQuery,
    segments: Iterable<OpenSegment>,
    nowMs: number,
  ): { plan: Plan; answer: ActiveAnswer } | null {
    const live: OpenSegment[] = [];
    let latestMs = 0;
    let rows = 0;
    for (const open of segments) {
      if (open.segment.maxMs < nowMs - HOUR_MS) continue;
      live.push(open);
      latestMs = Math.max(latestMs, open.segment.maxMs);
      rows += rowsOf(open.segment);
    }
    const isLarge = rows >= SLICED_DAY_ROW_COUNT_MIN;
    const asked = activeAsOf(query, nowMs);
    const plan = planOf(ACTIVE, query, 'best', 'actor');
    // A hit that is ahead of the clock, or pages told apart the other way: the counters do not know.
    if (plan.source !== 'counters' || latestMs > nowMs || !this.#watch(live, query)) {
      if (isLarge) return null;
      const answer = runActive(asked, live.map(segmentOf));
      return { plan: planOf(ACTIVE, query, 'scan'), answer };
    }
    this.#askedMs = nowMs;
    const seconds = (nowMs - asked.range.startMs) / SECOND_MS;
    // What is being counted may be another window, or days that have gone since.
    while (!this.#watches.every((watch) => watch.isReady(seconds, nowMs))) {
      this.#filling ??= this.#countInSlices(seconds, nowMs);
      if (isLarge) return null;
      this.fill(() => false);
    }
    const boards = this.#watches.map((watch) => watch.boardOf(seconds, nowMs));
    return { plan, answer: answerActive(asked, boards) };
  }

  *#countInSlices(seconds: number, nowMs: number): Generator<undefined, void> {
    for (const watch of this.#watches) yield* watch.countInSlices(seconds, nowMs);
  }

  /** Sees to it that exactly the live segments are watched. @returns false when it cannot. */
  #watch(live: readonly OpenSegment[], query: StatisticsQuery): boolean {
    if (this.#watches.length > 0 && query.byTitle !== this.#byTitle) return false;
    this.#byTitle = query.byTitle;
    const known = this.#watches;
    if (known.length === live.length && live.every((open, at) => known[at]!.open === open)) {
      return true;
    }
    for (const watch of known) if (!live.includes(watch.open)) watch.close();
    this.#watches = live.map(
      (open) => known.find((watch) => watch.open === open) ?? new ActiveWatch(open, this.#byTitle),
    );
    return true;
  }

  #stop(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
    this.#filling = null;
  }
}

function rowsOf(segment: Segment): number {
  return TABLE_NAMES.reduce((sum, name) => sum + segment[name].rowCount, 0);
}

function segmentOf(open: OpenSegment): Segment {
  return open.segment;
}
