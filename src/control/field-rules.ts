/**
 * What the fields of an entity may hold: each rule says what to change, '' when nothing.
 *
 * Control plane. The rules look at normalised values; the `normal…` functions make those from what
 * a person typed.
 */
import { normalizeHostname } from '../ingest/page/page-url.ts';
import {
  EMAIL_LENGTH_MAX,
  HOSTNAME_LENGTH_MAX,
  NAME_LENGTH_MAX,
  SUBDOMAIN_LENGTH_MAX,
} from '../model/limits.ts';

const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** An address is only used, never parsed, so this asks for no more than a plausible one. */
export function emailFault(email: string): string {
  if (email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email)) return '';
  return `must be an email address such as name@example.org, at most ${EMAIL_LENGTH_MAX} characters`;
}

/** A person's name; '' is allowed. */
export function nameFault(name: string): string {
  return [...name].length <= NAME_LENGTH_MAX
    ? ''
    : `must have at most ${NAME_LENGTH_MAX} characters`;
}

/**
 * A hostname as people type it, normalised by I-4.
 *
 * @returns what was typed, trimmed, if it is more than a hostname: `hostnameFault` then says so.
 */
export function normalHostname(typed: string): string {
  const text = typed.trim();
  // Normalising would silently cut what these begin.
  return /[\s/\\?#@:%]/.test(text) ? text : normalizeHostname(text);
}

/** A normalised hostname: labels of letters, digits, hyphens; also `localhost` or an IPv4 address. */
export function hostnameFault(hostname: string): string {
  const isPlausible =
    hostname.length <= HOSTNAME_LENGTH_MAX &&
    hostname.split('.').every((label) => LABEL.test(label));
  if (isPlausible) return '';
  return 'must be a hostname such as example.com, without scheme, port or path';
}

/** The same with `*`, which stands for one or more characters (I-5). */
export function hostnamePatternFault(pattern: string): string {
  // A star among the letters of an encoded label would match what nobody can read in it.
  const isEncoded = pattern.split('.').some((label) => /^xn--.*\*/.test(label));
  if (!isEncoded && hostnameFault(pattern.replaceAll('*', 'x')) === '') return '';
  return 'must be a hostname such as shop.example.com; * stands for one or more characters';
}

/**
 * The time zone in the spelling of the database: `europe/berlin` → `Europe/Berlin`.
 *
 * An alias stays itself: ICU's idea of the canonical name is often the older one.
 */
export function normalTimezone(typed: string): string {
  const text = typed.trim();
  if (timezoneFault(text) !== '') return text;
  const canonical = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  return canonical.toLowerCase() === text.toLowerCase() ? canonical : text;
}

/** An IANA name; offsets such as +02:00 know no daylight saving and are refused. */
export function timezoneFault(timezone: string): string {
  if (/^[A-Za-z]/.test(timezone)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: timezone });
      return '';
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return 'must be an IANA time zone such as Europe/Berlin or UTC';
}

/** One DNS label, as it stands before the dashboard's host. */
export function subdomainFault(subdomain: string): string {
  if (subdomain.length <= SUBDOMAIN_LENGTH_MAX && SUBDOMAIN.test(subdomain)) return '';
  return `must have 1 to ${SUBDOMAIN_LENGTH_MAX} letters a-z, digits and inner hyphens`;
}

/**
 * A free subdomain for a hostname: `example.com` → `example-com`, then `example-com-2`, …
 *
 * @param isTaken says whether a subdomain belongs to another domain.
 */
export function deriveSubdomain(hostname: string, isTaken: (subdomain: string) => boolean): string {
  const cut = hostname.replace(/[^a-z0-9]+/g, '-').slice(0, SUBDOMAIN_LENGTH_MAX - 12);
  const stem = cut.replace(/^-+|-+$/g, '') || 'site';
  let subdomain = stem;
  for (let number = 2; isTaken(subdomain); number++) subdomain = `${stem}-${number}`;
  return subdomain;
}
