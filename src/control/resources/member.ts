/** Members: who beside the owner has a role on a domain or an organization (M-2, M-30). */
import { exactly, string } from '../../base/schema.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../model/limits.ts';
import { choice, computed, optionalReference, reference } from '../descriptor/fields.ts';
import { type AnyRecord, defineResource, type RecordType } from '../descriptor/resource.ts';
import { user } from './user.ts';

/** What others see of a person that they work with. */
const PERSON = exactly({ id: string, email: string, full_name: string, picture: string });

/** Of a domain or of an organization, one record per person and place. */
export const member = defineResource({
  name: 'member',
  table: 'members',
  owners: ['domainId', 'organizationId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
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
    user: computed(PERSON, ({ userId }, { view }) => {
      const { id, email, fullName } = view.find(user, String(userId)) ?? NOBODY;
      return { id, email, full_name: fullName, picture: '' };
    }),
  },
});

/** A member goes with its person, so nobody is ever shown so. */
const NOBODY = { id: '', email: '', fullName: '' };

export type Member = RecordType<typeof member>;

/** By what a member is found: the person, and the domain or organization. */
export function memberKey(userId: string, placeId: string): string {
  return `${userId} ${placeId}`;
}

function placeIdOf({ domainId, organizationId }: AnyRecord): string {
  return String(domainId ?? organizationId);
}
