/** The password of a user; who has none signs in only once a link has set one (M-81). */
import { string } from '../../base/schema.ts';
import { callerReference, kept } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';

/** One per user, beside the user's record: nothing that shows people can show it. */
export const password = defineResource({
  name: 'password',
  table: 'passwords',
  owners: ['userId'],
  fields: {
    userId: {
      ...callerReference('remove'),
      unique: { key: (id: string) => id, taken: () => 'has a password' },
    },
    /** Parameters, salt and argon2id in one text (`control/people/passwords.ts`). */
    hash: kept(string, ({ sent }) => String(sent['hash'])),
  },
});
