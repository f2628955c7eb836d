/**
 * Whether two answers to one question agree: Footfall's JSON and DuckDB's rows, field by field.
 *
 * Control plane. Every column of DuckDB's rows is compared; what Footfall's answer has beside them
 * is constant (empty titles, metrics that were not asked for) or a copy (`country_code`).
 */
import type { DuckRow } from '../duckdb/duckdb.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonRow = { readonly [key: string]: Json };

/** Relative difference that the order of additions can make. */
const TOLERANCE = 1e-9;
const BUCKETS = ['day', 'week', 'month', 'year', 'hour', 'minute'];

/**
 * Compares two answers.
 *
 * @param statistic path below `/statistics/`.
 * @param answer Footfall's, parsed.
 * @returns the fields that were compared.
 * @throws when they differ, with the first difference.
 */
export function agree(statistic: string, answer: unknown, rows: readonly DuckRow[]): string[] {
  const own = rowsOf(statistic, answer as Json);
  if (own.length !== rows.length) {
    throw new Error(`${statistic}: ${own.length} rows, DuckDB has ${rows.length}`);
  }
  rows.forEach((row, index) => {
    for (const [field, value] of Object.entries(row)) {
      const mine = (own[index] as JsonRow)[field];
      if (isSame(mine, plain(value))) continue;
      const texts = [JSON.stringify(mine), JSON.stringify(plain(value))];
      throw new Error(
        `${statistic}, row ${index}: ${field} is ${texts[0]}, DuckDB says ${texts[1]}`,
      );
    }
  });
  return Object.keys(rows[0] ?? {});
}

/** An answer as rows whose fields are named like DuckDB's columns. */
function rowsOf(statistic: string, answer: Json): JsonRow[] {
  if (statistic === 'overview') {
    const { visitors_time_series: days, ...rest } = answer as JsonRow;
    return [{ ...rest, by_day: (days as readonly JsonRow[]).map((row) => row['visitors'] ?? 0) }];
  }
  if (statistic === 'funnel') return (answer as JsonRow)['data'] as readonly JsonRow[] as JsonRow[];
  if (!Array.isArray(answer)) return [answer as JsonRow];
  return (answer as readonly Json[]).map((row) => {
    if (typeof row === 'string') return { value: row };
    const { page_view: view, event, ...fields } = row as JsonRow;
    if (view !== undefined) return { kind: view === null ? 1 : 0, ...((view ?? event) as JsonRow) };
    if (statistic === 'goals') {
      return { ...(fields['page_goal'] as JsonRow), ...(fields['stats'] as JsonRow) };
    }
    const bucket = BUCKETS.map((unit) => fields[unit]).find((value) => value != null);
    if (bucket !== undefined) return { ...fields, bucket };
    return statistic === 'event/list' ? { ...fields, meta: sortedText(fields['meta']) } : fields;
  });
}

function sortedText(meta: Json | undefined): string {
  const entries = Object.entries((meta ?? {}) as JsonRow);
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** DuckDB's wide integers are bigints here; its lists are arrays. */
function plain(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return value as Json;
}

function isSame(mine: Json | undefined, theirs: Json): boolean {
  if (typeof mine === 'number' && typeof theirs === 'number') {
    return Math.abs(mine - theirs) <= TOLERANCE * Math.max(1, Math.abs(mine));
  }
  if (typeof mine === 'string' && typeof theirs === 'string' && /^\d{4}-\d\d-\d\dT/.test(mine)) {
    return Date.parse(mine) === Date.parse(theirs);
  }
  return JSON.stringify(mine) === JSON.stringify(theirs);
}
