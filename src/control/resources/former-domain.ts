/**
 * Domains that were deleted, as they were then: billing shows them on (S-99).
 *
 * Made in the record that deletes the domain, with its id, which is never used again, for whom it
 * belonged to. There are no endpoints: nothing changes them, and they go with the user.
 */
import type { Schema } from '../../base/schema.ts';
import { created } from '../descriptor/draft.ts';
import { kept, reference } from '../descriptor/fields.ts';
import { type AnyRecord, type Change, defineResource } from '../descriptor/resource.ts';

/** A record of the resource `domain`, of whichever version. */
const RECORD: Schema<AnyRecord> = { type: 'object' };

export const formerDomain = defineResource({
  name: 'former-domain',
  table: 'former-domains',
  owners: ['userId'],
  fields: {
    userId: reference({ to: 'user', whenGone: 'remove' }),
    domain: kept(RECORD, ({ sent }) => sent['domain'] as AnyRecord),
  },
});

/** What the deletion of a domain leaves for billing. @param record the domain. */
export function formerDomainOf(record: AnyRecord, nowMs: number): Change {
  const { id, createdMs } = record;
  const userId = String(record['userId']);
  return created(formerDomain, { id, createdMs, modifiedMs: nowMs, userId, domain: record });
}
