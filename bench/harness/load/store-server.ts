/**
 * What one would write oneself: a server that puts every hit into a table of SQLite or DuckDB, all that
 * came in a turn of the event loop in one transaction, and answers once that is on disk. It checks
 * nothing, knows no visitors and counts nothing.
 *
 * Control plane; a process of its own. Arguments: `sqlite` or `duckdb`, and the file of the database.
 * SQLite is libsql's build of it (better-sqlite3 needs an install script, or Node 22): WAL, synchronous
 * FULL. Packages of `bench/package.json`, so the few types that are needed stand here.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../report/machine.ts';
import { type Reply, serveBodies } from './bare-server.ts';

/** In this order in the table, too. */
const FIELDS = [
  ...['time', 'url', 'title', 'referrer', 'ip', 'user_agent', 'accept_language'],
  ...['screen_width', 'screen_height', 'event_name'],
] as const;
type Item = Partial<Record<(typeof FIELDS)[number], string | number>>;

interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: string[]): void };
}
interface Appender {
  appendVarchar(value: string): void;
  endRow(): void;
  flushSync(): void;
}
interface DuckApi {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        run(sql: string): Promise<unknown>;
        createAppender(table: string): Promise<Appender>;
      }>;
    }>;
  };
}

/** Packages of `bench/package.json` alone: they are there only where somebody installed them. */
const [SQLITE, DUCKDB] = ['libsql', '@duckdb/node-api'] as const;
const require = createRequire(join(ROOT, 'bench/package.json'));
const CREATE = `CREATE TABLE hit (${FIELDS.map((field) => `${field} TEXT`).join(', ')})`;

const [kind, path = ''] = process.argv.slice(2);
const store = kind === 'sqlite' ? openSqlite() : await openDuckdb();
let rows: Item[] = [];
let replies: Reply[] = [];

await serveBodies((body, reply) => {
  const sent = JSON.parse(body.toString('utf8')) as Item | Item[];
  if (Array.isArray(sent)) rows.push(...sent);
  else rows.push(sent);
  if (replies.push(reply) === 1) setImmediate(commit);
});

function commit(): void {
  const answered = replies;
  store(rows);
  rows = [];
  replies = [];
  for (const reply of answered) reply();
}

function textsOf(row: Item): string[] {
  return FIELDS.map((field) => String(row[field] ?? ''));
}

function openSqlite(): (items: readonly Item[]) => void {
  const Database = require(SQLITE) as new (path: string) => SqliteDatabase;
  const database = new Database(path);
  database.exec('PRAGMA journal_mode=WAL');
  database.exec('PRAGMA synchronous=FULL');
  database.exec(CREATE);
  const insert = database.prepare(`INSERT INTO hit VALUES (${FIELDS.map(() => '?').join(', ')})`);
  return (items) => {
    database.exec('BEGIN');
    for (const item of items) insert.run(...textsOf(item));
    database.exec('COMMIT');
  };
}

async function openDuckdb(): Promise<(items: readonly Item[]) => void> {
  const { DuckDBInstance } = require(DUCKDB) as DuckApi;
  const connection = await (await DuckDBInstance.create(path)).connect();
  await connection.run(CREATE);
  const appender = await connection.createAppender('hit');
  return (items) => {
    for (const item of items) {
      for (const text of textsOf(item)) appender.appendVarchar(text);
      appender.endRow();
    }
    // Commits: what was appended is in the write-ahead log on disk.
    appender.flushSync();
  };
}
