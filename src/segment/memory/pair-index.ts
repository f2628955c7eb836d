/**
 * Pairs of ids ↔ dense ids: what "by path and title" or "by name and URL" is grouped by.
 *
 * Data plane. Open addressing with linear probing over typed arrays, at most half full.
 */

// Small enough for arrays without a buffer of their own: most indexes of most days stay small.
const SLOTS_MIN = 16;

/** Dense ids for pairs of unsigned 32-bit ids, in order of first appearance. */
export class PairIndex {
  /** Number of distinct pairs. */
  count = 0;
  /** Sides of a pair by its id. */
  firsts = new Uint32Array(SLOTS_MIN / 2);
  seconds = new Uint32Array(SLOTS_MIN / 2);
  /** Id + 1 of the pair in a slot, 0 when free. */
  #slots = new Uint32Array(SLOTS_MIN);

  /** Id of a pair, the next free one if it is new. @cost amortized constant. */
  idOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(first, second) & mask;
    for (;;) {
      const held = slots[slot]!;
      if (held === 0) break;
      if (this.firsts[held - 1] === first && this.seconds[held - 1] === second) return held - 1;
      slot = (slot + 1) & mask;
    }
    const id = this.count;
    slots[slot] = id + 1;
    this.firsts[id] = first;
    this.seconds[id] = second;
    this.count = id + 1;
    if (this.count === this.firsts.length) this.#grow();
    return id;
  }

  /** Whether a pair has an id. @cost constant. */
  has(first: number, second: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(first, second) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1;
      if (this.firsts[id] === first && this.seconds[id] === second) return true;
    }
    return false;
  }

  /** Bytes held in memory. */
  get bytes(): number {
    return this.firsts.byteLength + this.seconds.byteLength + this.#slots.byteLength;
  }

  #grow(): void {
    this.firsts = doubled(this.firsts);
    this.seconds = doubled(this.seconds);
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = hash(this.firsts[id]!, this.seconds[id]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

function doubled(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(words.length * 2);
  grown.set(words);
  return grown;
}

/** Ids are small and dense; two odd multipliers and a fold spread them over the low bits. */
function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
