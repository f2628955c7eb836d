/**
 * How near an actor is to its bound of memory: counted where memory is taken, cheap enough per hit.
 *
 * Data plane. What is applied takes some multiple of its record's bytes, a day that is opened takes
 * what it takes. When so much came that the bound may be reached, somebody has to look
 * (`save/evict-days.ts`), who measures everything and says how much may come until the next look.
 */

/** Memory that a byte of a record may take: a new text of few letters takes most. */
const GROWTH_FACTOR = 16;

/** One per actor; all of its shards count in it. */
export class OpenMemory {
  /** Rises with every record and every opened day: days remember when they were last used. */
  clock = 0;
  #left = Number.POSITIVE_INFINITY;
  #relieve: (() => void) | null = null;

  /** Says who looks. Until then nothing is bounded. */
  onDue(relieve: () => void): void {
    this.#relieve = relieve;
    this.#left = 0;
  }

  /** Whether it is time to look. */
  get isDue(): boolean {
    return this.#left <= 0;
  }

  /** A record is about to be applied. */
  noteRecord(bytes: number): void {
    this.clock++;
    this.#left -= bytes * GROWTH_FACTOR;
  }

  /** A day was brought in from disk. */
  noteOpened(bytes: number): void {
    this.clock++;
    this.#left -= bytes;
  }

  /** Looks, and makes room if need be. Nobody is in the middle of a hit. */
  relieve(): void {
    this.#relieve?.();
  }

  /** The next look is when about so many bytes have come. */
  leave(bytes: number): void {
    this.#left = bytes;
  }
}
