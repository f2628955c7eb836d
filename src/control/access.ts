/**
 * Who is this caller, and where may it go: tokens, keys, cookies and codes, and the domains they reach.
 *
 * Control plane, read per request: a bearer that was seen before costs one Map hit.
 *
 * What was verified stays so while the records that it stands on are the same: after a change of the
 * registry a bearer costs a few Map hits more once, never its hash again (M-5).
 */
import { equalInConstantTime, sha256Hex } from '../base/hash.ts';
import type { Site } from '../ingest/page/site.ts';
import type { Credential, PinnedFilter } from '../model/credential.ts';
import { ACCESS_KEY_LENGTH, ACCESS_TOKEN_MS, CREDENTIAL_CACHE_COUNT_MAX } from '../model/limits.ts';
import { type CallerKind, type Role, type Scopes, scopesOf } from '../model/rights.ts';
import { readToken, signToken, type TokenSubject } from './access-token.ts';
import type { Base, Place, Resource, Viewing } from './descriptor/resource.ts';
import type { Registry } from './registry/registry.ts';
import { ACCESS_KEY_PREFIX, type Client, client } from './resources/client.ts';
import { type Domain, domain } from './resources/domain.ts';
import { type Link, link } from './resources/link.ts';
import { type Organization, organization } from './resources/organization.ts';
import { session } from './resources/session.ts';
import { user } from './resources/user.ts';
import {
  domainSources,
  domainsOfUser,
  memberCount,
  organizationsOfUser,
  roleOnDomain,
  roleOnOrganization,
} from './roles.ts';
import { Sites } from './sites.ts';

const BEARER_KEY_LENGTH = ACCESS_KEY_PREFIX.length + ACCESS_KEY_LENGTH;

const ALL_SCOPES = scopesOf('w');
/** What an access code may read (M-1); the endpoints say which of it. */
const CODE_SCOPES: Scopes = { ...scopesOf(''), statistics: 'r', domains: 'r' };

/** A bearer that has been verified. */
interface Verified {
  readonly credential: Credential;
  /** Infinity for an access key. */
  readonly expiresMs: number;
  /** The record that it stands on, and where that is found. */
  readonly basis: Base;
  readonly resource: Resource;
  /** The domain of a client of one domain: its owner may change. */
  readonly site: Domain | null;
  /** The registry's sequence at which the record was last seen unchanged. */
  sequence: number;
}

/** The domains of a user, with all that they were found by. */
interface UserDomains {
  readonly domains: readonly Domain[];
  readonly sources: readonly unknown[];
  sequence: number;
}

/** A token, and when it ends. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresMs: number;
}

/** A token for the page of a dashboard, and the filters that it cannot take off. */
export interface IssuedVisit extends IssuedToken {
  readonly pinned: PinnedFilter | null;
}

