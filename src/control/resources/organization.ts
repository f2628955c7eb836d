/** Organizations: several domains and the people who work on all of them (M-32). */
import { boolean, integer, nullable, oneOf, string } from '../../base/schema.ts';
import { DOMAIN_CHILD_COUNT_MAX, NAME_LENGTH_MAX } from '../../model/limits.ts';
import { ROLES, type Role } from '../../model/rights.ts';
import { callerReference, computed, hidden, kept, text } from '../descriptor/fields.ts';
import {
  type AnyRecord,
  defineResource,
  type RecordType,
  type Viewing,
} from '../descriptor/resource.ts';
import { domain } from './domain.ts';
import { member } from './member.ts';
import { READ_ORGANIZATION, WRITE_ORGANIZATION } from './permissions.ts';
import { theme } from './theme.ts';

/** Belongs to the user who made it. */
export const organization = defineResource({
  name: 'organization',
  table: 'organizations',
  owners: ['userId'],
  hasRoles: true,
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'organization',
    read: READ_ORGANIZATION,
    change: WRITE_ORGANIZATION,
    creates: 'record',
    changes: { by: 'PUT', answers: 'record' },
  },
  fields: {
    userId: callerReference('remove'),
    name: text({ lengthMax: NAME_LENGTH_MAX }),
    /** What its domains show where they have nothing of their own (M-71). */
    themeId: hidden({
      ...kept(nullable(string), () => null),
      refersTo: { to: 'theme', whenGone: 'clear' },
    }),
    // People with access, the owner among them.
    member: computed(integer, ({ id, userId }, { view }) => {
      const people = new Set([userId]);
      for (const one of view.of(member, 'organizationId', id)) people.add(one.userId);
      return people.size;
    }),
    domains: computed(integer, ({ id }, { view }) => view.of(domain, 'organizationId', id).length),
    themes: computed(integer, ({ id }, { view }) => view.of(theme, 'organizationId', id).length),
    role: computed(oneOf(ROLES), roleOfCaller),
    canEdit: computed(boolean, (record, viewing) => roleOfCaller(record, viewing) === 'Owner'),
  },
});

export type Organization = RecordType<typeof organization>;

/** Who is only invited will be a Viewer, or more. */
function roleOfCaller({ id }: AnyRecord, { roleOn }: Viewing): Role {
  return roleOn({ kind: 'organization', id }) ?? 'Viewer';
}
