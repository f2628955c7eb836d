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
  if (isIP(text) !== 6) return 0;
  readGroups(text);
  for (let word = 0; word < IP_WORD_COUNT; word++) {
    words[word] = ((groups[word * 2]! << 16) | groups[word * 2 + 1]!) >>> 0;
  }
  if (words[0] !== 0 || words[1] !== 0 || words[2] !== MAPPED) return 6;
  words[0] = words[3]!;
  return 4;
}

/** Reads the groups of an IPv6 address that is known to be one; a zone is left out. */
function readGroups(text: string): void {
  let count = 0;
  let gapAt = NO_GAP;
  let start = 0;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === PERCENT) {
      text = text.slice(0, at);
      break;
    }
    if (unit === COLON) {
      if (at > start) groups[count++] = value;
      else if (at > 0) gapAt = count;
      start = at + 1;
      value = 0;
    } else if (unit === DOT) {
      const ipv4 = parseIpv4(text.slice(start).split('%', 1)[0] as string, 0);
      groups[count++] = ipv4 >>> 16;
      groups[count++] = ipv4 & 0xffff;
      start = text.length;
      break;
    } else {
      value = value * 16 + hexDigit(unit);
    }
  }
  if (start < text.length) groups[count++] = value;
  if (gapAt === NO_GAP) return;
  const behind = count - gapAt;
  groups.copyWithin(GROUP_COUNT - behind, gapAt, count);
  groups.fill(0, gapAt, GROUP_COUNT - behind);
}

function hexDigit(unit: number): number {
  return unit <= DIGIT_9 ? unit - DIGIT_0 : (unit | 0x20) - 0x57;
}

const NO_DIGIT = -1;
const NO_GAP = -1;
/** Third word of an IPv4 address in IPv6. */
const MAPPED = 0xffff;
const PERCENT = 0x25;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
