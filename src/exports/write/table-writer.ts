/** What writes the rows of one table in one format. */

import type { Batch } from '../rows/vectors.ts';

export interface TableWriter {
  write(batch: Batch): void;
  /** Writes what is left and the end of the file. */
  finish(): void;
}
