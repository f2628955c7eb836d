/**
 * Visitors with many sessions in a segment, and the groups that each was already counted in.
 *
 * Data plane. For most visitors a walk over their few sessions tells whether they are new to a
 * group. A client can give one visitor any number of sessions (I-48), so beyond a handful sets
 * answer that; they are built from the rows once, when such a visitor is first met.
 */

import { NONE } from '../../segment/memory/layout.ts';
import { HeavyVisitor } from '../../segment/open/heavy-visitor.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { FAMILY, SESSION_FAMILIES } from '../../segment/rollup/families.ts';
import { sessionGroup, takeKeys } from './keys.ts';
import { collectViews } from './long-sessions.ts';

/** Sessions of a visitor that are walked; with more, sets are kept. */
const LIGHT_SESSION_COUNT_MAX = 8;

/**
 * The sets of a visitor with many sessions, null for everyone else.
 *
 * @param viewEnd page views from this row on are not counted yet.
 */
export function heavyOf(home: OpenSegment, visitor: number, viewEnd: number): HeavyVisitor | null {
  if (home.visitorSessions.countOf(visitor) <= LIGHT_SESSION_COUNT_MAX) return null;
  const known = home.heavyVisitors.get(visitor);
  if (known !== undefined) return known;
  const heavy = collectHeavy(home, visitor, viewEnd);
  home.heavyVisitors.set(visitor, heavy);
  return heavy;
}

function collectHeavy(home: OpenSegment, visitor: number, viewEnd: number): HeavyVisitor {
  const heavy = new HeavyVisitor();
  let session = home.visitorSessions.latestOf(visitor);
  while (session !== NONE) {
    collectSession(home, session, viewEnd, heavy);
    session = home.visitorSessions.before(session);
  }
  return heavy;
}

function collectSession(
  home: OpenSegment,
  session: number,
  viewEnd: number,
  heavy: HeavyVisitor,
): void {
  const { sessions } = home.segment;
  const isCounted = collectViews(home, session, viewEnd, heavy.views);
  const { sessionEvents } = home;
  for (let pair = sessionEvents.head(session); pair >= 0; pair = sessionEvents.before(pair)) {
    const name = sessionEvents.pairs.seconds[pair]!;
    heavy.groups.add(home.rollups.rollupRow(FAMILY.eventName, name, 0, 0));
  }
  if (!isCounted) return;
  takeKeys(home, session);
  for (let index = 0; index < SESSION_FAMILIES.length; index++) {
    heavy.groups.add(sessionGroup(home, index));
  }
  const { referrerName } = sessions.columns;
  heavy.groups.add(home.rollups.rollupRow(FAMILY.referrerName, referrerName[session]!, 0, 0));
}
