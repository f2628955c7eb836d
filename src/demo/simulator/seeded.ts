/**
 * Repeatable randomness for the simulator and the benchmarks: the same seed gives the same visitors.
 *
 * Control plane. Never used for anything that must be secret; that is `base/random`.
 * The generator is Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, one multiply-mix a
 * number, and good enough for picking pages.
 */

/** Values with their weights; the weights need not add up to anything. */
export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

/** A stream of random numbers that depends on the seed alone. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Whether something of this probability happens. */
  happens(chance: number): boolean {
    return this.next() < chance;
  }

  /** One element of a list that is not empty, each equally likely. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** One value of a table that is not empty, by weight. */
  weighted<T>(table: Weighted<T>): T {
    let rest = this.next() * table.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of table) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return (table.at(-1) as readonly [number, T])[1];
  }

  /**
   * A position that favours the low ones as page views favour the popular pages.
   *
   * The density falls with the square of the position: a tenth of the pages gets a third of the
   * views, without the tables that an exact Zipf distribution would need.
   */
  popular(bound: number): number {
    return Math.floor(this.next() ** 2 * bound);
  }

  /** A waiting time with this mean: short ones are frequent, long ones happen. */
  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }
}
