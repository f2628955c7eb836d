/**
 * The chain of a session's page views by time, and the time on page between neighbours (I-60, I-72).
 *
 * Data plane. Both follow from session and time of the rows, so neither is on disk: rows of views
 * never change once they are written, and a checkpoint writes only the newest of them. A copy that
 * is brought up to a later save links only the rows that were added.
 *
 *     heads[session] ─▶ latest view ─previous─▶ the one before ─previous─▶ … NONE
 */

import { NONE, type VIEWS } from './layout.ts';
import type { Columns } from './table.ts';
import { timeOnPage } from './time-on-page.ts';

/** The rows of a table of views that are linked, and the latest view of every session. */
export class ViewChain {
  /** By session: row of the latest view by time, `NONE` if none. */
  heads = new Uint32Array(0);
  #linked = 0;

  /**
   * Links the rows that were added since the last call, in the order in which they came.
   *
   * @param rows how many views there are.
   * @param sessions how many sessions there are.
   * @cost constant per row; a late view walks back over its session's views, at most 200.
   */
  link(views: Columns<typeof VIEWS>, rows: number, sessions: number): void {
    const known = this.heads.length;
    if (sessions > known) {
      const heads = new Uint32Array(sessions);
      heads.set(this.heads);
      this.heads = heads.fill(NONE, known);
    }
    const { heads } = this;
    const { timeMs, session, previous, timeOnPage: seconds } = views;
    for (let row = this.#linked; row < rows; row++) {
      const time = timeMs[row]!;
      const of = session[row]!;
      let next = NONE;
      let before = heads[of]!;
      // Equal times keep the order of arrival, so only strictly later views are passed.
      while (before !== NONE && timeMs[before]! > time) {
        next = before;
        before = previous[before]!;
      }
      previous[row] = before;
      if (next === NONE) heads[of] = row;
      else previous[next] = row;
      if (before !== NONE) seconds[before] = timeOnPage(timeMs[before]!, time);
      seconds[row] = next === NONE ? 0 : timeOnPage(time, timeMs[next]!);
    }
    this.#linked = rows;
  }
}
