/**
 * Statistics in event scope: events by name (S-13, S-60).
 */

import { KIND } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import { selectEvents } from './event-selection.ts';
import { hasSessionFilter, NO_FILTERS, type QueryFilters } from './filters.ts';
import { type ListRow, listRows, presentIn } from './listing.ts';
import { PairIndex } from './pair-index.ts';
import { compareCodePoints } from './ranking.ts';
import { meanTruncated, rate } from './rates.ts';
import { gather, type Selection } from './rows.ts';
import { denominatorsOf, type Scan, viewQuestion } from './scan.ts';
import type { Scratch } from './scratch.ts';
import { selectSessions, selectViews } from './selection.ts';
import { Tally, tallyRows } from './tally.ts';
import { openTextSpace, spaceIds } from './texts.ts';

/** S-60: events by name. */
export function answerEvents(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const space = openTextSpace(query.domainId);
  const names = () => space.texts(KIND.eventName);
  const tally = new Tally();
  const metaKeys: (Set<string> | undefined)[] = [];
  const sessionFilters: QueryFilters = { ...query.filters, events: null };
  for (const segment of scan.segments) {
    if (segment.events.rowCount === 0) continue;
    const mask = hasSessionFilter(sessionFilters)
      ? selectSessions(segment, sessionFilters, query.range, scratch)
      : null;
    const selection = selectEvents(segment, query, mask, scratch);
    if (selection.count === 0) continue;
    const groupMap = spaceIds(space, segment, KIND.eventName);
    tally.reserve(names().length);
    tallyEvents(segment, selection, groupMap, { tally, scan });
    addMetaKeys(segment, selection, groupMap, metaKeys);
  }
  const all = denominatorsOf(scan).visitors;
  return listRows(scan.statistic, query, {
    present: presentIn(tally.rows, Math.min(names().length, tally.rows.length)),
    fields: {
      name: (group) => names()[group] as string,
      count: (group) => tally.rows[group] as number,
      visitors: (group) => tally.visitors[group] as number,
      views: (group) => tally.weights[group] as number,
      cr: (group) => rate(tally.visitors[group] as number, all),
      average_duration_seconds: (group) =>
        meanTruncated(tally.seconds[group] as number, tally.rows[group] as number),
      meta_keys: (group) => Array.from(metaKeys[group] ?? []).sort(compareCodePoints),
    },
  });
}

function tallyEvents(
  segment: Segment,
  selection: Selection,
  groupMap: Uint32Array,
  into: { tally: Tally; scan: Scan },
): void {
  const { tally, scan } = into;
  const { scratch } = scan;
  const { name, session, durationSeconds } = segment.events.columns;
  const groups = gather(selection, name, scratch, 'eventGroups');
  const durations = gather(selection, durationSeconds, scratch, 'eventDurations');
  const { count } = selection;
  for (let index = 0; index < count; index++) {
    tally.seconds[groupMap[groups[index]!]!]! += durations[index]!;
  }
  tallyRows(
    segment,
    {
      count,
      sessions: gather(selection, session, scratch, 'eventSessions'),
      groups,
      groupCount: segment.dictionary.texts(KIND.eventName).length,
      groupMap,
      weights: viewsBySession(segment, scan),
    },
    tally,
    scratch,
  );
}

/** Page views in the range per session: what a session with an event brings along (S-13). */
function viewsBySession(segment: Segment, scan: Scan): Uint32Array {
  const { query, scratch } = scan;
  const selection = selectViews(segment, viewQuestion(query, NO_FILTERS, null), scratch);
  return countBySession(segment, selection, scratch);
}

function countBySession(segment: Segment, selection: Selection, scratch: Scratch): Uint32Array {
  const counts = scratch.words('viewsBySession', segment.sessions.rowCount);
  const sessions = gather(selection, segment.views.columns.session, scratch, 'rowSessions');
  for (let index = 0; index < selection.count; index++) counts[sessions[index]!]!++;
  return counts;
}

/** Collects the metadata keys of the selected events per name. */
function addMetaKeys(
  segment: Segment,
  selection: Selection,
  groupMap: Uint32Array,
  metaKeys: (Set<string> | undefined)[],
): void {
  const { name, metaEnd } = segment.events.columns;
  const { key } = segment.metaPairs.columns;
  const { rows, count } = selection;
  const seen = new PairIndex();
  for (let index = 0; index < count; index++) {
    const row = rows === null ? index : rows[index]!;
    const end = metaEnd[row]!;
    for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < end; pair++) {
      seen.idOf(name[row]!, key[pair]!);
    }
  }
  const keys = segment.dictionary.texts(KIND.metaKey);
  for (let pair = 0; pair < seen.count; pair++) {
    const group = groupMap[seen.firsts[pair]!]!;
    let set = metaKeys[group];
    if (set === undefined) {
      // A set per event name, filled once per segment, name and key: not per row.
      set = new Set();
      metaKeys[group] = set;
    }
    set.add(keys[seen.seconds[pair]!] as string);
  }
}
