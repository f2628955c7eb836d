/**
 * Custom metrics: totals over events instead of page views, with a value summed from metadata (S-8).
 *
 * A total and the rows of a series are one thing here: events are put into groups by their time, and
 * a group's views are those of its own sessions that fall into the same group (S-13).
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import type { Scan, Totals } from '../plan/query-context.ts';
import { gather } from '../plan/selection.ts';
import type { CustomMetric } from '../question/filters.ts';
import { viewsOfSessions } from '../select/view-source.ts';
import type { TimeGroups } from './buckets.ts';
import { eventsInScope, type GroupedEvents } from './event-scope.ts';
import { tallyRows } from './tally.ts';

const WHOLE_NUMBER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** One group for the whole range. */
export const ONE_GROUP: TimeGroups = {
  groupCount: 1,
  groupMap: new Uint32Array(1),
  assign: (_, groups) => {
    groups.fill(0);
  },
};

/**
 * Totals of the query's events by group of time.
 *
 * @param groupCount groups over all segments.
 * @param groupsOf the groups that a segment's rows are in.
 */
export function eventTotalsBy(
  scan: Scan,
  metric: CustomMetric,
  groupCount: number,
  groupsOf: (segment: Segment) => TimeGroups,
): (group: number) => Totals {
  const { scratch } = scan;
  // A group's values are added up in `seconds`, its page views in `weights`.
  const tally = tallyOver(
    scan,
    ['metric', metric, scan.query.range],
    groupCount,
    (segment, into) => {
      const selection = eventsInScope(scan, segment);
      if (selection.count === 0) return;
      const time = groupsOf(segment);
      const { timeMs, session } = segment.events.columns;
      const { count, rows } = selection;
      const groups = scratch.rawWords('eventGroups', count);
      time.assign({ timeMs, rows }, groups);
      const sessions = gather(selection, session, scratch, 'eventSessions');
      const grouped = { selection, groups, groupCount: time.groupCount, groupMap: time.groupMap };
      tallyRows(segment, { ...grouped, count, sessions, weights: null }, into, scratch);
      addValues(segment, grouped, metric, into.seconds);
      addViews(segment, grouped, { sessions, time, views: into.weights }, scan);
    },
  );
  return (group) => ({
    visitors: tally.visitors[group] as number,
    views: tally.weights[group] as number,
    sessions: tally.sessions[group] as number,
    bounces: tally.bounces[group] as number,
    metric: { sum: tally.seconds[group] as number, count: tally.rows[group] as number },
  });
}

/** Adds the events' values; one that is missing or no number is 0. */
function addValues(
  segment: Segment,
  grouped: GroupedEvents,
  metric: CustomMetric,
  sums: Float64Array,
): void {
  const { selection, groups, groupMap } = grouped;
  const { dictionary, events, metaPairs } = segment;
  const { metaEnd } = events.columns;
  const { key: keys, value: valueIds } = metaPairs.columns;
  const keyId = dictionary.find(KIND.metaKey, metric.key);
  const texts = dictionary.texts(KIND.metaValue);
  // Each distinct text is read once; NaN: not yet.
  const numbers = new Float64Array(texts.length).fill(Number.NaN);
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : selection.rows[index]!;
    const end = metaEnd[row]!;
    for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < end; pair++) {
      if (keys[pair] !== keyId) continue;
      const id = valueIds[pair]!;
      if (Number.isNaN(numbers[id]!)) numbers[id] = numberOf(texts[id]!, metric);
      sums[groupMap[groups[index]!]!]! += numbers[id]!;
      break;
    }
  }
}

function numberOf(text: string, { type }: CustomMetric): number {
  if (!(type === 'integer' ? WHOLE_NUMBER : NUMBER).test(text)) return 0;
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}

/** Adds the page views whose session has an event in the group that they fall into. */
function addViews(
  segment: Segment,
  grouped: GroupedEvents,
  into: { sessions: Uint32Array; time: TimeGroups; views: Float64Array },
  scan: Scan,
): void {
  const { query, scratch } = scan;
  const { sessions, time, views } = into;
  const { count } = grouped.selection;
  const fired = new PairIndex();
  for (let index = 0; index < count; index++) fired.idOf(sessions[index]!, grouped.groups[index]!);
  const ofEvents = sessions.subarray(0, count);
  const selection = viewsOfSessions(segment, ofEvents, query.range, scratch);
  const { timeMs, session } = segment.views.columns;
  const groups = scratch.rawWords('rowGroups', selection.count);
  time.assign({ timeMs, rows: selection.rows }, groups);
  for (let index = 0; index < selection.count; index++) {
    if (!fired.has(session[selection.rows[index]!]!, groups[index]!)) continue;
    views[time.groupMap[groups[index]!]!]!++;
  }
}
