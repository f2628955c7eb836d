/**
 * What a search console knows of a domain: for what people searched when they were shown it, by day
 * (P-4). Plain data, in columns, so that a month of it is a few texts and arrays of numbers.
 */

/** What people searched on a day, and what came of it. */
export interface KeywordRow {
  /** Days since 1970-01-01, of the search console's calendar. */
  readonly day: number;
  readonly query: string;
  readonly clicks: number;
  readonly impressions: number;
  /** Average place among the results, from 1. */
  readonly position: number;
}

/** The rows of a domain: one a day and query, by day and then query. */
export interface KeywordTable {
  readonly queries: readonly string[];
  /** Of each row: its day, the number of its query, and its figures. */
  readonly days: readonly number[];
  readonly numbers: readonly number[];
  readonly clicks: readonly number[];
  readonly impressions: readonly number[];
  readonly positions: readonly number[];
}

/** Days since 1970-01-01, both included. */
export interface KeywordDays {
  readonly fromDay: number;
  readonly toDay: number;
}

/** A domain's rows when nothing is known. */
export const NO_KEYWORDS: KeywordTable = {
  ...{ queries: [], days: [], numbers: [] },
  ...{ clicks: [], impressions: [], positions: [] },
};

/** The days that rows are of; null without any. */
export function keywordDays(rows: readonly Pick<KeywordRow, 'day'>[]): KeywordDays | null {
  let days: KeywordDays | null = null;
  for (const { day } of rows) {
    const { fromDay, toDay }: KeywordDays = days ?? { fromDay: day, toDay: day };
    days = { fromDay: Math.min(fromDay, day), toDay: Math.max(toDay, day) };
  }
  return days;
}

/** A table in which other rows stand in the place of what it had of some days. */
export function replacedKeywords(
  table: KeywordTable,
  rows: readonly KeywordRow[],
  { fromDay, toDay }: KeywordDays,
): KeywordTable {
  return keywordTable([
    ...keywordRows(table).filter(({ day }) => day < fromDay || day > toDay),
    ...rows,
  ]);
}

/** The rows of a table. */
export function keywordRows(table: KeywordTable): KeywordRow[] {
  return table.days.map((day, row) => ({
    day,
    query: table.queries[table.numbers[row] as number] as string,
    clicks: table.clicks[row] as number,
    impressions: table.impressions[row] as number,
    position: table.positions[row] as number,
  }));
}

/** Rows in columns; those of one day and query, as of two pages, are one, its place by impressions. */
export function keywordTable(rows: readonly KeywordRow[]): KeywordTable {
  const merged = new Map<string, KeywordRow>();
  for (const row of rows) {
    const key = `${String(row.day).padStart(7, '0')} ${row.query}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? row : added(before, row));
  }
  const sorted = [...merged.keys()].sort().map((key) => merged.get(key) as KeywordRow);
  const numbers = new Map<string, number>();
  for (const { query } of sorted) if (!numbers.has(query)) numbers.set(query, numbers.size);
  return {
    queries: [...numbers.keys()],
    days: sorted.map(({ day }) => day),
    numbers: sorted.map(({ query }) => numbers.get(query) as number),
    clicks: sorted.map(({ clicks }) => clicks),
    impressions: sorted.map(({ impressions }) => impressions),
    positions: sorted.map(({ position }) => position),
  };
}

function added(left: KeywordRow, right: KeywordRow): KeywordRow {
  const impressions = left.impressions + right.impressions;
  const places = left.position * left.impressions + right.position * right.impressions;
  return {
    ...left,
    impressions,
    clicks: left.clicks + right.clicks,
    position: impressions === 0 ? left.position : places / impressions,
  };
}
