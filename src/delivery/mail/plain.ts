/**
 * Texts of others, made fit to be read: one line, nothing invisible, not too long.
 *
 * What turns text round (U+202E and its like) could make a row say what it does not.
 */

/** Breaks of lines and other control characters, also as the registry and the log allow them. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;
/** Directions, blanks without a width, halves of pairs, tags: nobody sees them, and they change what is seen. */
const INVISIBLE_RANGES = [
  ...['\\u061c\\u200b\\u200e\\u200f', '\\u202a-\\u202e', '\\u2061-\\u2067', '\\u206a-\\u206f'],
  ...['\\ufeff', '\\ufff9-\\ufffb', '\\u{e0000}-\\u{e007f}'],
];
const INVISIBLE = new RegExp(`[${INVISIBLE_RANGES.join('')}]|\\p{Cs}`, 'gu');
/** The ends of a part that has a direction of its own. */
const ISOLATES = /[\u2068\u2069]/g;
/** Scripts that are read from right to left. */
const LEFTWARDS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** One line of text as people see it. */
export function oneLine(text: string): string {
  return readable(text).replace(ISOLATES, '');
}

/** A line of ours, in which names may stand apart. */
export function readable(text: string): string {
  return text.replace(CONTROL, ' ').replace(INVISIBLE, '').trim();
}

/**
 * A name within a sentence of ours: one that is read from right to left turns nothing but itself, its
 * marks and numbers included. Others stay as they are.
 */
export function apart(name: string): string {
  const line = oneLine(name);
  return LEFTWARDS.test(line) ? `\u2068${line}\u2069` : line;
}

/** The beginning of a line, with an ellipsis where more followed. @param lengthMax code points. */
export function shortened(text: string, lengthMax: number): string {
  const line = oneLine(text);
  // Code units bound code points from above.
  if (line.length <= lengthMax) return line;
  const points = [...line];
  return points.length <= lengthMax ? line : `${points.slice(0, lengthMax - 1).join('')}…`;
}

/**
 * A name that a stranger chose, in a mail to somebody who does not know them: programs that read mails
 * make links of what looks like an address, so nothing does. It looks the same.
 */
export function unlinked(text: string): string {
  return text.replace(/[a-z][a-z0-9+.-]*:\/*/giu, '').replace(/([.@])(?=\S)/gu, '$1\u2060');
}

/** An address of the web on one line; of anything else, such as `javascript:`, nothing is left. */
export function webLink(href: string): string {
  return /^https?:\/\//i.test(href) ? oneLine(href) : '#';
}
