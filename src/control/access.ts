/**
 * Who is this caller, and where may it go: tokens, keys, cookies and codes, and the domains they reach.
 *
 * Control plane, read per request: a bearer that was seen before costs one Map hit.
 *
 * An access token is stateless: 69 bytes in base64url,
 *
 *   version 1 │ client id 20 │ expiry 8 (ms, big-endian float64) │ nonce 8 │ HMAC-SHA-256 32
 *
 * signed with the registry's token key. So it outlives restarts and counts on every node, and a
 * deleted client's tokens end with the client. It cannot begin with `pa_`: its first byte is 1.
 */
import { assert } from '../base/assert.ts';
import { equalInConstantTime, hmacSha256, sha256Hex } from '../base/hash.ts';
import { randomKey } from '../base/random.ts';
import { hostnameAllowed } from '../ingest/page/hostname.ts';
import type { Credential } from '../model/credential.ts';
import {
  ACCESS_KEY_LENGTH,
  ACCESS_TOKEN_MS,
  CREDENTIAL_CACHE_COUNT_MAX,
  ENTITY_ID_LENGTH,
} from '../model/limits.ts';
import { type CallerKind, type Role, type Scopes, scopesOf } from '../model/rights.ts';
import type { Place, Viewing } from './descriptor/resource.ts';
import type { Registry } from './registry/registry.ts';
import { ACCESS_KEY_PREFIX, type Client, client } from './resources/client.ts';
import { type Domain, domain } from './resources/domain.ts';
import { link } from './resources/link.ts';
import { organization } from './resources/organization.ts';
import { session } from './resources/session.ts';
import { user } from './resources/user.ts';
import { domainsOfUser, memberCount, roleOnDomain, roleOnOrganization } from './roles.ts';

const TOKEN_VERSION = 1;
const EXPIRY_INDEX = 1 + ENTITY_ID_LENGTH;
const NONCE_INDEX = EXPIRY_INDEX + 8;
const NONCE_BYTES = 8;
const MAC_INDEX = NONCE_INDEX + NONCE_BYTES;
const TOKEN_BYTES = MAC_INDEX + 32;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);
const BEARER_KEY_LENGTH = ACCESS_KEY_PREFIX.length + ACCESS_KEY_LENGTH;

const ALL_SCOPES = scopesOf('w');
/** What an access code may read (M-1); the endpoints say which of it. */
const CODE_SCOPES: Scopes = { ...scopesOf(''), statistics: 'r', domains: 'r' };

/** A bearer that has been verified against the registry as it is. */
interface Verified {
  readonly credential: Credential;
  /** Infinity for an access key. */
  readonly expiresMs: number;
}

/** The domains of a user, as hits of an account-level client ask for them. */
interface HostnameIndex {
  /** The oldest domain of each hostname (I-9). */
  readonly byHostname: ReadonlyMap<string, Domain>;
  /** Those with alternative hostnames, oldest first. */
  readonly withAlternatives: readonly Domain[];
}

