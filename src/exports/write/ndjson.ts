/** NDJSON: a JSON object on a line for every row. Pairs are objects of their own. */

import type { ExportColumn } from '../columns.ts';
import type { Batch } from '../rows/vectors.ts';
import type { OutputFile } from './output-file.ts';
import type { TableWriter } from './table-writer.ts';
import { EscapedTexts } from './value-texts.ts';

/** Rows that are made into bytes at once. */
const ROWS_PER_WRITE = 1_024;

/** Writes a table as NDJSON. */
export function ndjsonWriter(file: OutputFile, columns: readonly ExportColumn[]): TableWriter {
  const texts = new EscapedTexts({ escaped: (text) => JSON.stringify(text), quote: '"' });
  const pairs = new EscapedTexts({ escaped: (text) => (text === '' ? '{}' : text), quote: '"' });
  const heads = columns.map(({ name }, at) => `${at === 0 ? '{' : ','}"${name}":`);
  return {
    write({ rows, vectors }: Batch) {
      const readers = vectors.map((vector, at) => {
        const { type } = columns[at]!;
        return (type === 'pairs' ? pairs : texts).reader(vector, type);
      });
      for (let row = 0; row < rows; ) {
        let lines = '';
        const end = Math.min(row + ROWS_PER_WRITE, rows);
        for (; row < end; row++) {
          for (let at = 0; at < readers.length; at++) lines += heads[at]! + readers[at]!(row);
          lines += '}\n';
        }
        file.write(Buffer.from(lines));
      }
    },
    finish: () => undefined,
  };
}
