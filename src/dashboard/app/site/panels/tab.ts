/** What one list of a panel is, and what is read from its rows. */
import type { Statistic } from '../../data/batch.ts';
import { exactFilter, type Filter, type Operator } from '../../view/filters.ts';
import type { View } from '../../view/view.ts';
import { type WordKey, word } from '../../words/words.ts';
import type { Opens } from './page-link.ts';

/** A row as the interface answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** A number of a row. */
export interface Figure {
  readonly field: string;
  readonly label: WordKey;
  readonly kind: 'count' | 'rate' | 'seconds' | 'mean';
  /** Where there is little room. */
  readonly short?: WordKey;
}

/** One list of a panel. */
export interface Tab {
  /** In the address. */
  readonly key: string;
  readonly label: WordKey;
  readonly statistic: Statistic;
  /** What rows are called. */
  readonly column: WordKey;
  /** The number that orders them, and draws their bars. */
  readonly metric: Figure;
  /** The number beside it where there is little room. */
  readonly second: Figure | null;
  /** All others, where there is room. */
  readonly further: readonly Figure[];
  /** Fields that tell rows apart; the first is searched, and what an order by name goes by. */
  readonly keys: readonly string[];
  /**
   * What a click filters by: parameters and values, the one that says most first. None: rows filter
   * by nothing.
   */
  readonly filtersOf: (row: Row, of: View) => readonly (readonly [string, string])[];
  /** Parameters beside those of the view; null: something has to be picked first. */
  readonly parametersOf: (of: View) => Readonly<Record<string, unknown>> | null;
  /** How a row is told; the first key without it. */
  readonly shown?: (row: Row) => string;
  /** What is said behind it, quietly. */
  readonly note?: (row: Row, of: View) => string;
  /** Panels leave out the row of all that have none: of most sites it is nearly everything. */
  readonly leavesOutNone?: boolean;
  /** What a row opens. */
  readonly opens?: Opens;
  /** Chosen from a list before there are rows. */
  readonly pick?: 'event' | 'event key' | 'tag';
  /** Whether a site has any of it; without it: every site may. */
  readonly isOf?: (site: Site) => boolean;
  /** What is said where there are no rows. */
  readonly empty?: (of: View) => WordKey;
  /** How rows of another range are found: by the filters of rows unless they change what is listed. */
  readonly lookUp?: 'total' | 'list';
}

/** What is known of a site. */
type Site = { readonly has_keywords?: boolean };

/** A place of the page with some lists. */
export interface Panel {
  readonly key: string;
  readonly title: WordKey;
  readonly tabs: readonly Tab[];
}

/** Rows that the interface answers at most. */
export const LIST_ROWS_MAX = 100;

/** The tabs of a panel that a site has something of, and the one that is shown. */
export function tabsOf(panel: Panel, site: Site, shown: Tab): readonly Tab[] {
  return panel.tabs.filter((tab) => tab === shown || (tab.isOf?.(site) ?? true));
}

/** The tab of a panel that a view shows. */
export function tabOf(panel: Panel, of: View): Tab {
  const key = of.tabs[panel.key];
  return (panel.tabs.find((tab) => tab.key === key) ?? panel.tabs[0]) as Tab;
}

/** What was picked from a list of a tab; '': nothing yet. */
export function picked(of: View, name: string): string {
  return of.tabs[name] ?? '';
}

/** The rows of an answer; platforms come as fields of one object. */
export function rowsOf(tab: Tab, answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer as Row[];
  if (tab.statistic !== 'platform') return [];
  const given = answer as Record<string, number>;
  return ['desktop', 'mobile', 'unknown']
    .map((platform) => ({
      platform,
      visitors: given[`platform_${platform}`] ?? 0,
      relative_visitors: given[`relative_platform_${platform}`] ?? 0,
    }))
    .filter(({ visitors }) => visitors > 0)
    .sort((left, right) => right.visitors - left.visitors);
}

/** Whether a row is of all that have no value. */
export function isNone(tab: Tab, row: Row): boolean {
  return tab.leavesOutNone === true && row[tab.keys[0] ?? ''] === '';
}

/** Tells rows of a tab apart. */
export function keyOf(tab: Tab, row: Row): string {
  return JSON.stringify(tab.keys.map((field) => row[field]));
}

/** What a key says of its row: enough to filter by it. */
export function rowOf(tab: Tab, key: string): Row {
  const values = JSON.parse(key) as readonly unknown[];
  return Object.fromEntries(tab.keys.map((field, at) => [field, values[at]]));
}

/** How a row is told. */
export function shownOf(tab: Tab, row: Row): string {
  const text = tab.shown?.(row) ?? String(row[tab.keys[0] ?? ''] ?? '');
  return text === '' ? word('unknown') : text;
}

/** Whether a click on a row filters by it. */
export function isChoosable(tab: Tab, row: Row, of: View): boolean {
  return tab.filtersOf(row, of).length > 0;
}

/** A number of a row. */
export function figureOf(row: Row, { field }: Figure): number {
  return Number(row[field] ?? 0);
}

/** The filters that a click on a row adds: all that it is, or without what says most about it. */
export function chosenBy(tab: Tab, row: Row, of: View, isExcluded: boolean): readonly Filter[] {
  const operator: Operator = isExcluded ? '!' : '';
  const all = tab.filtersOf(row, of).map(([name, value]) => exactFilter(name, value, operator));
  // A row that is told by two values is not excluded by excluding each of them.
  return isExcluded ? all.slice(0, 1) : all;
}
