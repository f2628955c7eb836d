/**
 * The values that filters can be set to: distinct texts of the range, whatever else is filtered
 * (S-95 to S-97).
 *
 * A byte per dictionary id says what a segment's rows have (data plane); texts are only looked at
 * once per domain, to search and to sort them.
 */

import { compareCodePoints } from '../../base/code-points.ts';
import type { DictionaryKind, TextDimension } from '../../model/dimensions.ts';
import { OPTION_COUNT_MAX } from '../../model/limits.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { presentIn } from '../list/listing.ts';
import { pageOf } from '../list/ranking.ts';
import { type Scan, viewQuestion } from '../plan/query-context.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { keepsOneOf, keptIds, plainTextOf } from '../question/filter-values.ts';
import { NO_FILTERS } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectViews } from '../select/select-views.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { openTextSpace, spaceIds } from '../text/text-space.ts';

/** S-95: at most 200 distinct values, ascending. */
export function answerOptions(scan: Scan): string[] {
  const { query, statistic } = scan;
  const kind = KIND[statistic.dimension as DictionaryKind];
  const space = openTextSpace(query.domainId);
  const tally = tallyOver(scan, ['options'], 0, (segment, into) => {
    const local = new Uint8Array(segment.dictionary.texts(kind).length);
    markValues(scan, segment, local);
    const map = spaceIds(space, segment, kind);
    into.reserve(space.texts(kind).length);
    for (let id = 0; id < local.length; id++) if (local[id] === 1) into.rows[map[id]!] = 1;
  });
  const present = presentIn(tally.rows, tally.rows.length);
  return optionsAmong(present, space.texts(kind), query);
}

/** The first texts that are searched for, ascending. @param present numbers of distinct texts. */
export function optionsAmong(
  present: ArrayLike<number>,
  texts: readonly string[],
  query: StatisticsQuery,
): string[] {
  const found: number[] = [];
  for (let index = 0; index < present.length; index++) {
    const id = present[index] as number;
    if (id !== 0 && isSearched(query, texts[id] as string)) found.push(id);
  }
  const compare = (left: number, right: number): number =>
    compareCodePoints(texts[left] as string, texts[right] as string);
  const page = { offset: 0, limit: OPTION_COUNT_MAX };
  return pageOf(Uint32Array.from(found), compare, page).map((id) => texts[id] as string);
}

function isSearched({ search }: StatisticsQuery, text: string): boolean {
  return search === null || keepsOneOf(search, [text]);
}

/** Marks the ids that the segment's rows in the range have. */
export function markValues(scan: Scan, segment: Segment, marks: Uint8Array): void {
  const dimension = scan.statistic.dimension as DictionaryKind;
  if (dimension === 'eventName' || dimension === 'metaValue') {
    markOfEvents(scan, segment, marks);
    return;
  }
  const question = viewQuestion(scan.query, NO_FILTERS, null);
  if (dimension === 'tagKey' || dimension === 'tagValue') {
    const tagged = selectViews(segment, { ...question, onlyTagged: true }, scan.scratch);
    markOfTags(scan, segment, tagged, marks);
    return;
  }
  if (dimension === 'path') {
    const selection = selectViews(segment, question, scan.scratch);
    const paths = gather(selection, segment.views.columns.path, scan.scratch, 'rowPaths');
    for (let index = 0; index < selection.count; index++) marks[paths[index]!] = 1;
    return;
  }
  const values = segment.sessions.columns[dimension as TextDimension];
  const { sessions } = viewedSessions(segment, question, scan.scratch);
  for (let index = 0; index < sessions.length; index++) marks[values[sessions[index]!]!] = 1;
}

/** Keys, or the values of the one tag that is asked for (S-96). */
function markOfTags(scan: Scan, segment: Segment, selection: Selection, marks: Uint8Array): void {
  const { dictionary, views, tagPairs } = segment;
  const { tagEnd } = views.columns;
  if (scan.statistic.dimension === 'tagKey') {
    markPairs(tagEnd, selection, tagPairs.columns.key, { marks, keys: null });
    return;
  }
  const tag = plainTextOf(scan.query.filters.tagKeys);
  if (tag === '') return;
  const keys = new Uint8Array(dictionary.texts(KIND.tagKey).length);
  const key = dictionary.find(KIND.tagKey, tag);
  if (key >= keys.length) return;
  keys[key] = 1;
  const { value } = tagPairs.columns;
  markPairs(tagEnd, selection, value, {
    marks,
    keys: { kept: keys, ofPairs: tagPairs.columns.key },
  });
}

/** Names, or metadata values of the events asked for (S-97). */
function markOfEvents(scan: Scan, segment: Segment, marks: Uint8Array): void {
  const { query, scratch, statistic } = scan;
  const { events, metaPairs } = segment;
  const names = query.filters.events?.names ?? null;
  const keys = query.filters.events?.keys ?? null;
  const isMetadata = statistic.dimension === 'metaValue';
  const filters =
    isMetadata && names !== null
      ? { ...NO_FILTERS, events: { names, keys: null, values: [] } }
      : NO_FILTERS;
  const selection = selectEvents(segment, { range: query.range, filters }, null, scratch);
  if (!isMetadata) {
    const ids = gather(selection, events.columns.name, scratch, 'eventGroups');
    for (let index = 0; index < selection.count; index++) marks[ids[index]!] = 1;
    return;
  }
  const kept = keys === null ? null : keptIds(keys, segment, KIND.metaKey);
  markPairs(events.columns.metaEnd, selection, metaPairs.columns.value, {
    marks,
    keys: kept === null ? null : { kept, ofPairs: metaPairs.columns.key },
  });
}

/** Marks one side of the pairs of selected rows, of some keys only where `keys` says so. */
function markPairs(
  ends: Uint32Array,
  selection: Selection,
  side: Uint32Array,
  into: { marks: Uint8Array; keys: { kept: Uint8Array; ofPairs: Uint32Array } | null },
): void {
  const { marks, keys } = into;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : selection.rows[index]!;
    for (let pair = row === 0 ? 0 : ends[row - 1]!; pair < ends[row]!; pair++) {
      if (keys === null || keys.kept[keys.ofPairs[pair]!] === 1) marks[side[pair]!] = 1;
    }
  }
}
