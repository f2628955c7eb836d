/**
 * Addresses that have no place, whatever a database says (I-87), and addresses of IPv6 that stand for
 * one of IPv4.
 *
 * Data plane: some comparisons per address, no allocation.
 */

import { parseIpv4 } from '../../base/ip-words.ts';

/** Private (RFC 1918), loopback, link-local and shared (RFC 6598): first address, bits, in a table. */
export const OWN_IPV4_RANGES = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'],
] as const;

const firsts = new Float64Array(OWN_IPV4_RANGES.length);
const lasts = new Float64Array(OWN_IPV4_RANGES.length);
/** By first byte: whether a range lies there. Nearly every address is told by this alone. */
const isNear = new Uint8Array(256);
for (const [index, range] of OWN_IPV4_RANGES.entries()) {
  const [first, bits] = range.split('/') as [string, string];
  firsts[index] = parseIpv4(first, 0);
  lasts[index] = firsts[index]! + 2 ** (32 - Number(bits)) - 1;
  isNear[Number.parseInt(first, 10)] = 1;
}

/** Whether an IPv4 address, as an unsigned number, belongs to a network of somebody's own. */
export function isOwnIpv4(address: number): boolean {
  if (isNear[address >>> 24] === 0) return false;
  for (let index = 0; index < firsts.length; index++) {
    if (address >= firsts[index]! && address <= lasts[index]!) return true;
  }
  return false;
}

/** The same of an IPv6 address: `fc00::/7` (unique local), `fe80::/10` (link-local) and `::1`. */
export function isOwnIpv6(words: Uint32Array): boolean {
  const high = words[0]!;
  if (high >>> 25 === 0xfc >>> 1 || high >>> 22 === 0xfe80 >>> 6) return true;
  return high === 0 && words[1] === 0 && words[2] === 0 && words[3] === 1;
}

const TRANSLATED_WORD = 0x64_ff9b;

/**
 * Whether an IPv6 address stands for the IPv4 address in its last word (`64:ff9b::/96`, RFC 6052): so a
 * server without IPv4 sees clients of IPv4.
 */
export function isTranslated(words: Uint32Array): boolean {
  return words[0] === TRANSLATED_WORD && words[1] === 0 && words[2] === 0;
}
