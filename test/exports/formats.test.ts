// Goal: the files of an export hold every row with all of its columns, the same in each format (P-10).
// Method: random hits make segments; the files of all formats are read by the parsers of others.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { EXPORT_COLUMNS, type ExportTable, ROW_TABLES } from '../../src/exports/columns.ts';
import { writeExportFiles } from '../../src/exports/export-segments.ts';
import { type Manifest, readManifest } from '../../src/exports/manifest.ts';
import { planOf } from '../../src/exports/plan.ts';
import type { DaySums } from '../../src/exports/rows/sum-rows.ts';
import { unguardedCell } from '../../src/exports/write/csv.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/limits.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { DomainState } from '../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { applyHits, event, hit, keepAlive } from '../shard/hit-builder.ts';
import { tries } from '../support/runs.ts';
import { makeTemporaryDirectory } from '../support/service.ts';

const NOTHING_STORED = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};
const LAST_OF_MAY_MS = Date.UTC(2024, 4, 31);
const DOMAIN = { id: 'd', hostname: 'example.org', timezone: 'Europe/Berlin' };
const WATCH = { onBytes: () => undefined, onRows: () => undefined };

/** Texts that formats have to escape, or that readers might take for something else. */
const text = fc.constantFrom(
  ...['', '/', "it's", "'", '"', 'a,b', 'a\r\nb', '=1+1', '+1', '-1', '@x', '\tt', 'ä', '👩‍🚀'],
  ...['{}', 'null', '0', '1e3', ' x ', '__proto__', '10'],
);

const traffic = fc.array(
  fc.record({
    kind: fc.constantFrom('view', 'view', 'event', 'keepAlive'),
    person: fc.nat({ max: 3 }),
    // Over the end of a month, and mostly within sessions.
    minutes: fc.nat({ max: 3 * 24 * 60 }),
    path: text,
    title: text,
    browser: text,
    pairs: fc.uniqueArray(text, { maxLength: 3 }),
    seconds: fc.constantFrom(0, 1, 4_294_967_295),
  }),
  { maxLength: 60 },
);

type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

function segmentsOf(given: Traffic): Segment[] {
  const domain = new DomainState(NOTHING_STORED, asDomainId('d'), null);
  const hits = given
    .toSorted((one, other) => one.minutes - other.minutes)
    .map(({ kind, person, minutes, seconds, pairs: keys, ...texts }): Hit => {
      const timeMs = LAST_OF_MAY_MS + minutes * MINUTE_MS + person;
      if (kind === 'keepAlive') return keepAlive(person, timeMs);
      const pairs = keys.length === 0 ? null : keys.flatMap((key, at) => [key, keys[at] ?? '']);
      if (kind === 'view') return hit(person, timeMs, { ...texts, pairs });
      return event(person, timeMs, { ...texts, pairs, eventDurationSeconds: seconds });
    });
  applyHits(new Sessionizer(), domain, hits);
  return [...domain.segments.values()].map(({ segment }) => segment).sort((a, b) => a.day - b.day);
}

/** The rows of a file as plain objects of texts, numbers and flags, as far as they can be told apart. */
type Rows = Record<string, unknown>[];

