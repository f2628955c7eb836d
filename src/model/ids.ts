/**
 * Ids and positions as types of their own: the compiler refuses one where another is meant.
 *
 * They are plain strings and numbers at run time. They come into being where something is read
 * (a request, a record, a key, a message) or placed (`shard/state/placement.ts`), by the functions
 * here, which only say so; everybody else passes them on.
 */

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Id of a site. */
export type DomainId = Branded<string, 'DomainId'>;

/** Number of a shard, from 0; below the number of shards of the data directory. */
export type ShardId = Branded<number, 'ShardId'>;

/** Position in the log, from 1; 0 is before the first record. */
export type Sequence = Branded<number, 'Sequence'>;

/** Number of a lease, from 1: rises with every change of a shard's owner. 0 is no lease. */
export type Epoch = Branded<number, 'Epoch'>;

/**
 * Whose ledger has the items that an account sent for hostnames of none of its sites (P-31). Its group
 * has no hits, so nothing but a ledger comes of it.
 */
export const NO_DOMAIN = '' as DomainId;

/** A text that is known to be a site's id. */
export function asDomainId(text: string): DomainId {
  return text as DomainId;
}

/** A number that is known to be a shard's. */
export function asShardId(number: number): ShardId {
  return number as ShardId;
}

/** A number that is known to be a position in the log. */
export function asSequence(number: number): Sequence {
  return number as Sequence;
}

/** A number that is known to be a lease's. */
export function asEpoch(number: number): Epoch {
  return number as Epoch;
}

/** Before the first record. */
export const BEGINNING = asSequence(0);

/** The epoch of a shard that is nobody's. */
export const NO_LEASE = asEpoch(0);

/** The shards of a data directory with so many of them. */
export function shardIds(count: number): ShardId[] {
  return Array.from({ length: count }, (_, shard) => asShardId(shard));
}
