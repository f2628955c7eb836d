/**
 * Statistics by tag: its keys, and the values of one key (S-64, S-65).
 *
 * A page view counts once under each of its keys, so rows are spread into one entry per pair first.
 * Their groups are dictionary ids, which merge over segments through the domain's text space.
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { tallyRows } from '../count/tally.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from '../list/listing.ts';
import { rate } from '../list/rates.ts';
import { denominatorsOf, type Scan, viewQuestion } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import type { Selection } from '../plan/selection.ts';
import { firstPlainText } from '../question/filter-values.ts';
import { selectViews } from '../select/select-views.ts';
import { openTextSpace, spaceIds } from '../text/text-space.ts';

/** S-64: by key. */
export function answerTags(scan: Scan): ListRow[] {
  return answerPairs(scan, KIND.tagKey, null, (text) => ({ key: text }));
}

/** S-65: by the value of the first key in the filter; without one there is nothing to list. */
export function answerTagDetails(scan: Scan): ListRow[] {
  const key = firstPlainText(scan.query.filters.tagKeys);
  if (key === null) return [];
  return answerPairs(scan, KIND.tagValue, key, (text) => ({ key: () => key, value: text }));
}

type Texts = (group: number) => string;

function answerPairs(
  scan: Scan,
  kind: number,
  key: string | null,
  fieldsOf: (text: Texts) => Record<string, Texts>,
): ListRow[] {
  const { query, scratch } = scan;
  const space = openTextSpace(query.domainId);
  const question = { ...viewQuestion(query, query.filters, null), onlyTagged: true };
  const tally = tallyOver(scan, ['tags', key], 0, (segment, into) => {
    if (segment.tagPairs.rowCount === 0) return;
    const selection = selectViews(segment, question, scratch);
    const pairs = spreadPairs(segment, selection, key, scratch);
    const groupMap = spaceIds(space, segment, kind);
    into.reserve(space.texts(kind).length);
    const groupCount = segment.dictionary.texts(kind).length;
    tallyRows(segment, { ...pairs, groupCount, groupMap, weights: null }, into, scratch);
  });
  const all = denominatorsOf(scan);
  const fields: Record<string, (group: number) => FieldValue> = {
    ...fieldsOf((group) => space.texts(kind)[group] as string),
    visitors: (group) => tally.visitors[group] as number,
    views: (group) => tally.rows[group] as number,
    relative_visitors: (group) => rate(tally.visitors[group] as number, all.visitors),
    relative_views: (group) => rate(tally.rows[group] as number, all.views),
  };
  const count = Math.min(space.texts(kind).length, tally.rows.length);
  return listRows(scan.statistic, query, { present: presentIn(tally.rows, count), fields });
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
  scratch: Scratch,
): { count: number; sessions: Uint32Array; groups: Uint32Array } {
  const { session, tagEnd } = segment.views.columns;
  const { key, value } = segment.tagPairs.columns;
  const keyId = wanted === null ? null : segment.dictionary.find(KIND.tagKey, wanted);
  const grouped = wanted === null ? key : value;
  const sessions = scratch.rawWords('pairSessions', segment.tagPairs.rowCount);
  const groups = scratch.rawWords('pairGroups', segment.tagPairs.rowCount);
  const { rows } = selection;
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = rows === null ? index : rows[index]!;
    const end = tagEnd[row]!;
    for (let pair = row === 0 ? 0 : tagEnd[row - 1]!; pair < end; pair++) {
      if (keyId !== null && key[pair] !== keyId) continue;
      sessions[count] = session[row]!;
      groups[count++] = grouped[pair]!;
    }
  }
  return { count, sessions, groups };
}
