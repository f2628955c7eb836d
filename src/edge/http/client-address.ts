/**
 * The address of whoever sent a request: of the connection, or what a trusted proxy says.
 *
 * Control plane for what asks for it today, the rate limits. Headers are read only if the connection
 * is a trusted proxy's, since anybody can write them; a proxy has to replace those that it names, or
 * take them out. What a proxy says counts only if it is an address of the internet.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import {
  type AddressTest,
  addressTest,
  canonicalAddress,
  isPublicAddress,
} from '../../base/address-ranges.ts';
import { cleanAddress } from '../../ingest/place/address.ts';

/** Headers that name an address, the first that does decides; of a list the last is the proxy's own. */
const HEADERS: readonly { readonly name: string; readonly of: (value: string) => string }[] = [
  { name: 'cf-connecting-ip', of: (value) => value },
  { name: 'true-client-ip', of: (value) => value },
  { name: 'x-forwarded-for', of: lastOf },
  { name: 'forwarded', of: lastFor },
  { name: 'x-real-ip', of: (value) => value },
];
const FORWARDED_FOR = /(?:^|[;,])\s*for\s*=\s*("(?:[^"\\]|\\.)*"|[^";,\s]+)/gi;

const decoder = new TextDecoder();

/** Reads addresses of clients for one edge. */
export class ClientAddresses {
  readonly #isTrusted: AddressTest;
  readonly #trustsAnybody: boolean;

  /** @param trustedProxies addresses and CIDR ranges; none: the connection's address always counts. */
  constructor(trustedProxies: readonly string[]) {
    this.#isTrusted = addressTest(trustedProxies);
    this.#trustsAnybody = trustedProxies.length > 0;
  }

  /**
   * Whose request this is; in its handler only.
   *
   * @returns in its one spelling; '' when the connection is gone already.
   */
  of(res: HttpResponse, req: HttpRequest): string {
    const peer = peerOf(res);
    if (!this.#trusts(peer)) return peer;
    const values = new Map<string, string>();
    // Walked: asked by name, the engine gives the first of several, which a client may have written.
    req.forEach((name, value) => {
      if (HEADERS.some((header) => header.name === name)) values.set(name, value);
    });
    return forwardedAddress(values) ?? peer;
  }

  /**
   * The same where the headers have been walked already.
   *
   * @param values by name in lower case; of a header that was sent several times the last.
   */
  among(res: HttpResponse, values: ReadonlyMap<string, string>): string {
    const peer = peerOf(res);
    if (values.size === 0 || !this.#trusts(peer)) return peer;
    return forwardedAddress(values) ?? peer;
  }

  #trusts(peer: string): boolean {
    return this.#trustsAnybody && this.#isTrusted(peer);
  }
}

function peerOf(res: HttpResponse): string {
  return canonicalAddress(decoder.decode(res.getRemoteAddressAsText())) ?? '';
}

/**
 * What the headers of a trusted proxy say.
 *
 * @param values by name in lower case; of a header that was sent several times the last.
 * @returns null when none of them has an address of the internet.
 */
export function forwardedAddress(values: ReadonlyMap<string, string>): string | null {
  for (const { name, of } of HEADERS) {
    const value = values.get(name);
    const address = value === undefined ? null : canonicalAddress(cleanAddress(of(value)));
    if (address !== null && isPublicAddress(address)) return address;
  }
  return null;
}

function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1);
}

/** The last `for=` of RFC 7239, without the quotes that an IPv6 address has to stand in. */
function lastFor(value: string): string {
  let last = '';
  for (const [, node = ''] of value.matchAll(FORWARDED_FOR)) last = node;
  return last.startsWith('"') ? last.slice(1, -1) : last;
}

/**
 * Who counts as one where addresses are counted: an IPv4 address, and of IPv6 the 64 bits that a
 * connection is given, since whoever has one of its addresses has them all.
 *
 * @param address in its one spelling.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
