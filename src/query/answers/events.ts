/**
 * Events by name, by a value of their metadata, by all of it (S-60 to S-62).
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { numbersIn, sumOver, tallyOver } from '../cache/cached-aggregate.ts';
import { groupPairs } from '../count/composite-groups.ts';
import {
  eventsInScope,
  type GroupedEvents,
  tallyDurations,
  tallyEvents,
} from '../count/event-scope.ts';
import { MetaSets } from '../count/metadata-sets.ts';
import { Tally } from '../count/tally.ts';
import { type FieldValue, type ListRow, listRows, presentIn } from '../list/listing.ts';
import { meanTruncated, rate } from '../list/rates.ts';
import { denominatorsOf, type Scan } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { firstPlainText } from '../question/filter-values.ts';
import { openTextSpace, spaceIds } from '../text/text-space.ts';

/** S-60: by name. */
export function answerEvents(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const space = openTextSpace(query.domainId);
  const names = () => space.texts(KIND.eventName);
  const counted = tallyWithKeys(scan, (segment, { tally, metaKeys }) => {
    const selection = eventsInScope(scan, segment);
    if (selection.count === 0) return;
    const groupMap = spaceIds(space, segment, KIND.eventName);
    tally.reserve(names().length);
    const grouped: GroupedEvents = {
      selection,
      groups: gather(selection, segment.events.columns.name, scratch, 'eventGroups'),
      groupCount: segment.dictionary.texts(KIND.eventName).length,
      groupMap,
    };
    tallyEvents(segment, grouped, tally, scan);
    tallyDurations(segment, grouped, tally, scratch);
    addMetaKeys(segment, selection, groupMap, metaKeys);
  });
  const { tally, metaKeys } = counted;
  return listRows(scan.statistic, query, {
    present: presentIn(tally.rows, Math.min(names().length, tally.rows.length)),
    fields: {
      ...eventFields(scan, tally),
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

function tallyWithKeys(scan: Scan, add: (segment: Segment, into: NameCounts) => void): NameCounts {
  return sumOver<NameCounts>(scan, ['events'], {
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

/** S-61: by name and the value of the first metadata key in the filter. */
export function answerEventMeta(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const key = firstPlainText(query.filters.events?.keys ?? null);
  if (key === null || query.filters.events?.names == null) return [];
  const space = openTextSpace(query.domainId);
  const pairs = numbersIn(space, 'event values', () => new PairIndex());
  const tally = tallyOver(scan, ['event values', key], 0, (segment, into) => {
    const selected = eventsInScope(scan, segment);
    if (selected.count === 0) return;
    const { selection, values } = keepWithKey(segment, selected, key, scratch);
    const names = gather(selection, segment.events.columns.name, scratch, 'eventNames');
    const maps = {
      firsts: spaceIds(space, segment, KIND.eventName),
      seconds: spaceIds(space, segment, KIND.metaValue),
    };
    const columns = { firsts: names, seconds: values, count: selection.count };
    const groups = scratch.rawWords('eventGroups', selection.count);
    const grouped = { selection, ...groupPairs(columns, maps, pairs, groups) };
    into.reserve(pairs.count);
    tallyEvents(segment, grouped, into, scan);
    tallyDurations(segment, grouped, into, scratch);
  });
  const textOf = (kind: number, id: number | undefined) =>
    space.texts(kind)[id as number] as string;
  return listRows(scan.statistic, query, {
    present: presentIn(tally.rows, Math.min(pairs.count, tally.rows.length)),
    fields: {
      ...eventFields(scan, tally),
      name: (group) => textOf(KIND.eventName, pairs.firsts[group]),
      meta_value: (group) => textOf(KIND.metaValue, pairs.seconds[group]),
    },
  });
}

/** S-62: by name and all metadata, whatever the order of its keys. */
export function answerEventList(scan: Scan): ListRow[] {
  const { query, scratch } = scan;
  const space = openTextSpace(query.domainId);
  const sets = numbersIn(space, 'metadata', () => new MetaSets(space));
  const pairs = numbersIn(space, 'events with metadata', () => new PairIndex());
  const tally = tallyOver(scan, ['event list'], 0, (segment, into) => {
    const selection = eventsInScope(scan, segment);
    if (selection.count === 0) return;
    const { count } = selection;
    const columns = {
      firsts: gather(selection, segment.events.columns.name, scratch, 'eventNames'),
      seconds: sets.assign(segment, selection, scratch.rawWords('metaSets', count)),
      count,
    };
    const maps = { firsts: spaceIds(space, segment, KIND.eventName), seconds: null };
    const groups = scratch.rawWords('eventGroups', count);
    const grouped = { selection, ...groupPairs(columns, maps, pairs, groups) };
    into.reserve(pairs.count);
    tallyEvents(segment, grouped, into, scan);
  });
  const setOf = (group: number) => pairs.seconds[group] as number;
  return listRows(scan.statistic, query, {
    present: presentIn(tally.rows, Math.min(pairs.count, tally.rows.length)),
    fields: {
      name: (group) => space.texts(KIND.eventName)[pairs.firsts[group] as number] as string,
      meta: (group) => sets.objectOf(setOf(group)),
      visitors: (group) => tally.visitors[group] as number,
      count: (group) => tally.rows[group] as number,
    },
    orders: { meta: (group) => sets.jsonOf(setOf(group)) },
  });
}

/** The figures that events by name and by value share. */
function eventFields(scan: Scan, tally: Tally): Record<string, (group: number) => FieldValue> {
  const all = denominatorsOf(scan).visitors;
  return {
    count: (group) => tally.rows[group] as number,
    visitors: (group) => tally.visitors[group] as number,
    views: (group) => tally.weights[group] as number,
    cr: (group) => rate(tally.visitors[group] as number, all),
    average_duration_seconds: (group) =>
      meanTruncated(tally.seconds[group] as number, tally.rows[group] as number),
  };
}

/** The events that have a metadata key, each with its value's id. */
function keepWithKey(
  segment: Segment,
  selection: Selection,
  key: string,
  scratch: Scratch,
): { selection: Selection; values: Uint32Array } {
  const { metaEnd } = segment.events.columns;
  const { key: keys, value } = segment.metaPairs.columns;
  const keyId = segment.dictionary.find(KIND.metaKey, key);
  const rows = scratch.rawWords('rowsWithKey', selection.count);
  const values = scratch.rawWords('metaValues', selection.count);
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : selection.rows[index]!;
    const end = metaEnd[row]!;
    for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < end; pair++) {
      if (keys[pair] !== keyId) continue;
      rows[count] = row;
      values[count++] = value[pair]!;
      break;
    }
  }
  return { selection: { rows, count }, values };
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
