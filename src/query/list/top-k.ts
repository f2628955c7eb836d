/**
 * A bound that all of the first `count` values lie within: what lies beyond cannot be on the page.
 *
 * Data plane. Values are gathered in a buffer of twice the count; when it is full it is sorted and
 * cut to the first half, whose last value is the bound from then on. Ties with it are taken.
 */

/** The bound of the first values of a stream, in ascending or descending order. */
export class FirstBound {
  readonly #count: number;
  /** 1 or −1: values are compared times this. */
  readonly #sign: number;
  readonly #values: Float64Array;
  #held = 0;
  #bound = Number.POSITIVE_INFINITY;

  constructor(count: number, direction: 'asc' | 'desc') {
    this.#count = count;
    this.#sign = direction === 'asc' ? 1 : -1;
    this.#values = new Float64Array(count * 2);
  }

  /** Whether a value could be among the first; it is not noted. */
  mayTake(value: number): boolean {
    return value * this.#sign <= this.#bound;
  }

  /** Whether a value may be among the first. @cost one comparison for most of a long stream. */
  takes(value: number): boolean {
    const signed = value * this.#sign;
    if (signed > this.#bound) return false;
    const values = this.#values;
    values[this.#held++] = signed;
    if (this.#held === values.length) {
      values.sort();
      this.#held = this.#count;
      this.#bound = values[this.#count - 1]!;
    }
    return true;
  }
}
