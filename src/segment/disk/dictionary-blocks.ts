/**
 * The texts of a segment as bytes: blocks of 1,024 entries, compressed once there are that many.
 *
 * Control plane.
 *
 *     | texts, perhaps compressed … | crc u32 |      its first value is the block's number
 */

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { DICTIONARY_BLOCK_ENTRIES, type Dictionary } from '../memory/dictionary.ts';

/** First byte of a compressed block; msgpack uses it for nothing. */
const DEFLATED = 0xc1;
const CRC_BYTES = 4;
const packr = new Packr({ useRecords: false });

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
  const end = bytes.length - CRC_BYTES;
  if (end < 1) return false;
  const content = bytes.subarray(0, end);
  const crc = new DataView(bytes.buffer, bytes.byteOffset + end, CRC_BYTES).getUint32(0, true);
  if (crc32(content, block) !== crc) return false;
  const packed = content[0] === DEFLATED ? inflateRawSync(content.subarray(1)) : content;
  const [kinds, texts] = packr.unpack(packed) as [number[], string[]];
  const start = block * DICTIONARY_BLOCK_ENTRIES;
  for (let entry = dictionary.entryCount - start; entry < kinds.length; entry++) {
    dictionary.load(kinds[entry] as number, texts[entry] as string);
  }
  return true;
}