function typed(table: ExportTable, row: Record<string, unknown>): Record<string, unknown> {
  const entries = EXPORT_COLUMNS[table].map(({ name, type }) => {
    const value = row[name];
    if (value instanceof Date) {
      const iso = value.toISOString();
      return [name, type === 'date' ? iso.slice(0, 10) : iso];
    }
    if (type === 'id') return [name, String(value)];
    if (type === 'sum') return [name, Number(value)];
    if (type === 'pairs') return [name, typeof value === 'string' ? value : JSON.stringify(value)];
    return [name, value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function csvRows(table: ExportTable, path: string): Rows {
  const { data, errors } = papaparse.parse<Record<string, string>>(readFileSync(path, 'utf8'), {
    ...{ header: true, skipEmptyLines: true },
  });
  expect(errors).toEqual([]);
  return data.map((cells) => {
    const row = EXPORT_COLUMNS[table].map(({ name, type }) => {
      const cell = cells[name] as string;
      if (type === 'count' || type === 'sum') return [name, Number(cell)];
      if (type === 'flag') return [name, cell === 'true'];
      return [name, type === 'text' ? unguardedCell(cell) : cell || '{}'];
    });
    return typed(table, Object.fromEntries(row) as Record<string, unknown>);
  });
}

function ndjsonRows(table: ExportTable, path: string): Rows {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => typed(table, JSON.parse(line) as Record<string, unknown>));
}

async function parquetRows(table: ExportTable, path: string): Promise<Rows> {
  const bytes = new Uint8Array(readFileSync(path));
  const rows = await parquetReadObjects({ file: bytes.buffer });
  return rows.map((row) => {
    const pairs = ['tags', 'meta'].filter((name) => row[name] === '');
    return typed(table, { ...row, ...Object.fromEntries(pairs.map((name) => [name, '{}'])) });
  });
}

/** Of a month of their own, and above what 32 bits hold. */
const SUMS: readonly DaySums[] = [
  {
    ...{ day: Date.UTC(2024, 1, 29) / DAY_MS, dimension: 'city' },
    columns: {
      ...{ values: ['=Köln', ''], countries: ['de', ''], visitors: [1, 2], views: [2 ** 40, 3] },
      ...{ sessions: [4, 5], bounces: [0, 1], seconds: [2 ** 52, 0] },
    },
  },
];
const SUM_ROWS = [
  {
    ...{ day: '2024-02-29', dimension: 'city', value: '=Köln', country_code: 'de', visitors: 1 },
    ...{ page_views: 2 ** 40, sessions: 4, bounces: 0, duration_seconds: 2 ** 52 },
  },
  {
    ...{ day: '2024-02-29', dimension: 'city', value: '', country_code: '', visitors: 2 },
    ...{ page_views: 3, sessions: 5, bounces: 1, duration_seconds: 0 },
  },
];

const READ = { csv: csvRows, ndjson: ndjsonRows, parquet: parquetRows };

async function exported(
  segments: Segment[],
  format: keyof typeof READ,
  days: { fromDay: number | null; toDay: number | null } = { fromDay: null, toDay: null },
): Promise<{ manifest: Manifest; tables: Record<string, Rows> }> {
  const directory = join(makeTemporaryDirectory(), 'out');
  const plan = planOf({ what: 'all', format, ...days }, DOMAIN, 0);
  const manifest = writeExportFiles({ segments, sums: SUMS }, plan, directory, WATCH);
  expect(readManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'))).toEqual(manifest);
  const tables: Record<string, Rows> = { sessions: [], views: [], events: [] };
  for (const { name, table, month, rows, bytes, sha256 } of manifest.files) {
    const path = join(directory, name);
    const content = readFileSync(path);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect(statSync(path).size).toBe(bytes);
    const found = await READ[format](table, path);
    expect(found.length).toBe(rows);
    expect(found.every((row) => String(row.day).startsWith(month))).toBe(true);
    tables[table] = [...(tables[table] ?? []), ...found];
  }
  rmSync(directory, { recursive: true });
  return { manifest, tables };
}

test('every format has the same rows, whatever texts they hold (P-10)', async () => {
  await fc.assert(
    fc.asyncProperty(traffic, async (given) => {
      const segments = segmentsOf(given);
      const csv = await exported(segments, 'csv');
      for (const format of ['ndjson', 'parquet'] as const) {
        const { tables, manifest } = await exported(segments, format);
        // Whole numbers of a JSON object come first when it is read: texts of objects are compared read.
        expect(readPairs(tables)).toEqual(readPairs(csv.tables));
        expect(manifest.rows).toBe(csv.manifest.rows);
      }
      const counts = ROW_TABLES.map((table) =>
        segments.reduce((sum, segment) => sum + segment[table].rowCount, 0),
      );
      expect(ROW_TABLES.map((table) => csv.tables[table]?.length)).toEqual(counts);
      expect(csv.tables.imported_sums).toEqual(SUM_ROWS);
    }),
    tries(200),
  );
});

function readPairs(tables: Record<string, Rows>): Record<string, Rows> {
  const read = (value: unknown) => Object.entries(JSON.parse(value as string) as object);
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows.map((row) => ({
        ...row,
        ...('tags' in row ? { tags: read(row.tags) } : {}),
        ...('meta' in row ? { meta: read(row.meta) } : {}),
      })),
    ]),
  );
}

test('what a spreadsheet would take for a formula is guarded (P-10)', async () => {
  const segments = segmentsOf([
    {
      ...{ kind: 'view', person: 1, minutes: 1, path: '/a', title: '=HYPERLINK("x")' },
      ...{ browser: '@b', pairs: [], seconds: 0 as const },
    },
  ]);
  const directory = join(makeTemporaryDirectory(), 'out');
  const plan = planOf({ what: 'sessions', format: 'csv', fromDay: null, toDay: null }, DOMAIN, 0);
  const { files } = writeExportFiles({ segments, sums: [] }, plan, directory, WATCH);
  expect(files.map(({ name }) => name)).toEqual(['sessions-2024-05.csv']);
  const line = readFileSync(join(directory, 'sessions-2024-05.csv'), 'utf8').split('\r\n')[1];
  expect(line).toContain(`/a,"'=HYPERLINK(""x"")",/a,"'=HYPERLINK(""x"")",`);
  expect(line).toContain(",'@b,");
});

test('days are those of the zone of the domain, and a session belongs to its start (P-10)', async () => {
  const day = LAST_OF_MAY_MS / DAY_MS;
  // Half an hour over midnight in Berlin, which is two hours ahead.
  const minutes = (22 * HOUR_MS) / MINUTE_MS;
  const at = (minute: number, person: number) => ({
    ...{ kind: 'view' as const, person, minutes: minutes + minute, path: `/${minute}` },
    ...{ title: '', browser: '', pairs: [], seconds: 0 as const },
  });
  const segments = segmentsOf([at(-5, 1), at(5, 1), at(10, 2)]);
  const { tables } = await exported(segments, 'csv', { fromDay: day, toDay: day });
  expect(tables.views?.map(({ path }) => path)).toEqual(['/-5', '/5']);
  const next = await exported(segments, 'csv', { fromDay: day + 1, toDay: null });
  expect(next.tables.views?.map(({ path }) => path)).toEqual(['/10']);
  expect(next.manifest.from).toBe('2024-06-01');
});

test.each([1, 255, 256, 257, 65_537])(
  'Parquet of %i rows with as many different paths comes back',
  async (count) => {
    const domain = new DomainState(NOTHING_STORED, asDomainId('d'), null);
    const sessionizer = new Sessionizer();
    const hits = Array.from({ length: count }, (_, number) =>
      hit(number, LAST_OF_MAY_MS + number, { path: `/${number}`, title: `t${number % 300}` }),
    );
    applyHits(sessionizer, domain, hits);
    const [segment] = [...domain.segments.values()].map((open) => open.segment);
    const { tables } = await exported([segment as Segment], 'parquet');
    expect(tables.views?.length).toBe(count);
    const right = tables.views?.every(
      ({ path, title }, row) => path === `/${row}` && title === `t${row % 300}`,
    );
    expect(right).toBe(true);
  },
);
