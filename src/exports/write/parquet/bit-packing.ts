/** Small numbers in as few bits as the largest needs: Parquet's hybrid of runs and packed bits. */

/** Bits that numbers below `count` need. */
export function bitWidthOf(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}

/**
 * Numbers packed behind the byte that says how wide they are: a page of a column with a dictionary.
 *
 * Data plane.
 *
 * @param count numbers of `values` that are taken.
 */
export function packedPage(values: Uint32Array, count: number, width: number): Uint8Array {
  const groups = Math.ceil(count / 8);
  const head: number[] = [width];
  // Without bits there is nothing to pack: a run of as many zeros.
  putNumber(head, width === 0 ? count * 2 : groups * 2 + 1);
  const bytes = new Uint8Array(head.length + groups * width);
  bytes.set(head);
  if (width === 0) return bytes;
  let at = head.length;
  let word = 0;
  let held = 0;
  for (let index = 0; index < count; index++) {
    const value = values[index]!;
    word |= value << held;
    held += width;
    // What did not fit into the word any more is left of the value.
    if (held >= 32) {
      bytes[at] = word;
      bytes[at + 1] = word >>> 8;
      bytes[at + 2] = word >>> 16;
      bytes[at + 3] = word >>> 24;
      at += 4;
      held -= 32;
      word = held === 0 ? 0 : value >>> (width - held);
    }
  }
  for (; held > 0; held -= 8) {
    bytes[at++] = word;
    word >>>= 8;
  }
  return bytes;
}

function putNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
}
