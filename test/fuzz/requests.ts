/**
 * Fuzzed requests: good ones with something odd in them, each made from the seed and its number
 * alone, so that one that found a fault can be sent again.
 */
import { gzipSync } from 'node:zlib';
import { QUERY_STRING_BYTES_MAX } from '../../src/model/limits.ts';
import { formBytes, formType } from '../support/clients/multipart.ts';
import { Stream } from '../torture/random.ts';
import type { Draft } from './draft.ts';
import { changeForm } from './forms.ts';
import type { Target } from './good-requests.ts';
import { jsonOf, oddText, oddValue, RawJson } from './odd-values.ts';
import { SUBJECTS } from './subjects.ts';

/** A request as it is sent. */
export interface FuzzedRequest {
  readonly number: number;
  readonly method: string;
  readonly bytes: Buffer;
  /** No head that a server has to take: the engine may answer in words of its own, or hang up. */
  readonly isHeadBroken: boolean;
}

const CONTROL = /[^\x20-\x7e]/g;

/** Makes the request of a number. */
export function fuzzedRequest(
  { seed, subject }: { readonly seed: number; readonly subject: keyof typeof SUBJECTS },
  number: number,
  target: Target,
): FuzzedRequest {
  const random = new Stream('fuzz', seed, number);
  const draft = random.weighted(SUBJECTS[subject])(random, target);
  const count = random.pick([0, 1, 1, 1, 2, 3]);
  for (let index = 0; index < count; index++) random.weighted(MUTATIONS)(draft, random, target);
  let body = bodyOf(draft, random);
  if (body.length > 0 && random.chance(0.15)) body = brokenBytes(body, random);
  if (body.length > 0 && random.chance(0.03)) {
    body = gzipSync(body);
    if (random.chance(0.5)) draft.headers.push(['Content-Encoding', 'gzip']);
  }
  const isChunked = body.length > 0 && random.chance(0.1);
  const framed = isChunked ? chunked(body, random) : body;
  let head: Buffer = Buffer.from(headOf(draft, isChunked ? -1 : body.length), 'latin1');
  const isBroken = random.chance(0.01);
  if (isBroken) head = brokenBytes(head, random);
  const isHeadBroken = isBroken || head.length > QUERY_STRING_BYTES_MAX;
  return { number, method: draft.method, bytes: Buffer.concat([head, framed]), isHeadBroken };
}

function bodyOf({ body, form, headers }: Draft, random: Stream): Buffer {
  if (form === undefined) return body === undefined ? Buffer.alloc(0) : Buffer.from(jsonOf(body));
  const boundary = random.pick(['b', 'a-boundary-of-some-length', '-'.repeat(70)]);
  // Said otherwise, at times: it is another one, none, or no form at all.
  const said = random.chance(0.95)
    ? formType(boundary)
    : random.pick([formType('other'), 'multipart/form-data', 'multipart/mixed; boundary=b', 'a']);
  headers.push(['Content-Type', said]);
  return formBytes(form, boundary);
}

