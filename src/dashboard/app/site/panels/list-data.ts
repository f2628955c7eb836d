/** One page of all rows of a list, and all of it for a file. */
import { askAll, QUERIES_MAX } from '../../data/batch.ts';
import type { View } from '../../view/view.ts';
import { daysOf, type SiteData, sharedOf } from '../site-data.ts';
import { askRows } from './compared.ts';
import { questionOf } from './questions.ts';
import { LIST_ROWS_MAX, type Row, rowsOf, type Tab } from './tab.ts';

/** Beyond it a file would be more than a spreadsheet takes. */
const FILE_ROWS_MAX = 1_000_000;

/** What a page of rows has. */
export interface Page {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** In the compared range; null: there is none. */
  readonly compared: ReadonlyMap<string, number> | null;
}

/** What is asked of a list: its days, filters, search and order. */
export function listQuery(tab: Tab, data: SiteData, of: View) {
  const { span, compared } = data.spansOf(of);
  const filters = sharedOf(data.domain.id, of);
  const isDown = of.sort.startsWith('-');
  const sort = isDown ? of.sort.slice(1) : of.sort;
  return {
    shared: { ...filters, ...daysOf(span) },
    before: compared === null ? null : { ...filters, ...daysOf(compared) },
    question: questionOf(tab, of),
    // What a page of the same list is searched and ordered by.
    order: {
      ...(of.search === '' ? {} : { search: of.search }),
      ...(sort === '' ? {} : { sort, direction: isDown ? 'desc' : 'asc' }),
    },
  };
}

/** Asks for one page of rows, and for a look at the next one, at one moment. */
export async function askPage(
  tab: Tab,
  { data, of }: { data: SiteData; of: View },
  signal: AbortSignal,
): Promise<Page> {
  const { shared, before, question, order } = listQuery(tab, data, of);
  if (question === null) return { rows: [], hasMore: false, compared: null };
  const asked = { ...question, ...order, limit: LIST_ROWS_MAX };
  const offset = of.at * LIST_ROWS_MAX;
  const results = await askAll(
    shared,
    [
      { ...asked, offset },
      { ...asked, offset: offset + LIST_ROWS_MAX, limit: 1 },
    ],
    signal,
  );
  const [rows = [], next = []] = results.map((result) => {
    if ('error' in result) throw result.error;
    return rowsOf(tab, result.answer);
  });
  const compared = before === null ? null : await askRows({ tab, rows, of }, before, signal);
  return { rows, hasMore: tab.statistic !== 'platform' && next.length > 0, compared };
}

/** Asks for every row of a list. */
export async function askEveryRow(
  tab: Tab,
  { data, of }: { data: SiteData; of: View },
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { shared, question, order } = listQuery(tab, data, of);
  const all: Row[] = [];
  if (question === null) return all;
  const isList = tab.statistic !== 'platform';
  for (let at = 0; at < FILE_ROWS_MAX; at += QUERIES_MAX * LIST_ROWS_MAX) {
    const questions = Array.from({ length: isList ? QUERIES_MAX : 1 }, (_, page) => ({
      ...{ ...question, ...order, limit: LIST_ROWS_MAX },
      offset: at + page * LIST_ROWS_MAX,
    }));
    const results = await askAll(shared, questions, signal);
    for (const result of results) {
      if ('error' in result) throw result.error;
      const rows = rowsOf(tab, result.answer);
      all.push(...rows);
      if (!isList || rows.length < LIST_ROWS_MAX) return all;
    }
  }
  return all;
}
