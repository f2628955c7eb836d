/**
 * The requests of a run, prepared: hits of the mix in the words of a product, as bytes.
 *
 * Control plane. Hits of a mix are made for one pass; each time it comes round its visitors and new
 * paths are others, so a few thousand requests last for any run.
 */
import { systemClock } from '../base/clock.ts';
import type { LoadHit } from './hits/load-hit.ts';
import { narrowHits, VISIT_VIEWS } from './hits/narrow.ts';
import { siteHits } from './hits/site-mix.ts';
import type { Access, Product } from './products/product.ts';
import { type Numbering, Requests, requestBytes, type WholeRequest } from './send/requests.ts';
import type { LoadWish, Mix } from './wish.ts';

/** Hits of one pass: large enough that the longest visits of the mix find room in it. */
const PASS_HITS = 16_384;
/** Requests of one pass at least, so that batches do not repeat at once. */
const PASS_REQUESTS_MIN = 200;
/** Addresses come round after 470 million visits; a run begins somewhere among them. */
const VISIT_BASES = 400_000_000;
/** A second of fresh numbers is more than what is sent in one. */
const FRESH_PER_MS = 100;

/** Hits of one pass of a mix. */
export function mixHits(of: { mix: Mix; hostname: string; seed: number; hits: number }): LoadHit[] {
  if (of.mix === 'site') return siteHits(of);
  return narrowHits({ ...of, visits: Math.ceil(of.hits / VISIT_VIEWS) });
}

/** Requests of so many hits each; hits that would not fill a last one are left out. */
export function requestsOf(
  hits: readonly LoadHit[],
  how: { product: Product; access: Access; batch: number },
): WholeRequest[] {
  const { product, access, batch } = how;
  if (batch === 1) return hits.map((hit) => product.single(hit, access));
  const requests: WholeRequest[] = [];
  const open = new Map<boolean, LoadHit[]>();
  for (const hit of hits) {
    const kind = product.hasBatchesByKind && hit.event !== null;
    const gathered = open.get(kind) ?? [];
    gathered.push(hit);
    if (gathered.length === batch) requests.push(product.batch(gathered, access));
    open.set(kind, gathered.length === batch ? [] : gathered);
  }
  return requests;
}

/** Where the numbering of a run begins: by the time, so that no run has the visitors of one before. */
export function numberingAt(nowMs: number): Numbering {
  return {
    visitBase: (Math.floor(nowMs / 1_000) * 100_003) % VISIT_BASES,
    freshBase: nowMs * FRESH_PER_MS,
  };
}

/** The requests that a wish is about. */
export function prepare(wish: LoadWish, hostname: string, access: Access): Requests {
  const { mix, seed, batch, target } = wish;
  const hits = mixHits({
    mix,
    hostname,
    seed,
    hits: Math.max(PASS_HITS, PASS_REQUESTS_MIN * batch),
  });
  const requests = requestsOf(hits, { product: target.product, access, batch });
  const bytes = requests.map((request) => requestBytes(request, target.url.host));
  return new Requests(bytes, numberingAt(systemClock()), systemClock);
}
