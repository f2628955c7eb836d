/**
 * What answers with domains are made with: where their statistics begin stands in the shards, not in
 * the registry, so it is asked for before a domain is shown (M-17).
 */
import type { Base, Viewing } from '../../control/descriptor/resource.ts';
import { asDomainId } from '../../model/ids.ts';
import type { Call } from '../endpoint.ts';
import { type Viewed, viewingOf } from './permitted.ts';

/**
 * For whom an answer is made that shows domains. One question for all of them.
 *
 * @param domains those that `toWire` will be given.
 */
export async function viewingDomains(
  asked: Viewed & { readonly call: Pick<Call, 'credential' | 'onLeft'> },
  domains: readonly Pick<Base, 'id'>[],
): Promise<Viewing> {
  const viewing = viewingOf(asked);
  if (domains.length === 0) return viewing;
  const { call, ports } = asked;
  const ids = domains.map(({ id }) => asDomainId(id));
  return { ...viewing, stored: await ports.statistics.usage(ids, null, call) };
}
