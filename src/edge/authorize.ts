/** May this request use this endpoint: 401 and 403 of A-10, by. */
import type { Caller, Endpoint, Scope } from '../api/endpoint.ts';
import type { Ports } from '../api/ports.ts';
import type { Credential } from '../model/credential.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import type { Scopes } from '../model/rights.ts';

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
 * @throws TOKEN_MISSING, TOKEN_INVALID, ACCESS_KEY_LIMITED, ROLE_MISSING, SCOPE_MISSING.
 * @cost one Map hit for a bearer seen before.
 */
export function authorize(
  endpoint: Endpoint,
  header: string,
  ports: Ports,
  nowMs: number,
): Credential | null {
  const { auth } = endpoint;
  if (auth === null) return null;
  if (header !== lastHeader || header === '') {
    if (!isBearer(header)) throw errors.TOKEN_MISSING({});
    lastHeader = header;
    lastBearer = header.slice(SCHEME_LENGTH).trim();
  }
  const credential = ports.access.authenticate(lastBearer, nowMs);
  if (credential === null) throw errors.TOKEN_INVALID({});
  if (!auth.callers.includes(callerOf(credential))) throw refusalOf(credential);
  if (!isGranted(credential.scopes, auth.scopes)) {
    const { area, right } = auth.scopes[0] as Scope;
    throw errors.SCOPE_MISSING({ area, access: right });
  }
  return credential;
}

function callerOf({ isAccessKey, domainId }: Credential): Caller {
  if (isAccessKey) return 'key';
  return domainId === null ? 'user' : 'domain';
}

function refusalOf({ isAccessKey }: Credential): OperatingError {
  if (isAccessKey) return errors.ACCESS_KEY_LIMITED({});
  return errors.ROLE_MISSING({ needed: 'a client of the account; this one is of a single domain' });
}

/** The scheme is case-insensitive (RFC 9110); something has to follow it. */
function isBearer(header: string): boolean {
  if (header.length <= SCHEME_LENGTH) return false;
  return header.startsWith('Bearer ') || header.slice(0, SCHEME_LENGTH).toLowerCase() === 'bearer ';
}

/** Any of the wanted scopes will do; `w` includes `r`. */
function isGranted(scopes: Scopes, wanted: readonly Scope[]): boolean {
  for (const { area, right } of wanted) {
    const held = scopes[area];
    if (held === 'w' || (held === 'r' && right === 'r')) return true;
  }
  return wanted.length === 0;
}
