/**
 * Seeded randomness: every part of a run draws from a stream of its own, named by what it is for.
 *
 * The content of the load, the schedule of the faults and the questions of a round come from
 * `seed`, `round` and a name only; what hangs on the machine (rests, retries) has other streams,
 * so that a slower machine sends the same requests, only fewer of them.
 */

/** One stream of numbers that its names repeat. */
export class Stream {
  #state: number;

  constructor(...names: readonly (string | number)[]) {
    // FNV-1a over the names; mulberry32 spreads it.
    let hash = 2_166_136_261;
    for (const code of Buffer.from(names.join('/'))) hash = Math.imul(hash ^ code, 16_777_619);
    this.#state = hash >>> 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** Whether something of that share (0 to 1) happens. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of them. @throws TypeError when there is none. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.whole(0, values.length - 1)];
    if (value === undefined) throw new TypeError('nothing to pick from');
    return value;
  }

  /** As `pick`; a value of weight 3 comes three times as often as one of weight 1. */
  weighted<Value>(values: readonly (readonly [weight: number, value: Value])[]): Value {
    const sum = values.reduce((total, [weight]) => total + weight, 0);
    let rest = this.next() * sum;
    for (const [weight, value] of values) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return this.pick(values)[1];
  }
}
