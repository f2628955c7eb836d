/**
 * Access tokens as texts: stateless, 69 bytes in base64url.
 *
 *   version 1 │ id 20 │ expiry 8 (ms, big-endian float64) │ nonce 8 │ HMAC-SHA-256 32
 *
 * signed with the registry's token key, so that a token outlives restarts and counts on every node.
 * The version says whose the id is, and so with what the token ends: a client, an access link, or a
 * domain's being public (M-82). It cannot begin with `pa_`: its first byte is below 4.
 */
import { assert } from '../base/assert.ts';
import { equalInConstantTime, hmacSha256 } from '../base/hash.ts';
import { randomKey } from '../base/random.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';

const VERSIONS = { client: 1, link: 2, public: 3 } as const;

/** What a token stands for. */
export type TokenSubject = keyof typeof VERSIONS;

/** What a token says. */
export interface AccessToken {
  readonly of: TokenSubject;
  /** Of the client, the link or the domain. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresMs: number;
}

const EXPIRY_INDEX = 1 + ENTITY_ID_LENGTH;
const NONCE_INDEX = EXPIRY_INDEX + 8;
const NONCE_BYTES = 8;
const MAC_INDEX = NONCE_INDEX + NONCE_BYTES;
const TOKEN_BYTES = MAC_INDEX + 32;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);

/** A token of somebody; two are never the same. */
export function signToken({ of, id, expiresMs }: AccessToken, key: Uint8Array): string {
  assert(id.length === ENTITY_ID_LENGTH, 'what a token is of has the length of ids');
  const token = Buffer.alloc(TOKEN_BYTES);
  token[0] = VERSIONS[of];
  token.write(id, 1, 'latin1');
  token.writeDoubleBE(expiresMs, EXPIRY_INDEX);
  token.set(randomKey(NONCE_BYTES), NONCE_INDEX);
  token.set(hmacSha256(key, token.subarray(0, MAC_INDEX)), MAC_INDEX);
  return token.toString('base64url');
}

/** What a bearer says; null when it is no token, or forged. @cost an HMAC. */
export function readToken(bearer: string, key: Uint8Array): AccessToken | null {
  if (bearer.length !== TOKEN_LENGTH) return null;
  const token = Buffer.from(bearer, 'base64url');
  // Decoding is lenient; only the one spelling that was issued counts.
  if (token.length !== TOKEN_BYTES || token.toString('base64url') !== bearer) return null;
  const mac = hmacSha256(key, token.subarray(0, MAC_INDEX));
  if (!equalInConstantTime(mac, token.subarray(MAC_INDEX))) return null;
  const of = (Object.keys(VERSIONS) as TokenSubject[]).find((name) => VERSIONS[name] === token[0]);
  if (of === undefined) return null;
  const id = token.toString('latin1', 1, EXPIRY_INDEX);
  return { of, id, expiresMs: token.readDoubleBE(EXPIRY_INDEX) };
}
