/**
 * Where a visitor came from (I-90, I-93, I-95): the first source that is not the site itself.
 *
 * Data plane. Most referrers of a busy site are its own pages, each a different text: they are told
 * by their first characters, before anything is looked up or remembered. Everything else is read
 * once (`referrer-text.ts`) and remembered.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import type { Hit } from '../../model/hit.ts';
import {
  REFERRER_CACHE_ENTRY_COUNT_MAX,
  REFERRER_CACHE_TEXT_LENGTH_MAX,
} from '../../model/limits.ts';
import type { PageQuery } from '../page/page-query.ts';
import { authorityStart, type PageUrl, withoutWww } from '../page/page-url.ts';
import type { Site } from '../page/site.ts';
import type { RawHit } from '../raw-hit.ts';
import { Spam, spamOf } from './referrer-spam.ts';
import { NO_REFERRER, type Referrer, readReferrer } from './referrer-text.ts';

/** What a raw referrer means, and what the bot filter says of it. */
interface ReadReferrer {
  meaning: Referrer;
  /** An entry of `Spam`. */
  spam: number;
}

const NOTHING: ReadReferrer = { meaning: NO_REFERRER, spam: Spam.No };

/** Finds the referrer of hits. */
export class Referrers {
  // A Map of objects: the texts are the clients' own.
  readonly #cache = new BoundedCache<string, ReadReferrer>(REFERRER_CACHE_ENTRY_COUNT_MAX);
  // A hit's first source is asked for twice, by the filter and for its meaning.
  #lastSource = '';
  #lastHostname = '';
  #last = NOTHING;

  /**
   * Whether a hit's referrer is spam (I-18): that of its first source that says anything (I-25).
   *
   * @param query of the page, as read.
   */
  isSpam(raw: RawHit, { hostname, search }: PageUrl, query: PageQuery, site: Site): boolean {
    // Most pages have no query to look through.
    const source = search === '' ? said(raw.referrer) : firstSource(raw, query);
    if (source === '') return false;
    const { spam, meaning } = this.#read(source, hostname);
    if (spam === Spam.No) return false;
    return spam === Spam.Text || !isOwnHost(meaning.host, hostname, site);
  }

  /**
   * Sets referrer, name and icon of a hit from the sources of I-90, in their order.
   *
   * @param hit has its hostname already.
   */
  apply(hit: Hit, raw: RawHit, query: PageQuery, site: Site): void {
    const found =
      this.#find(query.ref, hit.hostname, site) ??
      this.#find(query.referer, hit.hostname, site) ??
      this.#find(query.referrer, hit.hostname, site) ??
      this.#find(raw.referrer, hit.hostname, site) ??
      this.#find(query.source, hit.hostname, site) ??
      this.#find(query.utmSource, hit.hostname, site);
    if (found === null) return;
    hit.referrer = found.referrer;
    hit.referrerName = found.name;
    hit.referrerIcon = found.icon;
  }

  /** What a source means; null when nothing comes of it. */
  #find(source: string | null | undefined, hostname: string, site: Site): Referrer | null {
    if (source === null || source === undefined || source === '') return null;
    const { meaning } = this.#read(source, hostname);
    if (meaning === NO_REFERRER) return null;
    if (meaning.host !== '' && isOwnHost(meaning.host, hostname, site)) return null;
    return meaning;
  }

  /** What a source says: nothing where it is plainly a page of the site itself. */
  #read(source: string, hostname: string): ReadReferrer {
    if (source !== this.#lastSource || hostname !== this.#lastHostname) {
      this.#last = this.#readNew(source, hostname);
      this.#lastSource = source;
      this.#lastHostname = hostname;
    }
    return this.#last;
  }

  #readNew(source: string, hostname: string): ReadReferrer {
    const scanned = scanLine(source);
    const end = scanned >>> 1;
    const raw = (end === source.length ? source : source.slice(0, end)).trim();
    if (raw === '') return NOTHING;
    const isSuspect = (scanned & 1) === 1;
    if (!isSuspect && isPlainlyOwn(raw, hostname)) return NOTHING;
    const known = this.#cache.get(raw);
    if (known !== undefined) return known;
    const read = { meaning: readReferrer(raw), spam: spamOf(raw) };
    if (raw.length <= REFERRER_CACHE_TEXT_LENGTH_MAX) this.#cache.set(raw, read);
    return read;
  }
}

