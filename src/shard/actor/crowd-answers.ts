/**
 * Which of many domains may have a crowd, answered for who looks at all of them every ten seconds
 * (O-40).
 *
 * Control plane on the actor's thread, in slices, so that hits and other questions have their turns
 * between.
 */
import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import type { DomainId } from '../../model/ids.ts';
import { CROWD_SLICE_MS, HOUR_MS } from '../../model/limits.ts';
import type { CrowdCall, CrowdLook } from '../../model/pulse.ts';
import { isActiveCold } from '../save/cold-days.ts';
import { isDamage } from '../state/set-aside.ts';
import type { Shard } from '../state/shard.ts';
import { mayHaveCrowd } from '../state/shard-pulse.ts';

/**
 * Answers as `CrowdCall` says.
 *
 * @param isHeld looked at before every slice, and at the end: another node may own the shard by
 * then.
 * @throws SHARD_MOVED.
 */
export async function answerCrowds(
  shard: Shard,
  { looks }: CrowdCall,
  { nowMs, isHeld }: { readonly nowMs: number; readonly isHeld: () => boolean },
): Promise<DomainId[]> {
  const found: DomainId[] = [];
  for (let at = 0; at < looks.length; ) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    if (!isHeld()) throw errors.SHARD_MOVED({});
    const endMs = monotonicMs() + CROWD_SLICE_MS;
    do {
      const look = looks[at++] as CrowdLook;
      if (mayBeCrowded(shard, look, nowMs)) found.push(look.domainId);
    } while (at < looks.length && monotonicMs() < endMs);
  }
  if (!isHeld()) throw errors.SHARD_MOVED({});
  return found;
}

function mayBeCrowded(shard: Shard, look: CrowdLook, nowMs: number): boolean {
  const { domainId } = look;
  if (shard.aside.has(domainId)) return false;
  try {
    if (shard.pulse.isQuiet(look, nowMs)) return false;
    // A query thread reads a large day without all that hits need of it.
    if (isActiveCold(shard, domainId, nowMs)) return true;
    // To be looked at keeps no domain in memory.
    const domain = shard.domains.get(domainId) ?? shard.existingDomain(domainId, nowMs);
    domain?.reopenDays(nowMs - HOUR_MS);
    return domain !== null && mayHaveCrowd(domain.segments.values(), look, nowMs);
  } catch (error) {
    // It is told by who needs what is damaged.
    if (!isDamage(error)) throw error;
    return false;
  }
}
