/** Organizations: several domains and the people who work on all of them (M-32). */
import { NAME_LENGTH_MAX } from '../../model/limits.ts';
import { callerReference, text } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';

/** Belongs to the user who made it. */
export const organization = defineResource({
  name: 'organization',
  table: 'organizations',
  owners: ['userId'],
  hasRoles: true,
  fields: {
    userId: callerReference('remove'),
    name: text({ lengthMax: NAME_LENGTH_MAX }),
  },
});
