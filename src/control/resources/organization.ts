/** Organizations: several domains and the people who work on all of them (M-32). */
import { nullable, string } from '../../base/schema.ts';
import { NAME_LENGTH_MAX } from '../../model/limits.ts';
import { callerReference, hidden, kept, text } from '../descriptor/fields.ts';
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
    /** What its domains show where they have nothing of their own (M-71). */
    themeId: hidden({
      ...kept(nullable(string), () => null),
      refersTo: { to: 'theme', whenGone: 'clear' },
    }),
  },
});
