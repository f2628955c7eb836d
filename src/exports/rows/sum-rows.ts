/** What other products counted (S-98) for an export: the sums of one day and dimension at a time. */

import { SUM_DIMENSIONS, type SumDimension } from '../../model/imported-sum.ts';
import type { SumColumns } from '../../segment/disk/imported-sums.ts';
import type { Batch, NumberVector, TextVector } from './vectors.ts';

/** Sums of one day and dimension. */
export interface DaySums {
  /** Of a calendar: days since 1970-01-01. */
  readonly day: number;
  readonly dimension: SumDimension;
  readonly columns: SumColumns;
}

const NO_TEXTS = [''];

/** They as rows of their table. */
export function sumBatch({ day, dimension, columns }: DaySums): Batch {
  const { values, countries } = columns;
  const rows = values.length;
  const all = (value: number): Uint32Array => new Uint32Array(rows).fill(value);
  const numbers = (column: ArrayLike<number>): NumberVector => ({
    kind: 'numbers',
    values: column,
  });
  const texts = (ids: Uint32Array, list: readonly string[]): TextVector => ({
    ...{ kind: 'texts', ids, texts: list },
  });
  const ownIds = Uint32Array.from({ length: rows }, (_, row) => row);
  return {
    rows,
    vectors: [
      numbers(all(day)),
      texts(all(SUM_DIMENSIONS.indexOf(dimension)), SUM_DIMENSIONS),
      texts(ownIds, values),
      countries.length === 0 ? texts(all(0), NO_TEXTS) : texts(ownIds, countries),
      ...[columns.visitors, columns.views, columns.sessions].map(numbers),
      ...[columns.bounces, columns.seconds].map(numbers),
    ],
  };
}
