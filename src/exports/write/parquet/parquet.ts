/**
 * Parquet, version 1: groups of rows, a page a column, nothing compressed beyond its dictionaries.
 *
 * `PAR1` | groups: per column a page of its dictionary and one of its values | the end: schema and where
 * the pages are | its length | `PAR1`
 */

import type { ColumnType, ExportColumn } from '../../columns.ts';
import type { Batch, Vector } from '../../rows/vectors.ts';
import type { OutputFile } from '../output-file.ts';
import type { TableWriter } from '../table-writer.ts';
import {
  type ColumnChunk,
  type ColumnPages,
  ENCODING,
  FlagChunk,
  IdChunk,
  NumberChunk,
  TextChunk,
} from './column-chunks.ts';
import { type ThriftStruct, type ThriftValue, thriftBytes } from './thrift.ts';

/** Rows of a group: as many as a reader and this writer easily hold. */
const GROUP_ROWS = 65_536;
const MAGIC = Buffer.from('PAR1');

/** Types of values by their numbers. */
const PHYSICAL = { boolean: 0, int32: 1, int64: 2, bytes: 6 } as const;
/** What they mean, by numbers; null: they mean nothing more. */
const CONVERTED = { utf8: 0, date: 6, timestampMs: 9, uint32: 13, uint64: 14 } as const;

/** How the values of each type of column are stored. */
const STORED: Readonly<
  Record<ColumnType, { readonly physical: number; readonly converted: number | null }>
> = {
  text: { physical: PHYSICAL.bytes, converted: CONVERTED.utf8 },
  pairs: { physical: PHYSICAL.bytes, converted: CONVERTED.utf8 },
  time: { physical: PHYSICAL.int64, converted: CONVERTED.timestampMs },
  date: { physical: PHYSICAL.int32, converted: CONVERTED.date },
  count: { physical: PHYSICAL.int32, converted: CONVERTED.uint32 },
  sum: { physical: PHYSICAL.int64, converted: null },
  flag: { physical: PHYSICAL.boolean, converted: null },
  id: { physical: PHYSICAL.int64, converted: CONVERTED.uint64 },
};

const PAGE = { data: 0, dictionary: 2 } as const;
const REQUIRED = 0;

/** Writes a table as Parquet. */
export function parquetWriter(file: OutputFile, columns: readonly ExportColumn[]): TableWriter {
  const chunks = columns.map(({ type }) => chunkOf(type));
  const groups: ThriftValue[] = [];
  let rows = 0;
  let total = 0;
  file.write(MAGIC);
  const flush = () => {
    if (rows === 0) return;
    const start = file.bytes;
    const list = chunks.map((chunk, at) =>
      writeColumn(file, columns[at] as ExportColumn, rows, chunk.take()),
    );
    const group = { 1: { list }, 2: i64(file.bytes - start), 3: i64(rows) };
    groups.push({ struct: group });
    total += rows;
    rows = 0;
  };
  return {
    write(batch: Batch) {
      for (let first = 0; first < batch.rows; ) {
        const count = Math.min(batch.rows - first, GROUP_ROWS - rows);
        for (let at = 0; at < chunks.length; at++) {
          chunks[at]!.add(batch.vectors[at]!, first, count);
        }
        first += count;
        rows += count;
        if (rows === GROUP_ROWS) flush();
      }
    },
    finish() {
      flush();
      const end = thriftBytes({
        ...{ 1: i32(1), 2: { list: schemaOf(columns) }, 3: i64(total) },
        ...{ 4: { list: groups }, 6: { text: 'footfall' } },
      });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(end.length);
      file.write(Buffer.concat([end, length, MAGIC]));
    },
  };
}

function chunkOf(type: ColumnType): ColumnChunk<Vector> {
  const { physical } = STORED[type];
  const chunk =
    type === 'id'
      ? new IdChunk(GROUP_ROWS)
      : type === 'flag'
        ? new FlagChunk(GROUP_ROWS)
        : physical === PHYSICAL.bytes
          ? new TextChunk(GROUP_ROWS)
          : new NumberChunk(GROUP_ROWS, physical === PHYSICAL.int64);
  // The vectors of a table have the kinds of its columns.
  return chunk as ColumnChunk<Vector>;
}

/** @returns what the end of the file says of it. */
function writeColumn(
  file: OutputFile,
  { name, type }: ExportColumn,
  rows: number,
  { dictionary, values }: ColumnPages,
): ThriftValue {
  const start = file.bytes;
  if (dictionary !== null) {
    const head = { 1: i32(dictionary.values), 2: i32(ENCODING.plain) };
    writePage(file, PAGE.dictionary, dictionary.bytes, { 7: { struct: head } });
  }
  const dataStart = file.bytes;
  const encoding = dictionary === null ? ENCODING.plain : ENCODING.dictionary;
  const levels = { 3: i32(ENCODING.rle), 4: i32(ENCODING.rle) };
  writePage(file, PAGE.data, values, {
    5: { struct: { 1: i32(rows), 2: i32(encoding), ...levels } },
  });
  const encodings = dictionary === null ? [ENCODING.plain] : [ENCODING.plain, ENCODING.dictionary];
  const size = i64(file.bytes - start);
  const meta = {
    ...{ 1: i32(STORED[type].physical), 2: { list: encodings.map(i32) } },
    ...{ 3: { list: [{ text: name }] }, 4: i32(0), 5: i64(rows), 6: size, 7: size },
    ...{ 9: i64(dataStart), 11: dictionary === null ? undefined : i64(start) },
  };
  return { struct: { 2: i64(start), 3: { struct: meta } } };
}

function writePage(file: OutputFile, type: number, bytes: Uint8Array, head: ThriftStruct): void {
  const size = i32(bytes.length);
  file.write(thriftBytes({ 1: i32(type), 2: size, 3: size, ...head }));
  file.write(bytes);
}

function schemaOf(columns: readonly ExportColumn[]): ThriftValue[] {
  const root = { 4: { text: 'rows' }, 5: i32(columns.length) };
  return [
    { struct: root },
    ...columns.map(({ name, type }): ThriftValue => {
      const { physical, converted } = STORED[type];
      const meaning = converted === null ? undefined : i32(converted);
      return {
        struct: { 1: i32(physical), 3: i32(REQUIRED), 4: { text: name }, 6: meaning },
      };
    }),
  ];
}

function i32(value: number): ThriftValue {
  return { i32: value };
}

function i64(value: number): ThriftValue {
  return { i64: value };
}
