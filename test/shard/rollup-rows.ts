/** Pre-aggregates of a segment as comparable text: by key, whatever order and split their rows have. */

import { NONE } from '../../src/segment/memory/layout.ts';
import { Segment } from '../../src/segment/memory/segment.ts';
import type { Rollups } from '../../src/segment/rollup/counts.ts';
import { rebuildRollups } from '../../src/segment/rollup/rebuild.ts';

type Row = Record<string, number>;

/** Rows of a table as they stand. */
export function rowsOf(table: Rollups[keyof Rollups]): Row[] {
  const columns = table.columns as unknown as Record<string, ArrayLike<number>>;
  return Array.from({ length: table.rowCount }, (_, row) =>
    Object.fromEntries(table.names.map((name) => [name, columns[name]?.[row] as number])),
  );
}

/** Rows that count nothing say nothing, but for families that only say that a key occurs. */
function counts(row: Row, keys: readonly string[]): boolean {
  return (
    row['family'] === 4 || Object.entries(row).some(([key, n]) => !keys.includes(key) && n !== 0)
  );
}

function lines(name: string, rows: readonly Row[], keys: readonly string[]): string[] {
  return rows.filter((row) => counts(row, keys)).map((row) => `${name} ${JSON.stringify(row)}`);
}

/** Every group and what it counts, sorted. */
export function describeRollups(of: Rollups): string[] {
  const pages = rowsOf(of.pages);
  const single = pages.filter((row) => row['title'] !== NONE);
  const byPath = pages.map((row) => ({ ...row, title: 0 }));
  return [
    ...lines('group', rowsOf(of.rollups), ['family', 'first', 'second', 'third']),
    ...lines('page', byPath, ['path', 'title']),
    ...lines('titled', [...single, ...rowsOf(of.titledPages)], ['path', 'title']),
    ...lines('quarter', rowsOf(of.quarters), ['quarter']),
  ].sort();
}

/** What the segment's columns say that its pre-aggregates are. */
export function describeRebuilt(segment: Segment): string[] {
  const copy = Object.assign(Object.create(Segment.prototype) as Segment, segment);
  const fresh = new Segment(segment.domainId, segment.day);
  const tables = { rollups: fresh.rollups, pages: fresh.pages, titledPages: fresh.titledPages };
  Object.assign(copy, { ...tables, quarters: fresh.quarters });
  rebuildRollups(copy);
  return describeRollups(copy);
}
