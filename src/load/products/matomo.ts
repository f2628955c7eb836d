/**
 * Hits for Matomo: `POST /matomo.php` with the hit in its query and the token in its body, and bulk
 * tracking: JSON with a list of such queries.
 *
 * Control plane. Source: https://developer.matomo.org/api-reference/tracking-api. `cip` (the visitor's
 * address) needs `token_auth`. Bulk tracking is answered with how many were `tracked` and `invalid`.
 */
import type { LoadHit } from '../hits/load-hit.ts';
import { type Access, firstLanguage, jsonPost, type Product, urlOf } from './product.ts';

const PATH = '/matomo.php';

function queryOf(hit: LoadHit, { site }: Access): string {
  const query = new URLSearchParams({
    idsite: site,
    rec: '1',
    apiv: '1',
    send_image: '0',
    url: urlOf(hit),
    action_name: hit.title,
    urlref: hit.referrer,
    res: `${hit.screenWidth}x${hit.screenHeight}`,
    ua: hit.userAgent,
    lang: firstLanguage(hit),
    cip: hit.ip,
  });
  if (hit.event !== null) {
    query.set('e_c', 'load');
    query.set('e_a', hit.event.name);
    query.set('e_n', JSON.stringify(hit.event.meta));
  }
  return `?${query}`;
}

export const matomo: Product = {
  name: 'matomo',
  site: 'the id of the site, a number (idsite)',
  key: 'a token (token_auth) of a user who may write to the site',
  batchMax: 1_000,
  hasBatchesByKind: false,
  // A token in the address would stand in access logs, and newer versions refuse it there.
  single: (hit, access) => ({
    method: 'POST',
    path: PATH + queryOf(hit, access),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token_auth: access.key }).toString(),
  }),
  batch: (hits, access) => {
    const requests = hits.map((hit) => queryOf(hit, access));
    return jsonPost(PATH, { requests, token_auth: access.key }, {});
  },
  isRefused: (answer) => /"invalid": *[1-9]|"status": *"error"/.test(answer),
};
