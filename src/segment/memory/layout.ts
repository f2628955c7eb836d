/**
 * The tables of a segment and their columns: one place that says what is kept and how wide.
 *
 * A segment is one domain and one UTC day. Every table is columnar (see `table.ts`) and append-only
 * in its rows; some columns of existing rows change (a session's exit). Rows of views and events
 * stay as they were written: what later views add to them is derived.
 * Texts are dictionary ids (`dictionary.ts`), 0 is always the empty text.
 *
 *     visitors ──< sessions ──< views  ──< tagPairs      `x ──< y`: y rows point to their x row,
 *                          └──< events ──< metaPairs     pairs of row i are [end[i-1], end[i])
 *     carried: ids of this day whose visitor was first seen on an earlier one (I-46)
 */

import { DIMENSION_ROWS, type TextDimension } from '../../model/dimensions.ts';

/** `id`: up to 32 bits, in memory as narrow as the ids so far need (`Table.widen`). */
export type ColumnWidth = 'u8' | 'u16' | 'u32' | 'f64' | 'id';

export type Layout = Readonly<Record<string, ColumnWidth>>;

/** A column value that points nowhere. */
export const NONE = 0xffff_ffff;

/** In `visitors.session`: the id is bound to a session of an earlier segment, see `carried`. */
export const BOUND_ELSEWHERE = 0xffff_fffe;

/** Visitors first seen on the segment's day; the row number is the visitor's ordinal. */
export const VISITORS = {
  /** The visitor id, two unsigned halves. */
  low: 'u32',
  high: 'u32',
  /** Row of the session the id is bound to, or `BOUND_ELSEWHERE` (I-46). */
  session: 'u32',
} as const satisfies Layout;

/** A column for each dimension, in the order of their positions on disk. */
const DIMENSION_COLUMNS = Object.fromEntries(
  DIMENSION_ROWS.toSorted(([, one], [, other]) => one.disk.column - other.disk.column).map(
    ([name]) => [name, 'id'],
  ),
) as Readonly<Record<TextDimension, 'id'>>;

/** Sessions of those visitors; session id on the wire = row + 1 (I-34). */
export const SESSIONS = {
  startMs: 'f64',
  /** Last activity. */
  lastMs: 'f64',
  /** Ordinal in `visitors`. */
  visitor: 'id',
  entryPath: 'id',
  entryTitle: 'id',
  exitPath: 'id',
  exitTitle: 'id',
  /**
   * Row of the session's latest view by time, `NONE` if none; heads the `previous` chain. Derived.
   */
  lastView: 'u32',
  /** At most 200 (I-49). */
  pageViews: 'u8',
  /** 1 while bounced (I-51). */
  isBounce: 'u8',
  /** Keep-alives, at most 65,535 (I-44). */
  extended: 'id',
  /** Ids of up to this many days after the segment's may be bound to the session (I-46, I-48). */
  boundDays: 'id',
  /** Index into `Platform`. */
  platform: 'u8',
  ...DIMENSION_COLUMNS,
} as const satisfies Layout;

/** Page view rows (semantics, Terms). */
export const VIEWS = {
  timeMs: 'f64',
  session: 'id',
  path: 'id',
  title: 'id',
  /** End of this view's pairs in `tagPairs`; they start where the previous row's end. */
  tagEnd: 'id',
  /** Row of the view before this one in the same session by time, `NONE` for the first. Derived. */
  previous: 'u32',
  /** Whole seconds to the next view of the session, capped; 0 for the last (I-60). Derived. */
  timeOnPage: 'u16',
} as const satisfies Layout;

/** Columns that follow from others (`view-chain.ts`): in memory, not on disk. */
export const DERIVED_SESSIONS = ['lastView'] as const;
export const DERIVED_VIEWS = ['previous', 'timeOnPage'] as const;

/** Event rows (I-53). */
export const EVENTS = {
  timeMs: 'f64',
  session: 'id',
  name: 'id',
  path: 'id',
  title: 'id',
  durationSeconds: 'u32',
  /** End of this event's pairs in `metaPairs`. */
  metaEnd: 'id',
} as const satisfies Layout;

/** Tags of views: dictionary ids of key and value. */
export const PAIRS = { key: 'id', value: 'id' } as const satisfies Layout;

