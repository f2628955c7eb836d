/** API clients: oauth (id and secret) or token (an access key); secrets only as hashes (A-15, M-40). */
import { randomAlphanumeric } from '../../base/random.ts';
import { exactly, oneOf, string } from '../../base/schema.ts';
import {
  ACCESS_KEY_LENGTH,
  CLIENT_ID_LENGTH,
  CLIENT_SECRET_LENGTH,
  DESCRIPTION_LENGTH_MAX,
} from '../../model/limits.ts';
import { SCOPE_AREAS, type Scopes } from '../../model/rights.ts';
import {
  callerReference,
  choice,
  hidden,
  kept,
  optionalReference,
  secret,
  TEXT,
  text,
} from '../descriptor/fields.ts';
import { defineResource, type Field, type RecordType } from '../descriptor/resource.ts';

/** What every access key begins with. */
export const ACCESS_KEY_PREFIX = 'pa_';

const WORDS = ['', 'r', 'w'] as const;
const SCOPE = oneOf(WORDS);
const SCOPES = exactly({
  ...{ hit: SCOPE, event: SCOPE, session: SCOPE, statistics: SCOPE },
  ...{ domains: SCOPE, organizations: SCOPE, themes: SCOPE, billing: SCOPE },
});

/** One field in the record, one for each area on the wire. */
const scopes: Field<Scopes> = {
  schema: SCOPES,
  sent: SCOPE_AREAS.map((area) => ({ name: `scope_${area}`, rule: TEXT, on: 'create' })),
  make: (_, { sent }) =>
    Object.fromEntries(
      SCOPE_AREAS.map((area) => [area, sent[`scope_${area}`] ?? '']),
    ) as unknown as Scopes,
  fault: (given) => {
    const wrong = SCOPE_AREAS.find((area) => !WORDS.includes(given[area]));
    return wrong === undefined ? '' : `must be empty, r or w, also scope_${wrong}`;
  },
  shown: SCOPE_AREAS.map((area) => ({
    name: `scope_${area}`,
    schema: SCOPE,
    of: (given) => (given as Scopes)[area],
  })),
};

/** Of an account (no domain), or of one domain. */
export const client = defineResource({
  name: 'client',
  table: 'clients',
  owners: ['domainId', 'userId'],
  fields: {
    type: hidden(choice(['oauth', 'token'], { absent: 'oauth' })),
    userId: hidden(callerReference('remove')),
    domainId: optionalReference({ to: 'domain', whenGone: 'remove' }),
    // Only an oauth client has one: an access key needs none beside it.
    clientId: {
      ...kept(string, ({ draft }) =>
        draft['type'] === 'oauth' ? randomAlphanumeric(CLIENT_ID_LENGTH) : '',
      ),
      unique: { key: (id: string) => (id === '' ? null : id), taken: () => 'is taken' },
    },
    secretHash: secret(
      'client_secret',
      ({ type }) =>
        type === 'oauth'
          ? randomAlphanumeric(CLIENT_SECRET_LENGTH)
          : ACCESS_KEY_PREFIX + randomAlphanumeric(ACCESS_KEY_LENGTH),
      // A client is found by its access key, and by its id beside a secret.
      {
        key: (hash, { type }) => (type === 'token' ? String(hash) : null),
        taken: () => 'is taken',
      },
    ),
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
    scopes,
  },
});

export type Client = RecordType<typeof client>;
