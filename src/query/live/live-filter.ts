/**
 * Which rows of the moment pass the filters of a listener (O-50): by the same code that answers
 * statistics, over a small segment with a session for each row.
 *
 * Control plane: at most a thousand rows a second of a domain.
 */

import { DAY_MS } from '../../model/limits.ts';
import type { LiveNews, LiveRow } from '../../model/live.ts';
import { TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import { Segment } from '../../segment/memory/segment.ts';
import { QueryRun } from '../plan/query-run.ts';
import type { Selection } from '../plan/selection.ts';
import { hasSessionFilter, isUnfiltered, type QueryFilters } from '../question/filters.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';

/** Whatever the rows say of their time. */
const ALWAYS = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** The rows of one message, ready to be asked by any filter. */
export class LiveRows {
  readonly rows: readonly LiveRow[];
  readonly #domainId: LiveNews['domainId'];
  #segment: Segment | null = null;
  /** Places among the rows, by row of page views and of events. */
  readonly #views: number[] = [];
  readonly #events: number[] = [];

  constructor({ domainId, rows }: LiveNews) {
    this.#domainId = domainId;
    this.rows = rows;
  }

  /** The rows that pass, in their order: page views of a session-level filter, events also by name. */
  passing(filters: QueryFilters): readonly LiveRow[] {
    if (isUnfiltered(filters)) return this.rows;
    this.#segment ??= this.#made();
    const segment = this.#segment;
    const run = new QueryRun();
    // Ids are of the segment that the rows are from; an event filter is about events alone here.
    const rest = { ...filters, sessionIds: null };
    const ofSessions = { ...rest, events: null };
    const mask = hasSessionFilter(ofSessions)
      ? Uint8Array.from(selectSessions(segment, ofSessions, ALWAYS, run))
      : null;
    const passing: number[] = [];
    if (filters.events === null) {
      const predicate = { range: ALWAYS, filters: rest, search: null, byTitle: false };
      const selected = selectViews(segment, { ...predicate, blockMaxMs: null }, run);
      for (const row of rowsOf(selected)) passing.push(this.#views[row] as number);
    }
    const selected = selectEvents(segment, { range: ALWAYS, filters: rest }, mask, run);
    for (const row of rowsOf(selected)) passing.push(this.#events[row] as number);
    return passing
      .toSorted((a, b) => a - b)
      .map((at) => this.rows[at] as LiveRow)
      .filter((row) => isOneOf(row, filters));
  }

  #made(): Segment {
    const day = Math.floor((this.rows[0]?.timeMs ?? 0) / DAY_MS);
    const segment = new Segment(this.#domainId, day);
    for (const [at, row] of this.rows.entries()) {
      const session = addSession(segment, row);
      if (row.eventName === '') this.#views.push(at);
      else this.#events.push(at);
      addRow(segment, row, session);
    }
    return segment;
  }
}

function rowsOf({ rows, count }: Selection): number[] {
  return Array.from({ length: count }, (_, index) => (rows === null ? index : rows[index]!));
}

/** F-31: single visitors and sessions. */
function isOneOf(row: LiveRow, { sessionIds, also }: QueryFilters): boolean {
  if (also !== null && !isOneOf(row, also)) return false;
  if (sessionIds === null) return true;
  const { visitors, sessions } = sessionIds;
  const isVisitor =
    visitors.length === 0 ||
    visitors.some(({ low, high }) => low === row.visitorLow && high === row.visitorHigh);
  return isVisitor && (sessions.length === 0 || sessions.includes(row.sessionId));
}

function addSession(segment: Segment, row: LiveRow): number {
  const { sessions, visitors, dictionary } = segment;
  const ids = TEXT_DIMENSIONS.map((name, at) =>
    dictionary.intern(KIND[name], row.dimensions[at] as string),
  );
  const entryPath = dictionary.intern(KIND.path, row.entryPath);
  const exitPath = dictionary.intern(KIND.path, row.exitPath);
  const visitor = visitors.append();
  visitors.columns.low[visitor] = row.visitorLow;
  visitors.columns.high[visitor] = row.visitorHigh;
  const session = sessions.append();
  const { columns } = sessions;
  for (const [at, name] of TEXT_DIMENSIONS.entries()) columns[name][session] = ids[at] as number;
  columns.visitor[session] = visitor;
  columns.platform[session] = row.platform;
  columns.entryPath[session] = entryPath;
  columns.exitPath[session] = exitPath;
  columns.startMs[session] = row.timeMs;
  columns.lastMs[session] = row.timeMs;
  columns.lastView[session] = NONE;
  segment.cover(row.timeMs);
  return session;
}

function addRow(segment: Segment, row: LiveRow, session: number): void {
  const { views, events, tagPairs, metaPairs, dictionary } = segment;
  const isEvent = row.eventName !== '';
  const path = dictionary.intern(KIND.path, row.path);
  const title = dictionary.intern(KIND.title, row.title);
  const name = isEvent ? dictionary.intern(KIND.eventName, row.eventName) : 0;
  const pairs = isEvent ? metaPairs : tagPairs;
  const [keys, values] = isEvent ? [KIND.metaKey, KIND.metaValue] : [KIND.tagKey, KIND.tagValue];
  for (let at = 0; at + 1 < row.pairs.length; at += 2) {
    const key = dictionary.intern(keys, row.pairs[at] as string);
    const value = dictionary.intern(values, row.pairs[at + 1] as string);
    const pair = pairs.append();
    pairs.columns.key[pair] = key;
    pairs.columns.value[pair] = value;
  }
  const table = isEvent ? events : views;
  const at = table.append();
  table.columns.timeMs[at] = row.timeMs;
  table.columns.session[at] = session;
  table.columns.path[at] = path;
  table.columns.title[at] = title;
  if (isEvent) {
    events.columns.name[at] = name;
    events.columns.metaEnd[at] = metaPairs.rowCount;
  } else {
    views.columns.previous[at] = NONE;
    views.columns.tagEnd[at] = tagPairs.rowCount;
  }
}
