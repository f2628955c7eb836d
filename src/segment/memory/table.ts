/**
 * A growing columnar table: typed arrays over one buffer, rows appended at the end.
 *
 * Data plane. Readers use `table.columns.path[row]` directly. The arrays in `columns` are replaced
 * when the table grows or a column is widened, so a loop takes them once per turn and never across an
 * `append` or a look-up that may add a text.
 *
 * Columns of ids begin a byte wide. Whoever hands out a first id of 256 or of 65,536 widens them
 * before (`widen`, `bound`, `Dictionary`), so that nobody has to check when a value is written.
 *
 *     buffer:  | f64 columns | u32 columns | u16 columns | u8 columns |   each `capacity` long
 *     blocks:  rows 0..1023 | 1024..2047 | …   the unit that a checkpoint writes when dirty;
 *              of tables whose rows never change, 4096 rows each
 */

import {
  type ArrayWidth,
  allocate,
  BYTES,
  type Columns,
  planOf,
  rowBytesOf,
  viewOf,
} from './columns.ts';
import type { Layout } from './layout.ts';

/** Rows of a block, the unit of writing, and of whatever else goes over a table in pieces. */
export const BLOCK_ROWS = 1_024;
/**
 * Rows of a block of a table whose rows stay as they were written: only the last block is written
 * again, and the disk's pages of 4 KiB are better filled by large ones.
 */
export const APPENDED_BLOCK_ROWS = 4_096;
const CAPACITY_ROWS_MIN = 8;
/** Rows up to which a table quadruples when it is full: making arrays costs more than their bytes. */
const QUADRUPLING_ROWS_MAX = 256;
/** Rows up to which a table doubles when it is full; from there on it grows by an eighth. */
const DOUBLING_ROWS_MAX = 1 << 12;
/**
 * Bytes from which a table reserves room instead: large arrays are the kernel's fresh pages, which take
 * memory once they are written to. To copy a large table takes a tenth of a second; that is to be rare.
 */
const RESERVING_BYTES_MIN = 8 << 20;
const RESERVED_TIMES = 8;

/** Rows `[first, end)`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Where the columns of a table for reading come from. */
export interface ColumnSource<L extends Layout> {
  readonly columns: Columns<L>;
  /** Bytes held. */
  readonly bytes: number;
  at(name: string, row: number): number;
  copy(name: string, rows: RowRange, into: Uint32Array | Float64Array): void;
}

/** A growing columnar table with dirty blocks. */
export class Table<L extends Layout> {
  readonly layout: L;
  /** Names of the columns in layout order. */
  readonly names: readonly (keyof L & string)[];
  /** Those that are written to disk. */
  readonly storedNames: readonly (keyof L & string)[];
  rowCount = 0;
  capacity = 0;
  readonly #columns: Columns<L>;
  // What brings the rows in when somebody first asks for a column; null: they are here.
  #bring: (() => void) | null = null;
  // Of a table for reading: where single columns come from.
  #source: ColumnSource<L> | null = null;
  /** Widths in memory by position in `names`. */
  readonly #widths: ArrayWidth[];
  #rowBytes: number;
  /** Columns whose values are row numbers of this table: they are widened before it grows beyond. */
  readonly #followers: { table: Table<Layout>; name: string }[] = [];
  #dirtyFlags = new Uint8Array(1);
  #dirtyBlocks: number[] = [];

  /** Rows of a block on disk. */
  readonly blockRows: number;
  readonly #blockShift: number;

  /**
   * @param options.derived columns that are made anew from others when rows are read from disk.
   * @param options.isAppended whether rows stay as they were written.
   */
  constructor(
    layout: L,
    options: { derived?: readonly (keyof L & string)[]; isAppended?: boolean } = {},
  ) {
    const { derived = [], isAppended = false } = options;
    this.layout = layout;
    this.blockRows = isAppended ? APPENDED_BLOCK_ROWS : BLOCK_ROWS;
    this.#blockShift = 31 - Math.clz32(this.blockRows);
    const plan = planOf(layout);
    this.names = plan.names;
    this.storedNames =
      derived.length === 0 ? plan.names : plan.names.filter((name) => !derived.includes(name));
    this.#widths = [...plan.widths];
    this.#rowBytes = rowBytesOf(this.#widths);
    this.#columns = { ...plan.empty };
  }

