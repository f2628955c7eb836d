/**
 * How much memory an actor may still take before its open days have to be measured again.
 *
 * Data plane, a subtraction per record. Applying a record takes at most some multiple of its bytes,
 * opening a day takes its size. When the allowance is used up, `save/evict-days.ts` measures
 * everything, evicts days if need be, and grants the next allowance.
 *
 * Events that are to be told are counted, too, by what they come to as entries of the outbox: they are
 * saved in slices, as one transaction holds what it writes in memory.
 */
import { OUTBOX_SAVE_BYTES_MAX } from '../../model/outgoing-limits.ts';

/** Memory that a byte of a record may take: a new text of few letters takes most. */
const GROWTH_FACTOR = 16;

/** One per actor; all of its shards count in it. */
export class OpenMemory {
  /** Counts records and opened days: the time by which days are least recently used. */
  useCount = 0;
  /** Days that came into memory, from disk or new. */
  openedCount = 0;
  #allowance = Number.POSITIVE_INFINITY;
  #check: (() => void) | null = null;
  /** Of entries that were noted since they were last saved from here. */
  #notedBytes = 0;
  readonly #notedBytesMax: number;
  #saveNoted: (() => void) | null = null;

  /** @param notedBytesMax of a slice of entries. */
  constructor(notedBytesMax = OUTBOX_SAVE_BYTES_MAX) {
    this.#notedBytesMax = notedBytesMax;
  }

  /** Sets who measures. Until then nothing is bounded. */
  onDue(relieve: () => void): void {
    this.#check = relieve;
    this.#allowance = 0;
  }

  /** Sets who saves domains with events that are to be told. */
  onNoted(save: () => void): void {
    this.#saveNoted = save;
  }

  /** Whether an allowance is used up. */
  get isDue(): boolean {
    return this.#allowance <= 0 || this.#notedBytes >= this.#notedBytesMax;
  }

  /** An event is to be told: about so many bytes of entries (`entryBytes`). */
  noteNoted(bytes: number): void {
    this.#notedBytes += bytes;
  }

  /** A record is about to be applied. */
  noteRecord(bytes: number): void {
    this.useCount++;
    this.#allowance -= bytes * GROWTH_FACTOR;
  }

  /** A day came into memory. @param bytes that it takes at once: of a new one none. */
  noteOpened(bytes: number): void {
    this.openedCount++;
    this.useCount++;
    this.#allowance -= bytes;
  }

  /** Saves what is to be told, measures, and evicts days if need be. Never in the middle of a hit. */
  check(): void {
    if (this.#notedBytes >= this.#notedBytesMax) {
      this.#notedBytes = 0;
      this.#saveNoted?.();
    }
    if (this.#allowance <= 0) this.#check?.();
  }

  /** Grants the next allowance, in bytes. */
  allow(bytes: number): void {
    this.#allowance = bytes;
  }
}
