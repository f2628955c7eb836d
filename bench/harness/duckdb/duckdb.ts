/**
 * DuckDB in this process, if it is installed: opened, filled chunk by chunk, asked.
 *
 * Control plane. `@duckdb/node-api` is a package of `bench/package.json` alone, so nobody who only
 * runs Footfall installs it, and the few types that are needed of it stand here.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../report/machine.ts';

const PACKAGE = '@duckdb/node-api';
/** Of the rivals' comparison: as many as the machine of the issues has cores. */
const THREADS = 2;
/** DuckDB's vector size: rows of a chunk. */
const CHUNK_ROWS = 2_048;

/** How to get it; said when it is missing. */
export const DUCKDB_HINT = 'DuckDB is not installed: npm ci --prefix bench';

/** A value of a row as DuckDB gives it. */
export type DuckValue = string | number | bigint | boolean | null | readonly DuckValue[];
/** A row by the names of its columns. */
export type DuckRow = Readonly<Record<string, DuckValue>>;

interface Vector {
  setItem(index: number, value: DuckValue): void;
  flush(): void;
}
interface Chunk {
  reset(): void;
  rowCount: number;
  getColumnVector(column: number): Vector;
}
interface Appender {
  columnCount: number;
  columnType(column: number): unknown;
  appendDataChunk(chunk: Chunk): void;
  closeSync(): void;
}
interface Reader {
  getRowObjectsJS(): DuckRow[];
}
interface Connection {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<{ runAndReadAll(): Promise<Reader> }>;
  createAppender(table: string): Promise<Appender>;
  closeSync(): void;
}
interface Api {
  version(): string;
  DuckDBInstance: {
    create(
      path: string,
      options: Record<string, string>,
    ): Promise<{
      connect(): Promise<Connection>;
      closeSync(): void;
    }>;
  };
  DuckDBDataChunk: { create(types: readonly unknown[], rowCount: number): Chunk };
}

/** A database in memory. */
export interface DuckDb {
  version: string;
  run(sql: string): Promise<void>;
  /** Prepares a question; the returned function asks it. */
  prepare(sql: string): Promise<() => Promise<DuckRow[]>>;
  /** Appends rows to a table. @param read the value of a row's column, columns in table order. */
  fill(table: string, parts: Iterable<Part>): Promise<void>;
  close(): void;
}

/** Some rows: how many, and the value of every column of a row. */
export interface Part {
  rows: number;
  columns: readonly ((row: number) => DuckValue)[];
}

/**
 * Opens a database in memory with two threads.
 *
 * @param options.mayInstall runs `npm ci` in `bench` first when the package is missing.
 * @returns null when it is not installed.
 */
export async function openDuckDb(options: { mayInstall: boolean }): Promise<DuckDb | null> {
  let api = findApi();
  if (api === null && options.mayInstall) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', join(ROOT, 'bench')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    api = findApi();
  }
  if (api === null) return null;
  const found = api;
  const instance = await found.DuckDBInstance.create(':memory:', { threads: String(THREADS) });
  const connection = await instance.connect();
  return {
    version: found.version(),
    run: async (sql) => {
      await connection.run(sql);
    },
    prepare: async (sql) => {
      const prepared = await connection.prepare(sql);
      return async () => (await prepared.runAndReadAll()).getRowObjectsJS();
    },
    fill: async (table, parts) => {
      const appender = await connection.createAppender(table);
      for (const part of parts) append(found, appender, part);
      appender.closeSync();
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function findApi(): Api | null {
  const require = createRequire(join(ROOT, 'bench/package.json'));
  try {
    return require(PACKAGE) as Api;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/**
 * One chunk for all: the memory of a chunk is DuckDB's, which the garbage collector knows nothing of.
 */
function append(api: Api, appender: Appender, { rows, columns }: Part): void {
  const types = columns.map((_, column) => appender.columnType(column));
  const chunk = api.DuckDBDataChunk.create(types, CHUNK_ROWS);
  for (let first = 0; first < rows; first += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rows - first);
    chunk.reset();
    chunk.rowCount = count;
    columns.forEach((read, column) => {
      const vector = chunk.getColumnVector(column);
      for (let index = 0; index < count; index++) vector.setItem(index, read(first + index));
      vector.flush();
    });
    appender.appendDataChunk(chunk);
  }
}
