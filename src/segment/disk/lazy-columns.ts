/**
 * Lazily decoded columns of a stored table: each is decoded when it is first used.
 *
 * Data plane. A query uses a few of a table's forty columns, so a query thread holds those and
 * leaves the rest on disk. Arrays are as long as their rows; those of a day that still grows get an
 * eighth more. Ids take as many bytes as the largest of them needs: most are below 256. Columns in
 * memory are refreshed by decoding the blocks whose version changed.
 *
 *     columns.path → getter → held? the array : decode its part of every block
 */

import { assert } from '../../base/assert.ts';
import type { Columns } from '../memory/columns.ts';
import type { ColumnWidth, Layout } from '../memory/layout.ts';
import type { RowRange, Table } from '../memory/table.ts';
import { type ColumnTarget, decodeColumn } from './block-codec.ts';

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The blocks of a table in the snapshot that is being read. */
export interface BlockSource {
  /** Bytes of a block. @throws when it is not there. */
  read(block: number): Uint8Array;
  /** The error for one that is not what was written. */
  damage(block: number): Error;
}

/** How derived columns come to be. */
export interface Derivation {
  /**
   * Makes them from the others.
   *
   * @param isAnew the arrays are new and empty; otherwise only rows were added.
   */
  derive(columns: Columns<Layout>, rows: number, isAnew: boolean): void;
  /** Whether rows that are added can be followed; otherwise they are always made anew. */
  readonly follows: boolean;
}

/** What is the same for all tables of a layout. */
interface Plan {
  readonly widths: readonly ColumnWidth[];
  /** By column: its position in the blocks, −1 if it is derived. */
  readonly positions: readonly number[];
  /** Getters by column name: an object that has forty of its own is slow to make, ninety days a view. */
  readonly getters: object;
}

const plans = new Map<Layout, Plan>();

/** What getters take columns from. */
interface Taken {
  readonly take: (index: number) => Column;
}

function planOf<L extends Layout>({ layout, names, storedNames }: Table<L>): Plan {
  const known = plans.get(layout);
  if (known !== undefined) return known;
  const getters = {};
  for (const [index, name] of names.entries()) {
    const get = function (this: Taken): Column {
      return this.take(index);
    };
    Object.defineProperty(getters, name, { get, enumerable: true });
  }
  const positions = names.map((name) => storedNames.indexOf(name));
  const plan = { widths: Object.values(layout), positions, getters };
  plans.set(layout, plan);
  return plan;
}

/** Columns of one stored table. */
export class LazyColumns<L extends Layout> {
  /** Getters by column name; take a column once per loop. */
  readonly columns: Columns<L>;
  readonly #names: readonly string[];
  readonly #widths: readonly ColumnWidth[];
  /** By column: its position in the blocks, −1 if it is derived. */
  readonly #positions: readonly number[];
  /** By column: where it is decoded to. */
  readonly #targets: ColumnTarget[] = [];
  /** By column: the block that single values were last taken from. */
  readonly #looked: { block: number; values: Column }[] = [];
  readonly #blockRows: number;
  readonly #derivation: Derivation | null;
  readonly #arrays: (Column | null)[];
  /** By column: the use that took it last. */
  readonly #touched: Float64Array;
  #use = 0;
  readonly #source: BlockSource;
  #rows = 0;
  #versions: readonly number[] = [];
  #bytes = 0;

