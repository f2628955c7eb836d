/**
 * Search keywords (S-66, P-4): what was imported from a search console, by query.
 *
 * They stand in the registry, not among the rows of visitors, so they come with the question, counted
 * already by {@link shownKeywords}.
 */

import type { KeywordTable } from '../../model/keywords.ts';
import { type Groups, listRows } from '../list/listing.ts';
import { rate } from '../list/rates.ts';
import type { AnsweredStatistic } from '../plan/query-context.ts';
import { isUnfiltered } from '../question/filters.ts';
import type { KeywordAnswer, StatisticsQuery } from '../question/request.ts';
import { asc, desc, numbers } from '../question/statistics.ts';

export const KEYWORDS: AnsweredStatistic = {
  name: 'keywords',
  unit: 'sessions',
  dimension: null,
  fields: [{ name: 'keys', type: 'list' }, ...numbers('clicks', 'impressions', 'ctr', 'position')],
  order: [desc('clicks'), desc('impressions'), asc('keys')],
  searched: [],
  byRows: ({ query }) => query.keywords,
  byRollups: null,
  // No row of a visitor has anything of it.
  needs: () => false,
  carries: 'keywords',
};

/**
 * The rows that a question shows. Under a filter there are none: a search console knows nothing of
 * what people did on the pages.
 */
export function shownKeywords(query: StatisticsQuery, table: KeywordTable): KeywordAnswer[] {
  if (!isUnfiltered(query.filters)) return [];
  return listRows(KEYWORDS, query, groupsOf(table, query.range)) as unknown as KeywordAnswer[];
}

function groupsOf(table: KeywordTable, { fromDay, toDay }: StatisticsQuery['range']): Groups {
  const count = table.queries.length;
  const clicks = new Float64Array(count);
  const impressions = new Float64Array(count);
  const places = new Float64Array(count);
  const seen = new Uint8Array(count);
  for (const [row, day] of table.days.entries()) {
    if (day < fromDay || day > toDay) continue;
    const query = table.numbers[row] as number;
    const shown = table.impressions[row] as number;
    seen[query] = 1;
    clicks[query]! += table.clicks[row] as number;
    impressions[query]! += shown;
    places[query]! += shown * (table.positions[row] as number);
  }
  const present = Uint32Array.from(table.queries.keys()).filter((query) => seen[query] === 1);
  const text = (query: number) => table.queries[query] as string;
  return {
    present,
    fields: {
      keys: (query) => [text(query)],
      clicks: (query) => clicks[query]!,
      impressions: (query) => impressions[query]!,
      ctr: (query) => rate(clicks[query]!, impressions[query]!),
      position: (query) => rate(places[query]!, impressions[query]!),
    },
    orders: { keys: text },
  };
}
