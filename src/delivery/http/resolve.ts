/**
 * Names of receivers into addresses, by the system's DNS servers and nobody else.
 *
 * Control plane. `getaddrinfo` would hold one of a few threads of the process for as long as a server is
 * silent, and two customers with such names would keep everybody else's from being looked up (O-2). Here
 * a look-up is a packet and a timer. What only this machine knows, as its hosts file has it, is no
 * receiver's name: with FOOTFALL_OUTBOUND_PRIVATE=on the system is asked instead.
 */
import { Resolver } from 'node:dns/promises';
import { SECOND_MS } from '../../model/limits.ts';
import type { Resolve } from './guarded-lookup.ts';

/** A server is asked twice, the second time with more patience. */
const ASKED = { timeout: 1.5 * SECOND_MS, tries: 2 };

/**
 * Looks up both kinds of addresses.
 *
 * @param servers default: those of the system.
 * @returns rejects with the error of IPv4 when neither kind was found.
 */
export function resolveByServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver(ASKED);
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const name = hostname.replace(/\.$/, '');
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
