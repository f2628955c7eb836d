/**
 * IP addresses as ranges: whether one lies in a list, and whether the internet knows it.
 *
 * Control plane. An IPv4 address that came in the clothes of IPv6 (`::ffff:10.0.0.1`) counts as what
 * it is, so that no range is passed by writing an address in another way.
 */
import { isIP, SocketAddress } from 'node:net';
import { addressSet } from './address-set.ts';
import { IP_WORD_COUNT, readIpWords } from './ip-words.ts';

/** Ranges that no public host has: IANA's registries of special-purpose addresses (RFC 6890). */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/127', '64:ff9b:1::/48', '100::/64', '2001:db8::/32', '3fff::/20', 'fc00::/7'],
  ...['fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const MAPPED = '::ffff:';

/** Whether an address lies in one of some ranges. */
export type AddressTest = (address: string) => boolean;

/**
 * A test for ranges such as `10.0.0.0/8` and single addresses; they have been checked before.
 *
 * @returns false for every text that is no address.
 */
export function addressTest(ranges: readonly string[]): AddressTest {
  const set = addressSet(ranges);
  const words = new Uint32Array(IP_WORD_COUNT);
  return (text) => set.has(readIpWords(text, words), words);
}

const isSpecial = addressTest(SPECIAL);

/** Whether it is an address that hosts of the internet can have. */
export function isPublicAddress(text: string): boolean {
  return isIP(text) !== 0 && !isSpecial(text);
}

/** The one spelling of an address, lower case and short, without a zone; null: it is none. */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0) return null;
  const [address = ''] = text.split('%');
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  return short.startsWith(MAPPED) && short.includes('.') ? short.slice(MAPPED.length) : short;
}
