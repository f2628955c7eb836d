/** What has to hold before a request is let in, beside who sends it: 503, 415, 413, and 429 (M-90). */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Endpoint, FullAnswer } from '../api/endpoint.ts';
import { cookieHeader } from '../api/people/session-cookie.ts';
import type { Ports } from '../api/ports.ts';
import type { RateRule } from '../api/rate-rules.ts';
import type { Credential } from '../model/credential.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { firstValue, parseQueryString } from '../query/question/parameters.ts';
import type { Sender } from './authorize.ts';
import { sessionCookie } from './http/cookie.ts';
import { type RequestHead, requestHead } from './http/request-head.ts';
import { RequestRate } from './rate/rate-limits.ts';
import type { ExchangeHost, Route } from './route.ts';

/** Characters of a request's header that an error repeats. */
const SHOWN_HEADER_LENGTH_MAX = 40;

/** Who sends the request that was read last, as it says itself. */
export function senderOf(
  { readsCode }: Route,
  { ownOrigin }: ExchangeHost,
  { query, nowMs }: { readonly query: string; readonly nowMs: number },
): Sender {
  const code = readsCode ? firstValue(parseQueryString(query), 'access') : undefined;
  return { head: requestHead, code, nowMs, ownOrigin };
}

/** @throws NOT_READY while starting and stopping. */
export function checkReady({ needsReady }: Endpoint, { ports, isStopping }: ExchangeHost): void {
  if (!needsReady) return;
  const reason = isStopping ? 'it is stopping' : ports.unreadyReason();
  if (reason !== null) throw errors.NOT_READY({ reason });
}

/** Why a body is refused before it comes; the size is the one announced. Null: it is not. */
export function bodyRefusal(
  { body }: Endpoint,
  { contentEncoding: encoding, contentLength }: Readonly<RequestHead>,
): OperatingError | null {
  if (body === null) return null;
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    return errors.BODY_ENCODED({ encoding: encoding.slice(0, SHOWN_HEADER_LENGTH_MAX) });
  }
  const { bytesMax } = body;
  return Number(contentLength) > bytesMax ? errors.BODY_TOO_LARGE({ bytesMax }) : null;
}

/** Null where nobody counts requests. */
export function rateOf(
  { windows, addresses }: ExchangeHost,
  rule: RateRule | null,
  { res, req, nowMs }: { res: HttpResponse; req: HttpRequest; nowMs: number },
): RequestRate | null {
  if (rule === null || windows === null) return null;
  return new RequestRate(windows, rule, { address: addresses.of(res, req), nowMs });
}

/**
 * Whoever comes by cookie stays signed in by coming: a session that goes on has a cookie that does.
 *
 * @returns the headers of the answer that say so; null: there are none.
 */
export function extendedCookie(
  { kind, sessionId }: Credential,
  { head, nowMs }: Sender,
  { sessions, publicUrl }: Ports,
): FullAnswer['headers'] | null {
  if (kind !== 'person' || !sessions.used(sessionId, nowMs)) return null;
  return cookieHeader(sessionCookie(head.cookie), publicUrl);
}
