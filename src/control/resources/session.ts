/** Sign-ins of people: what the cookie of a browser stands for (M-80). */
import { number, string } from '../../base/schema.ts';
import { callerReference, kept } from '../descriptor/fields.ts';
import { defineResource } from '../descriptor/resource.ts';

/** Found by the SHA-256 of what the cookie holds; nothing else can be done with it. */
export const session = defineResource({
  name: 'session',
  table: 'sessions',
  owners: ['userId'],
  fields: {
    userId: callerReference('remove'),
    tokenHash: {
      ...kept(string, ({ sent }) => String(sent['token_hash'])),
      unique: { key: (hash: string) => hash, taken: () => 'is taken' },
    },
    /** Milliseconds since the epoch. */
    expiresMs: kept(number, ({ sent }) => Number(sent['expires_ms'])),
  },
});
