/**
 * Reads the pages of an LMDB environment without LMDB, to find out whether they hold together.
 *
 * Control plane. LMDB trusts its file: a page that is not what it should be makes entries vanish
 * without a word, or ends the process. So before an environment is opened its trees are walked here:
 * every page must be where its parent says, of the right kind, with nodes inside it and keys in order;
 * the numbers of entries and pages must be those of the tree's record, and no page may be used twice or
 * be free and used. What values hold is not looked at: they have checksums (`checked-values.ts`).
 *
 *     page  | number u64 | transaction u64 | pad u16 | flags u16 | lower u16 | upper u16 |
 *           | offsets of the nodes … free … nodes |
 *     node  | low u16 | high u16 | flags u16 | key bytes u16 | key |
 *           | value, or where it is on pages of its own |
 *
 * Only branch and leaf pages are read: about a hundredth of an environment of large values.
 *
 * @source LMDB data format 2, `mdb.c` of lmdb-js 3.5.6, which adds a third meta page: the last that
 *   was synced, in the second half of page 0.
 */

import { fstatSync, readSync } from 'node:fs';
import {
  fault,
  type MetaPage,
  PAGE_BYTES,
  PageFault,
  pickMeta,
  type TreeRecord,
  treeRecordAt,
} from './lmdb-meta.ts';

const PAGE_HEAD_BYTES = 24;
const NODE_HEAD_BYTES = 8;
const TREE_RECORD_BYTES = 48;
const OVERFLOW_RECORD_BYTES = 24;

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const IS_OVERFLOWN = 0x01;
const IS_TREE = 0x02;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const CUT_OFF = 'the file is cut off';
/** 4 TiB: more is no number of an environment but damage. */
const LAST_PAGE_MAX = 2 ** 30;
/** Name of the tree that lists what is free. */
const FREE = 'free pages';
/** Deeper than any tree of 2^48 entries. */
const DEPTH_MAX = 32;

/** An entry of a tree. */
export interface PageEntry {
  /** Name of the tree; '' for the environment's own. */
  readonly tree: string;
  /** As LMDB has it; valid during the call. */
  readonly key: Buffer;
  /** null: on pages of its own, which `read` reads. */
  readonly inline: Buffer | null;
  /** Valid until something else is read. */
  read(): Buffer;
}

/** What the walk counts, to be compared with the tree's record. */
interface Found {
  entries: number;
  branches: number;
  leaves: number;
  overflows: number;
}

/**
 * Walks all trees of an environment that nobody changes meanwhile, or that a reader has pinned.
 *
 * @param fd its data file, open for reading.
 * @param visit gets every entry in order.
 * @param meta the moment that is walked; the newest when it is left out.
 * @returns what is wrong first, '' when all pages hold together.
 */
export function walkPages(fd: number, visit: (entry: PageEntry) => void, meta?: MetaPage): string {
  try {
    new PageWalk(fd, meta ?? pickMeta(fd), visit).run();
    return '';
  } catch (error) {
    // Numbers that point outside of what was read.
    if (error instanceof PageFault || error instanceof RangeError) return error.message;
    throw error;
  }
}

class PageWalk {
  readonly #fd: number;
  readonly #meta: MetaPage;
  readonly #visit: (entry: PageEntry) => void;
  /** By page: 1 once something is known to use it. */
  readonly #used: Uint8Array;
  readonly #fileBytes: number;
  /** The pages from the first root down to the one that is read, one below the other. */
  readonly #pages: Buffer[] = [];
  #level = 0;
  /** Of a value on pages of its own. */
  #value: Buffer = Buffer.alloc(0);

  constructor(fd: number, meta: MetaPage, visit: (entry: PageEntry) => void) {
    this.#fd = fd;
    this.#meta = meta;
    this.#visit = visit;
    this.#fileBytes = fstatSync(fd).size;
    if (meta.lastPage > LAST_PAGE_MAX) fault(`its last page is ${meta.lastPage}`);
    this.#used = new Uint8Array(meta.lastPage + 1);
    this.#used.fill(1, 0, 2);
  }

  run(): void {
    this.#tree(this.#meta.main, '', this.#visit);
    this.#tree(this.#meta.free, FREE, ({ read }) => this.#takeFree(read()));
  }

