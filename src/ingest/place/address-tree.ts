/**
 * The search tree of an `.mmdb` file, walked in the bytes of the file.
 *
 * Data plane. A node is two records, one per value of the next bit of the address, and a record is
 * a number of 24, 28 or 32 bits: below the count of nodes the next node, the count itself nothing,
 * above it a leaf, the pointer to the data that many addresses share.
 *
 *     24 bits   l l l | r r r              28 bits   l l l | lr | r r r     32 bits   l l l l | r r r r
 *
 * The trick: where the first 16 bits of an IPv4 address lead is looked up once for all of them, so a
 * walk begins there: half the steps. (A tree for IPv6 lists IPv4 below `::/96`.)
 *
 * Source: https://maxmind.github.io/MaxMind-DB/ (MaxMind DB File Format 2.0, binary search tree).
 */

import { assert } from '../../base/assert.ts';

/** What the metadata of the file says of its tree. */
export interface TreeShape {
  readonly nodeCount: number;
  /** Bits: 24, 28 or 32. */
  readonly recordSize: number;
  /** 4 or 6. */
  readonly ipVersion: number;
}

/** What {@link AddressTree.leafOf} answers for an address the file knows nothing of. */
export const NO_LEAF = 0;

const BITS_ABOVE_IPV4 = 96;
/** Bits that need no walk; 256 KiB a tree. */
const KNOWN_BITS = 16;
const LEFT = 0;

/** Bytes of the whole tree, which the file starts with. */
export function treeByteCount(shape: TreeShape): number {
  return (shape.nodeCount * shape.recordSize) / 4;
}

/** The tree of one file; reads the bytes, never writes them. */
export class AddressTree {
  readonly #bytes: Uint8Array;
  readonly #nodeCount: number;
  readonly #recordSize: number;
  readonly #ipv4Node: number;
  /** First bits of an IPv4 address → the record they lead to. */
  readonly #known = new Uint32Array(2 ** KNOWN_BITS);
  readonly #ipVersion: number;

  /** @param bytes of the file, from its start; the tree keeps them. */
  constructor(bytes: Uint8Array, shape: TreeShape) {
    assert(treeByteCount(shape) <= bytes.length, 'the tree is within the file');
    this.#bytes = bytes;
    this.#nodeCount = shape.nodeCount;
    this.#recordSize = shape.recordSize;
    this.#ipVersion = shape.ipVersion;
    let node = 0;
    if (shape.ipVersion !== 4) {
      for (let bit = 0; bit < BITS_ABOVE_IPV4 && node < shape.nodeCount; bit++) {
        node = recordAt(bytes, shape.recordSize, node, LEFT);
      }
    }
    this.#ipv4Node = node;
    this.#fillKnown(node, 0, 0);
  }

  /** @param first bits that led to the record, and how many. */
  #fillKnown(record: number, first: number, bits: number): void {
    const rest = KNOWN_BITS - bits;
    if (rest === 0 || record >= this.#nodeCount) {
      this.#known.fill(record, first * 2 ** rest, (first + 1) * 2 ** rest);
      return;
    }
    for (const side of [LEFT, 1]) {
      const next = recordAt(this.#bytes, this.#recordSize, record, side);
      this.#fillKnown(next, first * 2 + side, bits + 1);
    }
  }

  /** Whether it lists any address of IPv4. */
  get hasIpv4(): boolean {
    return this.#ipv4Node !== this.#nodeCount;
  }

  /** Whether it lists addresses of IPv6. */
  get hasIpv6(): boolean {
    return this.#ipVersion !== 4;
  }

  /**
   * The leaf that the address belongs to: one number for all addresses with the same data.
   *
   * @param address an IPv4 address as an unsigned number.
   * @returns a number above the count of nodes, or {@link NO_LEAF}.
   * @cost up to 16 steps; allocates nothing.
   */
  leafOf(address: number): number {
    const bytes = this.#bytes;
    const nodeCount = this.#nodeCount;
    const recordSize = this.#recordSize;
    let node = this.#known[address >>> (32 - KNOWN_BITS)]!;
    for (let shift = 31 - KNOWN_BITS; shift >= 0 && node < nodeCount; shift--) {
      node = recordAt(bytes, recordSize, node, (address >>> shift) & 1);
    }
    // A tree deeper than an address is no tree: still at a node means nothing was found.
    return node > nodeCount ? node : NO_LEAF;
  }

  /**
   * The same for an IPv6 address, in a tree that {@link hasIpv6}.
   *
   * @param words of the address, highest bits first.
   * @cost up to 128 steps, 30 to 50 of them in what is routed; allocates nothing.
   */
  leafOfIpv6(words: Uint32Array): number {
    const bytes = this.#bytes;
    const nodeCount = this.#nodeCount;
    const recordSize = this.#recordSize;
    let node = 0;
    for (let bit = 0; bit < 128 && node < nodeCount; bit++) {
      node = recordAt(bytes, recordSize, node, (words[bit >> 5]! >>> (31 - (bit & 31))) & 1);
    }
    return node > nodeCount ? node : NO_LEAF;
  }

  /**
   * Calls back for every record that is no node and not empty, in the order of the nodes.
   *
   * @param each is given a leaf; the same leaf may come many times.
   */
  forEachLeaf(each: (leaf: number) => void): void {
    for (let node = 0; node < this.#nodeCount; node++) {
      const left = recordAt(this.#bytes, this.#recordSize, node, LEFT);
      const right = recordAt(this.#bytes, this.#recordSize, node, 1);
      if (left > this.#nodeCount) each(left);
      if (right > this.#nodeCount) each(right);
    }
  }
}

/** A record of a node; the node is below the count of nodes, which the bytes have room for. */
function recordAt(bytes: Uint8Array, recordSize: number, node: number, side: number): number {
  if (recordSize === 24) {
    const at = node * 6 + side * 3;
    return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  }
  if (recordSize === 28) {
    const at = node * 7;
    const middle = bytes[at + 3]!;
    const high = side === LEFT ? middle >>> 4 : middle & 0x0f;
    const low = at + side * 4;
    return (high << 24) | (bytes[low]! << 16) | (bytes[low + 1]! << 8) | bytes[low + 2]!;
  }
  const at = node * 8 + side * 4;
  const low = (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return bytes[at]! * 0x1_00_00_00 + low;
}
