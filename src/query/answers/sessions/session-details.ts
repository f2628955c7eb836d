/**
 * What happened in a session: its page views and events in the range, in order of time (S-92).
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import type { Selection } from '../../plan/selection.ts';
import { NO_FILTERS, wholeOf } from '../../question/filters.ts';
import { plain } from '../../question/statistics.ts';
import { firstPairOf } from '../../select/row-pairs.ts';
import { selectEvents } from '../../select/select-events.ts';
import { selectedSessions, selectSessions } from '../../select/select-sessions.ts';
import { selectViews } from '../../select/select-views.ts';
import { sharedFields, textOf, textsOf, timestampOf } from './session-fields.ts';

/** Without the ids of a visitor and a session there is nothing to list (S-66). */
export const SESSION_DETAILS: AnsweredStatistic = {
  ...plain('session/details'),
  unit: 'views',
  byRows: answerByRows,
  byRollups: null,
  needs: ({ sessionIds }) => sessionIds !== null,
};

/** Something that happened in a session, with its place in the order of the answer. */
interface Item {
  readonly atMs: number;
  readonly isEvent: boolean;
  readonly row: number;
  readonly segment: Segment;
}

function answerByRows({ query, segments, run }: QueryContext): unknown[] {
  const { range, offset, limit } = query;
  // Every other filter of the request is ignored.
  const { within } = query;
  const filters = { ...NO_FILTERS, sessionIds: query.filters.sessionIds, also: within };
  const items: Item[] = [];
  for (const segment of segments) {
    if (selectedSessions(segment, { filters, range }, null, run).length === 0) continue;
    const mask = selectSessions(segment, filters, range, run);
    const events = selectEvents(segment, { range, filters: wholeOf(query) }, mask, run);
    addItems(segment, events, true, items);
    const views = selectViews(segment, viewPredicate(query, filters, null), run);
    addItems(segment, views, false, items);
  }
  // Sorting is stable, so that what has one time and kind stays in order of arrival.
  items.sort((a, b) => a.atMs - b.atMs || Number(a.isEvent) - Number(b.isEvent));
  return items.slice(offset, offset + limit).map((item) => ({
    page_view: item.isEvent ? null : viewFields(item.segment, item.row),
    event: item.isEvent ? eventFields(item.segment, item.row) : null,
  }));
}

function addItems(segment: Segment, selection: Selection, isEvent: boolean, items: Item[]): void {
  const { timeMs } = (isEvent ? segment.events : segment.views).columns;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : (selection.rows[index] as number);
    items.push({ atMs: timeMs[row] as number, isEvent, row, segment });
  }
}

function viewFields(segment: Segment, row: number): Record<string, unknown> {
  const { dictionary, tagPairs } = segment;
  const { tagEnd, timeOnPage } = segment.views.columns;
  const [keys, values] = pairsOf(tagEnd, row, tagPairs.columns);
  return {
    ...rowFields(segment, segment.views.columns, row, { durationSeconds: timeOnPage[row] }),
    tag_keys: textsOf(dictionary.texts(KIND.tagKey), keys),
    tag_values: textsOf(dictionary.texts(KIND.tagValue), values),
  };
}

function eventFields(segment: Segment, row: number): Record<string, unknown> {
  const { dictionary, metaPairs } = segment;
  const { name, metaEnd, durationSeconds } = segment.events.columns;
  const [keys, values] = pairsOf(metaEnd, row, metaPairs.columns);
  return {
    ...rowFields(segment, segment.events.columns, row, {
      durationSeconds: durationSeconds[row],
      name: textOf(dictionary.texts(KIND.eventName), name[row]),
    }),
    meta_keys: textsOf(dictionary.texts(KIND.metaKey), keys),
    meta_values: textsOf(dictionary.texts(KIND.metaValue), values),
  };
}

/** What page views and events have alike. */
function rowFields(
  segment: Segment,
  columns: Readonly<Record<'session' | 'path' | 'title', Uint32Array> & { timeMs: Float64Array }>,
  row: number,
  own: { readonly durationSeconds: number | undefined; readonly name?: string },
): Record<string, unknown> {
  const { dictionary } = segment;
  return {
    ...sharedFields(segment, columns.session[row] as number),
    time: timestampOf(columns.timeMs[row]),
    duration_seconds: own.durationSeconds,
    ...(own.name === undefined ? {} : { name: own.name }),
    path: textOf(dictionary.texts(KIND.path), columns.path[row]),
    title: textOf(dictionary.texts(KIND.title), columns.title[row]),
  };
}

/** Keys and values of the pairs of a row. */
function pairsOf(
  ends: Uint32Array,
  row: number,
  { key, value }: { readonly key: Uint32Array; readonly value: Uint32Array },
): [keys: Uint32Array, values: Uint32Array] {
  const start = firstPairOf(ends, row);
  return [key.subarray(start, ends[row]), value.subarray(start, ends[row])];
}
