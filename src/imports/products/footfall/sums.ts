/** What other products counted (S-98), of an export of our own. */
import { isoTime } from '../../../base/iso-time.ts';
import { SUM_DIMENSIONS, type SumDimension } from '../../../model/imported-sum.ts';
import { DAY_MS } from '../../../model/limits.ts';
import { type ImportedSum, ImportFault } from '../../adapter.ts';
import type { OwnRow } from './rows.ts';

/** The sums of a file, in portions. @throws ImportFault. */
export async function* sumsOf(
  portions: AsyncIterable<readonly OwnRow[]>,
): AsyncGenerator<ImportedSum[]> {
  for await (const rows of portions) yield rows.map(sumOf);
}

function sumOf(row: OwnRow): ImportedSum {
  return {
    date: isoTime(row.day('day') * DAY_MS).slice(0, 'yyyy-mm-dd'.length),
    dimension: dimensionOf(row),
    value: row.text('value'),
    country: row.text('country_code'),
    visitors: row.sum('visitors'),
    views: row.sum('page_views'),
    sessions: row.sum('sessions'),
    bounces: row.sum('bounces'),
    seconds: row.sum('duration_seconds'),
    place: row.place,
  };
}

function dimensionOf(row: OwnRow): SumDimension {
  const text = row.text('dimension');
  const known = SUM_DIMENSIONS.find((dimension) => dimension === text);
  if (known !== undefined) return known;
  const expected = `one of ${SUM_DIMENSIONS.join(', ')} under 'dimension'`;
  throw new ImportFault(row.place, expected, text);
}
