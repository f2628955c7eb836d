/**
 * What a request brings to one domain: a group of hits, and what was dropped of it.
 *
 * Data plane. Dropped items go to the log like hits, so that they are counted once whatever is killed
 * (P-31); neighbours that are alike are one drop.
 */
import { hashIdempotencyKey } from '../../ingest/visitor/visitor.ts';
import type { Credential } from '../../model/credential.ts';
import { dropReason } from '../../model/drop-reasons.ts';
import type { Drop, HitGroup } from '../../model/hit.ts';
import { asDomainId, NO_DOMAIN } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import type { Call } from '../endpoint.ts';

/** I-5. */
export const HOSTNAME = dropReason('hostname');

type Received = Pick<Call, 'idempotencyKey' | 'receivedMs'>;

/** A group without hits. */
export function openGroup(
  domainId: string,
  { idempotencyKey: key, receivedMs }: Received,
): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs,
    idempotencyHash: key === null ? '' : hashIdempotencyKey(key, domainId),
    dropped: null,
    hits: [],
  };
}

/**
 * The group of items with a foreign hostname: that of the client's domain. An account's belong to no
 * domain, but its keys are its own: a repeat of the request counts them as duplicates (I-77).
 */
export function foreignGroup(credential: Credential, received: Received): HitGroup {
  const { domainId, userId } = credential;
  if (domainId !== null) return openGroup(domainId, received);
  return { ...openGroup(userId, received), domainId: NO_DOMAIN };
}

/** One dropped item. @param timeMs its own time. */
export function dropOf(reason: number, timeMs: number, bot: string): Drop {
  return { reason, day: Math.floor(timeMs / DAY_MS), bot, count: 1 };
}

/** Adds a dropped item to a group. */
export function addDrop(group: HitGroup, reason: number, timeMs: number, bot: string): void {
  const { dropped } = group;
  if (dropped === null) {
    group.dropped = [dropOf(reason, timeMs, bot)];
    return;
  }
  const day = Math.floor(timeMs / DAY_MS);
  const last = dropped[dropped.length - 1];
  const isLike = last?.reason === reason && last.day === day && last.bot === bot;
  if (isLike) last.count++;
  else dropped.push(dropOf(reason, timeMs, bot));
}
