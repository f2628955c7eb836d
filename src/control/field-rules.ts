/**
 * What the fields of an entity may hold: each rule says what to change, '' when nothing.
 *
 * Control plane. The rules look at normalised values; the `normal…` functions make those from what
 * a person typed.
 */
import {
  authorityEnd,
  authorityStart,
  hostOf,
  normalizeHostname,
} from '../ingest/page/page-url.ts';
import {
  EMAIL_LENGTH_MAX,
  HOSTNAME_LENGTH_MAX,
  NAME_LENGTH_MAX,
  SUBDOMAIN_LENGTH_MAX,
  SUBDOMAIN_LENGTH_MIN,
} from '../model/limits.ts';

/** No control characters, halves of surrogate pairs, or what text is turned round with: nobody reads those. */
const EMAIL = /^[^\s\p{C}@<>(),;:"\\]+@[^\s\p{C}@<>(),;:"\\]+$/u;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** With its offset: an instant, whatever the time zone of the domain is or becomes. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** An address is only used, never parsed, so this asks for no more than a plausible one. */
export function emailFault(email: string): string {
  if (email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email)) return '';
  return `must be an email address such as name@example.org, at most ${EMAIL_LENGTH_MAX} characters`;
}

/** Milliseconds since the epoch; NaN: it is no instant, or of a day that there is not, as 30 February. */
export function instantOf(typed: string): number {
  const [, year = 0, month = 0, day = 0] = (INSTANT.exec(typed) ?? []).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  // What there is not is counted on into the next month.
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= 1970 && isDay ? Date.parse(typed.toUpperCase()) : Number.NaN;
}

/** A person's name; '' is allowed. */
export function nameFault(name: string): string {
  return [...name].length <= NAME_LENGTH_MAX
    ? ''
    : `must have at most ${NAME_LENGTH_MAX} characters`;
}

/**
 * The hostname of a site as people type it, normalised by I-4; of a full address its host (M-10).
 *
 * @returns what was typed, trimmed, if it is neither: `hostnameFault` then says so.
 */
export function normalHostname(typed: string): string {
  const host = normalCustomHostname(typed);
  return host === '' ? '' : normalizeHostname(host);
}

/** The same for the hostname of a dashboard, where `www.` is part of the name (M-13). */
export function normalCustomHostname(typed: string): string {
  const text = typed.trim();
  // A name before the host, an escape or a space is nothing that people mean by an address.
  if (/[\s\\@%]/.test(text)) return text;
  const address = text.includes('://') ? text : `http://${text}`;
  const start = authorityStart(address);
  const host = start === -1 ? '' : hostOf(address, start, authorityEnd(address, start));
  return host === '' ? text : host;
}

/** A normalised hostname: a DNS name or `localhost`, no address (M-10). */
export function hostnameFault(hostname: string): string {
  const labels = hostname.split('.');
  const isName =
    hostname.length <= HOSTNAME_LENGTH_MAX &&
    labels.every((label) => LABEL.test(label)) &&
    // The last label of an IPv4 address is a number, that of a name never is.
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isName ? '' : 'must be a hostname such as example.com';
}

/**
 * A hostname with `*` as people type it, normalised by I-4.
 *
 * @returns what was typed, trimmed, if it is more than that: `hostnamePatternFault` then says so.
 */
export function normalHostnamePattern(typed: string): string {
  const text = typed.trim();
  // Normalising would silently cut what these begin.
  return /[\s/\\?#@:%]/.test(text) ? text : normalizeHostname(text);
}

/** The rule of a hostname with `*`, which stands for one or more characters (I-5). */
export function hostnamePatternFault(pattern: string): string {
  // A star among the letters of an encoded label would match what nobody can read in it.
  const isEncoded = pattern.split('.').some((label) => /^xn--.*\*/.test(label));
  if (!isEncoded && hostnameFault(pattern.replaceAll('*', 'x')) === '') return '';
  return 'must be a hostname such as shop.example.com; * stands for one or more characters';
}

/**
 * The time zone in the spelling of the database: `europe/berlin` → `Europe/Berlin`.
 *
 * An alias stays itself: the name that ICU puts in its place is often the older one, such as
 * Asia/Calcutta for Asia/Kolkata. It knows no spelling of those, so each part gets a capital.
 */
export function normalTimezone(typed: string): string {
  const text = typed.trim();
  if (timezoneFault(text) !== '') return text;
  const canonical = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  if (canonical.toLowerCase() === text.toLowerCase()) return canonical;
  if (text !== text.toLowerCase()) return text;
  // GMT, EST5EDT, NZ: short names are abbreviations.
  const isAbbreviated = !text.includes('/') && (text.length < 4 || /\d/.test(text));
  return isAbbreviated
    ? text.toUpperCase()
    : text.replace(/(?<![a-z])[a-z]/g, (first) => first.toUpperCase());
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

/** Labels before the dashboards' host that the service needs itself, or that would mislead (M-10). */
const RESERVED_SUBDOMAINS: ReadonlySet<string> = new Set([
  ...['www', 'api', 'app', 'admin', 'mail', 'static', 'assets', 'status', 'docs', 'demo', 'js'],
  ...['hit', 'event', 'session', 'login', 'activate', 'reset', 'sites', 'settings', 'account'],
  ...['metrics', 'livez', 'readyz'],
]);

/** Whether no dashboard ever has it: what stands there is the service's own. */
export function isReservedSubdomain(name: string): boolean {
  return RESERVED_SUBDOMAINS.has(name.toLowerCase());
}

/** One DNS label, as it stands before the dashboards' host. */
export function subdomainFault(subdomain: string): string {
  if (RESERVED_SUBDOMAINS.has(subdomain)) return `'${subdomain}' is reserved; choose another`;
  const { length } = subdomain;
  const fits = length >= SUBDOMAIN_LENGTH_MIN && length <= SUBDOMAIN_LENGTH_MAX;
  if (fits && SUBDOMAIN.test(subdomain)) return '';
  return `must have ${SUBDOMAIN_LENGTH_MIN} to ${SUBDOMAIN_LENGTH_MAX} letters a-z, digits and inner hyphens`;
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
  for (let number = 2; subdomainFault(subdomain) !== '' || isTaken(subdomain); number++) {
    subdomain = `${stem}-${number}`;
  }
  return subdomain;
}
