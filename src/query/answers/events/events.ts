/**
 * Events by name, with the metadata keys that events of the name have (S-60).
 */

import { compareCodePoints } from '../../../base/code-points.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import { PairIndex } from '../../../segment/memory/pair-index.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { aggregateOver } from '../../cache/cached-aggregate.ts';
import {
  eventsInScope,
  type GroupedEvents,
  tallyDurations,
  tallyEvents,
} from '../../count/event-scope.ts';
import { Tally } from '../../count/tally.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { meanTruncated, rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { WorkingWords } from '../../plan/query-run.ts';
import { gather, type Selection } from '../../plan/selection.ts';
import { asc, desc, numbers, type StatisticShape, texts } from '../../question/statistics.ts';
import { EVENTS as BY_NAME, breakdownOf, EVENT_KEYS } from '../../rollup/breakdowns.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { firstPairOf } from '../../select/row-pairs.ts';
import { openTextSpace, spaceIds } from '../../text/text-space.ts';

/** Working arrays. */
const EVENT_GROUPS = new WorkingWords();

/** What lists of events show. */
export const EVENT_SHAPE: StatisticShape = {
  name: 'events',
  unit: 'events',
  dimension: 'eventName',
  fields: [
    ...texts('name'),
    ...numbers('count', 'visitors', 'views', 'cr', 'average_duration_seconds'),
    { name: 'meta_keys', type: 'list' },
  ],
  order: [desc('visitors'), asc('name')],
  searched: ['name'],
};

export const EVENTS: AnsweredStatistic = {
  ...EVENT_SHAPE,
  byRows: answerByRows,
  byRollups: answerByRollups,
};

function answerByRows(context: QueryContext): ListRow[] {
  const { query, run } = context;
  const space = openTextSpace(query.domainId);
  const names = () => space.texts(KIND.eventName);
  const counted = tallyWithKeys(context, (segment, { tally, metaKeys }) => {
    const selection = eventsInScope(context, segment);
    if (selection.count === 0) return;
    const groupMap = spaceIds(space, segment, KIND.eventName);
    tally.reserve(names().length);
    const grouped: GroupedEvents = {
      selection,
      groups: gather(selection, segment.events.columns.name, run, EVENT_GROUPS),
      groupCount: segment.dictionary.texts(KIND.eventName).length,
      groupMap,
    };
    tallyEvents(segment, grouped, tally, context);
    tallyDurations(segment, grouped, tally, run);
    addMetaKeys(segment, selection, groupMap, metaKeys);
  });
  const { tally, metaKeys } = counted;
  return listRows(context.statistic, query, {
    present: presentIn(tally.rows, Math.min(names().length, tally.rows.length)),
    fields: {
      ...eventFields(context, countsOf(tally)),
      name: (group) => names()[group] as string,
      meta_keys: (group) => Array.from(metaKeys[group] ?? []).sort(compareCodePoints),
    },
  });
}

/** Counts by event name, and the metadata keys that events of the name have. */
interface NameCounts {
  readonly tally: Tally;
  readonly metaKeys: (Set<string> | undefined)[];
}

function tallyWithKeys(
  context: QueryContext,
  add: (segment: Segment, into: NameCounts) => void,
): NameCounts {
  return aggregateOver<NameCounts>(context, ['events'], {
    empty: () => ({ tally: new Tally(), metaKeys: [] }),
    copy: ({ tally, metaKeys }) => ({
      tally: tally.copy(),
      metaKeys: metaKeys.map((keys) => (keys === undefined ? keys : new Set(keys))),
    }),
    bytes: ({ tally, metaKeys }) =>
      metaKeys.reduce((sum, keys) => sum + (keys?.size ?? 0) * SET_ENTRY_BYTES, tally.bytes),
    add,
  });
}

/** Rough bytes of a text in a set; the text itself is a segment's. */
const SET_ENTRY_BYTES = 32;

function answerByRollups(context: QueryContext): ListRow[] {
  const rows = breakdownOf(context, BY_NAME);
  let keysOf: Map<number, string[]> | null = null;
  return listRows(context.statistic, context.query, {
    present: rows.present('count'),
    fields: {
      ...eventFields(context, {
        count: rows.reader('count'),
        visitors: rows.reader('visitors'),
        views: rows.reader('views'),
        seconds: rows.reader('seconds'),
      }),
      name: rows.textReader(KIND.eventName),
      meta_keys: (at) => {
        keysOf ??= keysByName(context);
        return (keysOf.get(rows.groups[at] as number) ?? []).sort(compareCodePoints);
      },
    },
  });
}

function keysByName(context: QueryContext): Map<number, string[]> {
  const { groups, ids } = breakdownOf(context, EVENT_KEYS);
  const { firsts, seconds } = ids.eventKeys;
  const keyTexts = ids.space.texts(KIND.metaKey);
  const keysOf = new Map<number, string[]>();
  for (const pair of groups) {
    const name = firsts[pair] as number;
    const key = keyTexts[seconds[pair] as number] as string;
    const keys = keysOf.get(name);
    if (keys === undefined) keysOf.set(name, [key]);
    else keys.push(key);
  }
  return keysOf;
}

/** Counts of a group of events. */
interface EventCounts {
  readonly count: (group: number) => number;
  readonly visitors: (group: number) => number;
  readonly views: (group: number) => number;
  readonly seconds: (group: number) => number;
}

/** Counts of events from a tally; the views of their sessions are its weights. */
export function countsOf(tally: Tally): EventCounts {
  return {
    count: (group) => tally.rows[group] as number,
    visitors: (group) => tally.visitors[group] as number,
    views: (group) => tally.weights[group] as number,
    seconds: (group) => tally.seconds[group] as number,
  };
}

/** The figures that events by name and by value share. */
export function eventFields(
  context: QueryContext,
  { count, visitors, views, seconds }: EventCounts,
): Record<string, (group: number) => FieldValue> {
  const all = denominatorsOf(context).visitors;
  return {
    count,
    visitors,
    views,
    cr: (group) => rate(visitors(group), all),
    average_duration_seconds: (group) => meanTruncated(seconds(group), count(group)),
  };
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
    for (let pair = firstPairOf(metaEnd, row); pair < end; pair++) {
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
