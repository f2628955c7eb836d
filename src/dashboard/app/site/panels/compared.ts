/**
 * The numbers that rows of panels have in the compared range.
 *
 * The interface lists the first rows of a range; those of another one may stand anywhere in it. So they
 * are asked for by name: what was not found then is 0, not just further down.
 */
import { askAll, QUERIES_MAX, type Query, type Result } from '../../data/batch.ts';
import { type Filter, parametersOf, withFilters } from '../../view/filters.ts';
import type { View } from '../../view/view.ts';
import { PANELS } from './panels.ts';
import { questionOf } from './questions.ts';
import {
  chosenBy,
  figureOf,
  keyOf,
  LIST_ROWS_MAX,
  type Row,
  rowsOf,
  type Tab,
  tabOf,
} from './tab.ts';

/** Panel → row → number; a row that is missing there is not known. */
export type ComparedRows = ReadonlyMap<string, ReadonlyMap<string, number>>;

type Shared = Readonly<Record<string, unknown>>;

/** Asks for the rows of all panels. */
export async function askCompared(
  of: View,
  results: ReadonlyMap<string, Result>,
  shared: Shared,
  signal: AbortSignal,
): Promise<ComparedRows> {
  const asked = PANELS.flatMap((panel) => {
    const tab = tabOf(panel, of);
    const result = results.get(panel.key);
    const rows = result !== undefined && 'answer' in result ? rowsOf(tab, result.answer) : [];
    return rows.length === 0 ? [] : [{ key: panel.key, tab, rows }];
  });
  const lists = await Promise.all(
    asked.map(({ tab, rows }) => askRows({ tab, rows, of }, shared, signal)),
  );
  return new Map(asked.map(({ key }, at) => [key, lists[at] ?? new Map<string, number>()]));
}

interface Rows {
  readonly tab: Tab;
  readonly rows: readonly Row[];
  readonly of: View;
}

/**
 * The numbers of some rows in another range, or under other filters.
 *
 * @param shared its days and filters.
 */
export async function askRows(
  given: Rows,
  shared: Shared,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const question = questionOf(given.tab, given.of);
  if (question === null || given.rows.length === 0) return new Map();
  return given.tab.lookUp === 'total'
    ? byTotals(given, shared, signal)
    : byList(given, question, { shared, signal });
}

/** A question for each row: where a filter by the rows would change what is listed. */
async function byTotals(
  { tab, rows, of }: Rows,
  shared: Shared,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (const some of portionsOf(rows)) {
    const questions = some.map((row): Query => {
      const filters = chosenBy(tab, row, of, false);
      return { name: 'total', ...parametersOf(narrowed(of.filters, filters)) };
    });
    const results = await askAll(shared, questions, signal);
    for (const [index, row] of some.entries()) {
      const result = results[index];
      if (result !== undefined && 'answer' in result)
        numbers.set(keyOf(tab, row), figureOf(result.answer as Row, tab.metric));
    }
  }
  return numbers;
}

async function byList(
  { tab, rows, of }: Rows,
  question: Query,
  { shared, signal }: { shared: Shared; signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  const isListed = tab.lookUp === 'list';
  for (const some of isListed ? [rows] : portionsOf(rows)) {
    const named = isListed ? [] : some.flatMap((row) => chosenBy(tab, row, of, false).slice(0, 1));
    const asked = { ...question, ...parametersOf(named), limit: LIST_ROWS_MAX };
    const [result] = await askAll(shared, [asked], signal);
    if (result === undefined || !('answer' in result)) continue;
    const found = rowsOf(tab, result.answer);
    for (const row of found) numbers.set(keyOf(tab, row), figureOf(row, tab.metric));
    if (found.length === LIST_ROWS_MAX) continue;
    // The list ends before its limit: what it does not have is not there.
    for (const row of some) {
      const key = keyOf(tab, row);
      if (!numbers.has(key)) numbers.set(key, 0);
    }
  }
  return numbers;
}

/** Of what a batch may be long: filters and days take the rest. */
const NAMES_BYTES_MAX = 32_768;
const bytes = new TextEncoder();

/** Rows in parts whose names fit into a request. */
function portionsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const portions: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const size = bytes.encode(JSON.stringify(row)).length;
    const last = portions.at(-1);
    if (last === undefined || size > left || last.length === QUERIES_MAX) {
      portions.push([row]);
      left = NAMES_BYTES_MAX - size;
    } else {
      last.push(row);
      left -= size;
    }
  }
  return portions;
}

/** Filters with those of a row in place of others of the same name, which the row passes. */
function narrowed(filters: readonly Filter[], row: readonly Filter[]): readonly Filter[] {
  const names = new Set(row.map(({ name }) => name));
  return withFilters(
    filters.filter(({ name }) => !names.has(name)),
    row,
  );
}
