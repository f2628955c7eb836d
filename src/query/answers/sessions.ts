/**
 * Single sessions: the list of them (S-90) and what happened in one (S-92).
 *
 * Rows here are sessions as they are, not groups: only those that are shown are turned into texts.
 */

import { Platform, type TextDimension } from '../../model/dimensions.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type FieldValue, type ListRow, listRows } from '../list/listing.ts';
import { FirstBound } from '../list/top-k.ts';
import { type Scan, viewQuestion } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import { NO_FILTERS } from '../question/filters.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';

/** The texts of a session that are shown, by their name in an answer. */
const SHOWN_DIMENSIONS: readonly (readonly [string, TextDimension])[] = [
  ['language', 'language'],
  ['country_code', 'country'],
  ['city', 'city'],
  ['referrer', 'referrer'],
  ['referrer_name', 'referrerName'],
  ['referrer_icon', 'referrerIcon'],
  ['os', 'os'],
  ['os_version', 'osVersion'],
  ['browser', 'browser'],
  ['browser_version', 'browserVersion'],
  ['screen_class', 'screenClass'],
  ['utm_source', 'utmSource'],
  ['utm_medium', 'utmMedium'],
  ['utm_campaign', 'utmCampaign'],
  ['utm_content', 'utmContent'],
  ['utm_term', 'utmTerm'],
];

/** Reads one field of a session, given its row. */
type SessionField = (segment: Segment, session: number) => FieldValue;

/** What both answers show of a session: who it is and its dimensions. */
const SHARED_FIELDS: Readonly<Record<string, SessionField>> = {
  visitor_id: visitorIdOf,
  // I-34: unique for the visitor, since a visitor's sessions are in one segment.
  session_id: (_, session) => session + 1,
  ...Object.fromEntries(
    SHOWN_DIMENSIONS.map(([name, dimension]): [string, SessionField] => [
      name,
      ({ dictionary, sessions }, session) =>
        textOf(dictionary.texts(KIND[dimension]), sessions.columns[dimension][session]),
    ]),
  ),
  desktop: ({ sessions }, session) => sessions.columns.platform[session] === Platform.Desktop,
  mobile: ({ sessions }, session) => sessions.columns.platform[session] === Platform.Mobile,
};

const LIST_FIELDS: Readonly<Record<string, SessionField>> = {
  ...SHARED_FIELDS,
  time: ({ sessions }, session) => timestampOf(sessions.columns.lastMs[session]),
  start: ({ sessions }, session) => timestampOf(sessions.columns.startMs[session]),
  duration_seconds: ({ sessions: { columns } }, session) =>
    Math.floor(
      ((columns.lastMs[session] as number) - (columns.startMs[session] as number)) / 1_000,
    ),
  entry_path: edgeText(KIND.path, 'entryPath'),
  exit_path: edgeText(KIND.path, 'exitPath'),
  entry_title: edgeText(KIND.title, 'entryTitle'),
  exit_title: edgeText(KIND.title, 'exitTitle'),
  page_views: ({ sessions }, session) => sessions.columns.pageViews[session] as number,
  is_bounce: ({ sessions }, session) => sessions.columns.isBounce[session] === 1,
  extended: ({ sessions }, session) => sessions.columns.extended[session] as number,
};

/** What sessions of a segment are ordered by under a field, given their row. */
type OrderColumn = (segment: Segment) => (session: number) => number | string;

/** Every field of the list that it can be sorted by, with its columns taken once per segment. */
const ORDER_COLUMNS: Readonly<Record<string, OrderColumn>> = {
  visitor_id: (segment) => (session) => visitorIdOf(segment, session),
  session_id: () => (session) => session + 1,
  time: timesIn('lastMs'),
  start: timesIn('startMs'),
  duration_seconds: ({ sessions }) => {
    const { startMs, lastMs } = sessions.columns;
    return (session) => Math.floor((lastMs[session]! - startMs[session]!) / 1_000);
  },
  page_views: ({ sessions }) => {
    const { pageViews } = sessions.columns;
    return (session) => pageViews[session]!;
  },
  extended: ({ sessions }) => {
    const { extended } = sessions.columns;
    return (session) => extended[session]!;
  },
  entry_path: textsIn(KIND.path, 'entryPath'),
  exit_path: textsIn(KIND.path, 'exitPath'),
  entry_title: textsIn(KIND.title, 'entryTitle'),
  exit_title: textsIn(KIND.title, 'exitTitle'),
  ...Object.fromEntries(
    SHOWN_DIMENSIONS.map(([name, dimension]) => [name, textsIn(KIND[dimension], dimension)]),
  ),
};

function timesIn(column: 'lastMs' | 'startMs'): OrderColumn {
  return ({ sessions }) => {
    const times = sessions.columns[column];
    return (session) => times[session]!;
  };
}

