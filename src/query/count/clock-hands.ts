/**
 * Hands of the clock: the position of each row, of hours or minutes, in the local time of a zone.
 *
 * Data plane. The clock of a row needs the zone's offset, which is asked for once per span without a
 * change of it. Rows are nearly in order of time, so most are in the turn of the row before.
 */

import { offsetSpanAt } from '../../base/zone.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { isInside } from '../plan/selection.ts';
import type { QueryRange } from '../question/range.ts';
import type { TimeGroups } from './buckets.ts';
import { assignGroups, isOutside, OUTSIDE, type TimeCursor } from './session-times.ts';

/** A hand of the clock: `count` positions of `spanMs` each. */
export interface Hand {
  readonly name: string;
  readonly count: number;
  readonly spanMs: number;
  /** Position of the first instant of 1970. */
  readonly lead: number;
  /** What a row of the answer calls a position. */
  readonly fieldsOf: (position: number) => Readonly<Record<string, number>>;
}

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
const WEEK_DAYS = 7;
/** 1970 began on a Thursday; weeks begin on Monday (S-21). */
const FIRST_WEEKDAY = 3;

/** 24 positions of an hour. */
export const HOURS: Hand = {
  ...{ name: 'hour', count: DAY_HOURS, spanMs: HOUR_MS, lead: 0 },
  fieldsOf: (hour) => ({ hour }),
};
/** 60 positions of a minute. */
export const MINUTES: Hand = {
  ...{ name: 'minute', count: HOUR_MINUTES, spanMs: MINUTE_MS, lead: 0 },
  fieldsOf: (minute) => ({ minute }),
};
/** The hours of a week, from Monday on. */
export const WEEK_HOURS: Hand = {
  ...{ name: 'week hour', count: WEEK_DAYS * DAY_HOURS, spanMs: HOUR_MS },
  lead: FIRST_WEEKDAY * DAY_HOURS,
  fieldsOf: (position) => ({
    weekday: Math.floor(position / DAY_HOURS),
    hour: position % DAY_HOURS,
  }),
};

/** A hand's positions as a cursor over instants. */
export class HandCursor implements TimeCursor {
  readonly groupCount: number;
  startMs = Number.POSITIVE_INFINITY;
  endMs = Number.NEGATIVE_INFINITY;
  group = OUTSIDE;
  readonly #hand: Hand;
  readonly #range: QueryRange;
  #offsetSpan = { startMs: 0, endMs: 0, offsetMs: 0 };

  constructor(hand: Hand, range: QueryRange) {
    this.groupCount = hand.count;
    this.#hand = hand;
    this.#range = range;
  }

  minuteShiftOf(segment: Segment): number | null {
    if (this.#hand !== MINUTES || !isInside(segment, this.#range)) return null;
    const { offsetMs, endMs } = offsetSpanAt(this.#range.zone, segment.minMs);
    const shift = offsetMs / MINUTE_MS;
    if (segment.maxMs >= endMs || !Number.isInteger(shift)) return null;
    return ((shift % HOUR_MINUTES) + HOUR_MINUTES) % HOUR_MINUTES;
  }

  seek(atMs: number): void {
    const range = this.#range;
    if (isOutside(this, range, atMs)) return;
    let span = this.#offsetSpan;
    if (atMs < span.startMs || atMs >= span.endMs) span = offsetSpanAt(range.zone, atMs);
    this.#offsetSpan = span;
    const { spanMs, count, lead } = this.#hand;
    // Turns since 1970 fit 32 bits, and the rest of a division of such is quick.
    const turn = Math.floor((atMs + span.offsetMs) / spanMs) | 0;
    const turnMs = turn * spanMs - span.offsetMs;
    this.group = (turn + lead) % count;
    this.startMs = Math.max(turnMs, span.startMs, range.startMs);
    this.endMs = Math.min(turnMs + spanMs, span.endMs, range.endMs);
  }
}

/** The positions of the hand as groups of time (S-8). */
export function positionsOf(hand: Hand, range: QueryRange): TimeGroups {
  return {
    groupCount: hand.count,
    groupMap: Uint32Array.from({ length: hand.count }, (_, position) => position),
    assign: (times, groups) => assignGroups(new HandCursor(hand, range), times, groups),
  };
}