/** Answers for one thread, from its registry's view. */
export class Access {
  readonly #registry: Registry;
  /** Two generations: the older one is dropped when the newer one is full. */
  #recent = new Map<string, Verified>();
  #older = new Map<string, Verified>();
  /** By user. */
  readonly #domains = new Map<string, readonly Domain[]>();
  /** By the list of a user's domains: there is another one when a domain changes. */
  readonly #hostnames = new WeakMap<readonly Domain[], HostnameIndex>();
  /** The registry's sequence that both generations were verified at. */
  #sequence: number;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#sequence = registry.sequence;
  }

  /**
   * Who a bearer is.
   *
   * @param bearer what follows `Bearer ` in the header.
   * @returns null when it is unknown, forged or expired, or its client is gone.
   * @cost one Map hit for a bearer seen before, else a SHA-256 or an HMAC.
   */
  authenticate(bearer: string, nowMs: number): Credential | null {
    if (this.#sequence !== this.#registry.sequence) this.#forget();
    const verified = this.#recent.get(bearer) ?? this.#verify(bearer);
    return verified === null || nowMs >= verified.expiresMs ? null : verified.credential;
  }

  /**
   * Exchanges an oauth client's credentials for a token; earlier tokens stay valid.
   *
   * @returns null when they match no client.
   */
  issueToken(
    oauthId: string,
    secret: string,
    nowMs: number,
  ): { accessToken: string; expiresMs: number } | null {
    const known = this.#registry.view.by(client, 'clientId', oauthId);
    // An unknown client costs a comparison too, so that the time tells nothing.
    const expected = Buffer.from(known?.secretHash ?? sha256Hex(''), 'hex');
    const isRight = equalInConstantTime(Buffer.from(sha256Hex(secret), 'hex'), expected);
    if (known === null || !isRight) return null;
    const expiresMs = nowMs + ACCESS_TOKEN_MS;
    return { accessToken: this.#sign(known.id, expiresMs), expiresMs };
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

  /** Whoever has the code of an access link (F-35); null when no link has it. */
  visitor(code: string): Credential | null {
    const found = this.#registry.view.by(link, 'code', code);
    if (found === null) return null;
    return credentialOf('code', { domainId: found.domainId, scopes: CODE_SCOPES });
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
    const userId = credential.domainId === null ? credential.userId : '';
    return { view: this.#registry.view, userId, roleOn: (place) => this.roleOn(credential, place) };
  }

  /** People with access to a domain, its owner included (S-74). */
  memberCount(site: Domain): number {
    return memberCount(this.#registry.view, site);
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
   * @returns null when the account has none.
   */
  domainForHostname(credential: Credential, hostname: string): Domain | null {
    if (credential.domainId !== null) return this.domain(credential.domainId);
    const { byHostname, withAlternatives } = this.#hostnamesOf(credential.userId);
    const exact = byHostname.get(hostname);
    if (exact !== undefined) return exact;
    for (const candidate of withAlternatives) {
      const { id: domainId, hostname: own, alternativeHostnames } = candidate;
      if (hostnameAllowed(hostname, { domainId, hostname: own, alternativeHostnames })) {
        return candidate;
      }
    }
    return null;
  }

  /** The same list until the registry changes, so that an index of it serves many hits. */
  #domainsOfUser(userId: string): readonly Domain[] {
    if (this.#sequence !== this.#registry.sequence) this.#forget();
    const known = this.#domains.get(userId);
    if (known !== undefined) return known;
    const domains = domainsOfUser(this.#registry.view, userId);
    if (this.#domains.size >= CREDENTIAL_CACHE_COUNT_MAX) this.#domains.clear();
    this.#domains.set(userId, domains);
    return domains;
  }

  #hostnamesOf(userId: string): HostnameIndex {
    const domains = this.#domainsOfUser(userId);
    const known = this.#hostnames.get(domains);
    if (known !== undefined) return known;
    const byHostname = new Map<string, Domain>();
    for (const candidate of domains) {
      if (!byHostname.has(candidate.hostname)) byHostname.set(candidate.hostname, candidate);
    }
    const withAlternatives = domains.filter((one) => one.alternativeHostnames.length > 0);
    const index = { byHostname, withAlternatives };
    this.#hostnames.set(domains, index);
    return index;
  }

  #forget(): void {
    this.#recent = new Map();
    this.#older = new Map();
    this.#domains.clear();
    this.#sequence = this.#registry.sequence;
  }

  #verify(bearer: string): Verified | null {
    const verified = this.#older.get(bearer) ?? this.#verifyNew(bearer);
    if (verified === null) return null;
    if (this.#recent.size >= CREDENTIAL_CACHE_COUNT_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(bearer, verified);
    return verified;
  }

  #verifyNew(bearer: string): Verified | null {
    if (bearer.length === BEARER_KEY_LENGTH && bearer.startsWith(ACCESS_KEY_PREFIX)) {
      const known = this.#registry.view.by(client, 'secretHash', sha256Hex(bearer));
      return known === null ? null : { credential: credentialOfClient(known), expiresMs: Infinity };
    }
    return bearer.length === TOKEN_LENGTH ? this.#verifyToken(bearer) : null;
  }

  #verifyToken(bearer: string): Verified | null {
    const token = Buffer.from(bearer, 'base64url');
    // Decoding is lenient; only the one spelling that was issued counts.
    if (token.length !== TOKEN_BYTES || token.toString('base64url') !== bearer) return null;
    const mac = hmacSha256(this.#registry.tokenKey, token.subarray(0, MAC_INDEX));
    if (!equalInConstantTime(mac, token.subarray(MAC_INDEX))) return null;
    if (token[0] !== TOKEN_VERSION) return null;
    const id = token.toString('latin1', 1, EXPIRY_INDEX);
    const known = this.#registry.view.find(client, id);
    if (known === null) return null;
    return { credential: credentialOfClient(known), expiresMs: token.readDoubleBE(EXPIRY_INDEX) };
  }

  #sign(clientId: string, expiresMs: number): string {
    assert(clientId.length === ENTITY_ID_LENGTH, 'a client id has the length of ids');
    const token = Buffer.alloc(TOKEN_BYTES);
    token[0] = TOKEN_VERSION;
    token.write(clientId, 1, 'latin1');
    token.writeDoubleBE(expiresMs, EXPIRY_INDEX);
    token.set(randomKey(NONCE_BYTES), NONCE_INDEX);
    token.set(hmacSha256(this.#registry.tokenKey, token.subarray(0, MAC_INDEX)), MAC_INDEX);
    return token.toString('base64url');
  }
}

function credentialOfClient({ id: clientId, userId, domainId, type, scopes }: Client): Credential {
  const oauthKind = domainId === null ? 'user' : 'domain';
  const kind = type === 'token' ? 'key' : oauthKind;
  return credentialOf(kind, { clientId, userId, domainId, scopes });
}

function credentialOf(
  kind: CallerKind,
  given: Partial<Credential> & Pick<Credential, 'scopes'>,
): Credential {
  const nobody = { clientId: '', sessionId: '', userId: '', domainId: null };
  return Object.freeze({ kind, ...nobody, ...given });
}
