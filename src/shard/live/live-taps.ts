/**
 * Rows of domains that somebody looks at, told as they are stored (O-50).
 *
 * Data plane at the look whether anybody looks at all: a comparison per group of hits. Of a domain that
 * is watched the rows behind those that were there before its group are read, as texts; how many in a
 * second is bounded, further ones are counted. What comes within some milliseconds of a telling is told
 * together.
 */

import { monotonicMs } from '../../base/clock.ts';
import { type HitGroup, isImportHash } from '../../model/hit.ts';
import type { DomainId } from '../../model/ids.ts';
import { LIVE_GATHER_MS, LIVE_ROW_COUNT_MAX, SECOND_MS } from '../../model/limits.ts';
import type { LiveNews, LiveRow } from '../../model/live.ts';
import { TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { TABLE_NAMES } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';

const VIEWS_AT = TABLE_NAMES.indexOf('views');
const EVENTS_AT = TABLE_NAMES.indexOf('events');

/** Rows of a segment that were there before. */
export interface RowMarks {
  readonly views: number;
  readonly events: number;
}

interface Tap {
  rows: LiveRow[];
  moreCount: number;
  /** Whether something was applied that is not told yet. */
  isPending: boolean;
  /** Second of the wall clock, and rows that were told in it. */
  second: number;
  toldCount: number;
}

type HeardGroup = Pick<HitGroup, 'domainId' | 'idempotencyHash'>;

/** The domains of one actor that are watched. */
export class LiveTaps {
  readonly #taps = new Map<DomainId, Tap>();
  #tell: (news: LiveNews) => void = () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #flushedMs = Number.NEGATIVE_INFINITY;

  /** @param tell is given what was stored, from then on. */
  onNews(tell: (news: LiveNews) => void): void {
    this.#tell = tell;
  }

  /** @cost a comparison while nobody looks at anything. */
  has(domainId: DomainId): boolean {
    return this.#taps.size !== 0 && this.#taps.has(domainId);
  }

  /** Whether a group of hits is told to somebody: what was imported is nothing that happens now. */
  hears({ domainId, idempotencyHash }: HeardGroup): boolean {
    return this.has(domainId) && !isImportHash(idempotencyHash);
  }

  /** Begins, or ends, to tell of a domain. */
  set(domainId: DomainId, isWatched: boolean): void {
    if (!isWatched) this.#taps.delete(domainId);
    else if (!this.#taps.has(domainId)) {
      const tap = { rows: [], moreCount: 0, isPending: false, second: 0, toldCount: 0 };
      this.#taps.set(domainId, tap);
    }
  }

  /** Where the open days of a domain stand, before a group of its hits is applied. */
  marks(segments: ReadonlyMap<number, OpenSegment>): Map<OpenSegment, RowMarks> {
    const marks = new Map<OpenSegment, RowMarks>();
    for (const open of segments.values()) {
      const { views, events } = open.segment;
      marks.set(open, { views: views.rowCount, events: events.rowCount });
    }
    return marks;
  }

  /** Takes in what a group has left behind. */
  note(
    domain: { readonly domainId: DomainId; readonly segments: ReadonlyMap<number, OpenSegment> },
    marks: ReadonlyMap<OpenSegment, RowMarks>,
    nowMs: number,
  ): void {
    const { domainId, segments } = domain;
    const tap = this.#taps.get(domainId);
    if (tap === undefined) return;
    const second = Math.floor(nowMs / SECOND_MS);
    if (tap.second !== second) {
      tap.second = second;
      tap.toldCount = 0;
    }
    for (const open of segments.values()) {
      const before = marks.get(open) ?? savedMarks(open);
      takeRows(open.segment, before, tap);
    }
    tap.isPending = true;
    if (this.#timer !== null) return;
    const restMs = this.#flushedMs + LIVE_GATHER_MS - monotonicMs();
    // At once after a rest: what the actor saves behind this group may take as long again.
    if (restMs <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), restMs);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#taps.clear();
  }

  #flush(): void {
    this.#timer = null;
    this.#flushedMs = monotonicMs();
    for (const [domainId, tap] of this.#taps) {
      if (!tap.isPending) continue;
      this.#tell({ domainId, rows: tap.rows, moreCount: tap.moreCount });
      tap.rows = [];
      tap.moreCount = 0;
      tap.isPending = false;
    }
  }
}

/** A day that the group has opened: what was saved of it is from before. */
function savedMarks({ header }: OpenSegment): RowMarks {
  return { views: header?.rows[VIEWS_AT] ?? 0, events: header?.rows[EVENTS_AT] ?? 0 };
}

function takeRows(segment: Segment, marks: RowMarks, tap: Tap): void {
  const { views, events } = segment;
  for (let row = marks.views; row < views.rowCount; row++) {
    take(tap, () => rowOf(segment, row, null));
  }
  for (let row = marks.events; row < events.rowCount; row++) {
    take(tap, () => rowOf(segment, null, row));
  }
}

function take(tap: Tap, read: () => LiveRow): void {
  if (tap.toldCount >= LIVE_ROW_COUNT_MAX) tap.moreCount++;
  else {
    tap.toldCount++;
    tap.rows.push(read());
  }
}

/** One row with its session: of page views, or of events. */
function rowOf(segment: Segment, view: number | null, event: number | null): LiveRow {
  const { dictionary, sessions, visitors, views, events, tagPairs, metaPairs } = segment;
  const isEvent = event !== null;
  const row = (isEvent ? event : view) as number;
  const table = isEvent ? events : views;
  const { timeMs, session: sessionOf, path, title } = table.columns;
  const session = sessionOf[row] as number;
  const { columns } = sessions;
  const text = (kind: number, id: number | undefined) =>
    dictionary.texts(kind)[id as number] as string;
  const ends = isEvent ? events.columns.metaEnd : views.columns.tagEnd;
  const pairs = isEvent ? metaPairs : tagPairs;
  const [keys, values] = isEvent ? [KIND.metaKey, KIND.metaValue] : [KIND.tagKey, KIND.tagValue];
  const told: string[] = [];
  for (let at = row === 0 ? 0 : (ends[row - 1] as number); at < (ends[row] as number); at++) {
    told.push(text(keys, pairs.columns.key[at]), text(values, pairs.columns.value[at]));
  }
  const visitor = columns.visitor[session] as number;
  return {
    timeMs: timeMs[row] as number,
    path: text(KIND.path, path[row]),
    title: text(KIND.title, title[row]),
    eventName: isEvent ? text(KIND.eventName, events.columns.name[row]) : '',
    pairs: told,
    dimensions: TEXT_DIMENSIONS.map((name) => text(KIND[name], columns[name][session])),
    platform: columns.platform[session] as number,
    entryPath: text(KIND.path, columns.entryPath[session]),
    exitPath: text(KIND.path, columns.exitPath[session]),
    visitorLow: visitors.columns.low[visitor] as number,
    visitorHigh: visitors.columns.high[visitor] as number,
    sessionId: session + 1,
  };
}
