/** API clients: oauth (id and secret) or token (an access key); secrets only as hashes (A-15, M-40). */
import { randomAlphanumeric } from '../../base/random.ts';
import { exactly, nullable, oneOf, string } from '../../base/schema.ts';
import {
  ACCESS_KEY_LENGTH,
  ACCESS_KEY_SHOWN_LENGTH,
  CLIENT_ID_LENGTH,
  CLIENT_SECRET_LENGTH,
  DESCRIPTION_LENGTH_MAX,
  DOMAIN_CHILD_COUNT_MAX,
} from '../../model/limits.ts';
import { SCOPE_AREAS, type Scope, type ScopeArea, type Scopes } from '../../model/rights.ts';
import {
  choice,
  hidden,
  kept,
  onlyAtCreation,
  optionalReference,
  secret,
  TEXT,
  text,
} from '../descriptor/fields.ts';
import {
  type AnyRecord,
  defineResource,
  type Field,
  type RecordType,
} from '../descriptor/resource.ts';
import { READ_DOMAINS_AS_USER, WRITE_DOMAINS_AS_USER } from './permissions.ts';

/** What every access key begins with. */
export const ACCESS_KEY_PREFIX = 'pa_';

const WORDS = ['', 'r', 'w'] as const;
const SCOPE = oneOf(WORDS);
const SCOPES = exactly({
  ...{ hit: SCOPE, event: SCOPE, session: SCOPE, statistics: SCOPE },
  ...{ domains: SCOPE, organizations: SCOPE, themes: SCOPE, billing: SCOPE },
});

/** What is sent to count hits; there is nothing to read (M-40). */
const COLLECTED: readonly ScopeArea[] = ['hit', 'event', 'session'];
/** What no domain has. */
const OF_ACCOUNTS: readonly ScopeArea[] = ['organizations', 'themes', 'billing'];

/** One field in the record, one for each area on the wire; `rules` says what each may be. */
const scopes: Field<Scopes> = {
  schema: SCOPES,
  sent: SCOPE_AREAS.map((area) => ({ name: nameOf(area), rule: TEXT, on: 'create' })),
  make: (_, { sent }) =>
    Object.fromEntries(
      SCOPE_AREAS.map((area) => [area, String(sent[nameOf(area)] ?? '').trim()]),
    ) as unknown as Scopes,
  shown: SCOPE_AREAS.map((area) => ({
    name: nameOf(area),
    schema: SCOPE,
    of: (given) => (given as Scopes)[area],
  })),
};

/** Of an account (no domain), or of one domain. */
export const client = defineResource({
  name: 'client',
  table: 'clients',
  owners: ['domainId', 'userId'],
  countMax: DOMAIN_CHILD_COUNT_MAX,
  surface: {
    path: 'client',
    read: READ_DOMAINS_AS_USER,
    change: WRITE_DOMAINS_AS_USER,
    creates: 'record',
    changes: { by: 'POST', answers: 'record' },
    removes: true,
  },
  fields: {
    type: hidden(onlyAtCreation(choice(['oauth', 'token'], { absent: 'oauth' }))),
    domainId: optionalReference({ to: 'domain', whenGone: 'remove' }),
    // A domain's client is not its maker's: it stays when that person goes. Those that were made
    // before say who made them, and are released.
    userId: hidden({
      ...kept(nullable(string), ({ draft, userId }) =>
        draft['domainId'] === null ? userId : null,
      ),
      refersTo: { to: 'user', whenGone: 'release' },
    }),
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
    // An access key needs no id beside it: what it begins with tells its owner which one it is.
    clientId: {
      ...kept(string, ({ draft, revealed }) =>
        draft['type'] === 'oauth'
          ? randomAlphanumeric(CLIENT_ID_LENGTH)
          : `${revealed['client_secret']?.slice(0, ACCESS_KEY_SHOWN_LENGTH)}…`,
      ),
      unique: {
        key: (id: string, { type }: AnyRecord) => (type === 'oauth' ? id : null),
        taken: () => 'is taken',
      },
    },
    description: text({ lengthMax: DESCRIPTION_LENGTH_MAX, absent: () => '' }),
    scopes,
  },
  // Scopes never change; those of earlier versions had fewer rules.
  rules: (record, _view, before) => (before === null ? scopeFaults(record) : {}),
});

export type Client = RecordType<typeof client>;

/** Which scopes a client may be made with. */
export function isScopeAllowed(area: ScopeArea, type: string, isOfDomain: boolean): boolean {
  if (type === 'token') return COLLECTED.includes(area);
  return !(isOfDomain && OF_ACCOUNTS.includes(area));
}

/** What decides on scopes; the record's own type would be made of itself here. */
interface ScopesAsked {
  readonly type: string;
  readonly domainId: string | null;
  readonly scopes: Scopes;
}

/** What is wrong with the scopes of a new client, by name on the wire; '' where nothing is. */
export function scopeFaults({
  type,
  domainId,
  scopes: given,
}: ScopesAsked): Record<string, string> {
  const faults = SCOPE_AREAS.map((area) => {
    const isAllowed = isScopeAllowed(area, type, domainId !== null);
    return [nameOf(area), scopeFault(area, given[area], isAllowed)];
  });
  const isUseless = type === 'token' && COLLECTED.every((area) => given[area] === '');
  const missing = isUseless ? { scope_hit: 'must be w, or scope_event or scope_session' } : {};
  return { ...Object.fromEntries(faults), ...missing };
}

function scopeFault(area: ScopeArea, given: Scope, isAllowed: boolean): string {
  if (given === '') return '';
  if (!isAllowed) {
    const why = OF_ACCOUNTS.includes(area)
      ? 'only clients of accounts have it'
      : 'an access key only sends';
    return `must be empty: ${why}`;
  }
  if (COLLECTED.includes(area)) return given === 'w' ? '' : 'must be empty or w';
  return WORDS.includes(given) ? '' : 'must be empty, r or w';
}

function nameOf(area: ScopeArea): string {
  return `scope_${area}`;
}
