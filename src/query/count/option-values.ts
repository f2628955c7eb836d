/**
 * Which texts of a kind a segment's rows in the range have: a byte per dictionary id (S-95 to S-97).
 *
 * Data plane, once per segment.
 */

import type { TextDimension } from '../../model/dimensions.ts';
import type { DictionaryKind } from '../../model/text-kinds.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryContext, viewPredicate } from '../plan/query-context.ts';
import { WorkingWords } from '../plan/query-run.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { passingIds, plainTextOf } from '../question/filter-values.ts';
import { bothFilters, NO_FILTERS, wholeOf, withoutEventFilters } from '../question/filters.ts';
import { firstPairOf } from '../select/row-pairs.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';

/** Working arrays. */
const ROW_PATHS = new WorkingWords();
const EVENT_NAMES = new WorkingWords();

/** Marks the ids that the segment's rows in the range have. */
export function markValues(
  context: QueryContext,
  dimension: DictionaryKind,
  { segment, marks }: { segment: Segment; marks: Uint8Array },
): void {
  if (dimension === 'eventName' || dimension === 'metaValue') {
    markOfEvents(context, segment, { isMetadata: dimension === 'metaValue', marks });
    return;
  }
  const predicate = viewPredicate(context.query, wholeOf(context.query), null);
  if (dimension === 'tagKey' || dimension === 'tagValue') {
    const tagged = selectViews(segment, { ...predicate, onlyTagged: true }, context.run);
    const tag = dimension === 'tagKey' ? null : plainTextOf(context.query.filters.tagKeys);
    markOfTags(segment, tagged, tag, marks);
    return;
  }
  if (dimension === 'path') {
    const selection = selectViews(segment, predicate, context.run);
    const paths = gather(selection, segment.views.columns.path, context.run, ROW_PATHS);
    for (let index = 0; index < selection.count; index++) marks[paths[index]!] = 1;
    return;
  }
  const values = segment.sessions.columns[dimension as TextDimension];
  const { sessions } = viewedSessions(segment, predicate, context.run);
  for (let index = 0; index < sessions.length; index++) marks[values[sessions[index]!]!] = 1;
}

/** Keys, or the values of the one tag that is asked for (S-96). */
function markOfTags(
  segment: Segment,
  selection: Selection,
  tag: string | null,
  marks: Uint8Array,
): void {
  const { dictionary, views, tagPairs } = segment;
  const { tagEnd } = views.columns;
  if (tag === null) {
    markPairs(tagEnd, selection, tagPairs.columns.key, { marks, keys: null });
    return;
  }
  const keys = new Uint8Array(dictionary.texts(KIND.tagKey).length);
  const key = dictionary.find(KIND.tagKey, tag);
  if (key >= keys.length) return;
  keys[key] = 1;
  const ofPairs = tagPairs.columns.key;
  markPairs(tagEnd, selection, tagPairs.columns.value, { marks, keys: { kept: keys, ofPairs } });
}

/** Names, or metadata values of the events asked for (S-97). */
function markOfEvents(
  { query, run }: QueryContext,
  segment: Segment,
  { isMetadata, marks }: { isMetadata: boolean; marks: Uint8Array },
): void {
  const { events, metaPairs } = segment;
  const names = query.filters.events?.names ?? null;
  const keys = query.filters.events?.keys ?? null;
  const whole = wholeOf(query);
  const filters =
    isMetadata && names !== null
      ? bothFilters({ ...NO_FILTERS, events: { names, keys: null, values: [] } }, whole)
      : whole;
  const mask = sessionsWithin(query, segment, run);
  const selection = selectEvents(segment, { range: query.range, filters }, mask, run);
  if (!isMetadata) {
    const ids = gather(selection, events.columns.name, run, EVENT_NAMES);
    for (let index = 0; index < selection.count; index++) marks[ids[index]!] = 1;
    return;
  }
  const kept = keys === null ? null : passingIds(keys, segment, KIND.metaKey);
  markPairs(events.columns.metaEnd, selection, metaPairs.columns.value, {
    marks,
    keys: kept === null ? null : { kept, ofPairs: metaPairs.columns.key },
  });
}

/** The sessions that the question may see at all; null: all of them. */
function sessionsWithin(
  { within, range }: QueryContext['query'],
  segment: Segment,
  run: QueryContext['run'],
): Uint8Array | null {
  if (within === null) return null;
  return selectSessions(segment, withoutEventFilters(within), range, run);
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
    for (let pair = firstPairOf(ends, row); pair < ends[row]!; pair++) {
      if (keys === null || keys.kept[keys.ofPairs[pair]!] === 1) marks[side[pair]!] = 1;
    }
  }
}
