/**
 * The texts of a segment as bytes: blocks of 1,024 entries, compressed once there are that many.
 *
 * Control plane.
 *
 *     | texts, perhaps compressed … | crc u32 |      its first value is the block's number
 */

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { DICTIONARY_KINDS } from '../../model/text-kinds.ts';
import { DICTIONARY_BLOCK_ENTRIES, type Dictionary, shareOf } from '../memory/dictionary.ts';
import type { TextBytes } from '../memory/text-bytes.ts';

/** First byte of a compressed block; msgpack uses it for nothing. */
const DEFLATED = 0xc1;
const CRC_BYTES = 4;
const packr = new Packr({ useRecords: false });

/** Heads of msgpack: a list of two, a list with its length in 16 bits, texts with theirs in 8 to 32. */
const PAIR = 0x92;
const LIST_16 = 0xdc;
const TEXT_8 = 0xd9;
const TEXT_16 = 0xda;
const TEXT_32 = 0xdb;

/** How many blocks that many entries are. */
export function dictionaryBlockCount(entries: number): number {
  return Math.ceil(entries / DICTIONARY_BLOCK_ENTRIES);
}

/** Bytes of a block of texts. */
export function encodeTexts(dictionary: Dictionary, block: number): Uint8Array {
  const start = block * DICTIONARY_BLOCK_ENTRIES;
  const stop = Math.min(start + DICTIONARY_BLOCK_ENTRIES, dictionary.entryCount);
  const kinds: number[] = [];
  const texts: string[] = [];
  for (let entry = start; entry < stop; entry++) {
    kinds.push(dictionary.entryKind(entry));
    texts.push(dictionary.entryText(entry));
  }
  const packed = packr.pack([kinds, texts]);
  // A block that is full never changes again, so it is worth compressing: to about a fifth.
  const isFull = texts.length >= DICTIONARY_BLOCK_ENTRIES;
  const parts = isFull ? [Buffer.from([DEFLATED]), deflateRawSync(packed)] : [packed];
  const bytes = Buffer.concat([...parts, Buffer.alloc(CRC_BYTES)]);
  const end = bytes.length - CRC_BYTES;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end), block), end);
  return bytes;
}

/**
 * Adds the entries of the next block that the dictionary does not have yet.
 *
 * @returns false when the bytes are not what was written.
 */
export function decodeTexts(dictionary: Dictionary, block: number, bytes: Uint8Array): boolean {
  const packed = contentOf(block, bytes);
  if (packed === null) return false;
  const [kinds, texts] = packr.unpack(packed) as [number[], string[]];
  const start = block * DICTIONARY_BLOCK_ENTRIES;
  for (let entry = dictionary.entryCount - start; entry < kinds.length; entry++) {
    dictionary.load(kinds[entry] as number, texts[entry] as string);
  }
  return true;
}

/**
 * Adds the texts of one share of the kinds (`shareOf`) that the next block has. The others are passed
 * over: a text costs a string only where somebody looks at it.
 *
 * @returns false when the bytes are not what was written, or have no more entries than before.
 */
export function readTexts(
  dictionary: Dictionary,
  share: number,
  { block, bytes }: { block: number; bytes: Uint8Array },
): boolean {
  const packed = contentOf(block, bytes);
  if (packed === null) return false;
  const from = dictionary.entriesRead(share) - block * DICTIONARY_BLOCK_ENTRIES;
  const found: [number, string][] = [];
  const count = walk(packed, (entry, kind, { start, end }) => {
    if (entry < from || shareOf(kind) !== share) return;
    found.push([kind, packed.toString('utf8', start, end)]);
  });
  if (count <= from) return false;
  dictionary.read(share, count - from, found);
  return true;
}

/** Texts of all kinds as they are in the blocks, without a string for any. */
export class PackedTexts {
  /** Copies of what was packed. */
  readonly #blocks: Buffer[] = [];
  readonly #kinds = DICTIONARY_KINDS.map(() => ({ starts: [0], ends: [0] }));
  #length = 0;
  #entries = 0;

  get entries(): number {
    return this.#entries;
  }

  /** @returns false when the bytes of the next block are not what was written. */
  add(block: number, bytes: Uint8Array): boolean {
    const packed = contentOf(block, bytes);
    if (packed === null) return false;
    const count = walk(packed, (_, kind, { start, end }) => {
      this.#kinds[kind]!.starts.push(this.#length + start);
      this.#kinds[kind]!.ends.push(this.#length + end);
    });
    if (count < 1) return false;
    this.#entries += count;
    this.#length += packed.length;
    // What was not compressed is in memory of the store.
    this.#blocks.push(packed.buffer === bytes.buffer ? Buffer.from(packed) : packed);
    return true;
  }

  /** By kind. */
  finish(): TextBytes[] {
    const bytes = Buffer.concat(this.#blocks);
    return this.#kinds.map((places) => ({ bytes, ...places }));
  }
}

/** The texts of a block, one after the other. @returns how many; −1 when it is not what was written. */
function walk(
  packed: Buffer,
  visit: (entry: number, kind: number, place: { start: number; end: number }) => void,
): number {
  // As msgpack writes `[kinds, texts]`: numbers below 128 are a byte each.
  const kindsHead = listHead(packed, 1);
  const textsHead = listHead(packed, kindsHead.end + kindsHead.count);
  const { count } = textsHead;
  if (packed[0] !== PAIR || kindsHead.count !== count) return -1;
  let at = textsHead.end;
  for (let entry = 0; entry < count; entry++) {
    const place = textAt(packed, at);
    at = place.end;
    visit(entry, packed[kindsHead.end + entry]!, place);
  }
  return at === packed.length ? count : -1;
}

/** What was packed; null when the bytes are not what was written. */
function contentOf(block: number, bytes: Uint8Array): Buffer | null {
  const end = bytes.length - CRC_BYTES;
  if (end < 1) return null;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, end);
  const crc = new DataView(bytes.buffer, bytes.byteOffset + end, CRC_BYTES).getUint32(0, true);
  if (crc32(content, block) !== crc) return null;
  return content[0] === DEFLATED ? inflateRawSync(content.subarray(1)) : content;
}

/** Length of a msgpack list, and where its first item is. */
function listHead(packed: Buffer, at: number): { count: number; end: number } {
  const head = packed[at] ?? 0;
  if (head === LIST_16) return { count: packed.readUInt16BE(at + 1), end: at + 3 };
  return { count: head & 0x0f, end: at + 1 };
}

/** Where the letters of a msgpack text begin and end. */
function textAt(packed: Buffer, at: number): { start: number; end: number } {
  const head = packed[at] ?? 0;
  if (head === TEXT_8) return behind(at + 2, packed.readUInt8(at + 1));
  if (head === TEXT_16) return behind(at + 3, packed.readUInt16BE(at + 1));
  if (head === TEXT_32) return behind(at + 5, packed.readUInt32BE(at + 1));
  return behind(at + 1, head & 0x1f);
}

function behind(start: number, length: number): { start: number; end: number } {
  return { start, end: start + length };
}
