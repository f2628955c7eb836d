/**
 * From the key of a pre-aggregate to its row, and the few facts about visitors that counting needs.
 *
 * Data plane. Derived from the tables when a segment is opened, never on disk. Single keys are dense
 * dictionary ids, so their rows are an array; several keys become one dense id by `PairIndex` first.
 *
 *     (code, first, second, third) ─▶ id ─▶ row of `rollups`      (path) ─▶ row of `pages`
 *     (path, title) ─▶ row of `titledPages`, −1 while the path has that one title only
 */

import { DAY_MS } from '../../model/limits.ts';
import { NONE } from '../memory/layout.ts';
import { PairIndex } from '../memory/pair-index.ts';
import type { Segment } from '../memory/segment.ts';
import { grownLength } from '../memory/table.ts';
import { FAMILY_COUNT, keyCountOf, QUARTER_MS } from './families.ts';

const ROWS_MIN = 8;

/** Dense ids to rows. */
class RowMap {
  // Row + 1; 0 is an id without a row.
  #rows = new Uint32Array(ROWS_MIN);

  /** By id: row + 1, 0 without one. Until the next `set`. */
  get rowsById(): Uint32Array {
    return this.#rows;
  }

  rowOf(id: number): number {
    return id < this.#rows.length ? this.#rows[id]! - 1 : -1;
  }

  get bytes(): number {
    return this.#rows.byteLength;
  }

  set(id: number, row: number): void {
    if (id >= this.#rows.length) {
      const grown = new Uint32Array(grownLength(this.#rows.length, id + 1));
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[id] = row + 1;
  }
}

/** The rows of one family. */
class FamilyRows {
  readonly rows = new RowMap();
  readonly second: PairIndex | null;
  readonly third: PairIndex | null;

  constructor(keyCount: number) {
    this.second = keyCount > 1 ? new PairIndex() : null;
    this.third = keyCount > 2 ? new PairIndex() : null;
  }

  get bytes(): number {
    return this.rows.bytes + (this.second?.bytes ?? 0) + (this.third?.bytes ?? 0);
  }

  idOf(first: number, second: number, third: number): number {
    if (this.second === null) return first;
    const pair = this.second.idOf(first, second);
    return this.third === null ? pair : this.third.idOf(pair, third);
  }
}

/** Rows of the pre-aggregates of one segment by their keys. */
export class RollupIndex {
  readonly #segment: Segment;
  readonly #families: (FamilyRows | null)[] = new Array(FAMILY_COUNT).fill(null);
  readonly #pages = new RowMap();
  readonly #titled = new PairIndex();
  readonly #quarters = new RowMap();
  readonly #firstQuarter: number;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.#firstQuarter = (segment.day * DAY_MS) / QUARTER_MS;
    const { rollups, pages, titledPages, quarters } = segment;
    const { family, first, second, third } = rollups.columns;
    for (let row = 0; row < rollups.rowCount; row++) {
      const rows = this.#family(family[row]!);
      rows.rows.set(rows.idOf(first[row]!, second[row]!, third[row]!), row);
    }
    for (let row = 0; row < pages.rowCount; row++) this.#pages.set(pages.columns.path[row]!, row);
    for (let row = 0; row < titledPages.rowCount; row++) {
      this.#titled.idOf(titledPages.columns.path[row]!, titledPages.columns.title[row]!);
    }
    for (let row = 0; row < quarters.rowCount; row++) {
      this.#quarters.set(quarters.columns.quarter[row]! - this.#firstQuarter, row);
    }
  }

  /** Bytes held in memory. */
  get bytes(): number {
    let bytes = this.#pages.bytes + this.#titled.bytes + this.#quarters.bytes;
    for (const family of this.#families) bytes += family?.bytes ?? 0;
    return bytes;
  }

  /** Row of a group in `rollups`, added if new. Unused keys are 0. @cost amortized constant. */
  rollupRow(code: number, first: number, second: number, third: number): number {
    const family = this.#family(code);
    const id = family.idOf(first, second, third);
    const known = family.rows.rowOf(id);
    if (known >= 0) return known;
    const { rollups } = this.#segment;
    const row = rollups.append();
    const { columns } = rollups;
    columns.family[row] = code;
    columns.first[row] = first;
    columns.second[row] = second;
    columns.third[row] = third;
    family.rows.set(id, row);
    return row;
  }

  /** Id of a group, dense in its family; whether it has a row or not. @cost amortized constant. */
  idOf(code: number, first: number, second: number, third: number): number {
    return this.#family(code).idOf(first, second, third);
  }

  /** Of a family: row + 1 by id, 0 for ids without one; ids may be beyond. Until a row is added. */
  rowsById(code: number): Uint32Array {
    return this.#family(code).rows.rowsById;
  }

  /** Row of a path in `pages`, added if new, with the title it has been seen with. */
  pageRow(path: number, title: number): number {
    const known = this.#pages.rowOf(path);
    if (known >= 0) return known;
    const { pages } = this.#segment;
    const row = pages.append();
    pages.columns.path[row] = path;
    pages.columns.title[row] = title;
    this.#pages.set(path, row);
    return row;
  }

  /**
   * Row of a path and title in `titledPages`, −1 while the path's only title is this one.
   *
   * When a path gets its second title, what its row counted so far is what its first title counted.
   *
   * @param page the path's row in `pages`, before the hit at hand is counted in it.
   */
  titledRow(page: number, path: number, title: number): number {
    const { pages } = this.#segment;
    const only = pages.columns.title[page]!;
    if (only === title) return -1;
    if (only !== NONE) {
      this.#addTitled(path, only, page);
      pages.columns.title[page] = NONE;
      pages.touch(page);
    }
    const { count } = this.#titled;
    const known = this.#titled.idOf(path, title);
    if (known < count) return known;
    return this.#appendTitled(path, title);
  }

  /** Row of the quarter of an hour of an instant, added if new. */
  quarterRow(timeMs: number): number {
    const quarter = Math.floor(timeMs / QUARTER_MS);
    const known = this.#quarters.rowOf(quarter - this.#firstQuarter);
    if (known >= 0) return known;
    const { quarters } = this.#segment;
    const row = quarters.append();
    quarters.columns.quarter[row] = quarter;
    this.#quarters.set(quarter - this.#firstQuarter, row);
    return row;
  }

  #addTitled(path: number, title: number, page: number): void {
    this.#titled.idOf(path, title);
    const row = this.#appendTitled(path, title);
    const { names, columns } = this.#segment.titledPages;
    const source = this.#segment.pages.columns;
    for (let index = 2; index < names.length; index++) {
      const name = names[index]!;
      columns[name][row] = source[name][page]!;
    }
  }

  #appendTitled(path: number, title: number): number {
    const { titledPages } = this.#segment;
    const row = titledPages.append();
    titledPages.columns.path[row] = path;
    titledPages.columns.title[row] = title;
    return row;
  }

  #family(code: number): FamilyRows {
    let family = this.#families[code]!;
    if (family === null) {
      family = new FamilyRows(keyCountOf(code));
      this.#families[code] = family;
    }
    return family;
  }
}
