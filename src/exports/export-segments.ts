/**
 * The files of an export: the rows of one segment after the other, then the sums of other products, by
 * table and month.
 *
 * It blocks its thread, so that is one of its own. Memory is the texts of a segment and a group of rows.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../base/iso-time.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { syncDirectory } from '../base/sync-directory.ts';
import type { SumDays } from '../model/imported-sum.ts';
import { DAY_MS } from '../model/limits.ts';
import type { Segment } from '../segment/memory/segment.ts';
import {
  EXPORT_COLUMNS,
  EXPORT_FORMAT,
  type ExportColumn,
  type ExportFileFormat,
  type ExportTable,
  ROW_TABLES,
} from './columns.ts';
import { MANIFEST_NAME, type Manifest, type ManifestFile } from './manifest.ts';
import { hitBatches } from './rows/hit-rows.ts';
import { sessionBatches } from './rows/session-rows.ts';
import { type DaySums, sumBatch } from './rows/sum-rows.ts';
import { type Span, takenSessions } from './rows/taken-sessions.ts';
import { type Batch, Room } from './rows/vectors.ts';
import { csvWriter } from './write/csv.ts';
import { ndjsonWriter } from './write/ndjson.ts';
import { OutputFile } from './write/output-file.ts';
import { parquetWriter } from './write/parquet/parquet.ts';
import type { TableWriter } from './write/table-writer.ts';

/** What is exported. */
export interface ExportPlan extends Pick<Manifest, 'domain' | 'from' | 'to'> {
  readonly tables: readonly ExportTable[];
  readonly format: ExportFileFormat;
  /** Instants of the first and behind the last day. */
  readonly span: Span;
  /** The same days by the calendar. */
  readonly days: SumDays;
  readonly createdMs: number;
}

/** What is stored of a domain. */
export interface ExportSource {
  /** By day; each is looked at before the next is asked for. */
  readonly segments: Iterable<Segment>;
  /** What is shown of imports, by day; nothing before or behind the days of the plan. */
  readonly sums: Iterable<DaySums>;
}

export const NOTHING_STORED: ExportSource = { segments: [], sums: [] };

/** Who looks on. What any of it throws ends the export. */
export interface ExportWatch {
  /** Bytes that are about to be written. */
  onBytes(count: number): void;
  /** Rows that were written, after each batch. */
  onRows(count: number): void;
}

const WRITERS: Readonly<
  Record<ExportFileFormat, (file: OutputFile, columns: readonly ExportColumn[]) => TableWriter>
> = { csv: csvWriter, ndjson: ndjsonWriter, parquet: parquetWriter };

/** A file that is being written. */
interface OpenTable {
  readonly name: string;
  readonly table: ExportTable;
  readonly file: OutputFile;
  readonly writer: TableWriter;
  rows: number;
}

/**
 * Writes the files and, last, the manifest.
 *
 * @param directory has to be empty, or not there.
 */
export function writeExportFiles(
  source: ExportSource,
  plan: ExportPlan,
  directory: string,
  watch: ExportWatch,
): Manifest {
  makeDirectory(directory, 0o700);
  const files: ManifestFile[] = [];
  const open = new Map<ExportTable, OpenTable>();
  let month = '';
  const endMonth = () => {
    for (const table of open.values()) files.push(finished(table, month));
    open.clear();
  };
  try {
    for (const { day, table, batch } of batchesIn(source, plan)) {
      const of = isoTime(day * DAY_MS).slice(0, 'yyyy-mm'.length);
      if (of !== month) endMonth();
      month = of;
      const target = open.get(table) ?? begun(table, { plan, month, directory, watch });
      open.set(table, target);
      target.writer.write(batch);
      target.rows += batch.rows;
      watch.onRows(batch.rows);
    }
    endMonth();
  } catch (error) {
    for (const { file } of open.values()) file.abandon();
    throw error;
  }
  const manifest = manifestOf(plan, files);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(directory, MANIFEST_NAME), text, { mode: 0o600, flag: 'wx', flush: true });
  syncDirectory(directory);
  return manifest;
}

/** Everything, by day: first what rows there are, then sums. */
function* batchesIn(
  { segments, sums }: ExportSource,
  { tables, span }: ExportPlan,
): Generator<{ readonly day: number; readonly table: ExportTable; readonly batch: Batch }> {
  const rowTables = ROW_TABLES.filter((table) => tables.includes(table));
  const room = new Room();
  for (const segment of segments) {
    const { day } = segment;
    const taken = takenSessions(segment, span, room);
    for (const table of rowTables) {
      const batches = table === 'sessions' ? sessionBatches(taken) : hitBatches(taken, table);
      for (const batch of batches) yield { day, table, batch };
    }
  }
  if (!tables.includes('imported_sums')) return;
  for (const some of sums) yield { day: some.day, table: 'imported_sums', batch: sumBatch(some) };
}

function begun(
  table: ExportTable,
  to: { plan: ExportPlan; month: string; directory: string; watch: ExportWatch },
): OpenTable {
  const { format } = to.plan;
  const name = `${table}-${to.month}.${format}`;
  const file = new OutputFile(join(to.directory, name), (count) => to.watch.onBytes(count));
  return { name, table, file, writer: WRITERS[format](file, EXPORT_COLUMNS[table]), rows: 0 };
}

function finished({ name, table, file, writer, rows }: OpenTable, month: string): ManifestFile {
  writer.finish();
  return { name, table, month, rows, ...file.finish() };
}

function manifestOf(plan: ExportPlan, files: readonly ManifestFile[]): Manifest {
  const { format, tables, domain, from, to, createdMs } = plan;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return {
    ...{ product: 'footfall', format: EXPORT_FORMAT, file_format: format, what: tables, domain },
    ...{ from, to, created: isoTime(createdMs), rows, files },
  };
}
