/**
 * The address of whoever sent a request: of the connection, or what a trusted proxy says.
 *
 * Data plane: asked per hit of a browser. Headers are read only if the connection is a trusted proxy's,
 * since anybody can write them; a proxy has to replace those that it names, or take them out. What a
 * proxy says counts only if it is an address of the internet.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import {
  type AddressTest,
  addressTest,
  canonicalAddress,
  isPublicAddress,
} from '../../base/address-ranges.ts';
import { BoundedCache } from '../../base/bounded-cache.ts';
import { cleanAddress } from '../../ingest/place/address.ts';
import { PEER_CACHE_ENTRY_COUNT_MAX } from '../../model/limits.ts';

/** Headers that name an address, the first that does decides; of a list the last is the proxy's own. */
const HEADERS: readonly { readonly name: string; readonly of: (value: string) => string }[] = [
  { name: 'cf-connecting-ip', of: (value) => value },
  { name: 'true-client-ip', of: (value) => value },
  { name: 'x-forwarded-for', of: lastOf },
  { name: 'forwarded', of: lastFor },
  { name: 'x-real-ip', of: (value) => value },
];
/** Their names, for whoever has to keep clients from writing them: `config/docker/nginx.conf`. */
export const ADDRESS_HEADERS: readonly string[] = HEADERS.map(({ name }) => name);
const FORWARDED_FOR = /(?:^|[;,])\s*for\s*=\s*("(?:[^"\\]|\\.)*"|[^";,\s]+)/gi;

const decoder = new TextDecoder();

/** The other end of a connection. */
interface Peer {
  /** In its one spelling; '' when the connection is gone already. */
  readonly address: string;
  readonly isTrusted: boolean;
}

/** Reads addresses of clients for one edge. */
export class ClientAddresses {
  readonly #isTrusted: AddressTest;
  /** By the bytes of their addresses: IPv4 as a number, IPv6 as a text. */
  readonly #peers = new BoundedCache<number | string, Peer>(PEER_CACHE_ENTRY_COUNT_MAX);

  /** @param trustedProxies addresses and CIDR ranges; none: the connection's address always counts. */
  constructor(trustedProxies: readonly string[]) {
    this.#isTrusted = addressTest(trustedProxies);
  }

  /**
   * Whose request this is; in its handler only.
   *
   * @returns in its one spelling; '' when the connection is gone already.
   */
  of(res: HttpResponse, req: HttpRequest): string {
    const { address, isTrusted } = this.#peerOf(res);
    if (!isTrusted) return address;
    const values = new Map<string, string>();
    // Walked: asked by name, the engine gives the first of several, which a client may have written.
    req.forEach((name, value) => {
      if (HEADERS.some((header) => header.name === name)) values.set(name, value);
    });
    return forwardedAddress(values) ?? address;
  }

  /**
   * The same where the headers have been walked already.
   *
   * @param values by name in lower case; of a header that was sent several times the last.
   */
  among(res: HttpResponse, values: ReadonlyMap<string, string>): string {
    const { address, isTrusted } = this.#peerOf(res);
    if (values.size === 0 || !isTrusted) return address;
    return forwardedAddress(values) ?? address;
  }

  #peerOf(res: HttpResponse): Peer {
    const bytes = new Uint8Array(res.getRemoteAddress());
    const key = bytes.length === 4 ? numberOf(bytes) : String.fromCharCode(...bytes);
    const known = this.#peers.get(key);
    if (known !== undefined) return known;
    const address = canonicalAddress(decoder.decode(res.getRemoteAddressAsText())) ?? '';
    const peer: Peer = { address, isTrusted: this.#isTrusted(address) };
    this.#peers.set(key, peer);
    return peer;
  }
}

function numberOf(bytes: Uint8Array): number {
  return bytes[0]! * 2 ** 24 + (bytes[1]! << 16) + (bytes[2]! << 8) + bytes[3]!;
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
