/**
 * Addresses that belong to a network of one's own: what requests to addresses that clients name must
 * not reach, since their answers and their timing would tell about it.
 *
 * Control plane.
 */
import { BlockList, isIP } from 'node:net';

/** Loopback, private, link-local (where clouds keep metadata), shared, reserved and multicast. */
const RANGES: readonly (readonly [network: string, bits: number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    // What a host of Azure asks about itself, in the midst of public addresses.
    ['168.63.129.16', 32],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
  ...([
    ['::', 96],
    // What stands for an IPv4 address is looked at as one; other prefixes that lead there are not used.
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    // Teredo, ORCHID, benchmarks and what else the IETF keeps for itself.
    ['2001::', 23],
    ['2002::', 16],
    ['5f00::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ] as const),
];

const own = new BlockList();
for (const [network, bits] of RANGES) own.addSubnet(network, bits, familyOf(network));

/** Whether an address, IPv4 or IPv6 without brackets, is one of a network of one's own. */
export function isPrivateAddress(address: string): boolean {
  return isIP(address) !== 0 && own.check(address, familyOf(address));
}

/**
 * Whether the host of an address in the web is literally such an address, or says that it is this
 * machine. What a name stands for is known when it is resolved.
 *
 * @param hostname as `URL` writes it: IPv4 with four numbers, IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
