/**
 * SipHash-2-4: a keyed 64-bit hash of short texts that nobody without the key can steer.
 *
 * Data plane. A 64-bit word is two signed 32-bit halves in locals: no BigInt, no allocation. One
 * loop takes the blocks and then the finish as one more step, so that the round, the only long
 * thing here, stands once.
 *
 * @source Aumasson, Bernstein: SipHash: a fast short-input PRF (2012), section 2.
 */

/** Key of 128 bits as four little-endian words. */
export type SipKey = Int32Array;

/** Makes a key of the first 16 bytes. */
export function sipKey(bytes: Uint8Array): SipKey {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  const key = new Int32Array(4);
  for (let index = 0; index < 4; index++) key[index] = view.getInt32(index * 4, true);
  return key;
}

/**
 * Hashes `bytes[0..length)`.
 *
 * @param out gets the hash as two unsigned words, the low one first.
 * @cost about 4 ns per byte of short input.
 */
export function sipHash(key: SipKey, bytes: Uint8Array, length: number, out: Uint32Array): void {
  let v0l = 0x70736575 ^ key[0]!;
  let v0h = 0x736f6d65 ^ key[1]!;
  let v1l = 0x6e646f6d ^ key[2]!;
  let v1h = 0x646f7261 ^ key[3]!;
  let v2l = 0x6e657261 ^ key[0]!;
  let v2h = 0x6c796765 ^ key[1]!;
  let v3l = 0x79746573 ^ key[2]!;
  let v3h = 0x74656462 ^ key[3]!;
  const blockCount = (length >> 3) + 1;
  let sum = 0;
  let spare = 0;
  for (let step = 0; step <= blockCount; step++) {
    let low = 0;
    let high = 0;
    let rounds = 2;
    if (step === blockCount) {
      v2l ^= 0xff;
      rounds = 4;
    } else {
      const at = step << 3;
      low = wordAt(bytes, at, length);
      high = wordAt(bytes, at + 4, length);
      // The last block, never full, carries the length in its last byte.
      if (step === blockCount - 1) high |= length << 24;
      v3l ^= low;
      v3h ^= high;
    }
    for (let round = 0; round < rounds; round++) {
      // v0 += v1; v1 <<<= 13; v1 ^= v0; v0 <<<= 32
      sum = (v0l + v1l) | 0;
      v0h = (v0h + v1h + (((v0l & v1l) | ((v0l | v1l) & ~sum)) >>> 31)) | 0;
      v0l = sum;
      spare = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
      v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
      v1l = spare;
      spare = v0l;
      v0l = v0h;
      v0h = spare;
      // v2 += v3; v3 <<<= 16; v3 ^= v2
      sum = (v2l + v3l) | 0;
      v2h = (v2h + v3h + (((v2l & v3l) | ((v2l | v3l) & ~sum)) >>> 31)) | 0;
      v2l = sum;
      spare = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
      v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
      v3l = spare;
      // v0 += v3; v3 <<<= 21; v3 ^= v0
      sum = (v0l + v3l) | 0;
      v0h = (v0h + v3h + (((v0l & v3l) | ((v0l | v3l) & ~sum)) >>> 31)) | 0;
      v0l = sum;
      spare = ((v3l << 21) | (v3h >>> 11)) ^ v0l;
      v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h;
      v3l = spare;
      // v2 += v1; v1 <<<= 17; v1 ^= v2; v2 <<<= 32
      sum = (v2l + v1l) | 0;
      v2h = (v2h + v1h + (((v2l & v1l) | ((v2l | v1l) & ~sum)) >>> 31)) | 0;
      v2l = sum;
      spare = ((v1l << 17) | (v1h >>> 15)) ^ v2l;
      v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h;
      v1l = spare;
      spare = v2l;
      v2l = v2h;
      v2h = spare;
    }
    v0l ^= low;
    v0h ^= high;
  }
  out[0] = v0l ^ v1l ^ v2l ^ v3l;
  out[1] = v0h ^ v1h ^ v2h ^ v3h;
}

/** Little-endian word at a position; bytes past the length are 0. */
function wordAt(bytes: Uint8Array, at: number, length: number): number {
  if (at + 4 <= length) {
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }
  let word = 0;
  for (let index = at; index < length; index++) word |= bytes[index]! << ((index - at) << 3);
  return word;
}
