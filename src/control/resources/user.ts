/** People with an account; upper and lower case of an email address are the same person. */
import { text } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';
import { emailFault, nameFault } from '../field-rules.ts';

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
  },
});

export type User = RecordType<typeof user>;
