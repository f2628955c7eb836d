/** May this request use this endpoint: 401 and 403 of A-10, by. */
import type { Endpoint, Scope } from '../api/endpoint.ts';
import type { Ports } from '../api/ports.ts';
import type { Credential } from '../model/credential.ts';
import type { Scopes } from '../model/entities.ts';
import { errors } from '../model/errors.ts';

const SCHEME_LENGTH = 'bearer '.length;

// The header before and its bearer: a client sends the same one again and again, and the text that
// was cut and hashed then is found faster. Whether it is still let in is asked each time.
let lastHeader = '';
let lastBearer = '';

/**
 * Lets a request in.
 *
 * @param header Authorization as sent; '' without one.
 * @returns who asks; null on public endpoints, which read no credentials.
 * @throws TOKEN_MISSING, TOKEN_INVALID, ACCESS_KEY_LIMITED, SCOPE_MISSING.
 * @cost one Map hit for a bearer seen before.
 */
export function authorize(
  endpoint: Endpoint,
  header: string,
  ports: Ports,
  nowMs: number,
): Credential | null {
  const { scope } = endpoint;
  if (scope === null) return null;
  if (header !== lastHeader || header === '') {
    if (!isBearer(header)) throw errors.TOKEN_MISSING({});
    lastHeader = header;
    lastBearer = header.slice(SCHEME_LENGTH).trim();
  }
  const credential = ports.access.authenticate(lastBearer, nowMs);
  if (credential === null) throw errors.TOKEN_INVALID({});
  if (credential.isAccessKey && !endpoint.allowsAccessKeys) throw errors.ACCESS_KEY_LIMITED({});
  if (!isGranted(credential.scopes, scope)) {
    throw errors.SCOPE_MISSING({ area: scope.area, access: scope.right });
  }
  return credential;
}

/** The scheme is case-insensitive (RFC 9110); something has to follow it. */
function isBearer(header: string): boolean {
  if (header.length <= SCHEME_LENGTH) return false;
  return header.startsWith('Bearer ') || header.slice(0, SCHEME_LENGTH).toLowerCase() === 'bearer ';
}

/** `w` includes `r`. */
function isGranted(scopes: Scopes, scope: Scope): boolean {
  const held = scopes[scope.area];
  return held === 'w' || (held === 'r' && scope.right === 'r');
}
