/**
 * Hits for Footfall: `POST /api/v1/hit`, `/event` and their batches, with an access key or a token
 * (rules ). Control plane.
 */
import type { LoadHit } from '../hits/load-hit.ts';
import { TIME_PLACEHOLDER } from '../hits/placeholders.ts';
import { jsonPost, type Product, urlOf } from './product.ts';

/** A hit in the words of the interface. */
export type FootfallItem = Record<string, string | number>;

/** A hit as the interface takes it, without the fields of an event. */
export function footfallItem(hit: LoadHit): FootfallItem {
  const item: FootfallItem = {
    url: urlOf(hit),
    ip: hit.ip,
    user_agent: hit.userAgent,
    accept_language: hit.language,
    title: hit.title,
    referrer: hit.referrer,
    screen_width: hit.screenWidth,
    screen_height: hit.screenHeight,
  };
  if (hit.hints !== null) {
    item['sec_ch_ua'] = hit.hints.brands;
    item['sec_ch_ua_mobile'] = hit.hints.mobile;
    item['sec_ch_ua_platform'] = hit.hints.platform;
    item['sec_ch_ua_platform_version'] = hit.hints.platformVersion;
  }
  return item;
}

function itemOf(hit: LoadHit): object {
  if (hit.event === null) return footfallItem(hit);
  return { ...footfallItem(hit), event_name: hit.event.name, event_meta: hit.event.meta };
}

function pathOf({ event }: LoadHit): string {
  return event === null ? '/api/v1/hit' : '/api/v1/event';
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

export const footfall: Product = {
  name: 'footfall',
  site: null,
  key: "the access key of a site's client, which `footfall domain create` prints",
  batchMax: 1_000,
  hasBatchesByKind: true,
  single: (hit, { key }) => jsonPost(pathOf(hit), itemOf(hit), bearer(key)),
  batch: (hits, { key }) =>
    jsonPost(
      `${pathOf(hits[0]!)}/batch`,
      hits.map((hit) => ({ ...itemOf(hit), time: TIME_PLACEHOLDER })),
      bearer(key),
    ),
};
