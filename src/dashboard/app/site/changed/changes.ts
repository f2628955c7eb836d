/**
 * What differs between two sides: rows of all dimensions, the largest difference first (D-19).
 *
 * Each side lists its first 100 rows of every dimension, all from one state of the data. A row that only
 * one of them lists is asked for by name on the other, so that each number shown is exact. A row that
 * neither lists differs by less than the last row of either.
 */
import { askAll, QUERIES_MAX, type Query, type Result } from '../../data/batch.ts';
import type { View } from '../../view/view.ts';
import { askRows } from '../panels/compared.ts';
import { PANELS } from '../panels/panels.ts';
import { questionOf } from '../panels/questions.ts';
import {
  figureOf,
  isNone,
  keyOf,
  LIST_ROWS_MAX,
  type Row,
  rowsOf,
  type Tab,
} from '../panels/tab.ts';

/** A row with its numbers on both sides. */
export interface Change {
  readonly tab: Tab;
  readonly row: Row;
  readonly now: number;
  readonly before: number;
}

/** Visitors of both sides: what shares are parts of. */
export interface Totals {
  readonly now: number;
  readonly before: number;
}

/** A side as it is asked: parameters, and the view that they are of. */
export interface Asked {
  readonly of: View;
  readonly shared: Readonly<Record<string, unknown>>;
}

/** Lists of all dimensions: not those that show the same in another way, or need a choice. */
export const CHANGE_TABS: readonly Tab[] = PANELS.flatMap(({ tabs }) =>
  tabs.filter(({ key, pick }) => key !== 'map' && key !== 'url' && key !== 'list' && !pick),
);

/** How much a row differs: in visitors, or in its part of all of them. */
export function differenceOf({ now, before }: Totals, totals: Totals | null): number {
  if (totals === null) return now - before;
  return now / Math.max(1, totals.now) - before / Math.max(1, totals.before);
}

/** The largest differences first; of equal ones, the larger rows. */
export function ranked(changes: readonly Change[], totals: Totals | null): readonly Change[] {
  const size = (change: Change) => Math.abs(differenceOf(change, totals));
  return changes
    .filter((change) => size(change) > 0)
    .sort(
      (left, right) =>
        size(right) - size(left) || right.now + right.before - left.now - left.before,
    );
}

/** Asks both sides about everything. */
export async function askChanges(
  now: Asked,
  before: Asked,
  signal: AbortSignal,
): Promise<{ changes: readonly Change[]; totals: Totals }> {
  const questions = [now, before].flatMap((side) => [
    { ...side.shared, ...EMPTIED, name: 'total' } as Query,
    ...CHANGE_TABS.map((tab): Query => {
      const question = questionOf(tab, side.of) ?? { name: tab.statistic };
      return { ...side.shared, ...EMPTIED, ...question, limit: LIST_ROWS_MAX };
    }),
  ]);
  const results: Result[] = [];
  const { id } = now.shared;
  for (let at = 0; at < questions.length; at += QUERIES_MAX)
    results.push(...(await askAll({ id }, questions.slice(at, at + QUERIES_MAX), signal)));
  const half = CHANGE_TABS.length + 1;
  const changes = await Promise.all(
    CHANGE_TABS.map((tab, at) => {
      const lists = [results[at + 1], results[half + at + 1]].map((result) => rowsAt(tab, result));
      return changesOf(tab, [lists[0] ?? [], lists[1] ?? []], { now, before, signal });
    }),
  );
  const totals = [results[0], results[half]].map((result) => {
    if (result === undefined || 'error' in result) throw result?.error;
    return Number((result.answer as Row)['visitors']);
  });
  return { changes: changes.flat(), totals: { now: totals[0] ?? 0, before: totals[1] ?? 0 } };
}

/** The domain stands beside the questions, not within. */
const EMPTIED = { id: undefined } as const;

function rowsAt(tab: Tab, result: Result | undefined): readonly Row[] {
  if (result === undefined || 'error' in result) throw result?.error;
  return rowsOf(tab, result.answer);
}

async function changesOf(
  tab: Tab,
  [nowRows, beforeRows]: readonly [readonly Row[], readonly Row[]],
  { now, before, signal }: { now: Asked; before: Asked; signal: AbortSignal },
): Promise<readonly Change[]> {
  const known = (rows: readonly Row[]) =>
    new Map(rows.map((row) => [keyOf(tab, row), figureOf(row, tab.metric)]));
  const [inNow, inBefore] = [known(nowRows), known(beforeRows)];
  const all = new Map([...beforeRows, ...nowRows].map((row) => [keyOf(tab, row), row]));
  await Promise.all([
    complete(
      { tab, rows: all, known: inNow, isWhole: nowRows.length < LIST_ROWS_MAX },
      now,
      signal,
    ),
    complete(
      { tab, rows: all, known: inBefore, isWhole: beforeRows.length < LIST_ROWS_MAX },
      before,
      signal,
    ),
  ]);
  return [...all].flatMap(([key, row]) => {
    const [is, was] = [inNow.get(key), inBefore.get(key)];
    const isTold = is !== undefined && was !== undefined && !isNone(tab, row);
    return isTold ? [{ tab, row, now: is, before: was }] : [];
  });
}

interface List {
  readonly tab: Tab;
  readonly rows: ReadonlyMap<string, Row>;
  /** In and out. */
  readonly known: Map<string, number>;
  /** Whether it has every row of its side. */
  readonly isWhole: boolean;
}

/** Finds the rows that the other side has and this one does not list. */
async function complete({ tab, rows, known, isWhole }: List, side: Asked, signal: AbortSignal) {
  const missing = [...rows].filter(([key]) => !known.has(key));
  if (missing.length === 0) return;
  if (isWhole) {
    for (const [key] of missing) known.set(key, 0);
    return;
  }
  for (let at = 0; at < missing.length; at += LIST_ROWS_MAX) {
    const some = missing.slice(at, at + LIST_ROWS_MAX).map(([, row]) => row);
    const found = await askRows({ tab, rows: some, of: side.of }, side.shared, signal);
    for (const [key, value] of found) known.set(key, value);
  }
}
