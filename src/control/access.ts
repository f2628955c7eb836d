/**
 * May this bearer do that here: access tokens, access keys, and the domains they reach.
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
import type { Client, Domain } from '../model/entities.ts';
import {
  ACCESS_KEY_LENGTH,
  ACCESS_TOKEN_MS,
  CREDENTIAL_CACHE_COUNT_MAX,
  ENTITY_ID_LENGTH,
} from '../model/limits.ts';
import { ACCESS_KEY_PREFIX } from './accounts.ts';
import type { Registry } from './registry.ts';

const TOKEN_VERSION = 1;
const EXPIRY_INDEX = 1 + ENTITY_ID_LENGTH;
const NONCE_INDEX = EXPIRY_INDEX + 8;
const NONCE_BYTES = 8;
const MAC_INDEX = NONCE_INDEX + NONCE_BYTES;
const TOKEN_BYTES = MAC_INDEX + 32;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);
const BEARER_KEY_LENGTH = ACCESS_KEY_PREFIX.length + ACCESS_KEY_LENGTH;

/** A bearer that has been verified against the registry as it is. */
interface Verified {
  readonly credential: Credential;
  /** Infinity for an access key. */
  readonly expiresMs: number;
}

/** Answers for one thread, from its registry's view. */
export class Access {
  readonly #registry: Registry;
  /** Two generations: the older one is dropped when the newer one is full. */
  #recent = new Map<string, Verified>();
  #older = new Map<string, Verified>();
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
    const client = this.#registry.view.clientByOauthId(oauthId);
    // An unknown client costs a comparison too, so that the time tells nothing.
    const expected = Buffer.from(client?.secretHash ?? sha256Hex(''), 'hex');
    const isRight = equalInConstantTime(Buffer.from(sha256Hex(secret), 'hex'), expected);
    if (client === null || !isRight) return null;
    const expiresMs = nowMs + ACCESS_TOKEN_MS;
    return { accessToken: this.#sign(client.id, expiresMs), expiresMs };
  }

  /** A domain by id; whether a credential may see it is `reaches`. */
  domain(id: string): Domain | null {
    return this.#registry.view.domain(id);
  }

  /** Whether a domain is among those of a credential. */
  reaches(credential: Credential, domain: Domain): boolean {
    return credential.domainId === null
      ? domain.userId === credential.userId
      : domain.id === credential.domainId;
  }

  /** Users with access to a domain, its owner included (S-74). */
  memberCount(domain: Domain): number {
    return this.#registry.view.memberCount(domain);
  }

  /** Domains of a credential, oldest first: all of an account, or the one of a domain client. */
  domainsOf(credential: Credential): readonly Domain[] {
    if (credential.domainId === null) {
      return this.#registry.view.accountDomains(credential.userId).domains;
    }
    const domain = this.#registry.view.domain(credential.domainId);
    return domain === null ? [] : [domain];
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
    if (credential.domainId !== null) return this.#registry.view.domain(credential.domainId);
    const account = this.#registry.view.accountDomains(credential.userId);
    const exact = account.byHostname.get(hostname);
    if (exact !== undefined) return exact;
    for (const domain of account.withAlternatives) {
      const { id: domainId, hostname: own, alternativeHostnames } = domain;
      if (hostnameAllowed(hostname, { domainId, hostname: own, alternativeHostnames })) {
        return domain;
      }
    }
    return null;
  }

  #forget(): void {
    this.#recent = new Map();
    this.#older = new Map();
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
      const client = this.#registry.view.clientByKeyHash(sha256Hex(bearer));
      return client === null ? null : { credential: credentialOf(client), expiresMs: Infinity };
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
    const client = this.#registry.view.client(token.toString('latin1', 1, EXPIRY_INDEX));
    if (client === null) return null;
    return { credential: credentialOf(client), expiresMs: token.readDoubleBE(EXPIRY_INDEX) };
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

function credentialOf(client: Client): Credential {
  return Object.freeze({
    clientId: client.id,
    userId: client.userId,
    domainId: client.domainId,
    isAccessKey: client.type === 'token',
    scopes: client.scopes,
  });
}
