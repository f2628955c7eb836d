/**
 * What jobs ask of many domains at once: who may have a crowd, and when the last hit came.
 *
 * Control plane.
 */
import type { DomainId, ShardId } from '../model/ids.ts';
import type { CrowdLook } from '../model/pulse.ts';
import type { DaySpan, DomainUsage, LastHit } from '../model/usage.ts';

/** Asks the actors of this node; rejects with SHARD_MOVED where the shard is another's by now. */
export type AskCrowds = (
  shard: ShardId,
  looks: readonly CrowdLook[],
) => Promise<readonly DomainId[]>;

/**
 * Which of some domains may have a crowd.
 *
 * @param shardOf where each is.
 * @returns of the shards that answered; it rejects where none did.
 */
export async function crowdsAmong(
  looks: readonly CrowdLook[],
  ask: AskCrowds,
  shardOf: (domainId: DomainId) => ShardId,
): Promise<readonly DomainId[]> {
  const byShard = new Map<ShardId, CrowdLook[]>();
  for (const look of looks) {
    const shard = shardOf(look.domainId);
    const others = byShard.get(shard);
    if (others === undefined) byShard.set(shard, [look]);
    else others.push(look);
  }
  const answers = await Promise.allSettled([...byShard].map(([shard, some]) => ask(shard, some)));
  const found = answers.filter((answer) => answer.status === 'fulfilled');
  // One that has moved is looked at by its new owner.
  if (found.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
  return found.flatMap(({ value }) => value);
}

/** Where it is asked what domains used (`runtime/query/query-door.ts` has this shape). */
interface UsageDoor {
  usage(
    domainIds: readonly DomainId[],
    span: DaySpan | null,
  ): Promise<ReadonlyMap<DomainId, DomainUsage>>;
}

/** When the last hits of domains were stored, of everything acknowledged so far. */
export async function lastHitsOf(
  domainIds: readonly DomainId[],
  door: UsageDoor,
): Promise<ReadonlyMap<DomainId, LastHit>> {
  const found = await door.usage(domainIds, null);
  // Nodes of an earlier version do not say it.
  return new Map([...found].map(([id, { lastHit = 'unknown' }]) => [id, lastHit]));
}

/**
 * Which of some domains have anything from before their instants (P-21).
 *
 * @returns those with an earlier row, and those with imported statistics, of whatever day.
 */
export async function domainsBefore(
  firsts: ReadonlyMap<DomainId, number>,
  door: UsageDoor,
): Promise<ReadonlySet<DomainId>> {
  const found = await door.usage([...firsts.keys()], null);
  const has = new Set<DomainId>();
  for (const [id, { firstRowMs, importedDays }] of found) {
    const isOlder = firstRowMs !== null && firstRowMs < (firsts.get(id) ?? 0);
    if (isOlder || importedDays !== null) has.add(id);
  }
  return has;
}
