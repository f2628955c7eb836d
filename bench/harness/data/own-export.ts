/**
 * An export of our own in CSV (P-10), as large as one likes: for `macro/imports`.
 *
 * Control plane. Written by hand, not by what exports, so that a fault of both would be seen.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPORT_COLUMNS, EXPORT_FORMAT, type ExportTable } from '../../../src/exports/columns.ts';
import { MANIFEST_NAME, type ManifestFile } from '../../../src/exports/manifest.ts';
import { DAY_MS } from '../../../src/model/limits.ts';
import {
  countVisit,
  iso,
  Lines,
  type MadeSource,
  noSums,
  SOURCE_DAYS,
  SOURCE_FIRST_MS,
  type SourceExtent,
  VIEWS_PER_VISIT,
  type View,
  viewsOf,
} from './source-parts.ts';

const TABLES = ['sessions', 'views'] as const;
/** A visit is a row of its own, beside its views. */
const ROWS_PER_VISIT = 1 + VIEWS_PER_VISIT;

type Row = Readonly<Record<string, string | number | boolean>>;

/** Makes one of about so many rows, sessions and views together. */
export function makeOwnExport(folder: string, { rows, seed }: SourceExtent): MadeSource {
  const visits = Math.ceil(rows / ROWS_PER_VISIT);
  const sums = noSums();
  const files: ManifestFile[] = [];
  const monthOf = (day: number) => iso(SOURCE_FIRST_MS + day * DAY_MS).slice(0, 7);
  let month = new Month(folder, monthOf(0));
  for (let day = 0; day < SOURCE_DAYS; day++) {
    if (monthOf(day) !== month.name) {
      files.push(...month.close());
      month = new Month(folder, monthOf(day));
    }
    for (let visit = day; visit < visits; visit += SOURCE_DAYS) {
      const views = viewsOf(visit, seed);
      month.add(views);
      countVisit(sums, views);
    }
  }
  files.push(...month.close());
  const made = files.reduce((sum, file) => sum + file.rows, 0);
  writeManifest(folder, files, made);
  return { rows: made, counted: visits, sums };
}

/** The files of a month. */
class Month {
  readonly name: string;
  readonly #files: { readonly table: (typeof TABLES)[number]; readonly lines: Lines }[];
  #visits = 0;

  constructor(folder: string, name: string) {
    this.name = name;
    this.#files = TABLES.map((table) => {
      const lines = new Lines(join(folder, `${table}-${name}.csv`));
      const head = EXPORT_COLUMNS[table].map((column) => column.name).join(',');
      lines.add(`${head}\r\n`);
      return { table, lines };
    });
  }

  add(views: readonly View[]): void {
    this.#visits++;
    for (const { table, lines } of this.#files) {
      const rows = table === 'sessions' ? [sessionRow(views)] : views.map(viewRow);
      for (const row of rows) lines.add(lineOf(table, row));
    }
  }

  /** @returns what the manifest says of them. */
  close(): ManifestFile[] {
    return this.#files.map(({ table, lines }) => ({
      name: `${table}-${this.name}.csv`,
      ...{ table, month: this.name },
      rows: this.#visits * (table === 'sessions' ? 1 : VIEWS_PER_VISIT),
      ...lines.close(),
    }));
  }
}

function keyOf({ visit, atMs }: View): Row {
  return { day: iso(atMs).slice(0, 10), visitor_id: visit + 1, session_id: visit + 1 };
}

function sessionRow(views: readonly View[]): Row {
  const first = views[0]!;
  const last = views.at(-1)!;
  return {
    ...keyOf(first),
    ...{ start: iso(first.atMs), time: iso(last.atMs) },
    duration_seconds: (last.atMs - first.atMs) / 1_000,
    ...{ entry_path: first.path, entry_title: 'Title', exit_path: last.path, exit_title: 'Title' },
    ...{ page_views: views.length, is_bounce: false, extended: 0, platform: 'desktop' },
    ...{ language: 'de', country_code: 'de', browser: 'Firefox', os: 'Windows' },
  };
}

function viewRow(view: View): Row {
  const { atMs, path } = view;
  return { ...keyOf(view), time: iso(atMs), path, title: 'Title', duration_seconds: 0 };
}

function lineOf(table: ExportTable, row: Row): string {
  return `${EXPORT_COLUMNS[table].map(({ name }) => String(row[name] ?? '')).join(',')}\r\n`;
}

function writeManifest(folder: string, files: readonly ManifestFile[], rows: number): void {
  const manifest = {
    ...{ product: 'footfall', format: EXPORT_FORMAT, file_format: 'csv' },
    what: ['sessions', 'views', 'events'],
    domain: { id: 'x', hostname: 'example.org', timezone: 'UTC' },
    ...{ from: null, to: null, created: iso(Date.UTC(2026, 10, 1)), rows, files },
  };
  writeFileSync(join(folder, MANIFEST_NAME), JSON.stringify(manifest, null, 2));
}
