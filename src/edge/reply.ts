/**
 * What goes back over the wire: status lines, headers, and errors in the shape of A-11.
 *
 * Whoever calls these is corked: one reply is one write.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { OperatingError } from '../model/errors.ts';

/** The statuses of A-10 and 500. */
const STATUS_LINES: Readonly<Record<number, string>> = {
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  413: '413 Content Too Large',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

// As bytes: the engine copies the characters of a string into memory of its own each time.
const encoder = new TextEncoder();
const CONTENT_TYPE = encoder.encode('Content-Type');
const JSON_TYPE = encoder.encode('application/json');
const UNAUTHORIZED = 401;

/** How a reply leaves. */
export interface ReplyOptions {
  /** The connection ends with it: the service stops, or the client's body is too long to wait for. */
  readonly closesConnection: boolean;
}

/** Answers 200. @param context JSON for the header X-Context; '' sends none. */
export function writeJson(
  res: HttpResponse,
  json: string | Uint8Array,
  options: ReplyOptions & { readonly context: string },
): void {
  res.writeHeader(CONTENT_TYPE, JSON_TYPE);
  if (options.context !== '') res.writeHeader('X-Context', options.context);
  res.end(json, options.closesConnection);
}

/** How an error leaves. */
export interface ErrorReplyOptions extends ReplyOptions {
  /** Value of the header Allow; '' sends none. */
  readonly allow: string;
  /** A reply to HEAD has headers only. */
  readonly isHead: boolean;
}

/** Answers with an error; a problem of parameters has no general message beside it. */
export function writeError(
  res: HttpResponse,
  error: OperatingError,
  options: ErrorReplyOptions,
): void {
  const body = JSON.stringify({
    validation: error.validation,
    error: Object.keys(error.validation).length > 0 ? [] : [error.message],
    context: {},
  });
  res.writeStatus(STATUS_LINES[error.status] ?? STATUS_LINES[500]!);
  res.writeHeader(CONTENT_TYPE, JSON_TYPE);
  if (options.allow !== '') res.writeHeader('Allow', options.allow);
  if (error.status === UNAUTHORIZED) res.writeHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds > 0) res.writeHeader('Retry-After', String(error.retryAfterSeconds));
  // Told a length, endWithoutBody waits for that many bytes for ever and the next request fails.
  if (options.isHead) res.endWithoutBody();
  else res.end(body, options.closesConnection);
}
