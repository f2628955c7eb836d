/**
 * How much memory an actor may still take before its open days have to be measured again.
 *
 * Data plane, a subtraction per record. Applying a record takes at most some multiple of its bytes,
 * opening a day takes its size. When the allowance is used up, `save/evict-days.ts` measures
 * everything, evicts days if need be, and grants the next allowance.
 */

/** Memory that a byte of a record may take: a new text of few letters takes most. */
const GROWTH_FACTOR = 16;

/** One per actor; all of its shards count in it. */
export class OpenMemory {
  /** Counts records and opened days: the time by which days are least recently used. */
  useCount = 0;
  #allowance = Number.POSITIVE_INFINITY;
  #check: (() => void) | null = null;

  /** Sets who measures. Until then nothing is bounded. */
  onDue(relieve: () => void): void {
    this.#check = relieve;
    this.#allowance = 0;
  }

  /** Whether the allowance is used up. */
  get isDue(): boolean {
    return this.#allowance <= 0;
  }

  /** A record is about to be applied. */
  noteRecord(bytes: number): void {
    this.useCount++;
    this.#allowance -= bytes * GROWTH_FACTOR;
  }

  /** A day was brought in from disk. */
  noteOpened(bytes: number): void {
    this.useCount++;
    this.#allowance -= bytes;
  }

  /** Measures, and evicts days if need be. Never in the middle of a hit. */
  check(): void {
    this.#check?.();
  }

  /** Grants the next allowance, in bytes. */
  allow(bytes: number): void {
    this.#allowance = bytes;
  }
}
