/**
 * The part of an open segment that its rolling pre-aggregates do not count yet.
 *
 * Data plane. Rows are only ever appended, so three row counts say which are new. When a counted
 * session changes for the first time since the last flush, what it was counted as is kept here.
 *
 *     rows:   | counted …………… | views, events, sessions … |   `shard/rollup/flush.ts` counts them
 *                              ▲ marks
 */

import type { Segment } from '../memory/segment.ts';

/** What a session was counted as. */
export interface CountedSession {
  readonly isBounce: number;
  /** Whole seconds from its start to its last activity. */
  readonly seconds: number;
  /** Rows of the quarters of an hour of its first and last page view; −1: it has none. */
  readonly firstQuarter: number;
  readonly lastQuarter: number;
  readonly entryPath: number;
  readonly entryTitle: number;
  readonly exitPath: number;
  readonly exitTitle: number;
}

/** Rows from here on, and the sessions named, are not counted as they are. */
export class Unflushed {
  views: number;
  events: number;
  sessions: number;
  /** Counted sessions that moved, by row. */
  readonly moved = new Map<number, CountedSession>();
  /**
   * By event from `events` on: how many views were there when it came, times two; plus one if its page
   * became the exit page of its session.
   */
  readonly eventPlaces: number[] = [];

  /** All that a segment holds is counted. */
  constructor({ views, events, sessions }: Segment) {
    this.views = views.rowCount;
    this.events = events.rowCount;
    this.sessions = sessions.rowCount;
  }

  /** Everything is counted from now on. */
  reset({ views, events, sessions }: Segment): void {
    this.views = views.rowCount;
    this.events = events.rowCount;
    this.sessions = sessions.rowCount;
    this.moved.clear();
    this.eventPlaces.length = 0;
  }
}
