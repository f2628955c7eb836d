/**
 * Order of texts by code point: the order in which the contract lists them.
 *
 * Nothing of the domain. JavaScript compares UTF-16 units, which is another order beyond U+FFFF.
 */

/**
 * Order of two texts by code point.
 *
 * JavaScript compares UTF-16 units, which puts U+1F600 (a surrogate pair) before U+FF01.
 *
 * @returns below, at or above 0.
 */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates stand for code points above all other units, so they are moved up there.
    return lifted(a) - lifted(b);
  }
  return left.length - right.length;
}

function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
