/**
 * Events by the page that they were fired on, with the figures of their sessions (S-47).
 *
 * Data plane.
 */

import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { PageGroups } from '../group/page-groups.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { WorkingWords } from '../plan/query-run.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { viewsOfSessions } from '../select/view-source.ts';
import { eventsInScope, type GroupedEvents, tallyEvents } from './event-scope.ts';
import type { Tally } from './tally.ts';
import { tallyOver } from './tally-over.ts';

/** Working arrays. */
const EVENT_PATHS = new WorkingWords();
const EVENT_TITLES = new WorkingWords();
const EVENT_SESSIONS = new WorkingWords();

/** Events by page; the views of their sessions are in `weights`. */
export function tallyEventPages(context: QueryContext, pages: PageGroups): Tally {
  const { query, run } = context;
  const tally = tallyOver(context, ['event pages'], 0, (segment, into) => {
    const selection = eventsInScope(context, segment);
    if (selection.count === 0) return;
    const { path, title } = segment.events.columns;
    const columns = {
      paths: gather(selection, path, run, EVENT_PATHS),
      titles: pages.pairs === null ? path : gather(selection, title, run, EVENT_TITLES),
      count: selection.count,
    };
    const grouped = { selection, ...pages.assign(segment, columns, run) };
    into.reserve(pages.count);
    tallyEvents(segment, grouped, into, context);
    if (query.includesTimeOnPage) {
      tallyPageTime(segment, grouped, columns.paths, { tally: into, context });
    }
  });
  tally.reserve(pages.count);
  return tally;
}

/** Adds time on page of a group's path in the sessions that are counted in the group. */
function tallyPageTime(
  segment: Segment,
  grouped: GroupedEvents,
  paths: Uint32Array,
  into: { tally: Tally; context: QueryContext },
): void {
  const { selection, groups, groupMap } = grouped;
  const { tally, context } = into;
  const sessions = gather(selection, segment.events.columns.session, context.run, EVENT_SESSIONS);
  const times = timesOf(segment, sessions, selection, context);
  const { count: timedCount } = times.pairs;
  const counted = new PairIndex();
  for (let index = 0; index < selection.count; index++) {
    const known = counted.count;
    if (counted.idOf(sessions[index]!, groups[index]!) < known) continue;
    const pair = times.pairs.idOf(sessions[index]!, paths[index]!);
    if (pair >= timedCount) continue;
    const target = groupMap[groups[index]!]!;
    tally.seconds[target]! += times.seconds[pair]!;
    tally.timed[target]! += times.timed[pair]!;
  }
}

/** Time on page in the range by (session, path), for the sessions of some events. */
function timesOf(
  segment: Segment,
  sessions: Uint32Array,
  events: Selection,
  context: QueryContext,
): { pairs: PairIndex; seconds: number[]; timed: number[] } {
  const { query, run } = context;
  const ofEvents = sessions.subarray(0, events.count);
  const { rows, count } = viewsOfSessions(segment, ofEvents, query.range, run);
  const { session, path, timeOnPage } = segment.views.columns;
  const pairs = new PairIndex();
  const seconds: number[] = [];
  const timed: number[] = [];
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    if (timeOnPage[row] === 0) continue;
    const pair = pairs.idOf(session[row]!, path[row]!);
    seconds[pair] = (seconds[pair] ?? 0) + timeOnPage[row]!;
    timed[pair] = (timed[pair] ?? 0) + 1;
  }
  return { pairs, seconds, timed };
}