/** Ids of this day that continue, or continued, a session of an earlier segment (I-46). */
export const CARRIED = {
  low: 'u32',
  high: 'u32',
  /** The same person's id of the UTC day before: the link for later hits that do not carry it. */
  previousLow: 'u32',
  previousHigh: 'u32',
  /** UTC day number of the segment that holds the session. */
  homeDay: 'u32',
  /** Session row there, `NONE` when the id is no longer bound through this row. */
  session: 'u32',
} as const satisfies Layout;

/**
 * Rolling pre-aggregates of the whole segment by small groups (`rollup/families.ts`): a row per family
 * and key.
 * What a family does not count stays 0 and takes no space on disk.
 */
export const ROLLUPS = {
  /** Code of the family in `FAMILY`. */
  family: 'u8',
  /** Dictionary ids, or an hour or minute of the clock; 0 where the family has fewer keys. */
  first: 'u32',
  second: 'u32',
  third: 'u32',
  /** Page views; of events: those of the distinct sessions that fired one (S-13). */
  views: 'u32',
  sessions: 'u32',
  visitors: 'u32',
  bounces: 'u32',
  /** Number of events and the sum of their durations. */
  timed: 'u32',
  seconds: 'f64',
} as const satisfies Layout;

/** Rolling pre-aggregates by path; in `titledPages` by path and title, where a path has several. */
export const PAGES = {
  path: 'u32',
  /** The only title that rows, entries and exits of the path ever had, `NONE` when there are more. */
  title: 'u32',
  views: 'u32',
  sessions: 'u32',
  visitors: 'u32',
  bounces: 'u32',
  /** Sessions whose entry (exit) page it is. */
  entries: 'u32',
  exits: 'u32',
  /** Page views with time on page, and its sum (I-60). */
  timed: 'u32',
  seconds: 'f64',
} as const satisfies Layout;

/**
 * Rolling pre-aggregates by quarter of an hour, UTC. What counts once per session or visitor stands
 * twice: where its first page view is and where its last one is. So a sum from the left or from the
 * right answers a range that cuts the segment, in any zone whose offset is made of quarters.
 */
export const QUARTERS = {
  /** Quarters of an hour since 1970-01-01. */
  quarter: 'u32',
  views: 'u32',
  /** Page views with time on page, and its sum. */
  pageTimed: 'u32',
  pageSeconds: 'f64',
  sessionsFirst: 'u32',
  sessionsLast: 'u32',
  visitorsFirst: 'u32',
  visitorsLast: 'u32',
  bouncesFirst: 'u32',
  bouncesLast: 'u32',
  /** Sessions with a duration above 0, and its sum. */
  timedFirst: 'u32',
  timedLast: 'u32',
  secondsFirst: 'f64',
  secondsLast: 'f64',
} as const satisfies Layout;

/** The tables of a segment. The position in this list names a table on disk: append only. */
export const TABLES = {
  visitors: VISITORS,
  sessions: SESSIONS,
  views: VIEWS,
  events: EVENTS,
  tagPairs: PAIRS,
  metaPairs: PAIRS,
  carried: CARRIED,
  rollups: ROLLUPS,
  pages: PAGES,
  titledPages: PAGES,
  quarters: QUARTERS,
} as const;

export type TableName = keyof typeof TABLES;

/** Names of the tables in disk order. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** How a column is written by what is left of it (`disk/related-columns.ts`). */
export type Relation =
  /** Near to the value of another column, or the same as in the last row where that one was the same. */
  | { readonly form: 'difference' | 'last'; readonly to: string }
  /** Mostly the one after the highest so far; of 32 bits at the most. */
  | { readonly form: 'highest'; readonly to?: never };

type Relations = Readonly<Record<string, Relation>>;

const TITLES: Relations = { title: { to: 'path', form: 'last' } };

const RELATIONS: ReadonlyMap<Layout, Relations> = new Map<Layout, Relations>([
  [
    SESSIONS,
    {
      visitor: { form: 'highest' },
      lastMs: { to: 'startMs', form: 'difference' },
      country: { to: 'city', form: 'last' },
      region: { to: 'city', form: 'last' },
    },
  ],
  [VIEWS, TITLES],
  [EVENTS, TITLES],
  // Most pages of a day are seen a few times, by as many sessions and visitors.
  [
    PAGES,
    {
      sessions: { to: 'views', form: 'difference' },
      visitors: { to: 'views', form: 'difference' },
    },
  ],
]);

/** By name of a column: how it is written by what is left of it. A `to` has no relation of its own. */
export function relationsOf(layout: Layout): Relations {
  return RELATIONS.get(layout) ?? {};
}
