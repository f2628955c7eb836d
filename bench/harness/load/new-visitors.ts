/** Hits of ever new visitors, one after the other, for who sends few and looks at each. Control plane. */
import { visitAddress } from '../../../src/load/hits/placeholders.ts';
import { type PooledHit, pooledHits } from './pool.ts';

const VISIT_COUNT = 100;

/** Each call is somebody else's first page view. */
export class NewVisitors {
  readonly #pool: readonly PooledHit[];
  #count = 0;

  constructor(seed: number) {
    this.#pool = pooledHits({ seed, visits: VISIT_COUNT });
  }

  /** The next hit. @param pageAt the path of the hit of a number. */
  next(hostname: string, pageAt: (at: number) => string): PooledHit {
    const at = this.#count++;
    const url = `https://${hostname}${pageAt(at)}`;
    return { ...this.#pool[at % this.#pool.length], url, ip: visitAddress(at) };
  }
}
