/**
 * All numbers of one view in one batch (D-14): its own, those of its rows in the compared range as far
 * as the rows are known before, and what is asked beside.
 */
import { askState, batchBody, QUERIES_MAX, type Query, type Result } from '../data/batch.ts';
import type { View } from '../view/view.ts';
import {
  askLookups,
  batchesOf,
  type ComparedRows,
  type Lookup,
  lookupsOf,
  numbersOf,
  shownRows,
} from './panels/compared.ts';
import { keyOf } from './panels/tab.ts';

/** What came of a view's questions. */
export interface ViewAnswer {
  readonly position: number;
  readonly results: ReadonlyMap<string, Result>;
  readonly comparedRows: ComparedRows;
  /** Of what was asked beside, in its order; empty where there was no room for it. */
  readonly beside: readonly Result[];
}

/** What is asked for a view. */
export interface Asked {
  readonly of: View;
  /** Domain, filters and days of the view. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** By the key of their results. */
  readonly questions: ReadonlyMap<string, Query>;
  readonly beside: readonly Query[];
  /** Days of the range that rows are compared with; null: with none. */
  readonly before: Readonly<Record<string, string>> | null;
  /** What is shown of the same view; empty: nothing is. */
  readonly known: ReadonlyMap<string, Result>;
}

const NO_ROWS: ComparedRows = new Map();

/** The questions of its batch, in their order. */
function queriesOf({ of, questions, before, known, ...asked }: Asked) {
  const own = [...questions];
  const beside = own.length + asked.beside.length <= QUERIES_MAX ? asked.beside : [];
  const room = QUERIES_MAX - own.length - beside.length;
  // Rows are mostly those of before: then one batch is enough.
  const guessed = before === null ? [] : firstOf(shownRows(of, known).flatMap(lookupsOf), room);
  const queries: readonly Query[] = [
    ...own.map(([, question]) => question),
    ...beside,
    ...guessed.map(({ question }) => ({ ...question, ...before })),
  ];
  return { own, beside, guessed, queries };
}

/** What its batch is asked with, for who asks it before the page does. */
export function viewBody(asked: Asked): Record<string, unknown> {
  return batchBody(asked.shared, queriesOf(asked).queries);
}

/** @throws ApiError. */
export async function askView(asked: Asked, signal: AbortSignal): Promise<ViewAnswer> {
  const { of, shared, before } = asked;
  const { own, beside, guessed, queries } = queriesOf(asked);
  const answer = await askState(shared, queries, signal);
  const { position } = answer;
  const at = [own.length, own.length + beside.length] as const;
  const results = new Map(own.map(([key], index) => [key, answer.results[index] as Result]));
  const rest = { position, results, beside: answer.results.slice(...at) };
  if (before === null) return { ...rest, comparedRows: NO_ROWS };
  const numbers = numbersOf(guessed, answer.results.slice(at[1]));
  const missing = missingOf(shownRows(of, results), guessed);
  const found = await askLookups(missing, { ...shared, ...before }, signal);
  for (const [key, rows] of found)
    numbers.set(key, new Map([...(numbers.get(key) ?? []), ...rows]));
  return { ...rest, comparedRows: numbers };
}

/** As many as fit into what is left of a request. */
function firstOf(lookups: readonly Lookup[], room: number): readonly Lookup[] {
  return (batchesOf(lookups)[0] ?? []).slice(0, room);
}

/** What is still to be asked: of rows that nobody asked about. */
function missingOf(rows: ReturnType<typeof shownRows>, asked: readonly Lookup[]) {
  const known = new Set(asked.flatMap(({ key, rowKeys }) => rowKeys.map((row) => key + row)));
  return rows.flatMap((panel) => {
    const { key, tab } = panel;
    return lookupsOf({
      ...panel,
      rows: panel.rows.filter((row) => !known.has(key + keyOf(tab, row))),
    });
  });
}
