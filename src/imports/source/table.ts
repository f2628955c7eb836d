/**
 * Tables with a line of names: CSV and its kin, row by row, whatever their size.
 *
 * A row that does not fit is told with file, line and what was expected there. papaparse does the
 * parsing, piece by piece of the file; what is left of a piece begins the next one.
 */
import papaparse from 'papaparse';
import { SOURCE_ROW_LENGTH_MAX } from '../../model/import-limits.ts';
import { ImportFault, type Place, type SourceFile } from '../adapter.ts';
import { lineBreaksIn, textOf } from './text.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const COUNT = /^\d{1,15}$/;

/** A row of a table; cells are read by the names of the first line. */
export class Row {
  readonly cells: readonly string[];
  readonly place: Place;
  readonly #columns: ReadonlyMap<string, number>;

  constructor(cells: readonly string[], place: Place, columns: ReadonlyMap<string, number>) {
    this.cells = cells;
    this.place = place;
    this.#columns = columns;
  }

  /** What stands under a name; '' where the table has no such column. */
  text(name: string): string {
    const column = this.#columns.get(name);
    return column === undefined ? '' : (this.cells[column] as string);
  }

  /** Whether the table has such a column. */
  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** A number of things; 0 where the table has no such column. @throws ImportFault. */
  count(name: string): number {
    if (!this.has(name)) return 0;
    const text = this.text(name);
    if (!COUNT.test(text)) throw this.fault(`a whole number under '${name}'`, text);
    return Number(text);
  }

  /** A day, YYYY-MM-DD. @throws ImportFault. */
  date(name: string): string {
    const text = this.text(name);
    if (!isDate(text)) throw this.fault(`a day like 2026-11-20 under '${name}'`, text);
    return text;
  }

  /** What to throw when something of this row is wrong. */
  fault(expected: string, found?: string): ImportFault {
    return new ImportFault(this.place, expected, found);
  }
}

/** Whether a text is a day that exists, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** How a table is written, and what it must have. */
export interface TableRules {
  /** Default: a comma. */
  readonly delimiter?: string;
  /** Names that the first line must have, in any order; others may stand there as well. */
  readonly required: readonly string[];
  /** How a name of the first line is known; default: as it stands, without blanks around it. */
  readonly nameOf?: (typed: string) => string;
}

/**
 * Reads a table with a line of names.
 *
 * @throws ImportFault.
 */
export async function* readTable(file: SourceFile, rules: TableRules): AsyncGenerator<Row[]> {
  let columns: Map<string, number> | null = null;
  let width = 0;
  for await (const lines of readLines(file, rules.delimiter ?? ',')) {
    const rows: Row[] = [];
    for (const { cells, line } of lines) {
      const place = { file: file.name, line };
      if (columns === null) {
        columns = columnsOf(cells, place, rules);
        width = cells.length;
      } else {
        if (cells.length !== width) {
          throw new ImportFault(place, `${width} cells as in the first line`, `${cells.length}`);
        }
        rows.push(new Row(cells, place, columns));
      }
    }
    yield rows;
  }
  if (columns === null) {
    throw new ImportFault({ file: file.name, line: 1 }, named(rules.required), 'nothing');
  }
}

function columnsOf(cells: readonly string[], place: Place, rules: TableRules) {
  const nameOf = rules.nameOf ?? ((typed: string) => typed.trim());
  const columns = new Map(cells.map((cell, index) => [nameOf(cell), index]));
  const missing = rules.required.filter((name) => !columns.has(name));
  if (missing.length > 0) throw new ImportFault(place, named(missing), cells.join(','));
  return columns;
}

function named(names: readonly string[]): string {
  return `the column${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

/** A line of a table as it stands. */
interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Reads a table without names; empty lines are left out.
 *
 * @throws ImportFault for what is no text, and for quotes that do not fit.
 */
export async function* readLines(file: SourceFile, delimiter = ','): AsyncGenerator<Line[]> {
  let newline: '\n' | '\r\n' | null = null;
  let rest = '';
  let line = 1;
  const take = (text: string, isLast: boolean): Line[] => {
    newline ??= newlineOf(text, isLast);
    if (newline === null) {
      rest = text;
      return [];
    }
    // Cut behind a line: a quote at the end of a piece may be half of two.
    const whole = isLast ? text : text.slice(0, text.lastIndexOf('\n') + 1);
    const parser = new papaparse.Parser({ delimiter, newline });
    const { data, errors, meta } = parser.parse(whole, 0, !isLast) as papaparse.ParseResult<
      string[]
    >;
    const lines: Line[] = [];
    const bad = errors.find(({ type }) => type === 'Quotes');
    for (const cells of data) {
      if (bad !== undefined && lines.length >= (bad.row ?? 0)) break;
      const isEmpty = cells.length === 1 && cells[0] === '';
      if (!isEmpty) lines.push({ cells, line });
      line += 1 + breaksIn(cells);
    }
    if (bad !== undefined) {
      throw new ImportFault({ file: file.name, line }, 'quotes that open and close a cell');
    }
    rest = isLast ? '' : text.slice(meta.cursor);
    return lines;
  };
  for await (const piece of textOf(file)) {
    const lines = take(rest + piece, false);
    if (rest.length > SOURCE_ROW_LENGTH_MAX) {
      const most = `a row of at most ${SOURCE_ROW_LENGTH_MAX} characters, with its quotes closed`;
      throw new ImportFault({ file: file.name, line }, most);
    }
    if (lines.length > 0) yield lines;
  }
  const last = take(rest, true);
  if (last.length > 0) yield last;
}

/** As the first line ends; null: it has not ended yet. */
function newlineOf(text: string, isLast: boolean): '\n' | '\r\n' | null {
  const end = text.indexOf('\n');
  if (end < 0) return isLast ? '\n' : null;
  return text[end - 1] === '\r' ? '\r\n' : '\n';
}

function breaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) count += lineBreaksIn(cell);
  return count;
}

/** The names in the first line of a text. */
export function headerOf(head: string, delimiter = ','): readonly string[] {
  const end = head.indexOf('\n');
  const line = (end < 0 ? head : head.slice(0, end)).trimEnd();
  const parser = new papaparse.Parser({ delimiter });
  const { data } = parser.parse(line, 0, false) as papaparse.ParseResult<string[]>;
  return data[0] ?? [];
}
