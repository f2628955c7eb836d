/** Links that are used once, to set a password (M-81). */
import { number, oneOf, string } from '../../base/schema.ts';
import { callerReference, kept } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

const PURPOSES = ['activation', 'reset'] as const;

/** What a link is for; either way it sets the password. */
export type LinkPurpose = (typeof PURPOSES)[number];

/** Found by the SHA-256 of its token. */
export const oneTimeLink = defineResource({
  name: 'one-time-link',
  table: 'one-time-links',
  owners: ['userId'],
  fields: {
    userId: callerReference('remove'),
    purpose: kept(oneOf(PURPOSES), ({ sent }) => sent['purpose'] as LinkPurpose),
    tokenHash: {
      ...kept(string, ({ sent }) => String(sent['token_hash'])),
      unique: { key: (hash: string) => hash, taken: () => 'is taken' },
    },
    /** Milliseconds since the epoch. */
    expiresMs: kept(number, ({ sent }) => Number(sent['expires_ms'])),
  },
});

export type OneTimeLink = RecordType<typeof oneTimeLink>;
