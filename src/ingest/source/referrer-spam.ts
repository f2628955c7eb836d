/**
 * Referrers that nobody came from (I-18, I-25): sites that advertise themselves in the statistics of
 * others, attacks, and ids that a program made up.
 *
 * Runs once per distinct text (`referrer.ts` remembers), so it is written for reading.
 */

import { domainToASCII } from 'node:url';
import { OWN_SPAM_HOSTS, SPAM_HOSTS } from '../data/spam-hosts.ts';
import { percentDecode } from '../text.ts';

/** What the filter says of a raw referrer. */
export const Spam = {
  No: 0,
  /** An attack or a UUID, wherever it claims to come from. */
  Text: 1,
  /** Of a listed site: no spam on its own pages, where it is the site itself (I-93). */
  Host: 2,
} as const;

/** What no address has in it (I-25); lower case. `pg_sleep` and `sleep(` are two. */
const ATTACKS = [
  ...['select(', 'sleep(', 'pg_sleep', 'sysdate', ' or ', ' and ', ' xor '],
  ...['/etc/passwd', 'content-type'],
];
const UUID = /^(?:urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/;

const hosts: ReadonlySet<string> = new Set(
  [...SPAM_HOSTS.trim().split(/\s+/), ...OWN_SPAM_HOSTS].map((host) => host.toLowerCase()),
);
const labelCountMax = Math.max(...[...hosts].map((host) => host.split('.').length));

/**
 * Judges a raw referrer (I-90).
 *
 * @param raw trimmed, one line, not empty.
 * @returns an entry of `Spam`.
 */
export function spamOf(raw: string): number {
  const lower = raw.toLowerCase();
  if (UUID.test(lower) || ATTACKS.some((attack) => lower.includes(attack))) return Spam.Text;
  return isListed(hostIn(lower)) ? Spam.Host : Spam.No;
}

/**
 * Whether the host or a site above it is listed: whole labels, so that `notsemalt.com` is not
 * `semalt.com`, and the last two at least, which no list of top-level domains has to be asked about.
 */
function isListed(host: string): boolean {
  let start = host.lastIndexOf('.');
  for (let labelCount = 2; start > 0 && labelCount <= labelCountMax; labelCount++) {
    start = host.lastIndexOf('.', start - 1);
    if (hosts.has(host.slice(start + 1))) return true;
  }
  return false;
}

/** The host that a text names, with a scheme or without; whatever else it is, no list has it. */
function hostIn(lower: string): string {
  const text = lower.startsWith('http') ? percentDecode(lower).toLowerCase() : lower;
  const [authority = ''] = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//, '').split(/[/?#\\]/, 1);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .replace(/\.+$/, '');
  return /^[\0-\x7f]*$/.test(host) ? host : domainToASCII(host);
}
