/**
 * Lengths in code points (semantics, Terms) and percent-decoding, for the ingest steps.
 *
 * Data plane. The trick is the first line of each: a text of few code units needs no look at all.
 */

/**
 * The first `lengthMax` code points of a text.
 *
 * @param lengthMax code points; a surrogate pair counts as one and is never split.
 * @cost O(1) unless the text has more code units than the limit.
 */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  let unitCount = 0;
  for (let count = 0; count < lengthMax; count++) {
    if (unitCount >= text.length) return text;
    unitCount += isPairAt(text, unitCount) ? 2 : 1;
  }
  return unitCount >= text.length ? text : text.slice(0, unitCount);
}

/** Whether a text has more code points than the limit. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  return text.length > lengthMax && cutText(text, lengthMax).length < text.length;
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff || index + 1 >= text.length) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/**
 * Percent-decoded UTF-8; the text as sent if it does not decode (I-6).
 *
 * The only `try` of the plane: the built-in decoder says no by throwing, and it is reached only
 * by texts that hold a `%`.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name or value of a query, decoded: `+` is a space; kept as sent if it does not decode. */
export function decodeParameter(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