/** Answers for one thread, from its registry's view. */
export class Access {
  readonly #registry: Registry;
  /** Two generations: the older one is dropped when the newer one is full. */
  #recent = new Map<string, Verified>();
  #older = new Map<string, Verified>();
  /** By user. */
  readonly #domains = new Map<string, UserDomains>();
  readonly #sites: Sites;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#sites = new Sites(registry);
  }

  /**
   * Who a bearer is.
   *
   * @param bearer what follows `Bearer ` in the header.
   * @returns null when it is unknown, forged or expired, or its client is gone.
   * @cost one Map hit for a bearer seen before, else a SHA-256 or an HMAC.
   */
  authenticate(bearer: string, nowMs: number): Credential | null {
    const known = this.#recent.get(bearer);
    const verified = known !== undefined && this.#isValid(known) ? known : this.#verify(bearer);
    return verified === null || nowMs >= verified.expiresMs ? null : verified.credential;
  }

  /**
   * Exchanges an oauth client's credentials for a token; earlier tokens stay valid.
   *
   * @returns null when they match no client.
   */
  issueToken(oauthId: string, secret: string, nowMs: number): IssuedToken | null {
    const known = this.#registry.view.by(client, 'clientId', oauthId);
    // An unknown client costs a comparison too, so that the time tells nothing.
    const expected = Buffer.from(known?.secretHash ?? sha256Hex(''), 'hex');
    const isRight = equalInConstantTime(Buffer.from(sha256Hex(secret), 'hex'), expected);
    return known === null || !isRight ? null : this.#issue('client', known.id, nowMs);
  }

  /**
   * A token for the page of a dashboard (M-82): it ends with the link whose code was given, else when
   * the domain is no longer public.
   *
   * @param code undefined without one.
   * @returns null when the domain is not public, and the code is missing or another domain's.
   */
  issueVisit(site: Domain, code: string | undefined, nowMs: number): IssuedVisit | null {
    const found = code === undefined ? null : this.#registry.view.by(link, 'code', code);
    if (found?.domainId === site.id && !isEnded(found, nowMs)) {
      const issued = this.#issue('link', found.id, nowMs, found.expires);
      return { ...issued, pinned: found.filter ?? null };
    }
    return site.isPublic ? { ...this.#issue('public', site.id, nowMs), pinned: null } : null;
  }

  /** The domain whose dashboard has an address of its own; null when there is none. */
  dashboardAt(field: 'subdomain' | 'customDomain', name: string): Domain | null {
    return this.#registry.view.by(domain, field, name.trim().toLowerCase());
  }

  /**
   * The person whose browser sent a cookie (M-80).
   *
   * @param token what the cookie holds.
   * @returns null when no session has it, or it has ended.
   */
  person(token: string, nowMs: number): Credential | null {
    const found = this.#registry.view.by(session, 'tokenHash', sha256Hex(token));
    if (found === null || nowMs >= found.expiresMs) return null;
    const { id: sessionId, userId } = found;
    return credentialOf('person', { sessionId, userId, scopes: ALL_SCOPES });
  }

  /** Whoever has the code of an access link (F-35); null when no link has it, or it has ended. */
  visitor(code: string, nowMs: number): Credential | null {
    const found = this.#registry.view.by(link, 'code', code);
    if (found === null || isEnded(found, nowMs)) return null;
    return credentialOfVisitor(found.domainId, found.filter);
  }

  /** Hosts whose pages may frame a dashboard for whoever has a code (D-19); none without a right one. */
  framesOf(site: Domain, code: string, nowMs: number): readonly string[] {
    const found = this.#registry.view.by(link, 'code', code);
    if (found === null || found.domainId !== site.id || isEnded(found, nowMs)) return [];
    return found.frame ?? [];
  }

  /** The domain whose pages send this identification code; null when there is none. */
  domainOfCode(code: string): Domain | null {
    return this.#registry.view.by(domain, 'identificationCode', code);
  }

  /** A domain by id; what a credential may do there is `roleOn`. */
  domain(id: string): Domain | null {
    return this.#registry.view.find(domain, id);
  }

  /**
   * The role of a caller on a domain, or on the account of a user (M-2).
   *
   * @returns null: the caller may not even see it, or it is not there.
   */
  roleOn({ kind: caller, domainId, userId }: Credential, { kind, id }: Place): Role | null {
    const { view } = this.#registry;
    if (domainId !== null) {
      if (kind !== domain.name || domainId !== id || this.domain(id) === null) return null;
      return caller === 'code' ? 'Viewer' : 'Admin';
    }
    if (kind === user.name) return userId === id ? 'Owner' : null;
    if (kind === organization.name) return roleOnOrganization(view, userId, id);
    const site = kind === domain.name ? this.domain(id) : null;
    return site === null ? null : roleOnDomain(view, userId, site);
  }

  /** What answers to a caller are made with. */
  viewing(credential: Credential): Viewing {
    return {
      view: this.#registry.view,
      userId: credential.domainId === null ? credential.userId : '',
      isVisitor: credential.kind === 'code',
      roleOn: (place) => this.roleOn(credential, place),
    };
  }

  /** People with access to a domain, its owner included (S-74). */
  memberCount(site: Domain): number {
    return memberCount(this.#registry.view, site);
  }

  /** Organizations that a caller is in, oldest first; a credential of one domain is in none. */
  organizationsOf({ domainId, userId }: Credential): readonly Organization[] {
    return domainId === null ? organizationsOfUser(this.#registry.view, userId) : [];
  }

  /** Domains that a credential may see, oldest first: all of a user, or the one it is bound to. */
  domainsOf({ domainId, userId }: Credential): readonly Domain[] {
    if (domainId === null) return this.#domainsOfUser(userId);
    const own = this.domain(domainId);
    return own === null ? [] : [own];
  }

  /**
   * The domain that a hit with this hostname belongs to (I-9).
   *
   * A domain client implies its domain, whatever the hostname: whether that is foreign is I-5's
   * question. An account's is the oldest domain of that hostname, else the oldest one with an
   * alternative hostname that matches.
   *
   * @param hostname normalised by I-4.
   * @returns null when the account has none, also after a look at what was made just now (M-5).
   */
  domainForHostname(credential: Credential, hostname: string): Domain | null {
    const { domainId, userId } = credential;
    if (domainId !== null) return this.domain(domainId);
    const found = this.#sites.find(this.#domainsOfUser(userId), hostname);
    if (found !== null || !this.#registry.glance()) return found;
    return this.#sites.find(this.#domainsOfUser(userId), hostname);
  }

  /** A domain as ingestion sees it. @cost two comparisons for the one that was asked for last. */
  siteOf(site: Domain): Site {
    return this.#sites.of(site);
  }

  /** The same list while nothing that it is made of changes, so that an index of it serves many hits. */
  #domainsOfUser(userId: string): readonly Domain[] {
    const { view, sequence } = this.#registry;
    const known = this.#domains.get(userId);
    if (known?.sequence === sequence) return known.domains;
    const sources = domainSources(view, userId);
    if (known !== undefined && isSame(known.sources, sources)) {
      known.sequence = sequence;
      return known.domains;
    }
    const domains = domainsOfUser(view, userId);
    if (this.#domains.size >= CREDENTIAL_CACHE_COUNT_MAX) this.#domains.clear();
    this.#domains.set(userId, { domains, sources, sequence });
    return domains;
  }

  /** Whether what a bearer stands on is as it was. */
  #isValid(verified: Verified): boolean {
    const { view, sequence } = this.#registry;
    if (verified.sequence === sequence) return true;
    const { resource, basis, site } = verified;
    if (view.find(resource, basis.id) !== basis) return false;
    if (site !== null && this.domain(site.id) !== site) return false;
    verified.sequence = sequence;
    return true;
  }

  #verify(bearer: string): Verified | null {
    const older = this.#older.get(bearer);
    const verified = older !== undefined && this.#isValid(older) ? older : this.#verifyNew(bearer);
    if (verified === null) {
      this.#recent.delete(bearer);
      this.#older.delete(bearer);
      return null;
    }
    if (this.#recent.size >= CREDENTIAL_CACHE_COUNT_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(bearer, verified);
    return verified;
  }

  #verifyNew(bearer: string): Verified | null {
    const { view, tokenKey } = this.#registry;
    if (bearer.length === BEARER_KEY_LENGTH && bearer.startsWith(ACCESS_KEY_PREFIX)) {
      const known = view.by(client, 'secretHash', sha256Hex(bearer));
      return known && this.#verifiedClient(known, Infinity);
    }
    const token = readToken(bearer, tokenKey);
    if (token === null) return null;
    const { of, id, expiresMs } = token;
    if (of === 'client') {
      const known = view.find(client, id);
      return known && this.#verifiedClient(known, expiresMs);
    }
    if (of === 'link') {
      const known = view.find(link, id);
      if (known === null) return null;
      // Its end may have been moved nearer since the token was made.
      const endMs = Math.min(expiresMs, known.expires ?? Infinity);
      const visitor = credentialOfVisitor(known.domainId, known.filter);
      return this.#verified(link, known, visitor, endMs);
    }
    const known = view.find(domain, id);
    if (known === null || !known.isPublic) return null;
    return this.#verified(domain, known, credentialOfVisitor(id, null), expiresMs);
  }

  /** A domain's client stands for whoever owns the domain now: who made it may be gone. */
  #verifiedClient(known: Client, expiresMs: number): Verified | null {
    const { id: clientId, userId: maker, domainId, type, scopes } = known;
    const oauthKind = domainId === null ? 'user' : 'domain';
    const kind = type === 'token' ? 'key' : oauthKind;
    const site = domainId === null ? null : this.domain(domainId);
    const userId = (site === null ? maker : site.userId) ?? '';
    const credential = credentialOf(kind, { clientId, userId, domainId, scopes });
    return { ...this.#verified(client, known, credential, expiresMs), site };
  }

  #verified(resource: Resource, basis: Base, credential: Credential, expiresMs: number): Verified {
    const { sequence } = this.#registry;
    return { credential, expiresMs, basis, resource, site: null, sequence };
  }

  #issue(of: TokenSubject, id: string, nowMs: number, endMs: number | null = null): IssuedToken {
    const expiresMs = Math.min(nowMs + ACCESS_TOKEN_MS, endMs ?? Infinity);
    return { accessToken: signToken({ of, id, expiresMs }, this.#registry.tokenKey), expiresMs };
  }
}

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index]);
}

function isEnded({ expires }: Link, nowMs: number): boolean {
  // Links that are older than the field have no end.
  return nowMs >= (expires ?? Infinity);
}

/** @param pinned undefined of links that are older than the field. */
function credentialOfVisitor(
  domainId: string,
  pinned: PinnedFilter | null | undefined,
): Credential {
  return credentialOf('code', { domainId, scopes: CODE_SCOPES, pinned: pinned ?? null });
}

function credentialOf(
  kind: CallerKind,
  given: Partial<Credential> & Pick<Credential, 'scopes'>,
): Credential {
  const nobody = { clientId: '', sessionId: '', userId: '', domainId: null, pinned: null };
  return Object.freeze({ kind, ...nobody, ...given });
}
