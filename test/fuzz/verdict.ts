/**
 * What is wrong with an answer: 5xx but for a 503 that says when to try again, an error in another
 * shape than the contract's, words of the machine.
 */
import { gunzipSync } from 'node:zlib';
import { answerFault } from '../support/clients/answer-check.ts';
import type { FuzzedRequest } from './requests.ts';
import type { WireAnswer } from './wire.ts';

/** Those of the contract, of preflights, and of bodies that cannot be read. */
const STATUSES = new Set([200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 429, 503]);
/** What only the machine would say; a client may send such words, so only where nothing repeats them. */
const MACHINE = /\b(?:ENOENT|EACCES|ENOSPC|EMFILE|EIO|SIGSEGV)\b|node_modules|\.ts:\d+|\bat \w+ \(/;

/** @returns what is wrong, one line; '' when all is well. */
export function faultOf(request: FuzzedRequest, answer: WireAnswer | null): string {
  if (answer === null) return request.isHeadBroken ? '' : 'the connection ended without an answer';
  const { status, headers } = answer;
  const type = headers.get('content-type') ?? '';
  if (request.isHeadBroken && type !== 'application/json') return '';
  if (!STATUSES.has(status)) return `status ${status}`;
  if (status === 204) return '';
  if (type === 'text/event-stream') return status === 200 ? '' : `a stream with status ${status}`;
  if (type === 'image/gif') return imageFault(request, answer);
  if (type.startsWith('text/html')) return pageFault(request, status);
  if (type !== 'application/json') return `status ${status} as '${type}'`;
  if (status === 503 && !headers.has('retry-after')) return '503 without Retry-After';
  const limits = limitFault(status, headers);
  if (limits !== '' || request.method === 'HEAD') return limits;
  const isPacked = headers.get('content-encoding') === 'gzip';
  let text = '';
  let json: unknown;
  try {
    text = String(isPacked ? gunzipSync(answer.body) : answer.body);
    json = JSON.parse(text);
  } catch (error) {
    return `status ${status}, a body that is none: ${String(error)}`;
  }
  const documented = documentFault(request, status, json);
  if (documented !== '' || status === 200) return documented;
  if (MACHINE.test(text) && !MACHINE.test(String(request.bytes))) return `it tells ${text}`;
  return shapeFault(json) ? `an error of another shape: ${text.slice(0, 300)}` : '';
}

/** Only where one is asked for, and then it is one, whatever the status. */
function imageFault({ method, bytes }: FuzzedRequest, { body }: WireAnswer): string {
  if (!/^\w+ \/hit\.gif[? ]/.test(String(bytes))) return 'an image that nobody asked for';
  const isImage = body.toString('latin1', 0, 6) === 'GIF89a' && body.at(-1) === 0x3b;
  return method === 'HEAD' || isImage ? '' : 'an image that is none';
}

/** Only at addresses of dashboards, which have one part, and where a person might look for one. */
function pageFault({ bytes }: FuzzedRequest, status: number): string {
  const isPlace = /^(?:GET|HEAD) \/(?!api\/)/.test(String(bytes));
  return isPlace && (status === 200 || status === 404) ? '' : `a page with status ${status}`;
}

/** Who has sent too much is told when to come again, and how much there is (M-90). */
function limitFault(status: number, headers: WireAnswer['headers']): string {
  if (status !== 429) return '';
  const missing = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    .filter((name) => !/^\d+$/.test(headers.get(name) ?? ''))
    .join(', ');
  return missing === '' ? '' : `429 without ${missing}`;
}

/** A request that is taken apart is known by its first line alone. */
function documentFault(
  { method, bytes, isHeadBroken }: FuzzedRequest,
  status: number,
  json: unknown,
) {
  const [, path = ''] = String(bytes.subarray(0, bytes.indexOf('\r\n'))).split(' ');
  if (isHeadBroken || !/^\/[\w/.-]*(\?|$)/.test(path)) return '';
  return answerFault(method, path, status, json);
}

function shapeFault(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return true;
  const { validation, error, context, ...others } = json as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !isObject(validation) || !isObject(context)) return true;
  if (!Array.isArray(error) || !error.every((text) => typeof text === 'string' && text !== '')) {
    return true;
  }
  const problems = Object.values(validation);
  if (!problems.every((text) => typeof text === 'string' && text !== '')) return true;
  return error.length + problems.length === 0 || problems.length > 100;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
