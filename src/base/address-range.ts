/** Texts that name IP addresses: one address, or a range of them in CIDR notation. */
import { isIP } from 'node:net';

/** Whether a text is an IPv4 or IPv6 address, or such a range: `10.0.0.0/8`. */
export function isAddressRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  // A zone belongs to one machine's own network.
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
