/**
 * From a 64-bit id to the row that holds it: open addressing over the `low`/`high` columns of a table.
 *
 * Data plane. The index keeps only row numbers; the ids stay in the table, so it can be rebuilt from
 * the table at any time and is never written to disk. Rows are never removed.
 *
 * The slots may be of any number: an id's place is a hash of it as a fraction of them. So they grow
 * by half, not by doubling, and stay at least two fifths full.
 */

/** What the index needs of a table: the halves of the ids by row. */
interface IdTable {
  readonly rowCount: number;
  readonly columns: { readonly low: Uint32Array; readonly high: Uint32Array };
}

const SLOTS_MIN = 16;
/** Rows per slot beyond which there are more slots. */
const LOAD_MAX = 0.625;
const SLOTS_GROWTH = 1.5;
/** The share of the slots that one step of a 32-bit hash is. */
const HASH_STEP = 1 / 0x1_0000_0000;

/** Rows of a table by their id. */
export class IdIndex {
  readonly #table: IdTable;
  // Row + 1; 0 is an empty slot.
  #slots: Uint32Array;
  #used = 0;

  /** Has room for the rows that the table already has, and none of them yet: `include` is next. */
  constructor(table: IdTable) {
    this.#table = table;
    this.#slots = new Uint32Array(slotCount(SLOTS_MIN, table.rowCount));
  }

  /** Indexes the rows `[first, end)` that the table already has. */
  include(first: number, end: number): void {
    for (let row = first; row < end; row++) this.#insert(row);
  }

  /** @returns the row of the id, −1 if there is none. @cost constant, allocates nothing. */
  find(low: number, high: number): number {
    const { low: lows, high: highs } = this.#table.columns;
    const slots = this.#slots;
    let slot = slotOf(low, slots.length);
    for (;;) {
      const entry = slots[slot]!;
      if (entry === 0) return -1;
      const row = entry - 1;
      if (lows[row] === low && highs[row] === high) return row;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  }

  /** Adds a row just appended, whose id is not in the index yet. */
  add(row: number): void {
    if (this.#used + 1 > this.#slots.length * LOAD_MAX) {
      this.#rebuild(row + 1);
      return;
    }
    this.#insert(row);
  }

  /** Bytes of the slots. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  #insert(row: number): void {
    const slots = this.#slots;
    let slot = slotOf(this.#table.columns.low[row]!, slots.length);
    while (slots[slot] !== 0) slot = slot + 1 === slots.length ? 0 : slot + 1;
    slots[slot] = row + 1;
    this.#used++;
  }

  #rebuild(rows: number): void {
    this.#slots = new Uint32Array(slotCount(this.#slots.length, rows));
    this.#used = 0;
    for (let row = 0; row < rows; row++) this.#insert(row);
  }
}

/** As many slots as rows need, from a number of them on. */
function slotCount(from: number, rows: number): number {
  let length = from;
  while (length * LOAD_MAX < rows) length = Math.ceil(length * SLOTS_GROWTH);
  return length;
}

/** Ids are keyed hashes, and the odd multiplier spreads those of tests, too. */
function slotOf(low: number, slots: number): number {
  return ((Math.imul(low, 0x9e3779b1) >>> 0) * HASH_STEP * slots) >>> 0;
}
