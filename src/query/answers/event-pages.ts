/**
 * Pages in event scope: by the path that events were fired on (S-47).
 */

import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { eventsInScope, type GroupedEvents, tallyEvents } from '../count/event-scope.ts';
import { pageGroupsIn } from '../count/page-groups.ts';
import type { Tally } from '../count/tally.ts';
import { type ListRow, listRows } from '../list/listing.ts';
import type { Scan } from '../plan/query-context.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { viewsOfSessions } from '../select/view-source.ts';
import { openTextSpace } from '../text/text-space.ts';
import { pageRows } from './pages.ts';

/** S-47, and S-40 with a custom metric: by path, or path and title, of the events; nothing without an event filter (S-66). */
export function answerEventPages(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  if (query.filters.events === null) return [];
  const pages = pageGroupsIn(openTextSpace(query.domainId), query.byTitle);
  const tally = tallyOver(scan, ['event pages'], 0, (segment, into) => {
    const selection = eventsInScope(scan, segment);
    if (selection.count === 0) return;
    const { path, title } = segment.events.columns;
    const columns = {
      paths: gather(selection, path, scratch, 'eventPaths'),
      titles: pages.pairs === null ? path : gather(selection, title, scratch, 'eventTitles'),
      count: selection.count,
    };
    const grouped = { selection, ...pages.assign(segment, columns, scratch) };
    into.reserve(pages.count);
    tallyEvents(segment, grouped, into, scan);
    if (query.includesTimeOnPage) {
      tallyPageTime(segment, grouped, columns.paths, { tally: into, scan });
    }
  });
  tally.reserve(pages.count);
  // An event has one path and title, so a search on rows and one on their groups say the same.
  const statistic = { ...scan.statistic, searched: ['path', 'title'] };
  return listRows(statistic, query, pageRows(scan, pages, tally, tally.weights));
}

/** Adds time on page of a group's path in the sessions that are counted in the group. */
function tallyPageTime(
  segment: Segment,
  grouped: GroupedEvents,
  paths: Uint32Array,
  into: { tally: Tally; scan: Scan },
): void {
  const { selection, groups, groupMap } = grouped;
  const { tally, scan } = into;
  const sessions = gather(selection, segment.events.columns.session, scan.scratch, 'eventSessions');
  const times = timesOf(segment, sessions, selection, scan);
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
  scan: Scan,
): { pairs: PairIndex; seconds: number[]; timed: number[] } {
  const { query, scratch } = scan;
  const ofEvents = sessions.subarray(0, events.count);
  const { rows, count } = viewsOfSessions(segment, ofEvents, query.range, scratch);
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
