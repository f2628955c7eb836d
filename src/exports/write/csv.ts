/**
 * CSV by RFC 4180, UTF-8, with a line of names.
 *
 * A cell that a spreadsheet would take for a formula begins with an apostrophe; so does one that begins
 * with an apostrophe, so that whoever reads it back knows whose it is (P-10).
 */

import type { ExportColumn } from '../columns.ts';
import type { Batch } from '../rows/vectors.ts';
import type { OutputFile } from './output-file.ts';
import type { TableWriter } from './table-writer.ts';
import { EscapedTexts } from './value-texts.ts';

/** A tab and a line break as well: some programs pass over them in front of a formula. */
const NEEDS_GUARD = /^[=+\-@'\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** Rows that are made into bytes at once. */
const ROWS_PER_WRITE = 1_024;

/** A text as a cell. */
export function csvCell(text: string): string {
  const guarded = NEEDS_GUARD.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The text of a cell that `csvCell` made, without what CSV itself puts around it. */
export function unguardedCell(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

/** Writes a table as CSV. */
export function csvWriter(file: OutputFile, columns: readonly ExportColumn[]): TableWriter {
  const texts = new EscapedTexts({ escaped: csvCell, quote: '' });
  file.write(Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`));
  return {
    write({ rows, vectors }: Batch) {
      const readers = vectors.map((vector, at) => texts.reader(vector, columns[at]!.type));
      const [first, ...others] = readers;
      for (let row = 0; row < rows; ) {
        let lines = '';
        const end = Math.min(row + ROWS_PER_WRITE, rows);
        for (; row < end; row++) {
          lines += first!(row);
          for (let at = 0; at < others.length; at++) lines += `,${others[at]!(row)}`;
          lines += '\r\n';
        }
        file.write(Buffer.from(lines));
      }
    },
    finish: () => undefined,
  };
}
