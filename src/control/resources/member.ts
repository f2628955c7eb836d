/** Members: who beside the owner has a role on a domain or an organization (M-2, M-30). */
import { choice, optionalReference, reference } from '../descriptor/fields.ts';
import { type AnyRecord, defineResource } from '../descriptor/resource.ts';

/** Of a domain or of an organization, one record per person and place. */
export const member = defineResource({
  name: 'member',
  table: 'members',
  owners: ['domainId', 'organizationId'],
  fields: {
    domainId: optionalReference({ to: 'domain', whenGone: 'remove' }),
    organizationId: optionalReference({ to: 'organization', whenGone: 'remove' }),
    userId: {
      ...reference({ to: 'user', whenGone: 'remove' }),
      unique: {
        key: (userId: string, record: AnyRecord) => memberKey(userId, placeIdOf(record)),
        taken: () => 'is a member already',
      },
    },
    role: choice(['Viewer', 'Admin'], { absent: 'Viewer' }),
  },
});

/** By what a member is found: the person, and the domain or organization. */
export function memberKey(userId: string, placeId: string): string {
  return `${userId} ${placeId}`;
}

function placeIdOf({ domainId, organizationId }: AnyRecord): string {
  return String(domainId ?? organizationId);
}
