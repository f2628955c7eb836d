/**
 * The page address of a hit, taken apart: hostname (I-4), path (I-6), query (I-96); I-8 refuses.
 *
 * Data plane. The usual form — http(s)://ascii-host[:port]/path?query#fragment — is scanned by
 * hand, without `new URL` and its parts (about half of their cost). Only the host of an unusual
 * authority (user, IPv6, punycode, non-ASCII, a number) goes through the WHATWG parser, which then
 * says what the host is. Dot segments are never resolved and nothing is re-encoded: a path is what
 * the client sent. `test/ingest/page/page-url.test.ts` holds a readable twin and compares both.
 */

import { domainToASCII } from 'node:url';
import { HOSTNAME_LENGTH_MAX, PATH_LENGTH_MAX } from '../../model/limits.ts';
import { cutText, percentDecode } from '../text.ts';

/** A page address that passed I-8. */
export interface PageUrl {
  /** Normalised by I-4. */
  hostname: string;
  /** Decoded and cut (I-6); never empty. */
  path: string;
  /** The query as sent, without `?`; '' without one. `readPageQuery` reads it. */
  search: string;
}

/**
 * Takes a page address apart.
 *
 * Spaces and control characters around it are ignored, as WHATWG does.
 *
 * @returns null when it is no absolute http or https address (I-8).
 * @cost one pass; allocates the answer and its slices.
 */
export function parsePageUrl(url: string): PageUrl | null {
  const text = trimControls(url);
  const start = authorityStart(text);
  if (start === -1) return null;
  const end = authorityEnd(text, start);
  const host = hostOf(text, start, end);
  if (host === '') return null;
  const pathEnd = scanTo(text, end, QUESTION_MARK);
  const path =
    pathEnd === end ? '/' : cutText(percentDecode(text.slice(end, pathEnd)), PATH_LENGTH_MAX);
  let search = '';
  if (text.charCodeAt(pathEnd) === QUESTION_MARK) {
    search = text.slice(pathEnd + 1, scanTo(text, pathEnd + 1, HASH));
  }
  return { hostname: withoutPlainWww(host), path, search };
}

/**
 * A hostname as I-4 wants it: lower case, no port, `www.` gone when there are exactly two dots.
 *
 * For hostnames a person typed (a domain's own, its alternatives): non-ASCII becomes punycode, as
 * it does in a page address.
 */
export function normalizeHostname(hostname: string): string {
  const lower = hostname.trim().toLowerCase().replace(/:\d*$/, '');
  const ascii = lower === '' ? '' : domainToASCII(lower);
  return withoutPlainWww(ascii === '' ? lower : ascii);
}

/**
 * Position after `http://` or `https://` in any case; -1 without one.
 */
export function authorityStart(text: string): number {
  if ((text.charCodeAt(0) | 0x20) !== 0x68) return -1;
  if ((text.charCodeAt(1) | 0x20) !== 0x74) return -1;
  if ((text.charCodeAt(2) | 0x20) !== 0x74) return -1;
  if ((text.charCodeAt(3) | 0x20) !== 0x70) return -1;
  const colon = (text.charCodeAt(4) | 0x20) === 0x73 ? 5 : 4;
  if (text.charCodeAt(colon) !== COLON) return -1;
  if (text.charCodeAt(colon + 1) !== SLASH || text.charCodeAt(colon + 2) !== SLASH) return -1;
  return colon + 3;
}

/** Position of the `/`, `?` or `#` that ends the authority, or the end of the text. */
export function authorityEnd(text: string, start: number): number {
  let index = start;
  for (; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === SLASH || unit === QUESTION_MARK || unit === HASH) break;
  }
  return index;
}

/**
 * The host of `text[start..end)`: lower case, without user and port; '' if it is no host.
 *
 * @cost one pass for letters, digits, `-`, `.`, `_`; anything else asks the WHATWG parser.
 */
export function hostOf(text: string, start: number, end: number): string {
  let labelStart = start;
  let hasUpperCase = false;
  let index = start;
  for (; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x61 && unit <= 0x7a) continue;
    if (unit === DOT) labelStart = index + 1;
    else if (unit >= 0x41 && unit <= 0x5a) hasUpperCase = true;
    else if (unit === HYPHEN) {
      // `xn--`: punycode has rules of its own.
      if (text.charCodeAt(index + 1) === HYPHEN) return unusualHostOf(text.slice(start, end));
    } else if (unit === COLON) break;
    else if ((unit < DIGIT_0 || unit > DIGIT_9) && unit !== UNDERSCORE) {
      return unusualHostOf(text.slice(start, end));
    }
  }
  // A last label that is empty or starts with a digit may make the host an IPv4 address.
  const last = text.charCodeAt(labelStart);
  if (labelStart >= index || (last >= DIGIT_0 && last <= DIGIT_9)) {
    return unusualHostOf(text.slice(start, end));
  }
  if (index - start > HOSTNAME_LENGTH_MAX) return '';
  if (index < end && !isPort(text, index + 1, end)) {
    return unusualHostOf(text.slice(start, end));
  }
  const host = text.slice(start, index);
  return hasUpperCase ? host.toLowerCase() : host;
}

/** A host without a leading `www.`, however many dots it has (I-91, I-93). */
export function withoutWww(host: string): string {
  return startsWithWww(host) ? host.slice(4) : host;
}

/** The rare hosts: WHATWG decides what they are. */
function unusualHostOf(authority: string): string {
  for (let index = 0; index < authority.length; index++) {
    const unit = authority.charCodeAt(index);
    // WHATWG drops tabs and line breaks and takes `\` for `/`; we refuse them in a host.
    if (unit <= 0x20 || unit === 0x7f || unit === BACKSLASH) return '';
  }
  const url = `http://${authority}/`;
  if (!URL.canParse(url)) return '';
  const host = new URL(url).hostname;
  return host.length > HOSTNAME_LENGTH_MAX ? '' : host;
}

function isPort(text: string, start: number, end: number): boolean {
  let port = 0;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit < DIGIT_0 || unit > DIGIT_9) return false;
    port = port * 10 + unit - DIGIT_0;
    if (port > 65_535) return false;
  }
  return true;
}

/** Position of `stop` or of `#`, whichever comes first, from `index` on; else the end. */
function scanTo(text: string, from: number, stop: number): number {
  let index = from;
  for (; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === stop || unit === HASH) break;
  }
  return index;
}

function trimControls(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end--;
  let start = 0;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function startsWithWww(host: string): boolean {
  return (
    host.charCodeAt(0) === LETTER_W &&
    host.charCodeAt(1) === LETTER_W &&
    host.charCodeAt(2) === LETTER_W &&
    host.charCodeAt(3) === DOT
  );
}

function withoutPlainWww(host: string): string {
  if (!startsWithWww(host)) return host;
  let dots = 0;
  for (let index = 0; index < host.length; index++) {
    if (host.charCodeAt(index) === DOT) dots++;
  }
  return dots === 2 ? host.slice(4) : host;
}

const HASH = 0x23;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const LETTER_W = 0x77;
