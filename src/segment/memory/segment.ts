/**
 * A segment: one domain and one UTC day, all its tables and its dictionary, in memory.
 *
 * Data plane. The actor writes it, the scan reads a decoded copy of the same class. Segments are
 * disjoint in visitors and in sessions, so every statistic is the sum over segments.
 */

import type { DomainId } from '../../model/ids.ts';
import { DICTIONARY_KINDS, type DictionaryKind } from '../../model/text-kinds.ts';
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
  TABLE_NAMES,
  type TableName,
  VIEWS,
  VISITORS,
} from './layout.ts';
import { Table } from './table.ts';

/** Counts of a segment at rest that are found out once (`disk/day-counts.ts`), by their names. */
export interface KeptCounts {
  /** Null: nobody has counted it. */
  find(name: string): readonly number[] | null;
  keep(name: string, counts: readonly number[]): void;
}

/** Pre-aggregates of days at rest as those of one segment, kept on disk (`disk/day-sums.ts`). */
export interface KeptSums {
  /** @param days side by side, of these sums. @returns null: nobody has made it. */
  find(days: readonly Segment[]): Segment | null;
  keep(days: readonly Segment[], sum: Segment): void;
}

/** One domain and one UTC day in memory. */
export class Segment {
  readonly domainId: DomainId;
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
  readonly dictionary = new Dictionary((kind, id) => this.#widen(kind, id));
  /** Earliest and latest instant of any view, event or session activity; empty: +∞ and −∞. */
  minMs = Number.POSITIVE_INFINITY;
  maxMs = Number.NEGATIVE_INFINITY;

  /** Save that a reader's copy stands at, so that what is derived from it can be kept; 0: it moves. */
  revision = 0;

  /** What is kept of its counts as long as it is as it is; null: it moves, or nobody keeps them. */
  counts: KeptCounts | null = null;

  /** Where sums are kept that it is part of; null: it moves, or nobody keeps them. */
  sums: KeptSums | null = null;

  /** Bytes of what readers derive from the segment and keep as long as it. */
  derivedBytes = 0;

  constructor(domainId: DomainId, day: number) {
    this.domainId = domainId;
    this.day = day;
    this.visitors.bound(this.sessions, 'visitor');
    this.sessions.bound(this.views, 'session');
    this.sessions.bound(this.events, 'session');
    this.tagPairs.bound(this.views, 'tagEnd');
    this.metaPairs.bound(this.events, 'metaEnd');
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

  /** A kind of text is about to get its first id that is this large: columns of the kind widen. */
  #widen(kind: number, id: number): void {
    const { sessions, views, events, tagPairs, metaPairs } = this;
    const name = DICTIONARY_KINDS[kind] as DictionaryKind;
    if (name === 'path' || name === 'title') {
      sessions.widen(name === 'path' ? 'entryPath' : 'entryTitle', id);
      sessions.widen(name === 'path' ? 'exitPath' : 'exitTitle', id);
      views.widen(name, id);
      events.widen(name, id);
    } else if (name === 'eventName') events.widen('name', id);
    else if (name === 'tagKey') tagPairs.widen('key', id);
    else if (name === 'tagValue') tagPairs.widen('value', id);
    else if (name === 'metaKey') metaPairs.widen('key', id);
    else if (name === 'metaValue') metaPairs.widen('value', id);
    else sessions.widen(name, id);
  }
}

/** The table of a number, the index of its name in `TABLE_NAMES`. */
export function tableOf(segment: Segment, index: number): Table<Record<string, 'u32'>> {
  // Every table has the same methods; which columns it has matters to its users only.
  return segment[TABLE_NAMES[index] as TableName] as unknown as Table<Record<string, 'u32'>>;
}
