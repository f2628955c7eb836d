/** People with an account; upper and lower case of an email address are the same person. */
import { boolean } from '../../base/schema.ts';
import { kept, text } from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';
import { emailFault, nameFault } from '../field-rules.ts';

/** A taste in how pages look; records that are older than the field have the default, no. */
const taste = (name: string): Field<boolean> => ({
  ...kept(boolean, () => false),
  shown: [{ name, schema: boolean, of: (value) => value === true }],
});

/** Made by the command line. */
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
    activeInTitle: taste('active_in_title'),
    fullWidth: taste('full_width'),
  },
});

export type User = RecordType<typeof user>;
