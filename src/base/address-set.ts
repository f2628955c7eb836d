/**
 * A set of IP addresses made of ranges, of any number: sorted, joined where they overlap, searched by
 * halves.
 *
 * Data plane. Lists of blocked networks have up to millions of entries: a range takes 8 bytes (IPv6:
 * 32) in memory that threads can share, and a look-up some 20 steps. The platform's `BlockList` walks
 * its ranges one by one.
 *
 *     ipv4   first │ last │ first │ last …      one word each; ranges are ascending and apart
 *     ipv6   the same with four words each
 */
import { IP_WORD_COUNT, readIpWords } from './ip-words.ts';

/** The ranges of a set; may lie in shared memory. Nobody writes them. */
export interface AddressRanges {
  readonly ipv4: Uint32Array;
  readonly ipv6: Uint32Array;
}

/** Gathers ranges, in any order. */
export class AddressRangeList {
  readonly #ipv4 = new Words();
  readonly #ipv6 = new Words();
  readonly #words = new Uint32Array(IP_WORD_COUNT);

  /**
   * Adds an address, or a range such as `10.0.0.0/8`; bits behind its mask do not matter.
   *
   * @returns false: the text is neither.
   */
  add(range: string): boolean {
    const slash = range.indexOf('/');
    const address = slash === -1 ? range : range.slice(0, slash);
    const words = this.#words;
    const family = readIpWords(address, words);
    // A zone belongs to one machine's own network.
    if (family === 0 || address.includes('%')) return false;
    const isMapped = family === 4 && address.includes(':');
    let bits = family === 4 ? 32 : 128;
    if (slash !== -1) {
      const given = range.slice(slash + 1);
      if (!/^\d{1,3}$/.test(given)) return false;
      // Of an IPv4 address in IPv6 the mask counts from the start of the IPv6 address.
      const own = Number(given) - (isMapped ? MAPPED_BITS : 0);
      if (own < 0 || own > bits) return false;
      bits = own;
    }
    if (family === 4) this.#ipv4.push(firstWord(words[0]!, bits), lastWord(words[0]!, bits));
    else this.#addIpv6(words, bits);
    return true;
  }

  /** The ranges that were added, sorted and joined. @param isShared so that threads can share them. */
  ranges(isShared = false): AddressRanges {
    return {
      ipv4: kept(joinedIpv4(this.#ipv4.view()), isShared),
      ipv6: kept(joinedIpv6(this.#ipv6.view()), isShared),
    };
  }

  #addIpv6(words: Uint32Array, bits: number): void {
    for (let word = 0; word < IP_WORD_COUNT; word++) {
      this.#ipv6.push(firstWord(words[word]!, bits - word * 32));
    }
    for (let word = 0; word < IP_WORD_COUNT; word++) {
      this.#ipv6.push(lastWord(words[word]!, bits - word * 32));
    }
  }
}

/** A set that answers. */
export class AddressSet {
  readonly #ipv4: Uint32Array;
  readonly #ipv6: Uint32Array;

  constructor(ranges: AddressRanges) {
    this.#ipv4 = ranges.ipv4;
    this.#ipv6 = ranges.ipv6;
  }

  /** Nothing is in it. */
  get isEmpty(): boolean {
    return this.#ipv4.length === 0 && this.#ipv6.length === 0;
  }

  /**
   * Whether an address is in it.
   *
   * @param family as `readIpWords` says it of `words`.
   * @cost the logarithm of the number of ranges; allocates nothing.
   */
  has(family: number, words: Uint32Array): boolean {
    if (family === 4) return isInIpv4(this.#ipv4, words[0]!);
    return family === 6 && isInIpv6(this.#ipv6, words);
  }
}

/** A set of ranges that were checked before. */
export function addressSet(ranges: Iterable<string>): AddressSet {
  const list = new AddressRangeList();
  for (const range of ranges) list.add(range);
  return new AddressSet(list.ranges());
}

/** A list of numbers that grows. */
class Words {
  #words = new Uint32Array(64);
  #length = 0;

  push(...words: number[]): void {
    if (this.#length + words.length > this.#words.length) {
      const grown = new Uint32Array(this.#words.length * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    for (const word of words) this.#words[this.#length++] = word;
  }

  view(): Uint32Array {
    return this.#words.slice(0, this.#length);
  }
}

/** The lowest word of a range that this many bits of a word tell, and the highest. */
function firstWord(word: number, bits: number): number {
  return (word & maskOf(bits)) >>> 0;
}

function lastWord(word: number, bits: number): number {
  return (word | ~maskOf(bits)) >>> 0;
}

function maskOf(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

function joinedIpv4(pairs: Uint32Array): Uint32Array {
  // As one number each, the first address above the last: sorted by the platform.
  const keys = new BigUint64Array(pairs.length / 2);
  for (let pair = 0; pair < keys.length; pair++) {
    keys[pair] = (BigInt(pairs[pair * 2]!) << 32n) | BigInt(pairs[pair * 2 + 1]!);
  }
  keys.sort();
  let end = 0;
  for (const key of keys) {
    const first = Number(key >> 32n);
    const last = Number(key & 0xffffffffn);
    if (end > 0 && first <= pairs[end - 1]! + 1) {
      if (last > pairs[end - 1]!) pairs[end - 1] = last;
    } else {
      pairs[end++] = first;
      pairs[end++] = last;
    }
  }
  return pairs.subarray(0, end);
}

const RANGE_WORDS = 2 * IP_WORD_COUNT;

function joinedIpv6(words: Uint32Array): Uint32Array {
  const order = new Uint32Array(words.length / RANGE_WORDS).map((_, index) => index * RANGE_WORDS);
  order.sort((left, right) => compared(words, left, words, right));
  const joined = new Uint32Array(words.length);
  let end = 0;
  for (const at of order) {
    const lastAt = end - IP_WORD_COUNT;
    // Ranges of masks are apart or one is in the other: they never overlap in part.
    const isCovered = end > 0 && compared(words, at + IP_WORD_COUNT, joined, lastAt) <= 0;
    if (isCovered) continue;
    // Of two that begin together the later one is the wider one here.
    if (end > 0 && compared(words, at, joined, end - RANGE_WORDS) === 0) end -= RANGE_WORDS;
    joined.set(words.subarray(at, at + RANGE_WORDS), end);
    end += RANGE_WORDS;
  }
  return joined.subarray(0, end);
}

/** Below 0, 0 or above: how the four words at one place stand to those at another. */
function compared(left: Uint32Array, leftAt: number, right: Uint32Array, rightAt: number): number {
  for (let word = 0; word < IP_WORD_COUNT; word++) {
    const difference = left[leftAt + word]! - right[rightAt + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function isInIpv4(pairs: Uint32Array, address: number): boolean {
  let low = 0;
  let high = pairs.length >>> 1;
  // Ends behind the last range that begins at the address or before it.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[middle * 2]! <= address) low = middle + 1;
    else high = middle;
  }
  return low > 0 && address <= pairs[low * 2 - 1]!;
}

function isInIpv6(ranges: Uint32Array, address: Uint32Array): boolean {
  let low = 0;
  let high = ranges.length / RANGE_WORDS;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compared(ranges, middle * RANGE_WORDS, address, 0) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compared(address, 0, ranges, low * RANGE_WORDS - IP_WORD_COUNT) <= 0;
}

function kept(words: Uint32Array, isShared: boolean): Uint32Array {
  if (!isShared) return words.slice();
  const shared = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  shared.set(words);
  return shared;
}

/** Bits before an IPv4 address in IPv6. */
const MAPPED_BITS = 96;
