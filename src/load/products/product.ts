/**
 * A product that collects hits over HTTP: how a hit becomes one of its requests, and what its answers
 * mean. One file a product, from its public documentation; a table of them in `products.ts`.
 *
 * Control plane.
 */
import type { LoadHit } from '../hits/load-hit.ts';
import type { WholeRequest } from '../send/requests.ts';

/** What a product has to be told to take hits; '' where it needs no such thing. */
export interface Access {
  /** What the product calls the site: an id, or a domain. */
  readonly site: string;
  /** A key that may send hits. */
  readonly key: string;
}

/** One product. */
export interface Product {
  readonly name: string;
  /** What `--site` and `--key` are there; null: it needs none. */
  readonly site: string | null;
  readonly key: string | null;
  /** Hits of one request at most; 1: it takes no batches. */
  readonly batchMax: number;
  /** Page views and events go to endpoints of their own, so a batch has one kind only. */
  readonly hasBatchesByKind: boolean;
  single(hit: LoadHit, access: Access): WholeRequest;
  /** Of hits of one kind, where there are batches by kind. */
  batch(hits: readonly LoadHit[], access: Access): WholeRequest;
  /** Whether an answer of 2xx refuses hits all the same; absent: none does. */
  isRefused?(answer: string): boolean;
}

/** The address of the page as browsers have it. */
export function urlOf({ hostname, path }: LoadHit): string {
  return `https://${hostname}${path}`;
}

/** `de-DE,de;q=0.9` → `de-DE`: for products that want one language. */
export function firstLanguage({ language }: LoadHit): string {
  return language.split(/[,;]/, 1)[0] ?? '';
}

/** A request with a body of JSON. */
export function jsonPost(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): WholeRequest {
  const all = { 'content-type': 'application/json', ...headers };
  return { method: 'POST', path, headers: all, body: JSON.stringify(body) };
}
