/** Which shard a domain belongs to, and which actor a shard belongs to. Fixed for a data directory. */

/**
 * Shard of a domain: FNV-1a over the characters of its id.
 *
 * Part of the layout on disk: changing it would send hits to shards that do not hold the domain.
 *
 * @param shardCount at least 1; fixed when the data directory is created.
 * @cost one step per character; ids are about 20 characters long.
 */
export function shardOf(domainId: string, shardCount: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < domainId.length; index++) {
    hash = Math.imul(hash ^ domainId.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV are the weak ones for short modulo: fold the high half in.
  return ((hash ^ (hash >>> 15)) >>> 0) % shardCount;
}

/** Actor of a shard. */
export function actorOf(shard: number, actorCount: number): number {
  return shard % actorCount;
}

/** Shards of an actor out of the first `shards`. */
export function shardsOfActor(
  actor: number,
  { shards, actors }: { shards: number; actors: number },
): number[] {
  const all = Array.from({ length: shards }, (_, shard) => shard);
  return all.filter((shard) => actorOf(shard, actors) === actor);
}
