/** People with an account; upper and lower case of an email address are the same person. */
import { boolean, string } from '../../base/schema.ts';
import { computed, kept, text } from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';
import { emailFault, nameFault } from '../field-rules.ts';
import { secondFactor } from './second-factor.ts';

/** A taste in how pages look; records that are older than the field have the default, no. */
const taste = (name: string): Field<boolean> => ({
  ...kept(boolean, () => false),
  shown: [{ name, schema: boolean, of: (value) => value === true }],
});

/** Made by the command line, and by who invites somebody (M-30). */
export const user = defineResource({
  name: 'user',
  table: 'users',
  owners: [],
  fields: {
    email: text({
      fault: emailFault,
      unique: {
        key: (email) => email.toLowerCase(),
        taken: (email) => `'${email}' already has an account`,
      },
    }),
    fullName: text({ sentAs: 'name', absent: () => '', fault: nameFault }),
    // Nobody can upload one yet.
    picture: computed(string, () => ''),
    activeInTitle: taste('active_in_title'),
    fullWidth: taste('full_width'),
    totp: computed(
      boolean,
      ({ id }, { view }) => view.by(secondFactor, 'userId', id)?.isConfirmed === true,
    ),
  },
});

export type User = RecordType<typeof user>;
