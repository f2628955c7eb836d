/** What other products counted (S-98) for an export: the sums of one day and dimension at a time. */

import type { SumDimension } from '../../model/imported-sum.ts';
import type { SumColumns } from '../../segment/disk/imported-sums.ts';
import { textBytes } from '../../segment/memory/text-bytes.ts';
import { type Batch, numbers, TextList, type TextVector, textsBy } from './vectors.ts';

/** Sums of one day and dimension. */
export interface DaySums {
  /** Of a calendar: days since 1970-01-01. */
  readonly day: number;
  readonly dimension: SumDimension;
  readonly columns: SumColumns;
}

/** They as rows of their table. */
export function sumBatch({ day, dimension, columns }: DaySums): Batch {
  const { values, countries } = columns;
  const rows = values.length;
  const all = (value: number): Uint32Array => new Uint32Array(rows).fill(value);
  const counts = [columns.visitors, columns.views, columns.sessions, columns.bounces];
  return {
    rows,
    vectors: [
      numbers(all(day)),
      textsBy(all(0), textBytes([dimension])),
      texts(values),
      countries.length === 0 ? textsBy(all(0), textBytes([''])) : texts(countries),
      ...[...counts, columns.seconds].map((column) => numbers(Float64Array.from(column))),
    ],
  };
}

function texts(values: readonly string[]): TextVector {
  const list = new TextList();
  return textsBy(
    Uint32Array.from(values, (value) => list.idOf(value)),
    textBytes(list.texts),
  );
}