  #tree(record: TreeRecord, tree: string, visit: (entry: PageEntry) => void): void {
    const found: Found = { entries: 0, branches: 0, leaves: 0, overflows: 0 };
    const bytes = Buffer.alloc(PAGE_BYTES);
    const order: Order = { bytes, last: null, isBound: false, isNumber: tree === FREE };
    if (record.root !== NO_PAGE) {
      this.#page(this.#numberOf(record.root), record.depth, { tree, found, order, visit });
    }
    for (const name of ['entries', 'branches', 'leaves', 'overflows'] as const) {
      if (found[name] === record[name]) continue;
      fault(`the tree '${tree}' has ${found[name]} ${name}, its record says ${record[name]}`);
    }
  }

  #page(number: number, depth: number, walk: TreeWalk): void {
    if (depth < 1 || depth > DEPTH_MAX) fault(`page ${number} is deeper than its tree`);
    this.#use(number, 1);
    const page = this.#pageBelow();
    this.#read(number, page);
    this.#level++;
    const flags = page.readUInt16LE(18);
    if (flags !== (depth === 1 ? LEAF : BRANCH))
      fault(`page ${number} is of another kind (${flags})`);
    if (depth === 1) walk.found.leaves++;
    else walk.found.branches++;
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    const count = lower >>> 1;
    if (PAGE_HEAD_BYTES + upper > PAGE_BYTES || lower > upper || count === 0) {
      fault(`page ${number} has impossible bounds`);
    }
    for (let index = 0; index < count; index++) {
      const at = PAGE_HEAD_BYTES + page.readUInt16LE(PAGE_HEAD_BYTES + index * 2);
      if (at < PAGE_HEAD_BYTES + upper || at + NODE_HEAD_BYTES > PAGE_BYTES) {
        fault(`page ${number} has a node outside of it`);
      }
      if (depth === 1) this.#leafNode(page, at, number, walk);
      else this.#branchNode(page, at, { number, depth, isFirst: index === 0 }, walk);
    }
    this.#level--;
  }

  #branchNode(
    page: Buffer,
    at: number,
    { number, depth, isFirst }: { number: number; depth: number; isFirst: boolean },
    walk: TreeWalk,
  ): void {
    const child =
      page.readUInt16LE(at) +
      page.readUInt16LE(at + 2) * 2 ** 16 +
      page.readUInt16LE(at + 4) * 2 ** 32;
    const keyBytes = page.readUInt16LE(at + 6);
    if (at + NODE_HEAD_BYTES + keyBytes > PAGE_BYTES)
      fault(`page ${number} has a key outside of it`);
    const from = page.subarray(at + NODE_HEAD_BYTES, at + NODE_HEAD_BYTES + keyBytes);
    // The first key of a branch is not looked at by LMDB.
    if (!isFirst) inOrder(walk, from, number, true);
    this.#page(child, depth - 1, walk);
  }

  #leafNode(page: Buffer, at: number, number: number, walk: TreeWalk): void {
    const bytes = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 2 ** 16;
    const flags = page.readUInt16LE(at + 4);
    const keyEnd = at + NODE_HEAD_BYTES + page.readUInt16LE(at + 6);
    const isOverflown = flags === IS_OVERFLOWN;
    const end = keyEnd + (isOverflown ? OVERFLOW_RECORD_BYTES : bytes);
    if (end > PAGE_BYTES) fault(`page ${number} has an entry outside of it`);
    if (flags > IS_TREE) fault(`page ${number} has an entry of an unknown kind (${flags})`);
    const key = page.subarray(at + NODE_HEAD_BYTES, keyEnd);
    inOrder(walk, key, number, false);
    walk.found.entries++;
    const inline = page.subarray(keyEnd, end);
    const { tree } = walk;
    if (flags === IS_TREE) {
      if (bytes !== TREE_RECORD_BYTES || tree !== '')
        fault(`page ${number} has no tree where one is`);
      this.#tree(treeRecordAt(Buffer.from(inline), 0), nameOf(key), walk.visit);
    } else if (isOverflown) {
      const first = this.#takeOverflow(inline, bytes, walk.found);
      walk.visit({ tree, key, inline: null, read: () => this.#overflow(first, bytes) });
    } else {
      walk.visit({ tree, key, inline, read: () => inline });
    }
  }

  /** Notes the pages of a value. @returns the first. */
  #takeOverflow(record: Buffer, bytes: number, found: Found): number {
    const first = this.#numberOf(record.readBigUInt64LE(0));
    const pages = Math.ceil((PAGE_HEAD_BYTES + bytes) / PAGE_BYTES);
    if (record.readBigUInt64LE(16) !== BigInt(pages)) fault(`page ${first} has another length`);
    this.#use(first, pages);
    // LMDB would not notice: reading what is not there ends the process.
    if ((first + pages) * PAGE_BYTES > this.#fileBytes) fault(CUT_OFF);
    found.overflows += pages;
    return first;
  }

  #overflow(first: number, bytes: number): Buffer {
    const pages = Math.ceil((PAGE_HEAD_BYTES + bytes) / PAGE_BYTES);
    const length = pages * PAGE_BYTES;
    if (this.#value.length < length) this.#value = Buffer.alloc(length);
    const value = this.#value.subarray(0, length);
    this.#read(first, value);
    if (value.readUInt16LE(18) !== OVERFLOW) fault(`page ${first} is of another kind`);
    return value.subarray(PAGE_HEAD_BYTES, PAGE_HEAD_BYTES + bytes);
  }

  /** A list of free pages: its length, then page numbers; after a negative number −n come n pages. */
  #takeFree(list: Buffer): void {
    const count = Number(list.readBigUInt64LE(0));
    if ((count + 1) * 8 > list.length) fault('a list of free pages is longer than its value');
    for (let index = 1; index <= count; index++) {
      const number = list.readBigInt64LE(index * 8);
      if (number === 0n) continue;
      if (number > 0n) {
        this.#use(Number(number), 1);
        continue;
      }
      index++;
      this.#use(Number(list.readBigInt64LE(index * 8)), Number(-number));
    }
  }

  #use(first: number, count: number): void {
    if (!(first >= 2 && count >= 1 && first + count <= this.#used.length)) {
      fault(`page ${first} lies beyond the last page`);
    }
    for (let page = first; page < first + count; page++) {
      if (this.#used[page] === 1) fault(`page ${page} is used twice`);
      this.#used[page] = 1;
    }
  }

  #numberOf(value: bigint): number {
    return value <= BigInt(this.#meta.lastPage)
      ? Number(value)
      : fault(`page ${value} is not there`);
  }

  /** Where the next page down goes: a buffer for each would leave as many behind as there are pages. */
  #pageBelow(): Buffer {
    const known = this.#pages[this.#level];
    if (known !== undefined) return known;
    const page = Buffer.alloc(PAGE_BYTES);
    this.#pages.push(page);
    return page;
  }

  /** Reads as many pages as there is room for. */
  #read(number: number, into: Buffer): void {
    const count = readSync(this.#fd, into, 0, into.length, number * PAGE_BYTES);
    if (count < into.length) fault(CUT_OFF);
    if (into.readBigUInt64LE(0) !== BigInt(number)) {
      fault(`page ${number} is another page or empty`);
    }
  }
}

