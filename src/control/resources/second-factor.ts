/** What a user's app makes codes from, and the recovery codes that are left (M-80). */
import { boolean, integer, listOf, string } from '../../base/schema.ts';
import { callerReference, kept } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

/** One per user. It counts only once a first code has shown that the app has the secret. */
export const secondFactor = defineResource({
  name: 'second-factor',
  table: 'second-factors',
  owners: ['userId'],
  fields: {
    userId: {
      ...callerReference('remove'),
      unique: { key: (id: string) => id, taken: () => 'has a second factor' },
    },
    /** Base32, as it is: codes are made from it. */
    secret: kept(string, ({ sent }) => String(sent['secret'])),
    isConfirmed: kept(boolean, () => false),
    /** The half minute of the last code that was used: neither it nor an earlier one counts again. */
    lastStep: kept(integer, () => 0),
    /** SHA-256 of those that were not used. */
    recoveryHashes: kept(listOf(string), () => []),
  },
});

export type SecondFactor = RecordType<typeof secondFactor>;
