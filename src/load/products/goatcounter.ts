/**
 * Hits for GoatCounter: `POST /api/v0/count` with up to 500 hits; a hit alone is a batch of one.
 *
 * Control plane. Sources: https://www.goatcounter.com/help/api, https://www.goatcounter.com/api.html
 * (APICountRequest). The host of `--url` says which site it is. Its rate limit of the API has to be
 * raised for a load (`goatcounter serve -ratelimit api-count:…`).
 */
import type { LoadHit } from '../hits/load-hit.ts';
import { TIME_PLACEHOLDER } from '../hits/placeholders.ts';
import { jsonPost, type Product } from './product.ts';

function itemOf(hit: LoadHit): object {
  const [path = '', query = ''] = hit.path.split('?', 2);
  const shared = {
    title: hit.title,
    ref: hit.referrer,
    size: [hit.screenWidth, hit.screenHeight, 1],
    query,
    user_agent: hit.userAgent,
    ip: hit.ip,
    created_at: TIME_PLACEHOLDER,
  };
  // The path of an event is its name there.
  return hit.event === null
    ? { path, ...shared }
    : { path: hit.event.name, event: true, ...shared };
}

export const goatcounter: Product = {
  name: 'goatcounter',
  site: null,
  key: 'an API token that may record pageviews',
  batchMax: 500,
  hasBatchesByKind: false,
  single: (hit, access) => goatcounter.batch([hit], access),
  batch: (hits, { key }) =>
    jsonPost('/api/v0/count', { hits: hits.map(itemOf) }, { authorization: `Bearer ${key}` }),
};