  /** The arrays. The first look at a table that was deferred reads its rows. */
  get columns(): Columns<L> {
    if (this.#source !== null) return this.#source.columns;
    if (this.#bring !== null) this.load();
    return this.#columns;
  }

  /** One value, where not the whole column is of interest. */
  at(name: keyof L & string, row: number): number {
    return this.#source === null ? this.columns[name][row]! : this.#source.at(name, row);
  }

  /**
   * Copies some rows of a column, for who goes over the table once and holds nothing of it.
   *
   * @param rows whole blocks, the last one as far as it goes.
   */
  copy(name: keyof L & string, rows: RowRange, into: Uint32Array | Float64Array): void {
    if (this.#source !== null) this.#source.copy(name, rows, into);
    else into.set(this.columns[name].subarray(rows.first, rows.end));
  }

  /**
   * Says how many rows the table has without having them yet.
   *
   * @param bring writes the rows into `columns`, for which there is room by then.
   */
  defer(rows: number, bring: () => void): void {
    this.rowCount = rows;
    this.#bring = bring;
  }

  /** Makes this table one for reading only, whose columns come from elsewhere one by one. */
  readFrom(source: ColumnSource<L>): void {
    this.#source = source;
  }

  /** Reads the rows of a deferred table now. */
  load(): void {
    const bring = this.#bring;
    if (bring === null) return;
    this.makeRoom();
    bring();
  }

  /** Of a deferred table: makes room for its rows, which the caller reads. */
  makeRoom(): void {
    this.#bring = null;
    this.reserve(this.rowCount);
  }

  /** Bytes of the arrays, as far as they were written to. */
  get bytes(): number {
    if (this.#source !== null) return this.#source.bytes;
    const bytes = this.capacity * this.#rowBytes;
    return bytes < RESERVING_BYTES_MIN ? bytes : this.rowCount * this.#rowBytes;
  }

  get blockCount(): number {
    return (this.rowCount + this.blockRows - 1) >>> this.#blockShift;
  }

  /**
   * Appends a row whose columns are all 0 and marks its block dirty.
   *
   * @returns the row. `columns` may hold new arrays afterwards.
   * @cost amortized constant.
   */
  append(): number {
    const row = this.rowCount;
    if (row === this.capacity) this.reserve(row + 1);
    this.rowCount = row + 1;
    this.touch(row);
    return row;
  }

  /** Marks the block of a row as changed since the last checkpoint. @cost constant. */
  touch(row: number): void {
    const block = row >>> this.#blockShift;
    if (block >= this.#dirtyFlags.length) this.#growFlags(block);
    if (this.#dirtyFlags[block] !== 0) return;
    this.#dirtyFlags[block] = 1;
    this.#dirtyBlocks.push(block);
  }

  /** Marks every block dirty: what was taken did not reach the disk. */
  touchAll(): void {
    for (let row = 0; row < this.rowCount; row += this.blockRows) this.touch(row);
  }

  /** Blocks changed since the last call, in no particular order; clears the marks. */
  takeDirtyBlocks(): readonly number[] {
    const blocks = this.#dirtyBlocks;
    for (const block of blocks) this.#dirtyFlags[block] = 0;
    this.#dirtyBlocks = [];
    return blocks;
  }

  get isDirty(): boolean {
    return this.#dirtyBlocks.length > 0;
  }

  /** Makes room for at least `rows` rows in all. */
  reserve(rows: number): void {
    if (rows <= this.capacity) return;
    const least = grownLength(Math.max(this.capacity, CAPACITY_ROWS_MIN), rows);
    const isLarge = least * this.#rowBytes >= RESERVING_BYTES_MIN;
    let capacity = isLarge ? least * RESERVED_TIMES : least;
    for (const { table, name } of this.#followers) table.widen(name, capacity);
    let grown: Columns<L>;
    try {
      grown = allocate(this.names, this.#widths, capacity) as Columns<L>;
    } catch (error) {
      // Some systems give no memory that they do not have, whether it is written to or not.
      if (!isLarge) throw error;
      capacity = least;
      grown = allocate(this.names, this.#widths, capacity) as Columns<L>;
    }
    for (const name of this.names) {
      (grown[name] as Uint32Array).set(this.#columns[name] as Uint32Array);
      this.#columns[name] = grown[name];
    }
    this.capacity = capacity;
  }

  /**
   * Says that an `id` column of a table holds row numbers of this one, or how many rows it has.
   * From then on it is wide enough whenever a row was appended here.
   */
  bound<M extends Layout>(table: Table<M>, name: keyof M & string): void {
    this.#followers.push({ table: table as unknown as Table<Layout>, name });
  }

  /**
   * Makes sure that an `id` column holds values up to `most`. It never gets narrower.
   *
   * @cost nothing, or a copy of the column: twice in its life.
   */
  widen(name: keyof L & string, most: number): void {
    if (this.#source !== null) return;
    const index = this.names.indexOf(name);
    const width = most > 0xffff ? 'u32' : most > 0xff ? 'u16' : 'u8';
    if (BYTES[width] <= BYTES[this.#widths[index]!]) return;
    this.#widths[index] = width;
    this.#rowBytes = rowBytesOf(this.#widths);
    const wider = viewOf(width, new ArrayBuffer(this.capacity * BYTES[width]), 0, this.capacity);
    const rows = Math.min(this.rowCount, this.#columns[name].length);
    (wider as Uint32Array).set((this.#columns[name] as Uint32Array).subarray(0, rows));
    this.#columns[name] = wider as Columns<L>[keyof L & string];
  }

  /** Takes every row out, to be filled anew. */
  clear(): void {
    this.takeDirtyBlocks();
    const empty = allocate(this.names, this.#widths, 0) as Columns<L>;
    for (const name of this.names) this.#columns[name] = empty[name];
    this.#bring = null;
    this.capacity = 0;
    this.rowCount = 0;
  }

  #growFlags(block: number): void {
    const grown = new Uint8Array(Math.max(block + 1, this.#dirtyFlags.length * 2));
    grown.set(this.#dirtyFlags);
    this.#dirtyFlags = grown;
  }
}

/**
 * Length of an array that has to hold `needed`: fourfold, then twofold while small, then an eighth
 * more, so that little of a large one is empty.
 */
export function grownLength(length: number, needed: number): number {
  let grown = length;
  while (grown < needed) {
    if (grown <= QUADRUPLING_ROWS_MAX / 4) grown *= 4;
    else grown = grown < DOUBLING_ROWS_MAX ? grown * 2 : grown + (grown >>> 3);
  }
  return grown;
}
