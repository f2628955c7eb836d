/**
 * May this request use this endpoint: 401 and 403 of A-10, by, F-35 and M-80.
 *
 * Says who one is: the header Authorization; else, where the endpoint lets codes in, the parameter
 * `access`; else, where it lets people in, the cookie of a session.
 */
import type { Endpoint } from '../api/endpoint.ts';
import { checkGranted } from '../api/granted.ts';
import type { AccessPort } from '../api/ports.ts';
import type { Credential } from '../model/credential.ts';
import { errors } from '../model/errors.ts';
import { isOwnOrigin, sessionCookie } from './http/cookie.ts';
import type { RequestHead } from './http/request-head.ts';

const SCHEME_LENGTH = 'bearer '.length;

// The header before and its bearer: a client sends the same one again and again, and the text that
// was cut and hashed then is found faster. Whether it is still let in is asked each time.
let lastHeader = '';
let lastBearer = '';

/** What a request says of its sender. */
export interface Sender {
  readonly head: Readonly<RequestHead>;
  /** The parameter `access`; undefined without one, or where it is not read. */
  readonly code: string | undefined;
  readonly nowMs: number;
  /** Of the public address of the service; '' when it has none. */
  readonly ownOrigin: string;
}

/** A copy, for later: the head that was read last is another request's soon. */
export function keptSender(sender: Sender): Sender {
  return { ...sender, head: { ...sender.head } };
}

/**
 * Lets a caller use an endpoint.
 *
 * @throws ACCESS_KEY_LIMITED, ROLE_MISSING, SCOPE_MISSING.
 */
export function permit({ auth }: Endpoint, credential: Credential): void {
  if (auth !== null) checkGranted(auth, credential);
}

/**
 * Who sends a request.
 *
 * @returns null on public endpoints, which read no credentials, but for whom some of them greet.
 * @throws TOKEN_MISSING, TOKEN_INVALID, CODE_UNKNOWN, SESSION_ENDED, ORIGIN_FOREIGN.
 * @cost one Map hit for a bearer seen before.
 */
export function identify(
  { method, auth, greetsPerson }: Endpoint,
  { head, code, nowMs, ownOrigin }: Sender,
  access: AccessPort,
): Credential | null {
  if (auth === null) return greetsPerson === true ? personOf(head, nowMs, access) : null;
  const { authorization } = head;
  const { callers } = auth;
  if (authorization !== '') {
    const credential = access.authenticate(bearerOf(authorization), nowMs);
    if (credential === null) throw errors.TOKEN_INVALID({});
    return credential;
  }
  if (code !== undefined && callers.includes('code')) {
    const credential = access.visitor(code, nowMs);
    if (credential === null) throw errors.CODE_UNKNOWN({});
    return credential;
  }
  const cookie = callers.includes('person') ? sessionCookie(head.cookie) : '';
  if (cookie === '') throw errors.TOKEN_MISSING({});
  const credential = access.person(cookie, nowMs);
  if (credential === null) throw errors.SESSION_ENDED({});
  // Browsers send cookies along with what other pages make them send.
  if (method !== 'GET' && !isOwnOrigin(head, ownOrigin)) throw errors.ORIGIN_FOREIGN({});
  return credential;
}

/** The same for who goes on in either case: what is refused stands beside. */
export function identifyOrNot(endpoint: Endpoint, sender: Sender, access: AccessPort) {
  try {
    return { credential: identify(endpoint, sender, access), refusal: null };
  } catch (refusal) {
    return { credential: null, refusal };
  }
}

/** Whoever has signed in; null: nobody, or the session has ended. */
function personOf(
  { cookie }: Readonly<RequestHead>,
  nowMs: number,
  access: AccessPort,
): Credential | null {
  const token = sessionCookie(cookie);
  return token === '' ? null : access.person(token, nowMs);
}

function bearerOf(header: string): string {
  if (header === lastHeader) return lastBearer;
  if (!isBearer(header)) throw errors.TOKEN_MISSING({});
  lastHeader = header;
  lastBearer = header.slice(SCHEME_LENGTH).trim();
  return lastBearer;
}

/** The scheme is case-insensitive (RFC 9110); something has to follow it. */
function isBearer(header: string): boolean {
  if (header.length <= SCHEME_LENGTH) return false;
  return header.startsWith('Bearer ') || header.slice(0, SCHEME_LENGTH).toLowerCase() === 'bearer ';
}
