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
import { authorityStart, withoutWww } from '../page/page-url.ts';
import type { Site } from '../page/site.ts';
import type { RawHit } from '../raw-hit.ts';
import { NO_REFERRER, type Referrer, readReferrer } from './referrer-text.ts';

/** Finds the referrer of hits. */
export class Referrers {
  // A Map of objects: the texts are the clients' own.
  readonly #cache = new BoundedCache<string, Referrer>(REFERRER_CACHE_ENTRY_COUNT_MAX);

  /**
   * Sets referrer, name and icon of a hit from the sources of I-90, in their order.
   *
   * @param hit has its hostname already.
   */
  apply(hit: Hit, raw: RawHit, query: PageQuery, site: Site): void {
    const found =
      this.#read(query.ref, hit.hostname, site) ??
      this.#read(query.referer, hit.hostname, site) ??
      this.#read(query.referrer, hit.hostname, site) ??
      this.#read(raw.referrer, hit.hostname, site) ??
      this.#read(query.source, hit.hostname, site) ??
      this.#read(query.utmSource, hit.hostname, site);
    if (found === null) return;
    hit.referrer = found.referrer;
    hit.referrerName = found.name;
    hit.referrerIcon = found.icon;
  }

  /** What a source means; null when nothing comes of it. */
  #read(source: string | null | undefined, hostname: string, site: Site): Referrer | null {
    if (source === null || source === undefined || source === '') return null;
    const raw = cleanReferrer(source);
    if (raw === '' || isPlainlyOwn(raw, hostname)) return null;
    let referrer = this.#cache.get(raw);
    if (referrer === undefined) {
      referrer = readReferrer(raw);
      if (raw.length <= REFERRER_CACHE_TEXT_LENGTH_MAX) this.#cache.set(raw, referrer);
    }
    if (referrer === NO_REFERRER) return null;
    if (referrer.host !== '' && isOwnHost(referrer.host, hostname, site)) return null;
    return referrer;
  }
}

/** A source up to its first line break, trimmed (I-90). */
export function cleanReferrer(source: string): string {
  let end = 0;
  for (; end < source.length; end++) {
    const unit = source.charCodeAt(end);
    if (unit === 0x0a || unit === 0x0d) break;
  }
  return (end === source.length ? source : source.slice(0, end)).trim();
}

/** Whether an address begins with the page's own host: a test that may say no wrongly, never yes. */
function isPlainlyOwn(raw: string, hostname: string): boolean {
  const start = authorityStart(raw);
  if (start === -1 || !raw.startsWith(hostname, start)) return false;
  const end = start + hostname.length;
  return end === raw.length || raw.charCodeAt(end) === 0x2f;
}

/** I-93: both without `www.`; the alternatives of the domain may hold `*` (I-5). */
function isOwnHost(host: string, hostname: string, site: Site): boolean {
  if (host === withoutWww(hostname) || host === withoutWww(site.hostname)) return true;
  return site.ownReferrers.has(host);
}
