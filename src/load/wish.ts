/** What a run of the load program is asked for. Control plane. */
import type { Product } from './products/product.ts';

/** How hits are made up. */
export type Mix = 'site' | 'narrow';

/** Statistics of Footfall asked beside the hits. */
export interface QueryWish {
  /** Names below `/api/v1/statistics/`. */
  readonly names: readonly string[];
  /** Questions a second, all names together. */
  readonly rate: number;
}

/** Where and as whom; what a product does not need is ''. */
export interface TargetWish {
  readonly product: Product;
  readonly url: URL;
  /** Of the pages that are viewed; '': what the service says, else a made-up one. */
  readonly hostname: string;
  readonly site: string;
  readonly key: string;
  /** Footfall's own client: may read what was counted. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/** All of it. */
export interface LoadWish {
  readonly target: TargetWish;
  /** Hits a second; where the limit is looked for, of the first step. */
  readonly rate: number;
  /** Of every step, without its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Hits of one request. */
  readonly batch: number;
  readonly connections: number;
  readonly seed: number;
  readonly mix: Mix;
  /** p99 in ms that the target must keep while the rate rises; null: one rate. */
  readonly limitMs: number | null;
  readonly queries: QueryWish | null;
  readonly patienceMs: number;
}
