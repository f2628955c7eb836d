/**
 * The table that a search console exports (P-4): date, query, clicks, impressions, ctr and position,
 * in any order, under our names or Google's.
 *
 * The share of clicks is looked at and not kept: it follows from the counts.
 */

import { Readable } from 'node:stream';
import { KEYWORD_LENGTH_MAX, KEYWORD_ROW_COUNT_MAX } from '../model/import-limits.ts';
import type { KeywordRow } from '../model/keywords.ts';
import { DAY_MS } from '../model/limits.ts';
import type { SourceFile } from './adapter.ts';
import { type Row, readTable } from './source/table.ts';
import { day, decimal, share } from './source/values.ts';

/** Names as they are compared, and ours. */
const NAMES: Readonly<Record<string, string>> = {
  day: 'date',
  datadate: 'date',
  topqueries: 'query',
  queries: 'query',
  keyword: 'query',
  searchquery: 'query',
  keys: 'query',
  urlclicks: 'clicks',
  urlctr: 'ctr',
  averagectr: 'ctr',
  averageposition: 'position',
  avgposition: 'position',
};
const REQUIRED = ['date', 'query', 'clicks', 'impressions', 'position'];

/** A table that came with a request. */
export function keywordText(text: string): SourceFile {
  const bytes = Buffer.from(text);
  return { name: 'body', bytes: bytes.length, open: async () => Readable.from([bytes]) };
}

/** @throws ImportFault, also for more rows than a domain may have. */
export async function readKeywords(file: SourceFile): Promise<KeywordRow[]> {
  const rows: KeywordRow[] = [];
  for await (const batch of readTable(file, { required: REQUIRED, nameOf })) {
    for (const row of batch) rows.push(keywordOf(row));
    if (rows.length > KEYWORD_ROW_COUNT_MAX) {
      throw (batch[0] as Row).fault(`at most ${KEYWORD_ROW_COUNT_MAX} rows in all`);
    }
  }
  return rows;
}

function nameOf(typed: string): string {
  const name = typed.toLowerCase().replaceAll(/[^a-z]/g, '');
  return NAMES[name] ?? name;
}

function keywordOf(row: Row): KeywordRow {
  const { place } = row;
  const query = row.text('query').trim();
  if (query === '') throw row.fault("what was searched under 'query'", '');
  const at = Date.parse(`${day(place, row.text('date'))}T00:00:00Z`) / DAY_MS;
  if (at < 0) throw row.fault("a day from 1970-01-01 on under 'date'", row.text('date'));
  const position = decimal(place, row.text('position'));
  if (row.text('ctr') !== '') share(place, row.text('ctr'));
  return {
    day: at,
    query: Array.from(query).slice(0, KEYWORD_LENGTH_MAX).join(''),
    clicks: row.count('clicks'),
    impressions: row.count('impressions'),
    position,
  };
}
