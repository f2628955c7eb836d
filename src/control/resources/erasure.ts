/**
 * Statistics of a deleted domain that are still to be erased (M-11): carried out, and then removed.
 *
 * It is made in the record that deletes the domain, and has that domain's id, which is never used
 * again. `src/jobs/domain-erasures.ts` carries it out.
 */
import { created } from '../descriptor/draft.ts';
import { type Change, defineResource } from '../descriptor/resource.ts';

export const erasure = defineResource({
  name: 'erasure',
  table: 'erasures',
  owners: [],
  fields: {},
});

/** What the deletion of a domain leaves to be done. */
export function erasureOf(domainId: string, nowMs: number): Change {
  return created(erasure, { id: domainId, createdMs: nowMs, modifiedMs: nowMs });
}
