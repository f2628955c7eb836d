/**
 * Who was active on one open segment in the last hour, kept current from what hits leave behind.
 *
 * Data plane. Nothing is told of page views and events: their rows are only ever appended, so a
 * cursor over each table finds the new ones, and the session of a row knows its last activity.
 * Keep-alives leave no row; the segment lists their sessions while it is watched.
 *
 *     pair (0, visitor)         when a session of the visitor was last active (S-82)
 *     pair (page + 1, visitor)  when the visitor last viewed the page (S-81)
 *
 * A latest time is all that is needed as long as it is not ahead of the clock: if an earlier one
 * lies in the window, so does the latest. `active-visitors.ts` scans where that does not hold.
 */

import { HOUR_MS } from '../../model/limits.ts';
import { type ActiveBoard, blockMaximaOf } from '../../query/live/active.ts';
import { SlidingWindow } from '../../query/live/sliding-window.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import { BLOCK_ROWS } from '../../segment/memory/table.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';

/** Keeps the counts of one segment. */
export class ActiveWatch {
  readonly open: OpenSegment;
  readonly #pairs = new SlidingWindow();
  /** Path and title ↔ page; null when a page is its path. */
  readonly #pages: PairIndex | null;
  #viewRow: number;
  #eventRow: number;
  /** Page views that were there at the beginning. */
  readonly #unreadViews: number;
  /** Whether they, and the sessions, are noted. */
  #isRead = false;

  /** Asks the segment to list keep-alives; what it holds by now is read by `countInSlices`. */
  constructor(open: OpenSegment, byTitle: boolean) {
    this.open = open;
    this.#pages = byTitle ? new PairIndex() : null;
    open.keepAlives = [];
    this.#viewRow = open.segment.views.rowCount;
    this.#eventRow = open.segment.events.rowCount;
    this.#unreadViews = this.#viewRow;
  }

  /** Whether the counts of the last `seconds` are there. */
  isReady(seconds: number, nowMs: number): boolean {
    return this.#pairs.isOpen(seconds, nowMs);
  }

  /**
   * Makes the counts of the last `seconds` slice by slice; the first time from what the segment has of
   * the last hour. Hits may be applied between slices: what they change is noted by `catchUp`, and the
   * latest time of a pair is the same in whichever order it is noted.
   *
   * @cost the first time a look at every session, and at the blocks of page views with recent ones.
   */
  *countInSlices(seconds: number, nowMs: number): Generator<undefined, void> {
    if (!this.#isRead) yield* this.#readInSlices(nowMs - HOUR_MS);
    this.#isRead = true;
    if (!this.#pairs.isOpen(seconds, nowMs)) yield* this.#pairs.openInSlices(seconds, nowMs);
  }

  *#readInSlices(fromMs: number): Generator<undefined, void> {
    const { segment } = this.open;
    this.#reserve(fromMs);
    yield;
    const { sessions } = segment;
    for (let first = 0; first < sessions.rowCount; first += BLOCK_ROWS) {
      // Taken anew for each slice: a table that grows has other arrays.
      const { lastMs, visitor } = sessions.columns;
      const end = Math.min(first + BLOCK_ROWS, sessions.rowCount);
      for (let session = first; session < end; session++) {
        if (lastMs[session]! >= fromMs) this.#pairs.note(0, visitor[session]!, lastMs[session]!);
      }
      yield;
    }
    const blockMaxMs = blockMaximaOf(segment);
    for (let first = 0; first < this.#unreadViews; first += BLOCK_ROWS) {
      const block = first / BLOCK_ROWS;
      if (block < blockMaxMs.length && blockMaxMs[block]! < fromMs) continue;
      this.#noteViews(first, Math.min(first + BLOCK_ROWS, this.#unreadViews));
      yield;
    }
  }

  /** Makes room for about as many pairs as there will be: most visitors see one to three pages. */
  #reserve(fromMs: number): void {
    const { sessions } = this.open.segment;
    const { lastMs } = sessions.columns;
    let recent = 0;
    for (let session = 0; session < sessions.rowCount; session++) {
      if (lastMs[session]! >= fromMs) recent++;
    }
    this.#pairs.reserve(recent + Math.min(recent * 2, this.#unreadViews));
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#pairs.bytes;
  }

  /** Notes what was applied since the last call. @cost constant per hit, nothing without. */
  catchUp(): void {
    const { views, events, sessions } = this.open.segment;
    if (this.#viewRow < views.rowCount) this.#noteViews(this.#viewRow, views.rowCount);
    this.#viewRow = views.rowCount;
    const { lastMs, visitor } = sessions.columns;
    for (; this.#eventRow < events.rowCount; this.#eventRow++) {
      const session = events.columns.session[this.#eventRow]!;
      this.#pairs.note(0, visitor[session]!, lastMs[session]!);
    }
    const keepAlives = this.open.keepAlives!;
    if (keepAlives.length === 0) return;
    for (let index = 0; index < keepAlives.length; index++) {
      const session = keepAlives[index]!;
      this.#pairs.note(0, visitor[session]!, lastMs[session]!);
    }
    keepAlives.length = 0;
  }

  /** The counts of the last `seconds`, valid until the next call. Nothing may be ahead of `nowMs`. */
  boardOf(seconds: number, nowMs: number): ActiveBoard {
    this.catchUp();
    const { dictionary } = this.open.segment;
    const paths = dictionary.texts(KIND.path);
    const counts = this.#pairs.countsOf(seconds, nowMs);
    const pages = this.#pages;
    if (pages === null) {
      return { counts, pathOf: (page) => paths[page] as string, titleOf: () => '' };
    }
    const titles = dictionary.texts(KIND.title);
    return {
      counts,
      pathOf: (page) => paths[pages.firsts[page]!] as string,
      titleOf: (page) => titles[pages.seconds[page]!] as string,
    };
  }

  /** The segment need not list keep-alives any more. */
  close(): void {
    this.open.keepAlives = null;
  }

  #noteViews(first: number, end: number): void {
    const { views, sessions } = this.open.segment;
    const { timeMs, session, path, title } = views.columns;
    const { lastMs, visitor } = sessions.columns;
    const pairs = this.#pairs;
    const pages = this.#pages;
    for (let row = first; row < end; row++) {
      const at = session[row]!;
      const page = pages === null ? path[row]! : pages.idOf(path[row]!, title[row]!);
      pairs.note(page + 1, visitor[at]!, timeMs[row]!);
      pairs.note(0, visitor[at]!, lastMs[at]!);
    }
  }
}
