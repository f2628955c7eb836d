/** People with an account; upper and lower case of an email address are the same person. */
import { LANGUAGES, type Language } from '../../base/languages.ts';
import { boolean, oneOf, string } from '../../base/schema.ts';
import { computed, kept, text } from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';
import { emailFault, nameFault } from '../field-rules.ts';
import { secondFactor } from './second-factor.ts';

/** A taste in how pages look; records that are older than the field have the default, no. */
const taste = (name: string): Field<boolean> => ({
  ...kept(boolean, () => false),
  shown: [{ name, schema: boolean, of: (value) => value === true }],
});

const LANGUAGE = oneOf(['', ...LANGUAGES]);

/** Of mails to them (O-21); '' they have not said, as no record that is older than the field. */
const language: Field<Language | ''> = {
  ...kept(LANGUAGE, () => ''),
  shown: [{ name: 'language', schema: LANGUAGE, of: (value) => value ?? '' }],
};

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
    language,
    totp: computed(
      boolean,
      ({ id }, { view }) => view.by(secondFactor, 'userId', id)?.isConfirmed === true,
    ),
  },
});

export type User = RecordType<typeof user>;