function headOf({ method, path, query, bearer, headers }: Draft, length: number): string {
  const asked = query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
  const lines = [`${method} ${path}${asked === '' ? '' : `?${asked}`} HTTP/1.1`, 'Host: footfall'];
  if (bearer !== '') lines.push(`Authorization: Bearer ${bearer}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value.replace(CONTROL, '')}`);
  if (length < 0) lines.push('Transfer-Encoding: chunked');
  else if (length > 0 || method === 'POST' || method === 'PUT') {
    lines.push(`Content-Length: ${length}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Percent-encoded but for what is meant to be odd: a value that begins with a mark goes as it is. */
function escaped(text: string): string {
  if (/^%[\w%]*$/.test(text)) return text;
  return encodeURIComponent(String(Buffer.from(text)));
}

function chunked(body: Buffer, random: Stream): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, random.pick([1, 7, 100, 5_000, 100_000]));
    // At most some hundred pieces: the last one takes the rest.
    const end = parts.length > 300 ? body.length : at + size;
    parts.push(Buffer.from(`${(end - at).toString(16)}\r\n`), body.subarray(at, end));
    parts.push(Buffer.from('\r\n'));
    at = end;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

function brokenBytes(bytes: Buffer, random: Stream): Buffer {
  const at = random.whole(0, Math.max(0, bytes.length - 1));
  return random.weighted<() => Buffer>([
    [
      3,
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([random.whole(0, 255)]),
          bytes.subarray(at + 1),
        ]),
    ],
    [
      2,
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([random.whole(0, 255)]),
          bytes.subarray(at),
        ]),
    ],
    [2, () => bytes.subarray(0, at)],
    [1, () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])],
    [
      1,
      () => Buffer.from(Array.from({ length: random.whole(1, 200) }, () => random.whole(0, 255))),
    ],
    [1, () => Buffer.concat([bytes, bytes])],
  ])();
}

type Mutation = (draft: Draft, random: Stream, target: Target) => void;

/** Somewhere in the body another value, another name or nothing. */
const changeBody: Mutation = (draft, random) => {
  if (draft.form !== undefined) changeForm(draft.form, random);
  if (typeof draft.body !== 'object' || draft.body === null) return;
  if (draft.body instanceof RawJson) return;
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      const held = holder[key];
      if (held instanceof RawJson) continue;
      if (typeof held === 'object' && held !== null) visit(held as Record<string, unknown>);
    }
  };
  visit(draft.body as Record<string, unknown>);
  if (places.length === 0 || random.chance(0.03)) {
    draft.body = oddValue(random);
    return;
  }
  const [holder, key] = random.pick(places);
  const kind = random.next();
  if (kind < 0.7) holder[key] = oddValue(random);
  else if (kind < 0.85) delete holder[key];
  else if (!Array.isArray(holder)) holder[oddText(random).slice(0, 300)] = oddValue(random);
};

const changeQuery: Mutation = (draft, random) => {
  const { query } = draft;
  const kind = random.next();
  const at = random.whole(0, Math.max(0, query.length - 1));
  const entry = query[at];
  if (kind < 0.5 && entry !== undefined) entry[1] = oddText(random).slice(0, 3_000);
  else if (kind < 0.6 && entry !== undefined) query.splice(at, 1);
  else if (kind < 0.7 && entry !== undefined) {
    for (let count = random.pick([1, 5, 100, 101]); count > 0; count--) query.push([...entry]);
  } else if (kind < 0.8) query.push([oddText(random).slice(0, 100), oddText(random).slice(0, 500)]);
  else query.push([random.pick(FILTER_NAMES), oddText(random).slice(0, 3_000)]);
};

const FILTER_NAMES = [
  ...[
    'path',
    'path[]',
    'entry_path',
    'exit_path',
    'pattern',
    'event',
    'event_meta_key',
    'meta_',
    'meta_k',
  ],
  ...[
    'tag',
    'tag_',
    'tag_author',
    'language',
    'country',
    'region',
    'city',
    'referrer',
    'referrer_name',
  ],
  ...[
    'channel',
    'os',
    'os_version',
    'browser',
    'browser_version',
    'device',
    'platform',
    'screen_class',
  ],
  ...[
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_content',
    'utm_term',
    'visitor_id',
    'session_id',
  ],
  ...[
    'search',
    'search[]',
    'sort',
    'direction',
    'limit',
    'offset',
    'start',
    'scale',
    'tz',
    'hostname',
  ],
  ...['id', 'domain_id', 'organization_id', 'theme_id', 'file', 'type', 'access', 'subdomain'],
  ...['delete_domains', 'keep_settings', 'include_organizations', 'domain', 'code'],
  ...[
    'url',
    't',
    'ref',
    'w',
    'h',
    'tag_a-b',
    'from_time',
    'to_time',
    'custom_metric_key',
    'custom_metric_type',
    'funnel_id',
    '__proto__',
  ],
];

const changeHeaders: Mutation = (draft, random) => {
  const [name, values] = random.pick(HEADERS);
  draft.headers.push([
    name,
    random.chance(0.7) ? random.pick(values) : oddText(random).slice(0, 300),
  ]);
};

const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Accept-Encoding', ['gzip', 'gzip;q=0', '*', 'identity', 'br, gzip;q=0.5', ',,;q=', 'gzip;q=9']],
  ['Content-Encoding', ['gzip', 'identity', 'br', 'x']],
  ['Content-Type', ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']],
  ['Idempotency-Key', ['a', 'key-1', 'x'.repeat(128), 'x'.repeat(129), '']],
  ['Origin', ['https://a.example', 'null', '*']],
  ['Expect', ['200-ok']],
  ['Accept', ['text/html', '*/*;q=0', 'image/*']],
  ['User-Agent', ['', 'x', 'Mozilla/5.0 (compatible; bot)', 'a'.repeat(5_000)]],
  ['Sec-CH-UA', ['"', '"a";v="1", '.repeat(300), '?1']],
  ['Viewport-Width', ['-1', '1e9', '99999999999999999999', 'x']],
  ['Purpose', ['prefetch', 'PREVIEW', 'x']],
  ['Forwarded', ['for=1.2.3.4', 'for="[', 'for="\\\\', 'for=a, '.repeat(500)]],
  ['Range', ['bytes=0-1']],
  ['If-None-Match', ['*']],
  ['X-Forwarded-For', ['1.2.3.4', 'x, y', '::ffff:1.2.3.4', '[2001:db9::1%eth0]:1']],
  ['Cookie', ['a=b; c="']],
];

const changeBearer: Mutation = (draft, random, target) => {
  const known = [...target.bearers, target.accessKey, '', 'pa_', 'x', `${target.bearers[0]}x`];
  draft.bearer = random.chance(0.7)
    ? random.pick(known)
    : oddText(random).slice(0, 300).replace(CONTROL, '');
};

const changeMethod: Mutation = (draft, random) => {
  draft.method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW']);
};

const changePath: Mutation = (draft, random) => {
  const { path } = draft;
  draft.path = random.pick([
    ...[
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.slice(0, -1) || '/x',
      `${path}/batch`,
      '/*',
      '/..',
    ],
    ...[
      `${path}/%2e%2e/%2e%2e`,
      `${path}%00`,
      '/api/v1',
      '/api/v2/hit',
      '//',
      `/${'a'.repeat(900)}`,
    ],
  ]);
};

const MUTATIONS: readonly (readonly [weight: number, mutation: Mutation])[] = [
  [10, changeBody],
  [10, changeQuery],
  [4, changeHeaders],
  [2, changeBearer],
  [1, changeMethod],
  [1, changePath],
];
