/**
 * The client address of a hit, cleaned (I-3), and the question whether a text is one.
 *
 * Data plane. An address is used and forgotten: it enters the visitor id and the location, and
 * nothing of it is stored (I-35).
 */

import { isIP } from 'node:net';

/**
 * The address without surrounding space, brackets and port; a text that is none stays as it is.
 *
 * `1.2.3.4:567` → `1.2.3.4`, `[2001:db8::1]:567` → `2001:db8::1`.
 */
export function cleanAddress(ip: string): string {
  const text = ip.trim();
  if (text.charCodeAt(0) === OPENING_BRACKET) return withoutBrackets(text);
  const colon = text.indexOf(':');
  // One colon is a port, more are an IPv6 address.
  if (colon === -1 || text.indexOf(':', colon + 1) !== -1) return text;
  const address = text.slice(0, colon);
  return isDigits(text, colon + 1) && isAddress(address) ? address : text;
}

/** Whether the text is an IPv4 or IPv6 address and nothing else. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** What {@link parseIpv4} answers for a text that is no IPv4 address. */
export const NOT_IPV4 = -1;

/**
 * The IPv4 address that the text is from `start` to its end, as an unsigned number.
 *
 * As strict as {@link isAddress}: four decimal parts of 0 to 255 without leading zeros.
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
      const digit = unit - 0x30;
      // A part that is 0 so far and goes on has a leading zero.
      if (digit < 0 || digit > 9 || part === 0) return NOT_IPV4;
      part = part === NO_DIGIT ? digit : part * 10 + digit;
      if (part > 255) return NOT_IPV4;
    }
  }
  return dotCount === 3 && part !== NO_DIGIT ? address * 256 + part : NOT_IPV4;
}

/** The eight groups of the address in hand; one thread parses one at a time. */
const groups = new Uint16Array(8);
const NO_GAP = -1;

/**
 * The IPv6 address that the text is, as four unsigned numbers.
 *
 * As strict as {@link isAddress}, and stricter in one thing: an address with a zone (`fe80::1%eth0`)
 * means something on one machine only and is none here.
 *
 * @param words takes the address, highest bits first, when it is one.
 * @cost linear in the text, which it leaves at the first wrong character; allocates nothing.
 */
export function parseIpv6(text: string, words: Uint32Array): boolean {
  let count = 0;
  let gap = NO_GAP;
  let index = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    gap = 0;
    index = 2;
  }
  while (index < text.length) {
    if (count === 8) return false;
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
      if (ipv4 === NOT_IPV4 || count > 6) return false;
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
  if (gap === NO_GAP ? count !== 8 : count === 8) return false;
  fillWords(words, count, gap === NO_GAP ? count : gap);
  return true;
}

/** Groups before the gap from the left, those behind it from the right, zeros between. */
function fillWords(words: Uint32Array, count: number, gap: number): void {
  words.fill(0);
  for (let group = 0; group < count; group++) {
    const place = group < gap ? group : 8 - count + group;
    words[place >> 1]! |= groups[group]! << (place & 1 ? 0 : 16);
  }
}

function hexDigitAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : NO_DIGIT;
}

function withoutBrackets(text: string): string {
  const closing = text.indexOf(']');
  if (closing === -1) return text;
  const address = text.slice(1, closing);
  const endsThere = closing === text.length - 1;
  const hasPort = text.charCodeAt(closing + 1) === COLON && isDigits(text, closing + 2);
  return (endsThere || hasPort) && isAddress(address) ? address : text;
}

function isDigits(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return start < text.length;
}

const NO_DIGIT = -1;
const DOT = 0x2e;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