function textsIn(
  kind: number,
  column: TextDimension | 'entryPath' | 'exitPath' | 'entryTitle' | 'exitTitle',
): OrderColumn {
  return ({ dictionary, sessions }) => {
    const texts = dictionary.texts(kind);
    const ids = sessions.columns[column];
    return (session) => texts[ids[session]!]!;
  };
}

/** S-90: the distinct sessions among the rows, as they are now. */
export function answerSessionList(scan: Scan): ListRow[] {
  const { query } = scan;
  const question = viewQuestion(query, query.filters, null);
  const found = new FoundSessions();
  const bound = boundOf(scan);
  const isDescending = bound?.direction === 'desc';
  // The days that the page is likely to be of come first, so that the bound is there early.
  for (const segment of isDescending ? scan.segments.toReversed() : scan.segments) {
    if (bound !== null && isBeyond(segment, bound)) continue;
    const { sessions } = viewedSessions(segment, question, scan.scratch);
    found.add(segment, sessions, bound, scan.scratch);
  }
  const fields = Object.entries(LIST_FIELDS).map(([name, read]) => [
    name,
    (group: number) => found.read(group, read),
  ]);
  const present = new Uint32Array(found.count);
  for (let group = 0; group < present.length; group++) present[group] = group;
  return listRows(scan.statistic, query, {
    present,
    fields: Object.fromEntries(fields),
    orders: found.orders(),
  });
}

/** More rows than this are ranked in full. */
const BOUND_COUNT_MAX = 10_000;

/** What rows of the page have to keep to, where the first key of the order is a time. */
interface PageBound {
  readonly first: FirstBound;
  readonly direction: 'asc' | 'desc';
  readonly column: 'lastMs' | 'startMs';
}

/** Null: any session may be on the page. */
function boundOf({ query, statistic }: Scan): PageBound | null {
  const key = query.sort ?? statistic.order[0];
  const count = query.offset + query.limit;
  if (key === undefined || count === 0 || count > BOUND_COUNT_MAX) return null;
  const { field, direction } = key;
  if (field !== 'time' && field !== 'start') return null;
  const column = field === 'time' ? 'lastMs' : 'startMs';
  return { first: new FirstBound(count, direction), direction, column };
}

/** Whether all of a segment's sessions lie beyond the bound. */
function isBeyond({ minMs, maxMs }: Segment, { first, direction }: PageBound): boolean {
  return !first.mayTake(direction === 'asc' ? minMs : maxMs);
}

/** Something that happened in a session, with its place in the order of the answer. */
interface Item {
  readonly atMs: number;
  readonly isEvent: boolean;
  readonly row: number;
  readonly segment: Segment;
}

/** S-92: page views and events in the range; nothing without both ids (S-66). */
export function answerSessionDetails(scan: Scan): unknown[] {
  const { query, scratch } = scan;
  const { range, offset, limit } = query;
  const { sessionIds } = query.filters;
  if (sessionIds === null) return [];
  // Every other filter is ignored.
  const filters = { ...NO_FILTERS, sessionIds };
  const items: Item[] = [];
  for (const segment of scan.segments) {
    const mask = selectSessions(segment, filters, range, scratch);
    if (!mask.includes(1)) continue;
    const events = selectEvents(segment, { range, filters: NO_FILTERS }, mask, scratch);
    addItems(segment, events, true, items);
    addItems(
      segment,
      selectViews(segment, viewQuestion(query, filters, null), scratch),
      false,
      items,
    );
  }
  // Sorting is stable, so that what has one time and kind stays in order of arrival.
  items.sort((a, b) => a.atMs - b.atMs || Number(a.isEvent) - Number(b.isEvent));
  return items.slice(offset, offset + limit).map((item) => ({
    page_view: item.isEvent ? null : viewFields(item.segment, item.row),
    event: item.isEvent ? eventFields(item.segment, item.row) : null,
  }));
}

function addItems(
  segment: Segment,
  selection: { readonly rows: Uint32Array | null; readonly count: number },
  isEvent: boolean,
  items: Item[],
): void {
  const { timeMs } = (isEvent ? segment.events : segment.views).columns;
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : (selection.rows[index] as number);
    items.push({ atMs: timeMs[row] as number, isEvent, row, segment });
  }
}

