/**
 * From a 64-bit id to the row that holds it: open addressing over the `low`/`high` columns of a table.
 *
 * Data plane. The index keeps only row numbers; the ids stay in the table, so it can be rebuilt from
 * the table at any time and is never written to disk. Rows are never removed.
 */

/** What the index needs of a table: the halves of the ids by row. */
interface IdTable {
  readonly rowCount: number;
  readonly columns: { readonly low: Uint32Array; readonly high: Uint32Array };
}

const SLOTS_MIN = 16;

/** Rows of a table by their id. */
export class IdIndex {
  readonly #table: IdTable;
  // Row + 1; 0 is an empty slot.
  #slots = new Uint32Array(SLOTS_MIN);
  #used = 0;

  /** Indexes the rows that the table already has. */
  constructor(table: IdTable) {
    this.#table = table;
    if (table.rowCount > 0) this.#rebuild(table.rowCount);
  }

  /** @returns the row of the id, −1 if there is none. @cost constant, allocates nothing. */
  find(low: number, high: number): number {
    const { low: lows, high: highs } = this.#table.columns;
    const slots = this.#slots;
    const mask = slots.length - 1;
    // Ids are keyed hashes: their low bits are as good as any hash of them.
    let slot = low & mask;
    for (;;) {
      const entry = slots[slot]!;
      if (entry === 0) return -1;
      const row = entry - 1;
      if (lows[row] === low && highs[row] === high) return row;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds a row just appended, whose id is not in the index yet. */
  add(row: number): void {
    if ((this.#used + 1) * 2 > this.#slots.length) {
      this.#rebuild(row + 1);
      return;
    }
    this.#insert(row);
  }

  #insert(row: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#table.columns.low[row]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
    this.#used++;
  }

  #rebuild(rows: number): void {
    let length = SLOTS_MIN;
    while (length < rows * 4) length *= 2;
    this.#slots = new Uint32Array(length);
    this.#used = 0;
    for (let row = 0; row < rows; row++) this.#insert(row);
  }
}
