/**
 * The headers of a request that the edge needs, and whether they say without doubt where it ends.
 *
 * Data plane. An engine that hears two lengths takes the first; a proxy in front may have taken the
 * other, and then the rest of the body is a request of somebody else (request smuggling, RFC 9112
 * section 11.2). So all headers are walked once, which also tells an empty header from none. What is
 * read lies in fields of the module until the next request: nothing is allocated but the texts.
 */
import type { HttpRequest } from 'uWebSockets.js';
import { errors, type OperatingError } from '../../model/errors.ts';

/** What one request said. */
export interface RequestHead {
  /** Authorization; '' without one. */
  authorization: string;
  /** Content-Length; '' without one. */
  contentLength: string;
  /** Content-Encoding; '' without one. */
  contentEncoding: string;
  /** Accept-Encoding; '' without one. */
  acceptEncoding: string;
  /** Host; '' without one. */
  host: string;
  /** Cookie, Origin and Sec-Fetch-Site, which browsers send; '' without one. */
  cookie: string;
  origin: string;
  fetchSite: string;
  /** Traceparent, of whoever traces what it asks for; '' without one. */
  traceparent: string;
  /** Idempotency-Key; null without one. Several are joined by ', ', as HTTP has it (RFC 9110, 5.3). */
  idempotencyKey: string | null;
}

const head: RequestHead = {
  authorization: '',
  contentLength: '',
  contentEncoding: '',
  acceptEncoding: '',
  host: '',
  cookie: '',
  origin: '',
  fetchSite: '',
  traceparent: '',
  idempotencyKey: null,
};
/** The head that was read last: of use until the handler of its request returns. */
export const requestHead: Readonly<RequestHead> = head;

let transferEncoding = '';
let hosts = 0;
let lengths = 0;
let encodings = 0;
let trailers = 0;

/** Reads the headers of a request, in its handler. @cost two short texts per header. */
export function readHead(req: HttpRequest): void {
  beginHead();
  req.forEach(takeHeader);
}

/** Forgets the head before: for who walks the headers and gives each of them to `takeHeader`. */
export function beginHead(): void {
  head.authorization = '';
  head.contentLength = '';
  head.contentEncoding = '';
  head.acceptEncoding = '';
  head.host = '';
  head.cookie = '';
  head.origin = '';
  head.fetchSite = '';
  head.traceparent = '';
  head.idempotencyKey = null;
  transferEncoding = '';
  hosts = 0;
  lengths = 0;
  encodings = 0;
  trailers = 0;
}

/** Takes one header into the head. */
export function takeHeader(name: string, value: string): void {
  // By length first: names are texts made for this call, and comparing them costs more.
  switch (name.length) {
    case 4:
      if (name !== 'host') return;
      head.host = value;
      hosts++;
      return;
    case 6:
      if (name === 'cookie') head.cookie = value;
      else if (name === 'origin') head.origin = value;
      return;
    case 7:
      if (name === 'trailer') trailers++;
      return;
    case 11:
      if (name === 'traceparent') head.traceparent = value;
      return;
    case 13:
      if (name === 'authorization') head.authorization = value;
      return;
    case 14:
      if (name === 'sec-fetch-site') head.fetchSite = value;
      if (name !== 'content-length') return;
      head.contentLength = value;
      lengths++;
      return;
    case 15:
      if (name === 'accept-encoding') head.acceptEncoding = value;
      else if (name === 'idempotency-key') takeKey(value);
      return;
    case 16:
      if (name === 'content-encoding') head.contentEncoding = value;
      return;
    case 17:
      if (name !== 'transfer-encoding') return;
      transferEncoding = value;
      encodings++;
      return;
  }
}

function takeKey(value: string): void {
  const { idempotencyKey } = head;
  head.idempotencyKey = idempotencyKey === null ? value : `${idempotencyKey}, ${value}`;
}

/**
 * What is wrong with the framing of the request that was read last.
 *
 * @param needsBody whether an end of the body has to be announced.
 * @returns null when everybody who reads it sees the same request.
 */
export function framingFault(needsBody: boolean): OperatingError | null {
  const isPlain = encodings + trailers === 0 && lengths === 1 && hosts === 1;
  if (isPlain && head.contentLength !== '') return null;
  const reason = framingReason(needsBody);
  return reason === '' ? null : errors.REQUEST_AMBIGUOUS({ reason });
}

function framingReason(needsBody: boolean): string {
  if (hosts > 1) return 'it has more than one Host';
  if (lengths > 1) return 'it has more than one Content-Length';
  if (lengths === 1 && head.contentLength === '') return 'its Content-Length is empty';
  if (encodings > 1) return 'it has more than one Transfer-Encoding';
  if (encodings === 1 && lengths === 1) return 'it has both Content-Length and Transfer-Encoding';
  if (encodings === 1 && transferEncoding.toLowerCase() !== 'chunked') {
    return 'its Transfer-Encoding is not chunked';
  }
  // The engine takes them for the next request.
  if (trailers > 0) return 'it announces trailers';
  if (needsBody && lengths + encodings === 0) return 'its body has no Content-Length';
  return '';
}

/**
 * Whether the body of the request that was read last comes in chunks.
 *
 * The engine reads their sizes and ends more leniently than others do, so the connection of such a
 * request ends with its answer: nothing that it takes for the next one is ever run.
 */
export function isChunked(): boolean {
  return encodings > 0;
}
