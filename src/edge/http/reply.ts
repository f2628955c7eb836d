/**
 * What goes back over the wire: status lines, headers, and errors in the shape of A-11.
 *
 * Data plane for collection. The headers that all answers of an endpoint share are put together once
 * (`replyHead`) and written in one call: crossing into the engine costs more than the bytes. Whoever
 * writes is corked: one reply is one write.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { AnswerRule } from '../../api/endpoint.ts';
import { assert } from '../../base/assert.ts';
import type { OperatingError } from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { Coding } from './accept-encoding.ts';

/** The statuses of good answers, of A-10, 500, and those of bodies that cannot be read. */
const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  202: '202 Accepted',
  302: '302 Found',
  303: '303 See Other',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

// As bytes: the engine copies the characters of a string into memory of its own each time.
const encoder = new TextEncoder();
const CONTENT_TYPE = encoder.encode('Content-Type');
const NO_SNIFFING_NAME = encoder.encode('X-Content-Type-Options');
const OK = 200;
const UNAUTHORIZED = 401;

/**
 * The engine closes a connection that was idle for 8 to 12 seconds and cannot be told otherwise: a
 * client that knows does not send into a connection that is about to close.
 */
const KEEP_ALIVE = 'Keep-Alive: timeout=7';
const NO_SNIFFING_VALUE = 'nosniff';
const NO_SNIFFING = 'X-Content-Type-Options: nosniff';

/** What answers are of; a file and a stream say it themselves, a redirect has no body. */
const CONTENT_TYPES: Readonly<Record<AnswerRule['kind'], string>> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  script: 'text/javascript; charset=utf-8',
  file: '',
  stream: '',
  redirect: '',
};
/** What scripts of other origins may read of an answer beside its body. */
const EXPOSED =
  'Retry-After, X-Context, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/** The headers an endpoint's answers share, ready to be written as one name and its value. */
export interface ReplyHead {
  readonly name: Uint8Array;
  readonly open: Uint8Array;
  /** Of an answer with which the connection ends. */
  readonly closing: Uint8Array;
}

/** What differs between the heads of endpoints. */
export interface HeadRules {
  readonly kind: AnswerRule['kind'];
  /** Value of Cache-Control; '' sends none. */
  readonly cache: string;
  /** Request headers by which answers differ. */
  readonly vary: readonly string[];
  /** Scripts of any origin may read it. */
  readonly isForAnyOrigin: boolean;
  /** Pages of every site may embed it, also those that embed only what allows it. */
  readonly isForAnyPage: boolean;
}

/** Puts the shared headers together. */
export function replyHead(rules: HeadRules): ReplyHead {
  const { kind, cache, vary, isForAnyOrigin, isForAnyPage } = rules;
  const contentType = CONTENT_TYPES[kind];
  const lines = contentType === '' ? [NO_SNIFFING_VALUE] : [contentType, NO_SNIFFING];
  if (cache !== '') lines.push(`Cache-Control: ${cache}`);
  if (vary.length > 0) lines.push(`Vary: ${vary.join(', ')}`);
  if (isForAnyOrigin) {
    lines.push('Access-Control-Allow-Origin: *', `Access-Control-Expose-Headers: ${EXPOSED}`);
  }
  if (isForAnyPage) lines.push('Cross-Origin-Resource-Policy: cross-origin');
  return {
    name: contentType === '' ? NO_SNIFFING_NAME : CONTENT_TYPE,
    open: encoder.encode([...lines, KEEP_ALIVE].join('\r\n')),
    closing: encoder.encode(lines.join('\r\n')),
  };
}

/** What clients are told of a limit of requests. */
export interface RateTold {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch. */
  readonly resetMs: number;
}

/** One reply. */
export interface Reply {
  /** Null: it is a good answer. */
  readonly error: OperatingError | null;
  readonly body: string | Uint8Array;
  readonly head: ReplyHead;
  /** Status line of a good answer; '' is 200. */
  readonly status: string;
  /** Headers of this answer alone; null: none. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** How the window stands that the request counts in (M-90); null: in none. */
  readonly rate: RateTold | null;
  /** Value of the header Allow; '' sends none. */
  readonly allow: string;
  /** The origin whose scripts may read it; '' says nothing. */
  readonly origin: string;
  /** How the body is compressed; '' is not at all. */
  readonly coding: Coding | '';
  /** A reply to HEAD has headers only, Content-Length as GET would have it. */
  readonly isHead: boolean;
  /** The connection ends with it: the service stops, or the client's body is not waited for. */
  readonly closesConnection: boolean;
}

/** Writes a reply. */
export function writeReply(res: HttpResponse, reply: Reply): void {
  writeHead(res, reply);
  if (reply.isHead) endHead(res, Buffer.byteLength(reply.body), reply.closesConnection);
  else res.end(reply.body, reply.closesConnection);
}

/** Writes status and headers, those apart that say how long the body is. */
export function writeHead(res: HttpResponse, reply: Reply): void {
  const { error, head, closesConnection } = reply;
  if (error !== null) res.writeStatus(STATUS_LINES[error.status] ?? STATUS_LINES[500]!);
  else if (reply.status !== '') res.writeStatus(reply.status);
  res.writeHeader(head.name, closesConnection ? head.closing : head.open);
  if (reply.headers !== null) writeHeaders(res, reply.headers);
  if (reply.rate !== null) writeRate(res, reply.rate);
  if (reply.origin !== '') {
    res.writeHeader('Access-Control-Allow-Origin', reply.origin);
    res.writeHeader('Access-Control-Expose-Headers', EXPOSED);
  }
  if (reply.coding !== '') res.writeHeader('Content-Encoding', reply.coding);
  if (reply.allow !== '') res.writeHeader('Allow', reply.allow);
  if (error !== null) writeErrorHeaders(res, error);
}

/**
 * Ends a reply to HEAD.
 *
 * @param byteCount of GET's body; null where it has no length.
 */
export function endHead(
  res: HttpResponse,
  byteCount: number | null,
  closesConnection: boolean,
): void {
  // Told a length, the engine itself waits for that many bytes for ever and the next request fails.
  if (byteCount !== null) res.writeHeader('Content-Length', String(byteCount));
  if (closesConnection) res.writeHeader('Connection', 'close');
  res.endWithoutBody();
}

function writeHeaders(res: HttpResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.writeHeader(name, value);
}

/** The second of the reset is the first in which the oldest request does not count. */
function writeRate(res: HttpResponse, { limit, remaining, resetMs }: RateTold): void {
  res.writeHeader('X-RateLimit-Limit', String(limit));
  res.writeHeader('X-RateLimit-Remaining', String(remaining));
  res.writeHeader('X-RateLimit-Reset', String(Math.ceil(resetMs / SECOND_MS)));
}

/** The line of a status; '' for 200, which the engine writes by itself. */
export function statusLine(status: number): string {
  const line = STATUS_LINES[status];
  assert(line !== undefined, `the status ${status} has its line`);
  return status === OK ? '' : line;
}

function writeErrorHeaders(res: HttpResponse, error: OperatingError): void {
  if (error.status === UNAUTHORIZED) res.writeHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds > 0) res.writeHeader('Retry-After', String(error.retryAfterSeconds));
}
