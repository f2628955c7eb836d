/**
 * A segment: one domain and one UTC day, all its tables and its dictionary, in memory.
 *
 * Data plane. The actor writes it, the scan reads a decoded copy of the same class. Segments are
 * disjoint in visitors and in sessions, so every statistic is the sum over segments.
 */

import { Dictionary } from './dictionary.ts';
import {
  CARRIED,
  DERIVED_SESSIONS,
  DERIVED_VIEWS,
  EVENTS,
  PAGES,
  PAIRS,
  QUARTERS,
  ROLLUPS,
  SESSIONS,
  VIEWS,
  VISITORS,
} from './layout.ts';
import { Table } from './table.ts';

/** One domain and one UTC day in memory. */
export class Segment {
  readonly domainId: string;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  readonly visitors = new Table(VISITORS);
  readonly sessions = new Table(SESSIONS, { derived: DERIVED_SESSIONS });
  readonly views = new Table(VIEWS, { derived: DERIVED_VIEWS, isAppended: true });
  readonly events = new Table(EVENTS, { isAppended: true });
  readonly tagPairs = new Table(PAIRS, { isAppended: true });
  readonly metaPairs = new Table(PAIRS, { isAppended: true });
  readonly carried = new Table(CARRIED);
  readonly rollups = new Table(ROLLUPS);
  readonly pages = new Table(PAGES);
  readonly titledPages = new Table(PAGES);
  readonly quarters = new Table(QUARTERS);
  readonly dictionary = new Dictionary();
  /** Earliest and latest instant of any view, event or session activity; empty: +∞ and −∞. */
  minMs = Number.POSITIVE_INFINITY;
  maxMs = Number.NEGATIVE_INFINITY;

  /** Save that a reader's copy stands at, so that what is derived from it can be kept; 0: it moves. */
  revision = 0;

  /** Bytes of what readers derive from the segment and keep as long as it. */
  derivedBytes = 0;

  constructor(domainId: string, day: number) {
    this.domainId = domainId;
    this.day = day;
  }

  /** Rough bytes held in memory. */
  get bytes(): number {
    return (
      this.visitors.bytes +
      this.sessions.bytes +
      this.views.bytes +
      this.events.bytes +
      this.tagPairs.bytes +
      this.metaPairs.bytes +
      this.carried.bytes +
      this.rollups.bytes +
      this.pages.bytes +
      this.titledPages.bytes +
      this.quarters.bytes +
      this.dictionary.bytes +
      this.derivedBytes
    );
  }

  /** Widens the segment's span of time. @cost constant. */
  cover(timeMs: number): void {
    if (timeMs < this.minMs) this.minMs = timeMs;
    if (timeMs > this.maxMs) this.maxMs = timeMs;
  }
}
