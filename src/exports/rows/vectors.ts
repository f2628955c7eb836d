/**
 * Rows of a table of an export in columns, as they come out of a segment: a few thousand at a time.
 *
 * Data plane.
 */

/** Texts by their ids; the list stands as long as the segment that it is of. */
export interface TextVector {
  readonly kind: 'texts';
  readonly ids: ArrayLike<number>;
  readonly texts: readonly string[];
}

/** Whole numbers: counts, instants in milliseconds, UTC days since 1970, 0 or 1. */
export interface NumberVector {
  readonly kind: 'numbers';
  readonly values: ArrayLike<number>;
}

/** Unsigned numbers of 64 bits. */
export interface IdVector {
  readonly kind: 'ids';
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
}

export type Vector = TextVector | NumberVector | IdVector;

/** Rows of one table: a vector for each of its columns, in their order. */
export interface Batch {
  readonly rows: number;
  readonly vectors: readonly Vector[];
}
