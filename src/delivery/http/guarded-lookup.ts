/**
 * Names of receivers into addresses, at the moment of the connection (O-12): what a name stands for is
 * checked where it is used, so that nobody can change it in between.
 *
 * Control plane. node:net asks this function and connects to the very addresses that it answers. A host
 * that is literally an address is not looked up by it: `literalFault` says what is wrong with that one.
 */
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { canonicalAddress, isPublicAddress } from '../../base/address-ranges.ts';
import { isPrivateAddress, isPrivateHost } from '../../base/private-address.ts';

/** Why an attempt came to nothing, in words for who looks at deliveries. */
export class AttemptFault extends Error {}

/** Asks for all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What is wrong with the host of an address in the web, before anything is looked up; '' is nothing. */
export function literalFault(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return isOutside(host) ? '' : refusal(host);
  return isPrivateHost(hostname) ? refusal(hostname) : '';
}

/** Looks names up and refuses each that has an address within, whatever else it has. */
export function guardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (found) => {
        const addresses = found.map(({ address, family }) => ({ address, family }));
        const inside = addresses.find(({ address }) => !isOutside(address));
        const [first] = addresses;
        if (inside !== undefined) done(new AttemptFault(refusal(hostname)), '', 0);
        else if (first === undefined) done(new AttemptFault(`${hostname} has no address`), '', 0);
        else if (options.all === true) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (cause: Error) => done(cause, '', 0),
    );
  };
}

/** Whether the internet knows an address, and no network of one's own does. */
function isOutside(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === null || text.includes('%')) return false;
  return isPublicAddress(address) && !isPrivateAddress(address);
}

function refusal(host: string): string {
  return `${host} leads into a private network (FOOTFALL_OUTBOUND_PRIVATE=on allows it)`;
}
