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
import { RecentPairs } from '../../query/live/sliding-window.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import { BLOCK_ROWS } from '../../segment/memory/table.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';

/** Keeps the counts of one segment. */
export class ActiveWatch {
  readonly open: OpenSegment;
  readonly #pairs = new RecentPairs();
  /** Path and title ↔ page; null when a page is its path. */
  readonly #pages: PairIndex | null;
  #viewRow: number;
  #eventRow: number;

  /**
   * Reads what of the segment lies in the last hour and asks it to list keep-alives.
   *
   * @cost a look at every session; of the page views only the blocks with recent ones.
   */
  constructor(open: OpenSegment, byTitle: boolean, nowMs: number) {
    this.open = open;
    this.#pages = byTitle ? new PairIndex() : null;
    open.keepAlives = [];
    const { views, events, sessions } = open.segment;
    const fromMs = nowMs - HOUR_MS;
    const { lastMs, visitor } = sessions.columns;
    for (let session = 0; session < sessions.rowCount; session++) {
      if (lastMs[session]! >= fromMs) this.#pairs.note(0, visitor[session]!, lastMs[session]!);
    }
    const blockMaxMs = blockMaximaOf(open.segment);
    for (let first = 0; first < views.rowCount; first += BLOCK_ROWS) {
      const block = first / BLOCK_ROWS;
      if (block < blockMaxMs.length && blockMaxMs[block]! < fromMs) continue;
      this.#noteViews(first, Math.min(first + BLOCK_ROWS, views.rowCount));
    }
    this.#viewRow = views.rowCount;
    this.#eventRow = events.rowCount;
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
