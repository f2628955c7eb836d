/** A row of a panel as a bar, and what a click on it does. */
import type { BarRow } from '../../parts/bar-list.tsx';
import { withFilter } from '../../view/filters.ts';
import { show, view } from '../../view/view.ts';
import { rate, shortCount } from '../../words/format.ts';
import { filterValueOf, type Row, shownOf, type Tab } from './panels.ts';

const SHARES = ['relative_visitors', 'entry_rate', 'exit_rate', 'cr'];

/** Filters the page by a row, or by all others. */
export function chooseRow(tab: Tab, value: string, isExcluded: boolean): void {
  if (tab.filter === null) return;
  const operator = isExcluded ? '!' : '';
  show({ filters: withFilter(view.value.filters, { name: tab.filter, operator, value }) });
}

/** A row as a bar. */
export function barOf(tab: Tab, row: Row, hostname: string): BarRow {
  const value = Number(row[tab.metric] ?? 0);
  const share = SHARES.find((name) => typeof row[name] === 'number');
  const path = String(row[tab.field] ?? '');
  const mark = String(row['country_code'] ?? '').toUpperCase();
  return {
    key: filterValueOf(tab, row),
    text: shownOf(tab, row),
    value,
    shown: shortCount(value),
    ...(mark === '' ? {} : { mark }),
    ...(share === undefined ? {} : { aside: rate(Number(row[share])) }),
    ...(tab.isPath && path.startsWith('/') ? { href: `https://${hostname}${path}` } : {}),
  };
}
