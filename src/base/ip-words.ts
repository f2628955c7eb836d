/**
 * IP addresses as numbers: four words of 32 bits, the most significant first; IPv4 has one.
 *
 * Data plane: read once per new address, without an object. An IPv4 address in the clothes of IPv6
 * (`::ffff:10.0.0.1`) is read as what it is, so that no range is passed by writing an address in
 * another way.
 */
import { isIP } from 'node:net';

/** What {@link parseIpv4} answers for a text that is no IPv4 address. */
export const NOT_IPV4 = -1;

/** Words of an address of either family. */
export const IP_WORD_COUNT = 4;

const GROUP_COUNT = 8;
const groups = new Uint16Array(GROUP_COUNT);

/**
 * The IPv4 address that the text is from `start` to its end, as an unsigned number.
 *
 * As strict as `net.isIP`: four decimal parts of 0 to 255 without leading zeros.
 *
 * @returns 0 to 2^32 - 1, or {@link NOT_IPV4}.
 * @cost linear in the text, which it leaves at the first wrong character; allocates nothing.
 */
export function parseIpv4(text: string, start: number): number {
  let address = 0;
  let part = NO_DIGIT;
  let dotCount = 0;
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === DOT) {
      if (part === NO_DIGIT || dotCount === 3) return NOT_IPV4;
      address = address * 256 + part;
      part = NO_DIGIT;
      dotCount++;
    } else {
      const digit = unit - DIGIT_0;
      // A part that is 0 so far and goes on has a leading zero.
      if (digit < 0 || digit > 9 || part === 0) return NOT_IPV4;
      part = part === NO_DIGIT ? digit : part * 10 + digit;
      if (part > 255) return NOT_IPV4;
    }
  }
  return dotCount === 3 && part !== NO_DIGIT ? address * 256 + part : NOT_IPV4;
}

/**
 * Reads an address.
 *
 * @param words of {@link IP_WORD_COUNT}; gets the address, IPv4 in the first one.
 * @returns its family, 4 or 6; 0: the text is no address.
 */
export function readIpWords(text: string, words: Uint32Array): number {
  const ipv4 = parseIpv4(text, 0);
  if (ipv4 !== NOT_IPV4) {
    words[0] = ipv4;
    return 4;
  }
  const isRead = text.includes('%') ? readZoned(text, words) : parseIpv6(text, words);
  if (!isRead) return 0;
  if (words[0] !== 0 || words[1] !== 0 || words[2] !== MAPPED) return 6;
  words[0] = words[3]!;
  return 4;
}

/** An address with a zone (`fe80::1%eth0`), which is left out; nobody of the internet has one. */
function readZoned(text: string, words: Uint32Array): boolean {
  return isIP(text) === 6 && parseIpv6(text.slice(0, text.indexOf('%')), words);
}

/**
 * The IPv6 address that the text is, as strictly as `net.isIP` and without a zone.
 *
 * @cost linear in the text, which it leaves at the first wrong character; allocates nothing.
 */
function parseIpv6(text: string, words: Uint32Array): boolean {
  let count = 0;
  let gap = NO_GAP;
  let index = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    gap = 0;
    index = 2;
  }
  while (index < text.length) {
    if (count === GROUP_COUNT) return false;
    const start = index;
    let value = 0;
    let digit = hexDigitAt(text, index);
    for (; digit !== NO_DIGIT; digit = hexDigitAt(text, index)) {
      if (index - start === 4) return false;
      value = value * 16 + digit;
      index++;
    }
    if (text.charCodeAt(index) === DOT) {
      // An address of IPv4 stands for the last two groups.
      const ipv4 = parseIpv4(text, start);
      if (ipv4 === NOT_IPV4 || count > GROUP_COUNT - 2) return false;
      groups[count++] = ipv4 >>> 16;
      groups[count++] = ipv4 & 0xffff;
      break;
    }
    if (index === start) return false;
    groups[count++] = value;
    if (index === text.length) break;
    if (text.charCodeAt(index) !== COLON) return false;
    index++;
    // A colon is followed by a group, or by the second one of the gap.
    if (index === text.length) return false;
    if (text.charCodeAt(index) === COLON) {
      if (gap !== NO_GAP) return false;
      gap = count;
      index++;
    }
  }
  if (gap === NO_GAP ? count !== GROUP_COUNT : count === GROUP_COUNT) return false;
  fillWords(words, count, gap === NO_GAP ? count : gap);
  return true;
}

/** Groups before the gap from the left, those behind it from the right, zeros between. */
function fillWords(words: Uint32Array, count: number, gap: number): void {
  words.fill(0);
  for (let group = 0; group < count; group++) {
    const place = group < gap ? group : GROUP_COUNT - count + group;
    words[place >> 1]! |= groups[group]! << (place & 1 ? 0 : 16);
  }
}

function hexDigitAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit >= DIGIT_0 && unit <= DIGIT_9) return unit - DIGIT_0;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NO_DIGIT;
}

const NO_DIGIT = -1;
const NO_GAP = -1;
/** Third word of an IPv4 address in IPv6. */
const MAPPED = 0xffff;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
