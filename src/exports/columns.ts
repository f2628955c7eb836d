/**
 * The tables of an export and their columns: what writes them and what reads them back follow from here.
 *
 * Names are those of `session/list` and `session/details` where these have the field. Rows of one
 * session stand together in every file, sessions in one order: three files are read side by side.
 */

import { DIMENSION_ROWS, Platform, type TextDimension } from '../model/dimensions.ts';

/** What is stored of the domain's own hits. */
export const ROW_TABLES = ['sessions', 'views', 'events'] as const;

export type RowTable = (typeof ROW_TABLES)[number];

/** Of what an export has files: rows, and what other products counted (S-98). */
export const EXPORT_TABLES = [...ROW_TABLES, 'imported_sums'] as const;

export type ExportTable = (typeof EXPORT_TABLES)[number];

/** Number of the shape of the files; another one is another shape. */
export const EXPORT_FORMAT = 1;

export const EXPORT_FILE_FORMATS = ['csv', 'ndjson', 'parquet'] as const;

export type ExportFileFormat = (typeof EXPORT_FILE_FORMATS)[number];

/**
 * How a value is written.
 *
 * - `text`
 * - `time`: an instant, UTC, ISO 8601 with milliseconds
 * - `date`: a UTC day, YYYY-MM-DD
 * - `count`: a whole number below 2^32
 * - `sum`: a whole number below 2^53
 * - `flag`: true or false
 * - `id`: an unsigned 64-bit number, as decimal text
 * - `pairs`: a JSON object of texts; empty without any
 */
export type ColumnType = 'text' | 'time' | 'date' | 'count' | 'sum' | 'flag' | 'id' | 'pairs';

/** A column of a table. */
export interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** How platforms are written, by their numbers. */
export const PLATFORM_TEXTS: readonly string[] = Object.entries(Platform)
  .toSorted(([, one], [, other]) => one - other)
  .map(([name]) => (name === 'Unknown' ? '' : name.toLowerCase()));

/** The dimensions of a session with the names of their columns. */
export const DIMENSION_COLUMNS: readonly (readonly [column: string, name: TextDimension])[] =
  DIMENSION_ROWS.map(([name, { session, fields }]) => [session ?? fields[0], name]);

/** Which session a row is of: its UTC day, its visitor on that day, and its number. */
const SESSION_KEY: readonly ExportColumn[] = [
  { name: 'day', type: 'date' },
  { name: 'visitor_id', type: 'id' },
  { name: 'session_id', type: 'count' },
];

/** What is summed, in the order of the columns. */
const SUM_COUNTS = ['visitors', 'page_views', 'sessions', 'bounces', 'duration_seconds'] as const;

/** The columns of each table, in their order. */
export const EXPORT_COLUMNS: Readonly<Record<ExportTable, readonly ExportColumn[]>> = {
  sessions: [
    ...SESSION_KEY,
    { name: 'start', type: 'time' },
    { name: 'time', type: 'time' },
    { name: 'duration_seconds', type: 'count' },
    { name: 'entry_path', type: 'text' },
    { name: 'entry_title', type: 'text' },
    { name: 'exit_path', type: 'text' },
    { name: 'exit_title', type: 'text' },
    { name: 'page_views', type: 'count' },
    { name: 'is_bounce', type: 'flag' },
    { name: 'extended', type: 'count' },
    { name: 'platform', type: 'text' },
    ...DIMENSION_COLUMNS.map(([name]) => ({ name, type: 'text' as const })),
  ],
  views: [
    ...SESSION_KEY,
    { name: 'time', type: 'time' },
    { name: 'path', type: 'text' },
    { name: 'title', type: 'text' },
    { name: 'duration_seconds', type: 'count' },
    { name: 'tags', type: 'pairs' },
  ],
  events: [
    ...SESSION_KEY,
    { name: 'time', type: 'time' },
    { name: 'name', type: 'text' },
    { name: 'path', type: 'text' },
    { name: 'title', type: 'text' },
    { name: 'duration_seconds', type: 'count' },
    { name: 'meta', type: 'pairs' },
  ],
  imported_sums: [
    { name: 'day', type: 'date' },
    { name: 'dimension', type: 'text' },
    { name: 'value', type: 'text' },
    { name: 'country_code', type: 'text' },
    ...SUM_COUNTS.map((name) => ({ name, type: 'sum' as const })),
  ],
};
