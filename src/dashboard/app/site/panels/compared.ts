/**
 * The numbers that rows of panels have in the compared range.
 *
 * The interface lists the first rows of a range; those of another one may stand anywhere in it. So they
 * are asked for by name: what was not found then is 0, not just further down. What is asked for all
 * panels goes together, as many questions as fit into one request.
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

interface Rows {
  readonly tab: Tab;
  readonly rows: readonly Row[];
  readonly of: View;
}

/** Rows of a panel. */
export interface PanelRows extends Rows {
  readonly key: string;
}

/** One question about some rows. */
export interface Lookup {
  /** Of which panel; '': of none. */
  readonly key: string;
  readonly question: Query;
  /** What the rows are in the numbers of their panel. */
  readonly rowKeys: readonly string[];
  /** What an answer says of them: row and number; of the others it says nothing. */
  readonly read: (answer: unknown) => readonly (readonly [string, number])[];
}

/** The rows that all panels show, of those that list any. */
export function shownRows(of: View, results: ReadonlyMap<string, Result>): readonly PanelRows[] {
  return PANELS.flatMap((panel) => {
    const tab = tabOf(panel, of);
    const result = results.get(panel.key);
    const rows = result !== undefined && 'answer' in result ? rowsOf(tab, result.answer) : [];
    return rows.length === 0 ? [] : [{ key: panel.key, tab, rows, of }];
  });
}

/** What is asked to find rows in another range. */
export function lookupsOf({ key, tab, rows, of }: PanelRows): readonly Lookup[] {
  const question = questionOf(tab, of);
  if (question === null || rows.length === 0) return [];
  const lookUp = (some: readonly Row[], asked: Query, read: Lookup['read']) => ({
    ...{ key, question: asked, read },
    rowKeys: some.map((row) => keyOf(tab, row)),
  });
  if (tab.lookUp === 'total') {
    // A question for each row: a filter by the rows would change what is listed.
    return rows.map((row) => {
      const filters = narrowed(of.filters, chosenBy(tab, row, of, false));
      const asked: Query = { name: 'total', ...parametersOf(filters) };
      return lookUp([row], asked, (answer) => [
        [keyOf(tab, row), figureOf(answer as Row, tab.metric)],
      ]);
    });
  }
  const isListed = tab.lookUp === 'list';
  return (isListed ? [rows] : portionsOf(rows)).map((some) => {
    const named = isListed ? [] : some.flatMap((row) => chosenBy(tab, row, of, false).slice(0, 1));
    const asked = { ...question, ...parametersOf(named), limit: LIST_ROWS_MAX };
    return lookUp(some, asked, (answer) => numbersIn(tab, some, rowsOf(tab, answer)));
  });
}

/** What a list says of some rows. */
function numbersIn(tab: Tab, rows: readonly Row[], found: readonly Row[]) {
  const numbers = new Map(found.map((row) => [keyOf(tab, row), figureOf(row, tab.metric)]));
  // A list that ends before its limit: what it does not have is not there.
  const isWhole = found.length < LIST_ROWS_MAX;
  for (const row of isWhole ? rows : []) {
    const key = keyOf(tab, row);
    if (!numbers.has(key)) numbers.set(key, 0);
  }
  return [...numbers];
}

/** The numbers that answers have, by panel. @param results of the lookups, in their order. */
export function numbersOf(
  lookups: readonly Lookup[],
  results: readonly (Result | undefined)[],
): Map<string, Map<string, number>> {
  const panels = new Map<string, Map<string, number>>();
  for (const [at, { key, read }] of lookups.entries()) {
    const numbers = panels.get(key) ?? new Map<string, number>();
    panels.set(key, numbers);
    const result = results[at];
    if (result === undefined || !('answer' in result)) continue;
    for (const [row, number] of read(result.answer)) numbers.set(row, number);
  }
  return panels;
}

/** Asks as many at once as a request takes. @param shared days and filters of the other range. */
export async function askLookups(
  lookups: readonly Lookup[],
  shared: Shared,
  signal: AbortSignal,
): Promise<Map<string, Map<string, number>>> {
  const batches = batchesOf(lookups);
  const results = await Promise.all(
    batches.map((some) => {
      const questions = some.map(({ question }) => question);
      return askAll(shared, questions, signal);
    }),
  );
  return numbersOf(batches.flat(), results.flat());
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
  const numbers = await askLookups(lookupsOf({ ...given, key: '' }), shared, signal);
  return numbers.get('') ?? new Map();
}

/** Of what a batch may be long: filters and days take the rest. */
const NAMES_BYTES_MAX = 32_768;
const bytes = new TextEncoder();

function sizeOf(what: unknown): number {
  return bytes.encode(JSON.stringify(what)).length;
}

/** Rows in parts whose names fit into a request. */
function portionsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  return inParts(rows, sizeOf);
}

/** The lookups that one request takes, and those of the next. */
export function batchesOf(lookups: readonly Lookup[]): readonly (readonly Lookup[])[] {
  return inParts(lookups, ({ question }) => sizeOf(question));
}

function inParts<Item>(items: readonly Item[], size: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const own = size(item);
    const last = parts.at(-1);
    if (last === undefined || own > left || last.length === QUERIES_MAX) {
      parts.push([item]);
      left = NAMES_BYTES_MAX - own;
    } else {
      last.push(item);
      left -= own;
    }
  }
  return parts;
}

/** Filters with those of a row in place of others of the same name, which the row passes. */
function narrowed(filters: readonly Filter[], row: readonly Filter[]): readonly Filter[] {
  const names = new Set(row.map(({ name }) => name));
  return withFilters(
    filters.filter(({ name }) => !names.has(name)),
    row,
  );
}
