/** Who is in an organization, and who is invited to it (M-30, M-32): its owner says, the others read. */
import { INVITATIONS, MEMBERS } from '../lists/record-kinds.tsx';
import type { RecordKind } from '../lists/records.ts';
import type { Place } from '../place.ts';

const within = ({ organization }: Place) => ({ organization_id: organization?.id });
const isOwners = ({ organization }: Place) => organization?.can_edit === true;

export const ORGANIZATION_MEMBERS: RecordKind = {
  ...MEMBERS,
  ...{ hint: 'organizationMembersHint', none: 'organizationMembersNone' },
  ...{ listed: within, made: within, isAdded: isOwners },
  isChanged: (_, place) => isOwners(place),
  isRemoved: ({ user_id: userId }, place) => isOwners(place) || userId === place.me.id,
};

export const ORGANIZATION_INVITATIONS: RecordKind = {
  ...INVITATIONS,
  ...{ listed: within, made: within, removed: within },
  isRemoved: (_, place) => isOwners(place),
};