  /** @param derivation null for a table without derived columns. */
  constructor(table: Table<L>, source: BlockSource, derivation: Derivation | null) {
    const { widths, positions, getters } = planOf(table);
    this.#names = table.names;
    this.#widths = widths;
    this.#positions = positions;
    this.#blockRows = table.blockRows;
    this.#derivation = derivation;
    this.#arrays = this.#widths.map(() => null);
    this.#touched = new Float64Array(this.#widths.length);
    this.#source = source;
    const taken: Taken = { take: (index) => this.#take(index) };
    this.columns = Object.assign(Object.create(getters) as Columns<L>, taken);
  }

  /** Bytes of the arrays held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Brings the columns held up to a newer state of the table.
   *
   * @param versions version of every block; those that differ from the last call are decoded again.
   */
  refresh(rows: number, versions: readonly number[]): void {
    const before = this.#versions;
    this.#looked.length = 0;
    this.#rows = rows;
    this.#versions = versions;
    if (this.#derivation?.follows === false) this.#dropDerived();
    const held = this.#arrays.flatMap((array, index) => (array === null ? [] : [index]));
    if (held.length === 0) return;
    for (const index of held) this.#grow(index);
    const stored = held.filter((index) => this.#positions[index]! >= 0);
    for (let block = 0; block * this.#blockRows < rows; block++) {
      if (before[block] === versions[block]) continue;
      const bytes = this.#source.read(block);
      for (const index of stored) this.#decode(bytes, index, block);
    }
    if (stored.length === held.length) return;
    this.#derivation?.derive(this.columns as Columns<Layout>, rows, false);
  }

  /** One value of a column: of one that is not held, only the block that it is in is decoded. */
  at(name: string, row: number): number {
    const index = this.#names.indexOf(name);
    const array = this.#arrays[index];
    if (array != null || this.#positions[index]! < 0) return this.#take(index)[row]!;
    const block = Math.floor(row / this.#blockRows);
    let looked = this.#looked[index];
    if (looked === undefined || looked.block !== block) {
      looked = { block, values: this.#look(index, block) };
      this.#looked[index] = looked;
    }
    return looked.values[row - block * this.#blockRows]!;
  }

  /**
   * Copies some rows of a column. Of one that is not held only the blocks that they are in are decoded,
   * and nothing of it is held afterwards.
   *
   * @param rows `[first, end)`; a block begins at the first, another one or nothing at the end.
   * @param into has room for them, and for the largest value that the column may have.
   */
  copy(name: string, { first, end }: RowRange, into: Uint32Array | Float64Array): void {
    const index = this.#names.indexOf(name);
    const array = this.#arrays[index];
    if (array != null || this.#positions[index]! < 0) {
      into.set(this.#take(index).subarray(first, end));
      return;
    }
    for (let row = first; row < end; row += this.#blockRows) {
      this.#decodeInto(into, row - first, { index, block: row / this.#blockRows });
    }
  }

  #look(index: number, block: number): Column {
    const length = Math.min(this.#rows - block * this.#blockRows, this.#blockRows);
    const values = arrayOf(wholeWidth(this.#widths[index] as ColumnWidth), length);
    this.#decodeInto(values, 0, { index, block });
    return values;
  }

  #decodeInto(values: Column, at: number, { index, block }: { index: number; block: number }) {
    const length = Math.min(this.#rows - block * this.#blockRows, this.#blockRows);
    const width = wholeWidth(this.#widths[index] as ColumnWidth);
    const target = { position: this.#positions[index] as number, width, room: () => values };
    if (decodeColumn(this.#source.read(block), target, at) !== length) {
      throw this.#source.damage(block);
    }
  }

  /** What is taken from now on is for this use: a question, or a batch of them. */
  begin(use: number): void {
    this.#use = use;
    // Not counted in bytes, so not kept from one use to the next.
    this.#looked.length = 0;
  }

  /** Lets go of columns that no use from this one on has touched. */
  dropUntouched(since: number): void {
    for (let index = 0; index < this.#arrays.length; index++) {
      if (this.#touched[index]! < since) this.#drop(index);
    }
  }

  #take(index: number): Column {
    this.#touched[index] = this.#use;
    const array = this.#arrays[index];
    if (array != null && this.#positions[index]! >= 0) return array;
    if (this.#positions[index]! < 0) this.#touchDerived();
    return array ?? this.#load(index);
  }

  #load(index: number): Column {
    if (this.#positions[index]! < 0) {
      this.#loadDerived();
      return this.#arrays[index] as Column;
    }
    this.#allocate(index);
    for (let block = 0; block * this.#blockRows < this.#rows; block++) {
      this.#decode(this.#source.read(block), index, block);
    }
    return this.#arrays[index] as Column;
  }

  /** Derived columns come and go together: each is made with the help of the others. */
  #loadDerived(): void {
    assert(this.#derivation !== null, 'a table with derived columns knows how to make them');
    this.#positions.forEach((position, index) => {
      if (position < 0) this.#allocate(index);
    });
    this.#derivation.derive(this.columns as Columns<Layout>, this.#rows, true);
  }

  #dropDerived(): void {
    this.#positions.forEach((position, index) => {
      if (position < 0) this.#drop(index);
    });
  }

  #drop(index: number): void {
    this.#bytes -= this.#arrays[index]?.byteLength ?? 0;
    this.#arrays[index] = null;
  }

  #touchDerived(): void {
    this.#positions.forEach((position, index) => {
      if (position < 0) this.#touched[index] = this.#use;
    });
  }

  #allocate(index: number): void {
    this.#drop(index);
    this.#replace(index, arrayOf(this.#widths[index] as ColumnWidth, this.#rows));
  }

  #replace(index: number, array: Column): void {
    this.#bytes += array.byteLength - (this.#arrays[index]?.byteLength ?? 0);
    this.#arrays[index] = array;
  }

  #decode(bytes: Uint8Array, index: number, block: number): void {
    const first = block * this.#blockRows;
    this.#targets[index] ??= {
      position: this.#positions[index] as number,
      width: this.#widths[index] as ColumnWidth,
      room: (most) => this.#room(index, most),
    };
    const rows = decodeColumn(bytes, this.#targets[index], first);
    const isWhole = rows === Math.min(this.#rows - first, this.#blockRows);
    if (!isWhole) throw this.#source.damage(block);
  }

  /** The array of a column, made wider if a value asks for it: twice in its life at the most. */
  #room(index: number, most: number): Column {
    const array = this.#arrays[index] as Column;
    const bytes = most > 0xffff ? 4 : most > 0xff ? 2 : 1;
    if (bytes <= array.BYTES_PER_ELEMENT) return array;
    const wider = bytes === 2 ? new Uint16Array(array.length) : new Uint32Array(array.length);
    wider.set(array);
    this.#replace(index, wider);
    return wider;
  }

  #grow(index: number): void {
    const array = this.#arrays[index] as Column;
    if (array.length >= this.#rows) return;
    const grown = new (array.constructor as Uint8ArrayConstructor)(this.#rows + (this.#rows >>> 3));
    grown.set(array);
    this.#replace(index, grown);
  }
}

/** As wide as any value may be. */
function wholeWidth(width: ColumnWidth): ColumnWidth {
  return width === 'id' ? 'u32' : width;
}

function arrayOf(width: ColumnWidth, length: number): Column {
  if (width === 'f64') return new Float64Array(length);
  if (width === 'u32') return new Uint32Array(length);
  if (width === 'u16') return new Uint16Array(length);
  return new Uint8Array(length);
}
