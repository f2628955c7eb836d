/** A row of a panel as it is shown, and what a click on it does. */
import type { BarRow } from '../../parts/bar-list.tsx';
import { withFilters } from '../../view/filters.ts';
import { CLOSED, show, type View, view } from '../../view/view.ts';
import { change, count, direction, mean, rate, seconds, shortCount } from '../../words/format.ts';
import { word } from '../../words/words.ts';
import { pageOf } from './page-link.ts';
import { chosenBy, type Figure, figureOf, keyOf, type Row, shownOf, type Tab } from './tab.ts';

/** Filters the page by a row, or by all others. */
export function chooseRow(tab: Tab, row: Row, isExcluded: boolean): void {
  const of = view.value;
  const added = chosenBy(tab, row, of, isExcluded);
  show({ ...CLOSED, filters: withFilters(of.filters, added) });
}

/** A number of a row as it is written. */
export function figureText(row: Row, figure: Figure, isShort = false): string {
  const value = figureOf(row, figure);
  if (figure.kind === 'rate') return rate(value);
  if (figure.kind === 'mean') return mean(value);
  if (figure.kind === 'seconds') return value === 0 ? '–' : seconds(value);
  return isShort ? shortCount(value) : count(value);
}

/** How a number has changed (S-70). */
export function growth(now: number, before: number | undefined): string {
  if (before === undefined) return '–';
  if (before === 0) return now === 0 ? change(0) : word('isNew');
  return change((now - before) / before);
}

/** Whether more is better: of all that rows count, it is. */
export function senseOf(now: number, before: number | undefined): BarRow['asideSense'] {
  if (before === undefined) return undefined;
  const way = before === 0 ? Math.sign(now) : direction((now - before) / before);
  return way === 0 ? undefined : way > 0 ? 'is-better' : 'is-worse';
}

interface Given {
  readonly tab: Tab;
  readonly row: Row;
  readonly of: View;
  readonly hostname: string;
  /** Of the range that it is compared with; undefined: with none. */
  readonly compared: ReadonlyMap<string, number> | undefined;
}

/** A row as a bar. */
export function barOf({ tab, row, of, hostname, compared }: Given): BarRow {
  const value = figureOf(row, tab.metric);
  const href = pageOf(tab, row, hostname);
  const before = compared?.get(keyOf(tab, row));
  const sense = compared === undefined ? undefined : senseOf(value, before);
  const second = tab.second === null ? '' : figureText(row, tab.second, true);
  return {
    key: keyOf(tab, row),
    text: shownOf(tab, row),
    value,
    shown: figureText(row, tab.metric, true),
    note: tab.note?.(row, of) ?? '',
    aside: compared === undefined ? second : growth(value, before),
    ...(sense === undefined ? {} : { asideSense: sense }),
    ...(href === null ? {} : { href }),
  };
}
