/**
 * The same hits as programs send them and as pages do: whole requests, with the headers that Chromium
 * sends to another site and the one that a proxy adds. Control plane.
 */
import type { WholeRequest } from '../../../src/load/send/requests.ts';
import type { PooledHit } from './pool.ts';

/** How one kind of hit is sent. */
export interface Way {
  readonly name: string;
  readonly requestOf: (hit: PooledHit) => WholeRequest;
}

/** By whom, and for which domain. */
export interface Sender {
  readonly accessKey: string;
  readonly identificationCode: string;
}

const EVENT = { event_name: 'Order', event_duration: 12, event_meta: { plan: 'team', seats: 5 } };

/** Pairs of ways: of programs, and of pages. */
export function waysOf({ accessKey, identificationCode }: Sender): readonly [Way, Way][] {
  const program = (path: string, hit: object): WholeRequest => ({
    ...{ method: 'POST', path },
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessKey}` },
    body: JSON.stringify(hit),
  });
  return [
    [
      { name: 'POST /api/v1/hit', requestOf: (hit) => program('/api/v1/hit', hit) },
      {
        name: 'GET /hit',
        requestOf: (hit) => ({
          ...{ method: 'GET', path: `/hit?${queryOf(hit, identificationCode)}`, body: '' },
          headers: headersOf(hit, {}),
        }),
      },
    ],
    [
      {
        name: 'POST /api/v1/event',
        requestOf: (hit) => program('/api/v1/event', { ...hit, ...EVENT }),
      },
      {
        name: 'POST /event',
        requestOf: (hit) => ({
          ...{ method: 'POST', path: '/event', body: bodyOf(hit, identificationCode) },
          headers: headersOf(hit, { 'content-type': 'text/plain;charset=UTF-8' }),
        }),
      },
    ],
  ];
}

/** As scripts put an address together. */
function queryOf(hit: PooledHit, code: string): string {
  const { url, title, referrer, screen_width: w, screen_height: h } = hit;
  const sent = { nc: 1_800_000_000_000, code, url, t: title, ref: referrer, w, h };
  return Object.entries(sent)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
}

function bodyOf(hit: PooledHit, identification_code: string): string {
  const { url, title, referrer, screen_width, screen_height } = hit;
  const page = { url, title, referrer, screen_width, screen_height };
  return JSON.stringify({ identification_code, ...EVENT, ...page });
}

function headersOf(hit: PooledHit, own: Readonly<Record<string, string>>): Record<string, string> {
  const { origin } = new URL(String(hit['url']));
  const hints = {
    'sec-ch-ua-platform': hit['sec_ch_ua_platform'],
    'sec-ch-ua': hit['sec_ch_ua'],
    'sec-ch-ua-mobile': hit['sec_ch_ua_mobile'],
  };
  const headers = {
    'user-agent': hit['user_agent'],
    ...(hit['sec_ch_ua'] === undefined ? {} : hints),
    ...own,
    accept: '*/*',
    origin,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    referer: `${origin}/`,
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': hit['accept_language'],
    'x-forwarded-for': hit['ip'],
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
