/**
 * What the pipeline knows of the domain a hit belongs to: made once, read for each of its hits.
 */
import type { AddressLists } from '../address-filter.ts';
import { type HostnamePatterns, patternsOf } from './hostname-patterns.ts';
import { withoutWww } from './page-url.ts';

/** A domain as ingestion sees it. */
export interface Site {
  readonly domainId: string;
  /** Normalised by I-4. */
  readonly hostname: string;
  /** Whose pages count as well (I-5). */
  readonly alternatives: HostnamePatterns;
  /** The same without `www.`, as own referrers are told (I-93). */
  readonly ownReferrers: HostnamePatterns;
  /** Addresses that the domain drops, and lets through (I-24); null: it names none. */
  readonly addresses: AddressLists | null;
  /** By the name of an event: ids of the webhooks it is told to, with commas; null: it has none. */
  readonly webhooks: ReadonlyMap<string, string> | null;
}

/**
 * A domain for ingestion.
 *
 * @param hostname normalised by I-4 (`normalizeHostname`), as are the alternatives, which may have `*`.
 */
export function siteWith(
  domainId: string,
  hostname: string,
  alternatives: readonly string[] = [],
  addresses: AddressLists | null = null,
): Site {
  return {
    domainId,
    hostname,
    alternatives: patternsOf(alternatives),
    ownReferrers: patternsOf(alternatives.map(withoutWww)),
    addresses,
    webhooks: null,
  };
}

/**
 * Whether a hit's hostname belongs to its domain (I-5): once per hit.
 *
 * @param hostname normalised by I-4.
 */
export function hostnameAllowed(hostname: string, site: Site): boolean {
  return hostname === site.hostname || site.alternatives.has(hostname);
}
