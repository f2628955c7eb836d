/**
 * Custom metrics: totals over events instead of page views, with a value summed from metadata (S-8).
 *
 * A total and the rows of a series are one thing here: events are put into groups by their time, and
 * a group's views are those of its own sessions that fall into the same group (S-13).
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { WorkingWords } from '../plan/query-run.ts';
import { gather } from '../plan/selection.ts';
import type { CustomMetric } from '../question/filters.ts';
import { firstPairOf, pairWithKey } from '../select/row-pairs.ts';
import { viewsOfSessions } from '../select/view-source.ts';
import type { TimeGroups } from './buckets.ts';
import { eventsInScope, type GroupedEvents } from './event-scope.ts';
import { tallyRows } from './tally.ts';
import { tallyOver } from './tally-over.ts';
import type { Totals } from './totals.ts';

/** Working arrays. */
const EVENT_GROUPS = new WorkingWords();
const ROW_GROUPS = new WorkingWords();
const EVENT_SESSIONS = new WorkingWords();

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
  context: QueryContext,
  metric: CustomMetric,
  groupCount: number,
  groupsOf: (segment: Segment) => TimeGroups,
): (group: number) => Totals {
  const { run } = context;
  // A group's values are added up in `seconds`, its page views in `weights`.
  const tally = tallyOver(
    context,
    ['metric', metric, context.query.range],
    groupCount,
    (segment, into) => {
      const selection = eventsInScope(context, segment);
      if (selection.count === 0) return;
      const time = groupsOf(segment);
      const { timeMs, session } = segment.events.columns;
      const { count, rows } = selection;
      const groups = EVENT_GROUPS.raw(run, count);
      time.assign({ timeMs, rows }, groups);
      const sessions = gather(selection, session, run, EVENT_SESSIONS);
      const grouped = { selection, groups, groupCount: time.groupCount, groupMap: time.groupMap };
      tallyRows(segment, { ...grouped, count, sessions, weights: null }, into, run);
      addValues(segment, grouped, metric, into.seconds);
      addViews(segment, grouped, { sessions, time, views: into.weights }, context);
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
    const pair = pairWithKey(keys, keyId, firstPairOf(metaEnd, row), metaEnd[row]!);
    if (pair < 0) continue;
    const id = valueIds[pair]!;
    if (Number.isNaN(numbers[id]!)) numbers[id] = numberOf(texts[id]!, metric);
    sums[groupMap[groups[index]!]!]! += numbers[id]!;
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
  context: QueryContext,
): void {
  const { query, run } = context;
  const { sessions, time, views } = into;
  const { count } = grouped.selection;
  const fired = new PairIndex();
  for (let index = 0; index < count; index++) fired.idOf(sessions[index]!, grouped.groups[index]!);
  const ofEvents = sessions.subarray(0, count);
  const selection = viewsOfSessions(segment, ofEvents, query.range, run);
  const { timeMs, session } = segment.views.columns;
  const groups = ROW_GROUPS.raw(run, selection.count);
  time.assign({ timeMs, rows: selection.rows }, groups);
  for (let index = 0; index < selection.count; index++) {
    if (!fired.has(session[selection.rows[index]!]!, groups[index]!)) continue;
    views[time.groupMap[groups[index]!]!]!++;
  }
}
