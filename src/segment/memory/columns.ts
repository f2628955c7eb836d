/**
 * The arrays of a table: one buffer cut into columns of different widths.
 *
 * Data plane; made when a table is opened or grows, not per row.
 */

import type { ColumnWidth, Layout } from './layout.ts';

interface ArrayOf {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f64: Float64Array;
  /**
   * May be narrower in the memory of an actor: what is copied out of it by `map` or `slice` is, too.
   */
  id: Uint32Array;
}

/** The arrays of a table by column name. */
export type Columns<L extends Layout> = { [K in keyof L]: ArrayOf[L[K]] };

/** Widths of arrays in memory. */
export type ArrayWidth = Exclude<ColumnWidth, 'id'>;

/** Bytes of a value. */
export const BYTES: Readonly<Record<ArrayWidth, number>> = { f64: 8, u32: 4, u16: 2, u8: 1 };
const WIDTHS = ['f64', 'u32', 'u16', 'u8'] as const;

function narrowest(width: ColumnWidth): ArrayWidth {
  return width === 'id' ? 'u8' : width;
}

/** Bytes of a row. */
export function rowBytesOf(widths: readonly ArrayWidth[]): number {
  return widths.reduce((sum, width) => sum + BYTES[width], 0);
}

/** Arrays of so many rows, over one buffer. */
export function allocate(
  names: readonly string[],
  widths: readonly ArrayWidth[],
  capacity: number,
): Columns<Layout> {
  const buffer = new ArrayBuffer(capacity * rowBytesOf(widths));
  const columns: Record<string, unknown> = {};
  let offset = 0;
  for (const width of WIDTHS) {
    for (const [index, name] of names.entries()) {
      if (widths[index] !== width) continue;
      columns[name] = viewOf(width, buffer, offset, capacity);
      offset += capacity * BYTES[width];
    }
  }
  return columns as Columns<Layout>;
}

/** What all tables of a layout have in common. */
interface Plan<L extends Layout> {
  readonly names: readonly (keyof L & string)[];
  readonly widths: readonly ArrayWidth[];
  /** Arrays of no length; copied for each table. */
  readonly empty: Columns<L>;
}

const plans = new Map<Layout, Plan<Layout>>();

/** The plan of a layout, made once. */
export function planOf<L extends Layout>(layout: L): Plan<L> {
  const known = plans.get(layout) as Plan<L> | undefined;
  if (known !== undefined) return known;
  const names: (keyof L & string)[] = Object.keys(layout);
  const widths = names.map((name) => narrowest(layout[name] as ColumnWidth));
  // An object that grows by computed names becomes a hash table beyond a dozen of them, and every read
  // of a column a look-up; one that was parsed has its names at fixed places, and so have its copies.
  const shape = JSON.stringify(Object.fromEntries(names.map((name) => [name, null])));
  const empty = JSON.parse(shape) as Record<string, unknown>;
  for (const [index, name] of names.entries()) {
    empty[name] = viewOf(widths[index]!, new ArrayBuffer(0), 0, 0);
  }
  const plan: Plan<L> = { names, widths, empty: empty as Columns<L> };
  plans.set(layout, plan as unknown as Plan<Layout>);
  return plan;
}

/** Most tables of most days stay empty: they share these. */
const EMPTY = {
  f64: new Float64Array(0),
  u32: new Uint32Array(0),
  u16: new Uint16Array(0),
  u8: new Uint8Array(0),
} as const;

/** An array of a width over a part of a buffer. */
export function viewOf(
  width: ArrayWidth,
  buffer: ArrayBuffer,
  offset: number,
  length: number,
): unknown {
  if (length === 0) return EMPTY[width];
  if (width === 'f64') return new Float64Array(buffer, offset, length);
  if (width === 'u32') return new Uint32Array(buffer, offset, length);
  if (width === 'u16') return new Uint16Array(buffer, offset, length);
  return new Uint8Array(buffer, offset, length);
}
