/**
 * What other products counted in a question's range (S-98), to be added to what rows and pre-aggregates
 * say.
 *
 * Control plane over sums. They are of days of a calendar and know no instants: a range that is not of
 * whole days has none of them, and from the day of the domain's first own row on they are not shown.
 * Filters on one dimension choose among the sums of that one, also where a total is asked for; under
 * any other filter there are none.
 */

import { localDayOf, startOfLocalDayMs } from '../../base/zone.ts';
import type { SumCounts, SumDays, SumDimension } from '../../model/imported-sum.ts';
import { cached } from '../cache/result-cache.ts';
import type { QueryContext } from '../plan/query-context.ts';
import type { QueryFilters } from '../question/filters.ts';
import { wholeOf } from '../question/filters.ts';
import { sumFilter } from './imported-filter.ts';

/** The sums of a value over some days. */
export interface ImportedRow extends SumCounts {
  readonly value: string;
  /** Of a region or a city; else ''. */
  readonly country: string;
}

type Counts = { -readonly [Name in keyof SumCounts]: number };
type Asked = Pick<QueryContext, 'query' | 'imported' | 'run'>;

/** About what a row takes beside its texts. */
const ROW_BYTES = 160;

/** The sums of a dimension by value under some filters. @returns cached for others. */
export function importedRows(
  context: Asked,
  dimension: SumDimension,
  filters: QueryFilters = context.query.filters,
): readonly ImportedRow[] {
  const days = shownDays(context);
  if (days === null) return [];
  const filter = sumFilter(filters, context.query.domainId);
  if (filter === null) return [];
  if (filter.dimension === null) return rowsOver(context, dimension, days);
  if (filter.dimension !== dimension) return [];
  return rowsOver(context, dimension, days).filter(({ value }) => filter.keeps(value));
}

/** The totals under some filters: of the days, or of the values that the filters keep. */
export function importedTotals(
  context: Asked,
  filters: QueryFilters = context.query.filters,
): SumCounts {
  const totals = noCounts();
  const days = shownDays(context);
  const filter = days && sumFilter(filters, context.query.domainId);
  if (days === null || filter === null) return totals;
  for (const row of rowsOver(context, filter.dimension ?? 'total', days)) {
    if (filter.keeps(row.value)) addCounts(totals, row);
  }
  return totals;
}

/** The same by day of the calendar. @returns cached for others. */
export function importedByDay(
  context: Asked,
  filters: QueryFilters = context.query.filters,
): ReadonlyMap<number, SumCounts> {
  const days = shownDays(context);
  const filter = days && sumFilter(filters, context.query.domainId);
  if (days === null || filter === null) return new Map();
  const dimension = filter.dimension ?? 'total';
  const key = `imported days ${placeKey(context, dimension, days)} ${JSON.stringify(filters)}`;
  const make = (): Map<number, SumCounts> => {
    const byDay = new Map<number, Counts>();
    eachSum(context, dimension, days, (day, value, _, counts) => {
      if (!filter.keeps(value)) return;
      const sum = byDay.get(day) ?? noCounts();
      byDay.set(day, sum);
      addCounts(sum, counts);
    });
    return byDay;
  };
  return cached(key, make, ({ size }) => size * ROW_BYTES);
}

/** Of what a question may see at all: what imports add to the denominators of S-5. */
export function importedWhole(context: Asked): SumCounts {
  return importedTotals(context, wholeOf(context.query));
}

/** The days of the range of which sums are shown; null: of none. */
function shownDays({ query, imported }: Asked): SumDays | null {
  if (imported === null) return null;
  const { range, domainZone } = query;
  const { zone, fromDay, startMs, endMs } = range;
  const isWhole =
    startMs === startOfLocalDayMs(zone, fromDay) &&
    endMs === startOfLocalDayMs(zone, range.toDay + 1);
  if (!isWhole) return null;
  const { firstRowMs } = imported;
  let { toDay } = range;
  if (firstRowMs !== Number.POSITIVE_INFINITY) {
    // One that is not known yet keeps all of them back.
    if (firstRowMs === Number.NEGATIVE_INFINITY) return null;
    toDay = Math.min(toDay, localDayOf(domainZone, firstRowMs) - 1);
  }
  return toDay < fromDay ? null : { fromDay, toDay };
}

function rowsOver(context: Asked, dimension: SumDimension, days: SumDays): readonly ImportedRow[] {
  const make = (): ImportedRow[] => {
    const rows = new Map<string, ImportedRow & Counts>();
    eachSum(context, dimension, days, (_, value, country, counts) => {
      const key = `${value}\0${country}`;
      let row = rows.get(key);
      if (row === undefined) {
        row = { value, country, ...noCounts() };
        rows.set(key, row);
      }
      addCounts(row, counts);
    });
    return [...rows.values()];
  };
  const bytesOf = (rows: readonly ImportedRow[]) =>
    rows.reduce((sum, { value }) => sum + ROW_BYTES + value.length * 2, 0);
  return cached(`imported ${placeKey(context, dimension, days)}`, make, bytesOf);
}

function eachSum(
  { imported, run }: Asked,
  dimension: SumDimension,
  days: SumDays,
  take: (day: number, value: string, country: string, counts: SumCounts) => void,
): void {
  for (const { day, columns } of imported?.read(dimension, days) ?? []) {
    run.budget?.check();
    for (const [row, value] of columns.values.entries()) {
      take(day, value, columns.countries[row] ?? '', {
        visitors: columns.visitors[row]!,
        views: columns.views[row]!,
        sessions: columns.sessions[row]!,
        bounces: columns.bounces[row]!,
        seconds: columns.seconds[row]!,
      });
    }
  }
}

function placeKey(
  { imported }: Asked,
  dimension: SumDimension,
  { fromDay, toDay }: SumDays,
): string {
  return `${imported?.state} ${dimension} ${fromDay} ${toDay}`;
}

/** Two sums as one. */
export function sumOf(left: SumCounts, right: SumCounts): SumCounts {
  const sum = { ...left };
  addCounts(sum, right);
  return sum;
}

function noCounts(): Counts {
  return { visitors: 0, views: 0, sessions: 0, bounces: 0, seconds: 0 };
}

function addCounts(into: Counts, more: SumCounts): void {
  into.visitors += more.visitors;
  into.views += more.views;
  into.sessions += more.sessions;
  into.bounces += more.bounces;
  into.seconds += more.seconds;
}