function viewFields(segment: Segment, row: number): Record<string, unknown> {
  const { dictionary, tagPairs } = segment;
  const { timeMs, session, path, title, tagEnd, timeOnPage } = segment.views.columns;
  const start = row === 0 ? 0 : (tagEnd[row - 1] as number);
  const keys = tagPairs.columns.key.subarray(start, tagEnd[row]);
  const values = tagPairs.columns.value.subarray(start, tagEnd[row]);
  return {
    ...sharedFields(segment, session[row] as number),
    time: timestampOf(timeMs[row]),
    duration_seconds: timeOnPage[row],
    path: textOf(dictionary.texts(KIND.path), path[row]),
    title: textOf(dictionary.texts(KIND.title), title[row]),
    tag_keys: textsOf(dictionary.texts(KIND.tagKey), keys),
    tag_values: textsOf(dictionary.texts(KIND.tagValue), values),
  };
}

function eventFields(segment: Segment, row: number): Record<string, unknown> {
  const { dictionary, metaPairs } = segment;
  const { timeMs, session, name, path, title, metaEnd, durationSeconds } = segment.events.columns;
  const start = row === 0 ? 0 : (metaEnd[row - 1] as number);
  const keys = metaPairs.columns.key.subarray(start, metaEnd[row]);
  const values = metaPairs.columns.value.subarray(start, metaEnd[row]);
  return {
    ...sharedFields(segment, session[row] as number),
    time: timestampOf(timeMs[row]),
    duration_seconds: durationSeconds[row],
    name: textOf(dictionary.texts(KIND.eventName), name[row]),
    path: textOf(dictionary.texts(KIND.path), path[row]),
    title: textOf(dictionary.texts(KIND.title), title[row]),
    meta_keys: textsOf(dictionary.texts(KIND.metaKey), keys),
    meta_values: textsOf(dictionary.texts(KIND.metaValue), values),
  };
}

function sharedFields(segment: Segment, session: number): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {};
  for (const [name, read] of Object.entries(SHARED_FIELDS)) fields[name] = read(segment, session);
  return fields;
}

/** Sessions of all segments under one dense number each, in order of segment and row. */
class FoundSessions {
  count = 0;
  /** Per segment with a session: the number of its first one, and the rows. */
  readonly #parts: { first: number; segment: Segment; rows: Uint32Array }[] = [];

  /** Adds sessions, those beyond the bound left out. */
  add(segment: Segment, sessions: Uint32Array, bound: PageBound | null, scratch: Scratch): void {
    let rows = sessions;
    if (bound !== null) {
      const times = segment.sessions.columns[bound.column];
      const { first } = bound;
      const taken = scratch.rawWords('foundSessions', sessions.length);
      let found = 0;
      for (let index = 0; index < sessions.length; index++) {
        const row = sessions[index]!;
        if (first.takes(times[row]!)) taken[found++] = row;
      }
      rows = taken.subarray(0, found);
    }
    if (rows.length === 0) return;
    this.#parts.push({ first: this.count, segment, rows: rows.slice() });
    this.count += rows.length;
  }

  /** What each field is ordered by: an array over all of them, made when it is first compared. */
  orders(): Record<string, (group: number) => number | string> {
    const orders: Record<string, (group: number) => number | string> = {};
    for (const [name, columnOf] of Object.entries(ORDER_COLUMNS)) {
      let values: (number | string)[] | null = null;
      orders[name] = (group) => {
        values ??= this.#valuesOf(columnOf);
        return values[group]!;
      };
    }
    return orders;
  }

  #valuesOf(columnOf: OrderColumn): (number | string)[] {
    const values = new Array<number | string>(this.count);
    for (const { first, segment, rows } of this.#parts) {
      const read = columnOf(segment);
      for (let index = 0; index < rows.length; index++) values[first + index] = read(rows[index]!);
    }
    return values;
  }

  /** One field of the session of a number. */
  read(number: number, field: SessionField): FieldValue {
    const parts = this.#parts;
    let low = 0;
    let high = parts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (parts[middle]!.first <= number) low = middle;
      else high = middle;
    }
    const { first, segment, rows } = parts[low]!;
    return field(segment, rows[number - first]!);
  }
}

/** the visitor's id as an unsigned decimal number. */
function visitorIdOf(segment: Segment, session: number): string {
  const { low, high } = segment.visitors.columns;
  const visitor = segment.sessions.columns.visitor[session] as number;
  return String((BigInt(high[visitor] as number) << 32n) | BigInt(low[visitor] as number));
}

function edgeText(
  kind: number,
  column: 'entryPath' | 'exitPath' | 'entryTitle' | 'exitTitle',
): SessionField {
  return ({ dictionary, sessions }, session) =>
    textOf(dictionary.texts(kind), sessions.columns[column][session]);
}

function textOf(texts: readonly string[], id: number | undefined): string {
  return texts[id as number] as string;
}

function textsOf(texts: readonly string[], ids: Uint32Array): string[] {
  return Array.from(ids, (id) => textOf(texts, id));
}

function timestampOf(timeMs: number | undefined): string {
  return new Date(timeMs as number).toISOString();
}
