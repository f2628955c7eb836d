/**
 * Domains as ingestion sees them (I-4, I-5), and which of several a hostname means (I-9).
 *
 * Read per hit: the site of the domain that was asked for last is two comparisons, that of any other one
 * a Map hit. Both are made of records and kept until these change.
 */
import { addressSet } from '../base/address-set.ts';
import type { AddressLists } from '../ingest/address-filter.ts';
import { HostnamePatterns } from '../ingest/page/hostname-patterns.ts';
import { normalizeHostname } from '../ingest/page/page-url.ts';
import { type Site, siteWith } from '../ingest/page/site.ts';
import type { Registry } from './registry/registry.ts';
import { type Alternative, alternative } from './resources/alternative.ts';
import type { Domain } from './resources/domain.ts';
import { type Webhook, webhook } from './resources/webhook.ts';

/** A site, and what it was made of. */
interface Known {
  readonly alternatives: readonly Alternative[];
  readonly webhooks: readonly Webhook[];
  readonly site: Site;
}

/** The addresses that a domain drops, and lets through (I-24); most name none. */
function addressListsOf({ filter }: Domain): AddressLists | null {
  if (filter === undefined || filter.ipBlock.length + filter.ipAllow.length === 0) return null;
  return { block: addressSet(filter.ipBlock), allow: addressSet(filter.ipAllow) };
}

/** What each event is told to. One that is inactive counts, too: it may be active in time. */
function webhooksByEvent(webhooks: readonly Webhook[]): Site['webhooks'] {
  if (webhooks.length === 0) return null;
  const byEvent = new Map<string, string>();
  for (const { id, event } of webhooks) {
    const others = byEvent.get(event);
    byEvent.set(event, others === undefined ? id : `${others},${id}`);
  }
  return byEvent;
}

/** Some domains, found by hostname. */
interface HostnameIndex {
  /** Of the table of alternatives, when this was made. */
  readonly revision: number;
  /** The oldest domain of each hostname. */
  readonly byHostname: ReadonlyMap<string, Domain>;
  /** Alternative hostnames; the rank is a place in the list of domains. */
  readonly alternatives: HostnamePatterns;
}

/** The sites of one thread's registry. */
export class Sites {
  readonly #registry: Registry;
  /** Domains are replaced, never changed, so an old one's site goes with it. */
  readonly #known = new WeakMap<Domain, Known>();
  readonly #indexes = new WeakMap<readonly Domain[], HostnameIndex>();
  #lastDomain: Domain | null = null;
  #lastSite: Site | null = null;
  /** The registry's sequence that the last site was made at. */
  #lastSequence = -1;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** A domain as ingestion sees it. */
  of(domain: Domain): Site {
    const { sequence } = this.#registry;
    if (domain === this.#lastDomain && sequence === this.#lastSequence) {
      return this.#lastSite as Site;
    }
    const site = this.#siteOf(domain);
    this.#lastDomain = domain;
    this.#lastSite = site;
    this.#lastSequence = sequence;
    return site;
  }

  /**
   * The oldest domain of a hostname, else the oldest with an alternative hostname that matches (I-9).
   *
   * @param domains oldest first; the same list as long as nothing in it changes.
   * @param hostname normalised by I-4.
   * @returns null: none of them has it.
   */
  find(domains: readonly Domain[], hostname: string): Domain | null {
    const { byHostname, alternatives } = this.#indexOf(domains);
    const exact = byHostname.get(hostname);
    if (exact !== undefined) return exact;
    const rank = alternatives.rankOf(hostname);
    return rank === -1 ? null : (domains[rank] as Domain);
  }

  #siteOf(domain: Domain): Site {
    const { view } = this.#registry;
    const alternatives = view.of(alternative, 'domainId', domain.id);
    const webhooks = view.of(webhook, 'domainId', domain.id);
    const known = this.#known.get(domain);
    if (known?.alternatives === alternatives && known.webhooks === webhooks) return known.site;
    const hostnames = alternatives.map(({ hostname }) => hostname);
    const own = normalizeHostname(domain.hostname);
    const told = webhooksByEvent(webhooks);
    const site = {
      ...siteWith(domain.id, own, hostnames, addressListsOf(domain)),
      webhooks: told,
    };
    this.#known.set(domain, { alternatives, webhooks, site });
    return site;
  }

  #indexOf(domains: readonly Domain[]): HostnameIndex {
    const { view } = this.#registry;
    const revision = view.revision(alternative);
    const known = this.#indexes.get(domains);
    if (known?.revision === revision) return known;
    const byHostname = new Map<string, Domain>();
    const patterns: [string, number][] = [];
    for (const [rank, domain] of domains.entries()) {
      if (!byHostname.has(domain.hostname)) byHostname.set(domain.hostname, domain);
      for (const { hostname } of view.of(alternative, 'domainId', domain.id)) {
        patterns.push([hostname, rank]);
      }
    }
    const index = { revision, byHostname, alternatives: new HostnamePatterns(patterns) };
    this.#indexes.set(domains, index);
    return index;
  }
}
