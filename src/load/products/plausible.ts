/**
 * Hits for Plausible: `POST /api/event`, the visitor in the headers; there are no batches.
 *
 * Control plane. Source: https://plausible.io/docs/events-api. An event that is dropped (unknown site,
 * bot) is answered 202 as well, with the header `x-plausible-dropped: 1`.
 */
import { jsonPost, type Product, urlOf } from './product.ts';

export const plausible: Product = {
  name: 'plausible',
  site: 'the domain of the site, as Plausible has it',
  key: null,
  batchMax: 1,
  hasBatchesByKind: false,
  single: (hit, { site }) => {
    const page = { domain: site, url: urlOf(hit), referrer: hit.referrer };
    const body =
      hit.event === null
        ? { name: 'pageview', ...page }
        : { name: hit.event.name, ...page, props: hit.event.meta };
    return jsonPost('/api/event', body, {
      'user-agent': hit.userAgent,
      'x-forwarded-for': hit.ip,
    });
  },
  batch: (hits, access) => plausible.single(hits[0]!, access),
  isRefused: (answer) => /\r\nx-plausible-dropped: *[1-9]/i.test(answer),
};
