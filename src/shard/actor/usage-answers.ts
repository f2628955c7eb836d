/**
 * What many domains used, answered in slices so that hits and other questions have their turns between.
 *
 * Control plane. Each domain is answered as of its slice, which is never before the position that was
 * asked for. A domain whose first row is known costs microseconds, a sum of some months tens of them.
 */

import { monotonicMs } from '../../base/clock.ts';
import { errors } from '../../model/errors.ts';
import { USAGE_SLICE_MS } from '../../model/limits.ts';
import type { DomainUsage } from '../../model/usage.ts';
import type { Shard } from '../state/shard.ts';
import type { ActorRequest } from './protocol.ts';

/**
 * Answers for domains of a shard.
 *
 * @param isHeld looked at before every slice, and at the end: another node may own the shard by then.
 * @returns the JSON text of a `DomainUsage` for each, in order.
 * @throws SHARD_MOVED; STATE_DAMAGED where sums are asked for and cannot be said.
 */
export async function answerUsage(
  shard: Shard,
  { domainIds, span }: ActorRequest & { kind: 'usage' },
  isHeld: () => boolean,
): Promise<string> {
  const answers: DomainUsage[] = [];
  while (answers.length < domainIds.length) {
    if (answers.length > 0) await new Promise((resolve) => setImmediate(resolve));
    if (!isHeld()) throw errors.SHARD_MOVED({});
    const endMs = monotonicMs() + USAGE_SLICE_MS;
    do answers.push(shard.usage.answer(domainIds[answers.length]!, span, true));
    while (answers.length < domainIds.length && monotonicMs() < endMs);
  }
  if (!isHeld()) throw errors.SHARD_MOVED({});
  return JSON.stringify(answers);
}
