/**
 * The client address of a hit, cleaned (I-3), and the question whether a text is one.
 *
 * Data plane. An address is used and forgotten: it enters the visitor id and the location, and
 * nothing of it is stored (I-35).
 */

import { isIP } from 'node:net';

/**
 * The address without surrounding space, brackets and port; a text that is none stays as it is.
 *
 * `1.2.3.4:567` → `1.2.3.4`, `[2001:db8::1]:567` → `2001:db8::1`.
 */
export function cleanAddress(ip: string): string {
  const text = ip.trim();
  if (text.charCodeAt(0) === OPENING_BRACKET) return withoutBrackets(text);
  const colon = text.indexOf(':');
  // One colon is a port, more are an IPv6 address.
  if (colon === -1 || text.indexOf(':', colon + 1) !== -1) return text;
  const address = text.slice(0, colon);
  return isDigits(text, colon + 1) && isAddress(address) ? address : text;
}

/** Whether the text is an IPv4 or IPv6 address and nothing else. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

function withoutBrackets(text: string): string {
  const closing = text.indexOf(']');
  if (closing === -1) return text;
  const address = text.slice(1, closing);
  const endsThere = closing === text.length - 1;
  const hasPort = text.charCodeAt(closing + 1) === COLON && isDigits(text, closing + 2);
  return (endsThere || hasPort) && isAddress(address) ? address : text;
}

function isDigits(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return start < text.length;
}

const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
