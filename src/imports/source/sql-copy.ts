/**
 * The tables of a PostgreSQL dump, streamed: what stands between `COPY … FROM stdin;` and `\.`.
 *
 * Dumps of INSERT statements are refused with a sentence: their values can be told apart by a whole
 * parser of SQL only, and `pg_dump` writes COPY unless it is told otherwise.
 */

import { ImportFault, type SourceFile } from '../adapter.ts';
import { Row } from './table.ts';
import { linesOf } from './text.ts';

const COPY = /^COPY (?:"?\w+"?\.)?"?(\w+)"? \((.*)\) FROM stdin;$/;
const INSERT = /^INSERT INTO (?:["`]?\w+["`]?\.)?["`]?(\w+)["`]? /;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Rows of one table. */
export interface CopiedRows {
  readonly table: string;
  readonly rows: readonly Row[];
}

/** A table that is being read. */
interface Copying {
  readonly table: string;
  readonly columns: ReadonlyMap<string, number>;
}

/**
 * The rows of the named tables in the order of the dump; NULL is an empty text.
 *
 * @throws ImportFault.
 */
export async function* copiedRows(
  file: SourceFile,
  tables: ReadonlySet<string>,
): AsyncGenerator<CopiedRows> {
  let copying: Copying | null = null;
  let line = 0;
  for await (const { first, lines } of linesOf(file)) {
    let rows: Row[] = [];
    for (const [index, text] of lines.entries()) {
      line = first + index;
      const place = { file: file.name, line };
      if (copying === null) {
        copying = beginningOf(text);
        refuseInsert(text, tables, place);
      } else if (text === '\\.') {
        if (rows.length > 0) yield { table: copying.table, rows };
        rows = [];
        copying = null;
      } else if (tables.has(copying.table)) rows.push(rowOf(text, place, copying));
    }
    if (copying !== null && rows.length > 0) yield { table: copying.table, rows };
  }
  if (copying === null) return;
  const expected = `\\. at the end of the table ${copying.table}; the dump is cut off`;
  throw new ImportFault({ file: file.name, line }, expected);
}

function beginningOf(text: string): Copying | null {
  const parts = COPY.exec(text);
  if (parts === null) return null;
  const [, table, names] = parts as unknown as [string, string, string];
  const columns = names
    .split(', ')
    .map((name, index) => [name.replaceAll('"', ''), index] as const);
  return { table, columns: new Map(columns) };
}

function refuseInsert(text: string, tables: ReadonlySet<string>, place: Row['place']): void {
  const table = INSERT.exec(text)?.[1];
  if (table === undefined || !tables.has(table)) return;
  const expected = 'a dump with COPY, as pg_dump writes without --inserts, or the tables as CSV';
  throw new ImportFault(place, expected, text.slice(0, 60));
}

function rowOf(text: string, place: Row['place'], { table, columns }: Copying): Row {
  const cells = text.split('\t');
  if (cells.length !== columns.size) {
    const expected = `${columns.size} values, as many as ${table} has columns`;
    throw new ImportFault(place, expected, `${cells.length}: ${text}`);
  }
  return new Row(cells.map(textOfCell), place, columns);
}

function textOfCell(cell: string): string {
  if (cell === '\\N') return '';
  if (!cell.includes('\\')) return cell;
  return cell.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}