/** One tree on the way through its pages. */
interface TreeWalk {
  readonly tree: string;
  readonly found: Found;
  readonly order: Order;
  readonly visit: (entry: PageEntry) => void;
}

/** How far the keys of a tree have come. */
interface Order {
  /** Where the last key lies. */
  readonly bytes: Buffer;
  last: Buffer | null;
  /** The last was a branch's: the first key below it may be the same. */
  isBound: boolean;
  /** Keys are numbers of 8 bytes. */
  readonly isNumber: boolean;
}

/** Keys of a tree rise from node to node, and a branch's lies between those before and those below it. */
function inOrder({ order, tree }: TreeWalk, key: Buffer, page: number, isBound: boolean): void {
  const { last, isNumber } = order;
  if (key.length === 0 || (isNumber && key.length !== 8))
    fault(`page ${page} has an impossible key`);
  const step = last === null ? 1 : compareKeys(key, last, isNumber);
  const isRight = step > 0 || (step === 0 && order.isBound && !isBound);
  if (!isRight) fault(`page ${page} of '${tree}' has a key out of order`);
  key.copy(order.bytes);
  order.last = order.bytes.subarray(0, key.length);
  order.isBound = isBound;
}

function compareKeys(left: Buffer, right: Buffer, areNumbers: boolean): number {
  if (!areNumbers) return Buffer.compare(left, right);
  return Number(left.readBigUInt64LE(0) - right.readBigUInt64LE(0));
}

/** The name under which a tree is stored. */
function nameOf(key: Buffer): string {
  return key.toString('latin1').replace(/\0+$/, '');
}
