/**
 * Statistics by tag: its keys, and the values of one key (S-64, S-65).
 *
 * A page view counts once under each of its keys, so rows are spread into one entry per pair first.
 * Their groups are dictionary ids, which merge over segments through the domain's text space.
 */

import type { DictionaryKind } from '../../../model/text-kinds.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { tallyRows } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { type Groups, type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { rate } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { type QueryRun, WorkingWords } from '../../plan/query-run.ts';
import type { Selection } from '../../plan/selection.ts';
import { firstPlainText } from '../../question/filter-values.ts';
import type { QueryFilters } from '../../question/filters.ts';
import {
  asc,
  desc,
  numbers,
  plain,
  type StatisticShape,
  texts,
} from '../../question/statistics.ts';
import { TAGS as BY_KEY, breakdownOf } from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';
import { firstPairOf } from '../../select/row-pairs.ts';
import { selectViews } from '../../select/select-views.ts';
import { openTextSpace, spaceIds } from '../../text/text-space.ts';

/** Working arrays. */
const PAIR_SESSIONS = new WorkingWords();
const PAIR_GROUPS = new WorkingWords();

const shape = (name: string, dimension: DictionaryKind, ...fields: string[]): StatisticShape => ({
  ...plain(name),
  unit: 'views',
  dimension,
  fields: [
    ...texts(...fields),
    ...numbers('visitors', 'views', 'relative_visitors', 'relative_views'),
  ],
  order: [desc('visitors'), asc(fields.at(-1) ?? '')],
});

/** S-64: by key. */
export const TAGS: AnsweredStatistic = {
  ...shape('tags', 'tagKey', 'key'),
  byRows: (context) => answerByRows(context, KIND.tagKey, null),
  byRollups: answerByRollups,
};

/** S-65: by the value of the first key in the filter; without one there is nothing to list (S-66). */
export const TAG_DETAILS: AnsweredStatistic = {
  ...shape('tag/details', 'tagValue', 'key', 'value'),
  byRows: (context) => answerByRows(context, KIND.tagValue, keyOf(context.query.filters)),
  byRollups: null,
  needs: (filters) => keyOf(filters) !== null,
};

function keyOf({ tagKeys }: QueryFilters): string | null {
  return firstPlainText(tagKeys);
}

/** @param key the one whose values are listed; null: keys are. */
function answerByRows(context: QueryContext, kind: number, key: string | null): ListRow[] {
  const { query, run } = context;
  const space = openTextSpace(query.domainId);
  const predicate = { ...viewPredicate(query, query.filters, null), onlyTagged: true };
  const tally = tallyOver(context, ['tags', key], 0, (segment, into) => {
    if (segment.tagPairs.rowCount === 0) return;
    const selection = selectViews(segment, predicate, run);
    const pairs = spreadPairs(segment, selection, key, run);
    const groupMap = spaceIds(space, segment, kind);
    into.reserve(space.texts(kind).length);
    const groupCount = segment.dictionary.texts(kind).length;
    tallyRows(segment, { ...pairs, groupCount, groupMap, weights: null }, into, run);
  });
  const text = (group: number): string => space.texts(kind)[group] as string;
  const count = Math.min(space.texts(kind).length, tally.rows.length);
  return listRows(context.statistic, query, {
    present: presentIn(tally.rows, count),
    fields: {
      ...(key === null ? { key: text } : { key: () => key, value: text }),
      ...figures(context, {
        visitors: (group) => tally.visitors[group] as number,
        views: (group) => tally.rows[group] as number,
      }),
    },
  });
}

function answerByRollups(context: QueryContext): ListRow[] {
  const rows = breakdownOf(context, BY_KEY);
  const [visitors, views] = [rows.reader('visitors'), rows.reader('views')];
  return listRows(context.statistic, context.query, {
    present: rows.present('views'),
    fields: { key: rows.textReader(KIND.tagKey), ...figures(context, { visitors, views }) },
  });
}

/** The figures of a key or value, wherever its counts come from. */
function figures(
  context: QueryContext,
  counts: Readonly<Record<'visitors' | 'views', (group: number) => number>>,
): Groups['fields'] {
  const { visitors, views } = counts;
  const all = sharesOf(context);
  return {
    visitors,
    views,
    relative_visitors: (group) => rate(visitors(group), all.visitors),
    relative_views: (group) => rate(views(group), all.views),
  };
}

/**
 * One entry per pair of the selected page views.
 *
 * @param wanted only pairs of this key, grouped by value; null: all pairs, grouped by key.
 */
function spreadPairs(
  segment: Segment,
  selection: Selection,
  wanted: string | null,
  run: QueryRun,
): { count: number; sessions: Uint32Array; groups: Uint32Array } {
  const { session, tagEnd } = segment.views.columns;
  const { key, value } = segment.tagPairs.columns;
  const keyId = wanted === null ? null : segment.dictionary.find(KIND.tagKey, wanted);
  const grouped = wanted === null ? key : value;
  const sessions = PAIR_SESSIONS.raw(run, segment.tagPairs.rowCount);
  const groups = PAIR_GROUPS.raw(run, segment.tagPairs.rowCount);
  const { rows } = selection;
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = rows === null ? index : rows[index]!;
    const end = tagEnd[row]!;
    for (let pair = firstPairOf(tagEnd, row); pair < end; pair++) {
      if (keyId !== null && key[pair] !== keyId) continue;
      sessions[count] = session[row]!;
      groups[count++] = grouped[pair]!;
    }
  }
  return { count, sessions, groups };
}
