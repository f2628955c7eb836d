/**
 * The hits of `footfall bench` (`src/load/hits`) in the words of our interface, as the benchmarks want
 * them: page views of the narrow mix, single and in batches. Control plane.
 */
import { narrowHits } from '../../../src/load/hits/narrow.ts';
import { visitAddress } from '../../../src/load/hits/placeholders.ts';
import { type FootfallItem, footfallItem } from '../../../src/load/products/footfall.ts';

/** Hostname of the domain that the load is for. */
export const POOL_HOSTNAME = 'bench.example';

/** One page view of the pool; `ip` is a placeholder. */
export type PooledHit = FootfallItem;

/** Page views, three in a row for each visit, always the same for the same seed. */
export function pooledHits(options: { seed: number; visits: number }): PooledHit[] {
  return narrowHits({ ...options, hostname: POOL_HOSTNAME }).map(footfallItem);
}

/** A body with the addresses of its visits in it, from an ordinal on. */
export function addressed(body: string, visitBase: number): string {
  return body.replaceAll(/visit-(\d{9})/g, (_, visit: string) =>
    visitAddress(visitBase + Number(visit)),
  );
}

/** Bodies of single hits. */
export function singleBodies(hits: readonly PooledHit[]): string[] {
  return hits.map((hit) => JSON.stringify(hit));
}

/**
 * Bodies of batches; a last batch that would not be full is left out.
 *
 * @param options.timeMs every item's `time`.
 */
export function batchBodies(
  hits: readonly PooledHit[],
  options: { size: number; timeMs: number },
): string[] {
  const time = new Date(options.timeMs).toISOString();
  const bodies: string[] = [];
  for (let first = 0; first + options.size <= hits.length; first += options.size) {
    const items = hits.slice(first, first + options.size).map((hit) => ({ ...hit, time }));
    bodies.push(JSON.stringify(items));
  }
  return bodies;
}
