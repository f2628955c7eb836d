/**
 * The texts of a segment as bytes: blocks of 1,024 entries, compressed once there are that many.
 *
 * Control plane.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { DICTIONARY_BLOCK_ENTRIES, type Dictionary } from './dictionary.ts';

/** First byte of a compressed block; msgpack uses it for nothing. */
const DEFLATED = 0xc1;
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
  if (texts.length < DICTIONARY_BLOCK_ENTRIES) return packed;
  return Buffer.concat([Buffer.from([DEFLATED]), deflateRawSync(packed)]);
}

/** Adds the entries of the next block that the dictionary does not have yet. */
export function decodeTexts(dictionary: Dictionary, block: number, bytes: Uint8Array): void {
  const packed = bytes[0] === DEFLATED ? inflateRawSync(bytes.subarray(1)) : bytes;
  const [kinds, texts] = packr.unpack(packed) as [number[], string[]];
  const start = block * DICTIONARY_BLOCK_ENTRIES;
  for (let entry = dictionary.entryCount - start; entry < kinds.length; entry++) {
    dictionary.load(kinds[entry] as number, texts[entry] as string);
  }
}
