/**
 * Hits for Umami: `POST /api/send`, and `/api/batch` with an array of the same bodies. `ip` and
 * `userAgent` in the payload stand for the headers of the visitor's own browser.
 *
 * Control plane. Sources: https://docs.umami.is/docs/api/sending-stats, and the schema of the payload in
 * https://github.com/umami-software/umami (src/app/api/send). A bot is answered 200 with `beep`; a
 * batch is answered 200 and tells in `errors` how many of it were refused.
 */
import type { LoadHit } from '../hits/load-hit.ts';
import { type Access, firstLanguage, jsonPost, type Product } from './product.ts';

function bodyOf(hit: LoadHit, { site }: Access): object {
  const payload = {
    website: site,
    hostname: hit.hostname,
    url: hit.path,
    title: hit.title,
    referrer: hit.referrer,
    language: firstLanguage(hit),
    screen: `${hit.screenWidth}x${hit.screenHeight}`,
    ip: hit.ip,
    userAgent: hit.userAgent,
  };
  const event = hit.event === null ? {} : { name: hit.event.name, data: hit.event.meta };
  return { type: 'event', payload: { ...payload, ...event } };
}

/** The sender of a hit sent alone is who the payload says; headers say the same to what is in front. */
function headersOf(hit: LoadHit): Record<string, string> {
  return { 'user-agent': hit.userAgent, 'x-forwarded-for': hit.ip };
}

export const umami: Product = {
  name: 'umami',
  site: 'the id of the website, a UUID',
  key: null,
  batchMax: 1_000,
  hasBatchesByKind: false,
  single: (hit, access) => jsonPost('/api/send', bodyOf(hit, access), headersOf(hit)),
  batch: (hits, access) =>
    jsonPost(
      '/api/batch',
      hits.map((hit) => bodyOf(hit, access)),
      { 'user-agent': hits[0]!.userAgent },
    ),
  isRefused: (answer) => /"beep"|"errors": *[1-9]/.test(answer),
};
