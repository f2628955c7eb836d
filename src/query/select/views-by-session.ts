/**
 * Columns of page views in order of visitor and session, so that one session's views are one run.
 *
 * Data plane. Kept for as long as the segment has the same rows: none of these columns changes in a
 * row that exists, but for time on page, which changes only where another view is added (I-60).
 * Within a session the views are in order of arrival. Who goes along sessions needs no column of the
 * page views themselves once these are made: of ninety days they are a third of the bytes.
 *
 *     paths   a b  │ a │ c d a        of the views of session 2, 0, 1
 *     starts  2 3 0   counts  1 3 2   of session 0, 1, 2
 */

import type { NumberColumn } from '../../base/bring-near.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/limits.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { fillTimesOnPage } from '../../segment/memory/time-on-page.ts';
import { visitorOrderOf } from './visitor-order.ts';

/** (path, title) as dense numbers of the segment. */
export interface PageColumn {
  readonly pages: Uint32Array;
  readonly pairs: PairIndex;
}

/** Page views of a segment session by session. */
export class SessionViews {
  readonly #segment: Segment;
  readonly viewCount: number;
  /** By session: where its views start, and how many they are (I-49). */
  readonly starts: Uint32Array;
  readonly counts: Uint8Array;
  /** Instant that `times` count from; an event may begin the segment earlier since. */
  readonly originMs: number;
  #bytes = 0;
  #paths: Uint32Array | null = null;
  #titled: PageColumn | null = null;
  #minutes: Uint8Array | null = null;
  #times: Uint32Array | Float64Array | null = null;
  #timesOnPage: Uint16Array | null = null;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.viewCount = segment.views.rowCount;
    this.originMs = segment.minMs;
    this.counts = countsOf(segment);
    this.starts = startsOf(this.counts, visitorOrderOf(segment));
    this.#book(this.starts.byteLength + this.counts.byteLength);
  }

  /** Path per view. @cost a pass over the views the first time. */
  get paths(): Uint32Array {
    if (this.#paths === null) {
      const { path } = this.#segment.views.columns;
      // As wide as the column, which is as narrow as its ids allow.
      this.#paths = this.#inOrder(path, path.slice(0, this.viewCount));
    }
    return this.#paths;
  }

  /** (path, title) per view. @cost a pass over the views the first time. */
  get titled(): PageColumn {
    if (this.#titled === null) {
      const { path, title } = this.#segment.views.columns;
      const pairs = new PairIndex();
      const pages = new Uint32Array(this.viewCount);
      for (let row = 0; row < pages.length; row++) pages[row] = pairs.idOf(path[row]!, title[row]!);
      this.#titled = { pages: this.#inOrder(pages, new Uint32Array(this.viewCount)), pairs };
    }
    return this.#titled;
  }

  /** Minute of the hour in UTC per view. @cost two passes over the views the first time. */
  get minutes(): Uint8Array {
    if (this.#minutes === null) {
      const { timeMs } = this.#segment.views.columns;
      const hourMs = Math.floor(this.originMs / HOUR_MS) * HOUR_MS;
      const minutes = new Uint8Array(this.viewCount);
      for (let row = 0; row < minutes.length; row++) {
        minutes[row] = (((timeMs[row]! - hourMs) / MINUTE_MS) | 0) % (HOUR_MS / MINUTE_MS);
      }
      this.#minutes = this.#inOrder(minutes, new Uint8Array(this.viewCount));
    }
    return this.#minutes;
  }

  /** Milliseconds per view since `originMs`. @cost a pass over the views the first time. */
  get times(): Uint32Array | Float64Array {
    if (this.#times === null) {
      const { views, maxMs } = this.#segment;
      const isShort = maxMs - this.originMs <= UINT32_MAX;
      const times = isShort ? new Uint32Array(this.viewCount) : new Float64Array(this.viewCount);
      this.#times = this.#inOrder(views.columns.timeMs, times, this.originMs);
    }
    return this.#times;
  }

  /** Time on page per view, in seconds (I-60). @cost a pass over the views the first time. */
  get timesOnPage(): Uint16Array {
    if (this.#timesOnPage === null) {
      const seconds = new Uint16Array(this.viewCount);
      const { starts, counts, times } = this;
      for (let session = 0; session < starts.length; session++) {
        const start = starts[session]!;
        fillTimesOnPage(times, { start, end: start + counts[session]! }, seconds);
      }
      this.#book(seconds.byteLength);
      this.#timesOnPage = seconds;
    }
    return this.#timesOnPage;
  }

  /** Gives back the bytes that were booked: the segment has other rows now. */
  close(): void {
    this.#segment.derivedBytes -= this.#bytes;
  }

  #book(bytes: number): void {
    this.#bytes += bytes;
    this.#segment.derivedBytes += bytes;
  }

  #inOrder<T extends Uint8Array | Uint32Array | Float64Array>(
    column: NumberColumn,
    ordered: T,
    less = 0,
  ): T {
    const { session } = this.#segment.views.columns;
    const next = this.starts.slice();
    for (let row = 0; row < ordered.length; row++) {
      ordered[next[session[row]!]!++] = column[row]! - less;
    }
    this.#book(ordered.byteLength);
    return ordered;
  }
}

const UINT32_MAX = 0xffff_ffff;

const held = new WeakMap<Segment, SessionViews>();

/** The page views of a segment session by session, as of now. */
export function sessionViewsOf(segment: Segment): SessionViews {
  const known = held.get(segment);
  const { sessions, views } = segment;
  if (known?.viewCount === views.rowCount && known.starts.length === sessions.rowCount)
    return known;
  known?.close();
  const made = new SessionViews(segment);
  held.set(segment, made);
  return made;
}

function countsOf(segment: Segment): Uint8Array {
  const { session } = segment.views.columns;
  const counts = new Uint8Array(segment.sessions.rowCount);
  const { rowCount } = segment.views;
  for (let row = 0; row < rowCount; row++) counts[session[row]!]!++;
  return counts;
}

function startsOf(counts: Uint8Array, order: Uint32Array): Uint32Array {
  const starts = new Uint32Array(order.length);
  let start = 0;
  for (let at = 0; at < order.length; at++) {
    const session = order[at]!;
    starts[session] = start;
    start += counts[session]!;
  }
  return starts;
}
