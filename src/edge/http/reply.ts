/**
 * What goes back over the wire: status lines, headers, and errors in the shape of A-11.
 *
 * Data plane for collection. The headers that all answers of an endpoint share are put together once
 * (`replyHead`) and written in one call: crossing into the engine costs more than the bytes. Whoever
 * writes is corked: one reply is one write.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { OperatingError } from '../../model/errors.ts';

/** The statuses of A-10, 500, and those of bodies that cannot be read. */
const STATUS_LINES: Readonly<Record<number, string>> = {
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
const UNAUTHORIZED = 401;

/**
 * The engine closes a connection that was idle for 8 to 12 seconds and cannot be told otherwise: a
 * client that knows does not send into a connection that is about to close.
 */
const KEEP_ALIVE = 'Keep-Alive: timeout=7';
const NO_SNIFFING = 'X-Content-Type-Options: nosniff';
/** What scripts of other origins may read of an answer beside its body. */
const EXPOSED = 'Retry-After, X-Context';

/** The headers an endpoint's answers share, ready to be written as the value of Content-Type. */
export interface ReplyHead {
  readonly open: Uint8Array;
  /** Of an answer with which the connection ends. */
  readonly closing: Uint8Array;
}

/** What differs between the heads of endpoints. */
export interface HeadRules {
  /** Value of Cache-Control; '' sends none. */
  readonly cache: string;
  /** Request headers by which answers differ. */
  readonly vary: readonly string[];
  /** Scripts of any origin may read it. */
  readonly isForAnyOrigin: boolean;
}

/** Puts the shared headers together. */
export function replyHead({ cache, vary, isForAnyOrigin }: HeadRules): ReplyHead {
  const lines = ['application/json', NO_SNIFFING];
  if (cache !== '') lines.push(`Cache-Control: ${cache}`);
  if (vary.length > 0) lines.push(`Vary: ${vary.join(', ')}`);
  if (isForAnyOrigin) {
    lines.push('Access-Control-Allow-Origin: *', `Access-Control-Expose-Headers: ${EXPOSED}`);
  }
  return {
    open: encoder.encode([...lines, KEEP_ALIVE].join('\r\n')),
    closing: encoder.encode(lines.join('\r\n')),
  };
}

/** One reply. */
export interface Reply {
  /** Null: 200. */
  readonly error: OperatingError | null;
  readonly body: string | Uint8Array;
  readonly head: ReplyHead;
  /** JSON for the header X-Context; '' sends none. */
  readonly context: string;
  /** Value of the header Allow; '' sends none. */
  readonly allow: string;
  /** The origin whose scripts may read it; '' says nothing. */
  readonly origin: string;
  readonly isGzip: boolean;
  /** A reply to HEAD has headers only, Content-Length as GET would have it. */
  readonly isHead: boolean;
  /** The connection ends with it: the service stops, or the client's body is not waited for. */
  readonly closesConnection: boolean;
}

/** Writes a reply. */
export function writeReply(res: HttpResponse, reply: Reply): void {
  const { error, body, head, closesConnection } = reply;
  if (error !== null) res.writeStatus(STATUS_LINES[error.status] ?? STATUS_LINES[500]!);
  res.writeHeader(CONTENT_TYPE, closesConnection ? head.closing : head.open);
  if (reply.origin !== '') {
    res.writeHeader('Access-Control-Allow-Origin', reply.origin);
    res.writeHeader('Access-Control-Expose-Headers', EXPOSED);
  }
  if (reply.isGzip) res.writeHeader('Content-Encoding', 'gzip');
  if (reply.context !== '') res.writeHeader('X-Context', reply.context);
  if (reply.allow !== '') res.writeHeader('Allow', reply.allow);
  if (error !== null) writeErrorHeaders(res, error);
  if (!reply.isHead) {
    res.end(body, closesConnection);
    return;
  }
  // Told a length, the engine itself waits for that many bytes for ever and the next request fails.
  res.writeHeader('Content-Length', String(Buffer.byteLength(body)));
  if (closesConnection) res.writeHeader('Connection', 'close');
  res.endWithoutBody();
}

function writeErrorHeaders(res: HttpResponse, error: OperatingError): void {
  if (error.status === UNAUTHORIZED) res.writeHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds > 0) res.writeHeader('Retry-After', String(error.retryAfterSeconds));
}

/** An error as JSON; a problem of parameters has no general message beside it. */
export function errorBody(error: OperatingError): string {
  return JSON.stringify({
    validation: error.validation,
    error: Object.keys(error.validation).length > 0 ? [] : [error.told],
    context: {},
  });
}
