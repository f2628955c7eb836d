/**
 * Round-robin queue: items are taken key by key in turn, first come first served within a key.
 *
 * Control plane. Between two items of one key at most one item of each other key is taken. When the
 * queue is full, the last item of the key with the most items is dropped.
 *
 *     a: 1 2 3 4
 *     b: 5            taken: 1 5 6 2 7 3 4
 *     c: 6 7
 */

/** A bounded round-robin queue. */
export class FairQueue<T> {
  readonly #countMax: number;
  // Insertion order is the order of turns.
  readonly #items = new Map<string, T[]>();
  #count = 0;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Adds an item.
   *
   * @returns the item that had to go for it, perhaps itself; null when there was room.
   */
  push(key: string, item: T): T | null {
    const items = this.#items.get(key);
    if (items === undefined) this.#items.set(key, [item]);
    else items.push(item);
    this.#count++;
    return this.#count > this.#countMax ? this.#dropLast() : null;
  }

  /** Puts an item that was taken in front of those of its key, and its key behind the others. */
  putBack(key: string, item: T): void {
    const items = this.#items.get(key) ?? [];
    this.#items.delete(key);
    this.#items.set(key, [item, ...items]);
    this.#count++;
  }

  /**
   * Takes the item whose turn it is; null when there is none.
   *
   * @param fits whether an item can be taken at all; what cannot is passed over and keeps its place.
   */
  take(fits: (item: T) => boolean = () => true): T | null {
    for (const [key, items] of this.#items) {
      const at = items.findIndex(fits);
      if (at < 0) continue;
      this.#items.delete(key);
      const [item] = items.splice(at, 1) as [T];
      if (items.length > 0) this.#items.set(key, items);
      this.#count--;
      return item;
    }
    return null;
  }

  /** Takes out every item that a test holds for, in order of turns. @cost a test of each. */
  takeWhere(test: (item: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [key, items] of this.#items) {
      const left: T[] = [];
      for (const item of items) (test(item) ? taken : left).push(item);
      if (left.length === items.length) continue;
      if (left.length === 0) this.#items.delete(key);
      else this.#items.set(key, left);
    }
    this.#count -= taken.length;
    return taken;
  }

  #dropLast(): T {
    let most: T[] = [];
    let mostKey = '';
    for (const [key, items] of this.#items) {
      if (items.length > most.length) [most, mostKey] = [items, key];
    }
    const last = most.pop() as T;
    if (most.length === 0) this.#items.delete(mostKey);
    this.#count--;
    return last;
  }
}
