/**
 * The screen class of a hit by its width (I-80). Data plane; the height is ignored.
 */

import type { RawHit } from '../raw-hit.ts';

/** Class of the first width above 0: the screen's, the hinted one, the hinted viewport's. */
export function screenClassOf(raw: RawHit): string {
  let width = raw.screen_width ?? 0;
  if (width <= 0) width = hintedWidth(raw.sec_ch_width);
  if (width <= 0) width = hintedWidth(raw.sec_ch_viewport_width);
  if (width >= 1_440) return 'XXL';
  if (width >= 1_024) return 'XL';
  if (width >= 800) return 'L';
  if (width >= 600) return 'M';
  return width > 0 ? 'S' : '';
}

/** Width of a client hint such as `1920` or `"1920"`; 0 when it holds no number. */
function hintedWidth(hint: string | null | undefined): number {
  if (hint === null || hint === undefined) return 0;
  let at = 0;
  while (hint.charCodeAt(at) === 0x20 || hint.charCodeAt(at) === 0x22) at++;
  let width = 0;
  for (; at < hint.length; at++) {
    const digit = hint.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) break;
    width = width * 10 + digit;
  }
  return width;
}
