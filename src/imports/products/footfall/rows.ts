/**
 * Rows of the files of an export of our own, whichever format they have (P-10).
 *
 * A value that does not fit is told with file, line and what was expected there.
 */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { type ColumnType, EXPORT_COLUMNS, type ExportTable } from '../../../exports/columns.ts';
import { unguardedCell } from '../../../exports/write/csv.ts';
import { SOURCE_ROW_LENGTH_MAX } from '../../../model/import-limits.ts';
import { DAY_MS } from '../../../model/limits.ts';
import { ImportFault, type Place, type SourceFile } from '../../adapter.ts';
import { readTable } from '../../source/table.ts';

const WHOLE_NUMBER = /^\d{1,16}$/;
const COUNT_MAX = 2 ** 32 - 1;
const ID = /^\d{1,20}$/;
const ID_MAX = 2n ** 64n - 1n;
const WORD_BITS = 32n;
const INSTANT = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DATE = /^\d{4,6}-\d\d-\d\d$/;

/** A row as its format has it; values are looked at when they are asked for. */
export class OwnRow {
  readonly place: Place;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>, place: Place) {
    this.#values = values;
    this.place = place;
  }

  text(name: string): string {
    const value = this.#values[name];
    if (typeof value !== 'string') throw this.#fault('a text', name);
    return value;
  }

  flag(name: string): boolean {
    const value = this.#values[name];
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw this.#fault('true or false', name);
  }

  count(name: string): number {
    return this.#wholeNumber(name, COUNT_MAX);
  }

  sum(name: string): number {
    return this.#wholeNumber(name, Number.MAX_SAFE_INTEGER);
  }

  #wholeNumber(name: string, most: number): number {
    const value = this.#values[name];
    const isText = typeof value === 'string' && WHOLE_NUMBER.test(value);
    // Parquet gives those of 64 bits as such.
    const number = isText || typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !(number >= 0 && number <= most) || number % 1 !== 0) {
      throw this.#fault('a whole number', name);
    }
    return number;
  }

  /** Milliseconds since the epoch. */
  time(name: string): number {
    const value = this.#values[name];
    const isText = typeof value === 'string' && INSTANT.test(value);
    const atMs = isText ? Date.parse(value) : value instanceof Date ? value.getTime() : Number.NaN;
    if (Number.isNaN(atMs)) throw this.#fault('a time like 2026-11-20T10:00:00.000Z', name);
    return atMs;
  }

  /** Days since 1970-01-01. */
  day(name: string): number {
    const value = this.#values[name];
    const isText = typeof value === 'string' && DATE.test(value);
    const atMs = isText ? Date.parse(value) : value instanceof Date ? value.getTime() : Number.NaN;
    if (!(atMs >= 0)) throw this.#fault('a day like 2026-11-20', name);
    return Math.floor(atMs / DAY_MS);
  }

  /** An unsigned number of 64 bits, in two halves. */
  id(name: string): { low: number; high: number } {
    const value = this.#values[name];
    const isText = typeof value === 'string' && ID.test(value);
    const number = isText ? BigInt(value) : value;
    if (typeof number !== 'bigint' || number > ID_MAX) throw this.#fault('an id', name);
    return { low: Number(BigInt.asUintN(32, number)), high: Number(number >> WORD_BITS) };
  }

  /** Key, value, key, value …; null without any. */
  pairs(name: string): string[] | null {
    const value = this.#values[name];
    if (value === '') return null;
    const found = typeof value === 'string' ? objectOf(value) : value;
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
    const isOfTexts = entries.every(([, text]) => typeof text === 'string');
    if (typeof found !== 'object' || found === null || !isOfTexts) {
      throw this.#fault('a JSON object of texts', name);
    }
    return entries.length === 0 ? null : (entries.flat() as string[]);
  }

  #fault(expected: string, name: string): ImportFault {
    const value = this.#values[name];
    const found = typeof value === 'string' ? value : String(value);
    return new ImportFault(this.place, `${expected} under '${name}'`, found);
  }
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The rows of a file, in portions. @throws ImportFault. */
export type ReadRows = (file: SourceFile, table: ExportTable) => AsyncGenerator<OwnRow[]>;

/** Reads CSV. */
export async function* readCsv(file: SourceFile, table: ExportTable): AsyncGenerator<OwnRow[]> {
  const columns = EXPORT_COLUMNS[table];
  const isText = (type: ColumnType) => type === 'text';
  for await (const rows of readTable(file, { required: columns.map(({ name }) => name) })) {
    yield rows.map((row) => {
      const values: Record<string, unknown> = {};
      for (const { name, type } of columns) {
        const cell = row.text(name);
        values[name] = isText(type) ? unguardedCell(cell) : cell;
      }
      return new OwnRow(values, row.place);
    });
  }
}

/** Reads NDJSON. */
export async function* readNdjson(file: SourceFile): AsyncGenerator<OwnRow[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  const take = (lines: readonly string[]): OwnRow[] =>
    lines.map((text) => {
      const place = { file: file.name, line: line++ };
      const values = objectOf(text);
      if (typeof values !== 'object' || values === null) {
        throw new ImportFault(place, 'a JSON object', text);
      }
      return new OwnRow(values as Record<string, unknown>, place);
    });
  for await (const piece of (await file.open()) as AsyncIterable<Buffer>) {
    const text = decodedOrNull(decoder, piece);
    if (text === null) throw new ImportFault({ file: file.name, line }, 'text in UTF-8');
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    if (rest.length > SOURCE_ROW_LENGTH_MAX) {
      const most = `a line of at most ${SOURCE_ROW_LENGTH_MAX} characters`;
      throw new ImportFault({ file: file.name, line }, most);
    }
    yield take(lines);
  }
  if (rest !== '') yield take([rest]);
}

type Decoder = InstanceType<typeof TextDecoder>;

function decodedOrNull(decoder: Decoder, piece: Uint8Array): string | null {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    return null;
  }
}

/** Reads Parquet, a group of rows at a time. It begins at its end, so it has to be a file of its own. */
export async function* readParquet(file: SourceFile): AsyncGenerator<OwnRow[]> {
  const { name, path } = file;
  if (path === undefined) {
    throw new ImportFault({ file: name, line: 1 }, 'Parquet that is not in an archive: unpack it');
  }
  const damaged = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    return new ImportFault({ file: name, line: 1 }, 'a whole Parquet file', reason);
  };
  const bytes = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(bytes).catch((error: unknown) => {
    throw damaged(error);
  });
  let first = 0;
  for (const { num_rows: count } of metadata.row_groups) {
    const end = first + Number(count);
    const range = { file: bytes, metadata, rowStart: first, rowEnd: end };
    const rows = await parquetReadObjects(range).catch((error: unknown) => {
      throw damaged(error);
    });
    yield rows.map((values, at) => new OwnRow(values, { file: name, line: first + at + 1 }));
    first = end;
  }
}
