/**
 * Which domains a node looks after by itself: those of the shards that it holds (O-3). When another takes a
 * shard over it goes on; while nobody holds it nobody can say its numbers either.
 *
 * Control plane.
 */
import type { ShardId } from '../model/ids.ts';

/** Of a node. */
export interface OwnSites {
  shardOf(domainId: string): ShardId;
  /** Whether this node holds a shard now. */
  isOwn(shard: ShardId): boolean;
}

/** What belongs to domains of shards that this node holds, by shard. */
export function byOwnShard<Of>(
  all: Iterable<Of>,
  own: OwnSites,
  domainIdOf: (one: Of) => string,
): Map<ShardId, Of[]> {
  const found = new Map<ShardId, Of[]>();
  for (const one of all) {
    const shard = own.shardOf(domainIdOf(one));
    if (!own.isOwn(shard)) continue;
    const others = found.get(shard);
    if (others === undefined) found.set(shard, [one]);
    else others.push(one);
  }
  return found;
}

/** The records of a table that a job is about, found anew when any of the table has changed. */
export class Watched<Of> {
  readonly #find: () => Iterable<Of>;
  #revision = -1;
  #found: readonly Of[] = [];

  constructor(find: () => Iterable<Of>) {
    this.#find = find;
  }

  /** @param revision of the table, as the registry has it. */
  at(revision: number): readonly Of[] {
    if (revision !== this.#revision) this.#found = [...this.#find()];
    this.#revision = revision;
    return this.#found;
  }
}
