/**
 * Rows that come back from an export (P-10): appended as they were, and nothing is decided anew.
 *
 * Data plane. Pure, as the sessionizer is. A session of such rows belongs to the day that it belonged
 * to, also where a deletion has left it rows of the next day only.
 */

import { REF } from '../../bus/record/decoded-record.ts';
import { HitKind } from '../../model/hit.ts';
import { SECOND_MS, SESSION_EXTENDED_MAX, SESSION_PAGE_VIEWS_MAX } from '../../model/limits.ts';
import { SESSION_PAIRS } from '../../model/stored-rows.ts';
import { TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { noteMove } from '../rollup/deltas.ts';
import { appendEvent, appendTags, appendView } from './append-rows.ts';
import type { DomainState } from './domain-state.ts';
import type { HitCursor } from './hit-cursor.ts';

const DIMENSION_REFS: readonly number[] = TEXT_DIMENSIONS.map((name) => REF[name]);

/** Of the session at hand. One per thread: appending is synchronous and never nested. */
const dimensionIds = new Uint32Array(TEXT_DIMENSIONS.length);

/**
 * Appends a session, or a row to the session of its visitor that was opened last.
 *
 * A row whose session is not there, which no export has, is left out.
 */
export function applyStored(domain: DomainState, hit: HitCursor): void {
  const home = domain.segmentOf(hit.previousHigh);
  const visitor = home.visitorOf(hit.visitorLow, hit.visitorHigh);
  if (hit.kind === HitKind.StoredSession) {
    const session = appendSession(home, visitor, hit);
    domain.usage.of(home.day).keepAlives += home.segment.sessions.columns.extended[session]!;
    home.bindHere(visitor, session);
    return;
  }
  const session = home.visitorSessions.latestOf(visitor);
  if (session === NONE) return;
  noteMove(home, session);
  const path = hit.intern(home.segment.dictionary, REF.path);
  const title = hit.intern(home.segment.dictionary, REF.title);
  const { timeMs } = hit;
  if (hit.kind === HitKind.StoredView) {
    domain.usage.countView(timeMs);
    appendTags(home, hit);
    appendView(home, session, { timeMs, path, title });
  } else {
    domain.usage.countEvent(timeMs);
    appendEvent(home, session, { hit, path, title, isExit: false });
  }
  home.segment.sessions.touch(session);
  home.segment.cover(timeMs);
  home.isDirty = true;
}

function appendSession(home: OpenSegment, visitor: number, hit: HitCursor): number {
  const { segment } = home;
  const { sessions, dictionary } = segment;
  // Before any column is taken: a new id may need wider ones, which are other arrays.
  const entryPath = hit.intern(dictionary, REF.path);
  const entryTitle = hit.intern(dictionary, REF.title);
  const pairAt = (place: number) => hit.pairStart + place;
  const exitPath = hit.internPair(dictionary, KIND.path, pairAt(SESSION_PAIRS.exitPath));
  const exitTitle = hit.internPair(dictionary, KIND.title, pairAt(SESSION_PAIRS.exitTitle));
  for (let index = 0; index < dimensionIds.length; index++) {
    dimensionIds[index] = hit.intern(dictionary, DIMENSION_REFS[index]!);
  }
  const pageViews = hit.pairNumber(pairAt(SESSION_PAIRS.pageViews));
  const keepAlives = hit.pairNumber(pairAt(SESSION_PAIRS.keepAlives));
  const extended = Math.min(keepAlives, SESSION_EXTENDED_MAX);
  const lastMs = hit.timeMs + hit.eventDurationSeconds * SECOND_MS + hit.previousLow;
  const session = sessions.append();
  sessions.widen('extended', extended);
  const { columns } = sessions;
  columns.startMs[session] = hit.timeMs;
  columns.lastMs[session] = lastMs;
  columns.visitor[session] = visitor;
  columns.entryPath[session] = entryPath;
  columns.entryTitle[session] = entryTitle;
  columns.exitPath[session] = exitPath;
  columns.exitTitle[session] = exitTitle;
  columns.lastView[session] = NONE;
  columns.pageViews[session] = Math.min(pageViews, SESSION_PAGE_VIEWS_MAX);
  columns.isBounce[session] = hit.nonInteractive ? 1 : 0;
  columns.extended[session] = extended;
  columns.platform[session] = hit.platform;
  for (let index = 0; index < dimensionIds.length; index++) {
    columns[TEXT_DIMENSIONS[index]!][session] = dimensionIds[index]!;
  }
  home.visitorSessions.add(visitor, session);
  segment.cover(hit.timeMs);
  segment.cover(lastMs);
  home.isDirty = true;
  return session;
}
