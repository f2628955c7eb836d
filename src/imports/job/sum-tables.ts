/**
 * What is wrong with sums only beside each other: sums of a day are added up, so a day that two files
 * have, as of exports whose ranges overlap, would be counted twice.
 *
 * @cost a text for each table and day, up to a bound: days beyond it are not looked at.
 */
import { type ImportedRow, ImportFault } from '../adapter.ts';

/** Tables times days: a dozen of each for fifty years. */
const TABLE_DAY_COUNT_MAX = 250_000;

/** The tables of one source. */
export class SumTables {
  readonly #files = new Map<string, string>();

  /** Notes where rows stand, also those that are not imported. @throws ImportFault. */
  check(rows: readonly ImportedRow[]): void {
    for (const row of rows) {
      if (!('dimension' in row)) continue;
      const { date, dimension, table = '', place } = row;
      const key = `${date}${dimension}${table}`;
      const file = this.#files.get(key);
      if (file === place.file) continue;
      if (file !== undefined) {
        const what = dimension === 'total' ? 'whole days' : dimension;
        throw new ImportFault(place, `${date} of ${what} in one file only, ${file} has it too`);
      }
      if (this.#files.size < TABLE_DAY_COUNT_MAX) this.#files.set(key, place.file);
    }
  }
}
