/** The other side of a comparison: its days and its filters, which stand in the address (D-19). */
import { dayOf, dayText } from '../../view/days.ts';
import { type Filter, filterOf, isFilter, textOf } from '../../view/filters.ts';
import { comparedFrame, wholeDays } from '../../view/frame.ts';
import type { Span } from '../../view/range.ts';
import type { View } from '../../view/view.ts';
import { picked } from '../panels/tab.ts';

/** Which days the other side has. */
export const OTHER_DAYS = ['previous', 'year', 'same', 'custom'] as const;
export type OtherDays = (typeof OTHER_DAYS)[number];

/** Days and filters. */
export interface Side {
  readonly span: Span;
  readonly filters: readonly Filter[];
}

/** Names of what is picked. */
const DAYS = 'changed-days';
const SPAN = 'changed-span';
const FILTERS = 'changed-filters';
/** Instead of filters: none, not those of the view. */
const NO_FILTERS = 'none';

/** Which days were chosen. */
export function otherDays(of: View): OtherDays {
  return OTHER_DAYS.find((one) => one === picked(of, DAYS)) ?? 'previous';
}

/** Whether the other side has filters of its own. */
export function hasOwnFilters(of: View): boolean {
  return picked(of, FILTERS) !== '';
}

/** The other side of a view. */
export function otherSide(of: View, span: Span): Side {
  const days = otherDays(of);
  const other =
    days === 'custom'
      ? spanOf(picked(of, SPAN))
      : comparedFrame(wholeDays(span), days === 'same' ? 'none' : days, null);
  return { span: other ?? span, filters: filtersOf(of) };
}

function filtersOf(of: View): readonly Filter[] {
  const text = picked(of, FILTERS);
  if (text === '') return of.filters;
  return [...new URLSearchParams(text === NO_FILTERS ? '' : text)]
    .filter(([name, value]) => isFilter(name) && value !== '')
    .map(([name, value]) => filterOf(name, value));
}

/** Dates as `2026-11-01 2026-11-07`. */
function spanOf(text: string): Span | null {
  const [from = '', to = ''] = text.split(' ');
  const days = [dayOf(from), dayOf(to)].sort((left, right) => left - right);
  const [first = Number.NaN, last = Number.NaN] = days;
  return Number.isNaN(first + last) ? null : { from: first, to: last };
}

/** Picks for days; the dates count with `custom` only. */
export function picksOfDays(days: OtherDays, { from, to }: Span): Record<string, string> {
  return {
    [DAYS]: days === 'previous' ? '' : days,
    [SPAN]: days === 'custom' ? `${dayText(from)} ${dayText(to)}` : '',
  };
}

/** Picks for filters; null: those of the view. */
export function picksOfFilters(filters: readonly Filter[] | null): Record<string, string> {
  if (filters === null) return { [FILTERS]: '' };
  const pairs = filters.map((one) => [one.name, textOf(one)]);
  return { [FILTERS]: filters.length === 0 ? NO_FILTERS : new URLSearchParams(pairs).toString() };
}