/** The first source of I-90 that is not empty as sent; '' when there is none. */
function firstSource(raw: RawHit, query: PageQuery): string {
  return (
    said(query.ref) ||
    said(query.referer) ||
    said(query.referrer) ||
    said(raw.referrer) ||
    said(query.source) ||
    said(query.utmSource)
  );
}

/** A source, '' when it is blank. */
function said(source: string | null | undefined): string {
  if (source === null || source === undefined || source === '') return '';
  // Few begin with a space: only those are looked at whole.
  return source.charCodeAt(0) <= SPACE && source.trim() === '' ? '' : source;
}

/**
 * Where the first line of a source ends (I-90), and whether there may be an attack in it (I-25): a
 * doubt for few, never missed.
 *
 * @returns twice the end, and 1 more in doubt.
 * @cost one pass; allocates nothing.
 */
function scanLine(source: string): number {
  let isSuspect = 0;
  let end = 0;
  for (; end < source.length; end++) {
    const unit = source.charCodeAt(end);
    if (MARKS[unit & LAST_ASCII] === 0) continue;
    if (unit === LINE_FEED || unit === CARRIAGE_RETURN) break;
    if (isDoubtful(source, end, unit)) isSuspect = 1;
  }
  return end * 2 + isSuspect;
}

/** Of each attack one character that is rare in addresses, and what stands beside it. */
function isDoubtful(source: string, at: number, unit: number): boolean {
  const before = source.charCodeAt(at - 1) | 0x20;
  const after = source.charCodeAt(at + 1) | 0x20;
  switch (unit) {
    // /etc/passwd
    case LETTER_W:
    case CAPITAL_W:
      return before === LETTER_S && after === LETTER_D;
    // pg_sleep
    case UNDERSCORE:
      return before === LETTER_G && after === LETTER_S;
    // sysdate, content-type
    case LETTER_Y:
    case CAPITAL_Y:
      return (before === LETTER_S && after === LETTER_S) || source.charCodeAt(at - 2) === HYPHEN;
    // A parenthesis, a space, and what is beyond ASCII.
    default:
      return true;
  }
}

/** Whether an address begins with the page's own host: a test that may say no wrongly, never yes. */
function isPlainlyOwn(raw: string, hostname: string): boolean {
  const start = authorityStart(raw);
  if (start === -1 || !raw.startsWith(hostname, start)) return false;
  const end = start + hostname.length;
  return end === raw.length || raw.charCodeAt(end) === SLASH;
}

/** I-93: both without `www.`; the alternatives of the domain may hold `*` (I-5). */
function isOwnHost(host: string, hostname: string, site: Site): boolean {
  if (host === withoutWww(hostname) || host === withoutWww(site.hostname)) return true;
  return site.ownReferrers.has(host);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PARENTHESIS = 0x28;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const CAPITAL_W = 0x57;
const CAPITAL_Y = 0x59;
const UNDERSCORE = 0x5f;
const LETTER_D = 0x64;
const LETTER_G = 0x67;
const LETTER_S = 0x73;
const LETTER_W = 0x77;
const LETTER_Y = 0x79;
const LAST_ASCII = 0x7f;

/** By character: whether a scan stops to look at it; one beyond ASCII is taken for another. */
const MARKS = new Uint8Array(LAST_ASCII + 1);
for (const unit of [LINE_FEED, CARRIAGE_RETURN, SPACE, PARENTHESIS, UNDERSCORE]) MARKS[unit] = 1;
for (const unit of [CAPITAL_W, CAPITAL_Y, LETTER_W, LETTER_Y]) MARKS[unit] = 1;
