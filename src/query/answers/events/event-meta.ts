/**
 * Events by name and the value of the first metadata key in the filter (S-61).
 */

import { must } from '../../../base/assert.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import { PairIndex } from '../../../segment/memory/pair-index.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { eventsInScope, tallyDurations, tallyEvents } from '../../count/event-scope.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { groupByComposite } from '../../group/composite-groups.ts';
import { type ListRow, listRows, presentIn } from '../../list/listing.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { type QueryRun, WorkingWords } from '../../plan/query-run.ts';
import { gather, type Selection } from '../../plan/selection.ts';
import { firstPlainText } from '../../question/filter-values.ts';
import type { QueryFilters } from '../../question/filters.ts';
import { asc, desc, numbers, texts } from '../../question/statistics.ts';
import { firstPairOf, pairWithKey } from '../../select/row-pairs.ts';
import { numberingIn } from '../../text/numberings.ts';
import { openTextSpace, spaceIds } from '../../text/text-space.ts';
import { countsOf, EVENT_SHAPE, eventFields } from './events.ts';

/** Working arrays. */
const ROWS_WITH_KEY = new WorkingWords();
const META_VALUES = new WorkingWords();
const EVENT_NAMES = new WorkingWords();
const EVENT_GROUPS = new WorkingWords();

/** Without an event name and a key there is nothing to list (S-66). */
export const EVENT_META: AnsweredStatistic = {
  ...EVENT_SHAPE,
  name: 'event/meta',
  dimension: 'metaValue',
  fields: [
    ...texts('name'),
    ...numbers('count', 'visitors', 'views', 'cr', 'average_duration_seconds'),
    ...texts('meta_value'),
  ],
  order: [desc('visitors'), asc('meta_value'), asc('name')],
  byRows: answerByRows,
  byRollups: null,
  needs: (filters) => keyOf(filters) !== null && (filters.events?.names ?? null) !== null,
};

function keyOf({ events }: QueryFilters): string | null {
  return firstPlainText(events?.keys ?? null);
}

function answerByRows(context: QueryContext): ListRow[] {
  const { query, run } = context;
  const key = must(keyOf(query.filters), 'a key is asked for');
  const space = openTextSpace(query.domainId);
  const pairs = numberingIn(space, 'event values', () => new PairIndex());
  const tally = tallyOver(context, ['event values', key], 0, (segment, into) => {
    const selected = eventsInScope(context, segment);
    if (selected.count === 0) return;
    const { selection, values } = keepWithKey(segment, selected, key, run);
    const names = gather(selection, segment.events.columns.name, run, EVENT_NAMES);
    const maps = {
      firsts: spaceIds(space, segment, KIND.eventName),
      seconds: spaceIds(space, segment, KIND.metaValue),
    };
    const columns = { firsts: names, seconds: values, count: selection.count };
    const groups = EVENT_GROUPS.raw(run, selection.count);
    const grouped = { selection, ...groupByComposite(columns, maps, pairs, groups) };
    into.reserve(pairs.count);
    tallyEvents(segment, grouped, into, context);
    tallyDurations(segment, grouped, into, run);
  });
  const textOf = (kind: number, id: number | undefined) =>
    space.texts(kind)[id as number] as string;
  return listRows(context.statistic, query, {
    present: presentIn(tally.rows, Math.min(pairs.count, tally.rows.length)),
    fields: {
      ...eventFields(context, countsOf(tally)),
      name: (group) => textOf(KIND.eventName, pairs.firsts[group]),
      meta_value: (group) => textOf(KIND.metaValue, pairs.seconds[group]),
    },
  });
}

/** The events that have a metadata key, each with its value's id. */
function keepWithKey(
  segment: Segment,
  selection: Selection,
  key: string,
  run: QueryRun,
): { selection: Selection; values: Uint32Array } {
  const { metaEnd } = segment.events.columns;
  const { key: keys, value } = segment.metaPairs.columns;
  const keyId = segment.dictionary.find(KIND.metaKey, key);
  const rows = ROWS_WITH_KEY.raw(run, selection.count);
  const values = META_VALUES.raw(run, selection.count);
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : selection.rows[index]!;
    const pair = pairWithKey(keys, keyId, firstPairOf(metaEnd, row), metaEnd[row]!);
    if (pair < 0) continue;
    rows[count] = row;
    values[count++] = value[pair]!;
  }
  return { selection: { rows, count }, values };
}
