/** The columns of the table: who asks, how it says so, and what it is answered by M-1 to M-4. */

import { CAPABLE, PEOPLE, type Person } from './people.ts';
import type { ByPerson, Row, Status } from './row.ts';
import type { World } from './world.ts';

/** What of a request says who sends it. */
export interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What a column needs to say who it is. */
export interface Signing {
  readonly world: World;
  /** An access token of one of the world's clients, by its name there. */
  tokenOf(name: string): string;
  /** An access token that has ended, and one whose client is gone. */
  readonly expired: string;
  readonly revoked: string;
  /** What POST access gives for the code of the domain. */
  readonly pageToken: string;
  readonly origin: string;
}

export interface Caller {
  readonly name: string;
  /** Whose own things it asks for. */
  personOf(row: Row): Person;
  sign(signing: Signing, row: Row): Signed;
  expected(row: Row): Status;
}

const theOwner = (): Person => 'owner';

const bearer = (token: string): Signed => ({
  ...{ headers: { authorization: `Bearer ${token}` }, query: {} },
});

const isPublic = ({ who }: Row): boolean => who === 'public';
const takesDomainClients = ({ who }: Row): boolean => who.includes('domain client');
const takesCodes = ({ who }: Row): boolean => who.includes('code');

/** Null is said, too: that the rules leave it open. */
const or = (said: Status | undefined, otherwise: Status): Status =>
  said === undefined ? otherwise : said;

/** Any of the scopes will do, and `w` includes `r`. */
function isGranted(scopes: Row['scopes'], held: '' | 'r' | 'w'): boolean {
  if (scopes.length === 0) return true;
  return scopes.some((words) => held === 'w' || (held === 'r' && words.endsWith(' r')));
}

/** Without credentials, or with some that are nobody's: 401. */
function unknown(name: string, sign: Caller['sign']): Caller {
  const expected = (row: Row): Status => (isPublic(row) ? row.people.owner : 401);
  return { name, personOf: theOwner, sign, expected };
}

/** It collects, and nothing else. */
const ACCESS_KEY: Caller = {
  name: 'access key',
  personOf: theOwner,
  sign: ({ world }) => bearer(world.secrets.accessKey),
  expected: (row) => (isPublic(row) ? row.people.owner : or(row.accessKey, 403)),
};

/** A code is read where it shows something, and shows one domain: of another one it is wrong (F-35, M-20). */
function code(name: string, which: 'code' | 'otherCode'): Caller {
  return {
    ...{ name, personOf: theOwner },
    sign: ({ world }) => ({ headers: {}, query: { access: world.secrets[which] } }),
    expected: (row) => {
      if (isPublic(row)) return row.people.owner;
      if (!takesCodes(row)) return 401;
      if (which === 'code') return or(row.code, 200);
      return or(row.otherCode, row.people.stranger === 200 ? 200 : 401);
    },
  };
}

/** What the page of a domain reads with (M-82): a code that is sent as a token. */
const PAGE: Caller = {
  ...{ name: 'token of the page of the domain', personOf: theOwner },
  sign: ({ pageToken }) => bearer(pageToken),
  expected: (row) => {
    if (isPublic(row)) return row.people.owner;
    return takesCodes(row) ? or(row.code, 200) : 403;
  },
};

/** An Admin of one domain, never what needs a user (M-1). */
function domainClient(scope: '' | 'r' | 'w', isOther = false): Caller {
  const client = isOther ? 'other domain w' : `domain ${scope}`;
  return {
    name: `client of ${isOther ? 'another' : 'the'} domain, ${scope || 'no scope'}`,
    personOf: theOwner,
    sign: ({ tokenOf }) => bearer(tokenOf(client)),
    expected: (row) => {
      if (isPublic(row)) return row.people.owner;
      if (!takesDomainClients(row)) return 403;
      if (!isGranted(row.clientScopes ?? row.scopes, scope)) return 403;
      if (isOther) return row.people.stranger;
      return or(row.domainClient, 200);
    },
  };
}

/** Acts as its user, within its scopes (M-1). */
function accountClient(person: Person, scope: '' | 'r' | 'w'): Caller {
  return {
    ...{ name: `client of the ${person}, ${scope || 'no scope'}`, personOf: () => person },
    sign: ({ tokenOf }) => bearer(tokenOf(`${person} ${scope}`)),
    expected: (row) => {
      if (row.who === 'person') return 403;
      if (isPublic(row) || isGranted(row.scopes, scope)) return row.people[person];
      return row.isSeenFirst === true && row.people[person] === 404 ? 404 : 403;
    },
  };
}

/** Of somebody who may do it; has every scope but those that the row asks for. */
const LACKING: Caller = {
  ...{ name: 'client of who may, all scopes but the one', personOf: capable },
  sign: ({ tokenOf }, row) => bearer(tokenOf(`${capable(row)} lacking`)),
  expected: (row) => {
    if (row.who === 'person') return 403;
    return isPublic(row) || row.scopes.length === 0 ? row.people[capable(row)] : 403;
  },
};

function capable({ people }: Row): Person {
  return CAPABLE.find((person) => people[person] === 200) ?? 'owner';
}

/** A signed-in person: all scopes (M-1); what changes something has to come from an own page (M-80). */
function session(person: Person, origin: 'own' | 'none' | 'foreign' = 'own'): Caller {
  const isOwn = origin === 'own';
  const from = origin === 'foreign' ? ', from a foreign page' : ', from no page';
  return {
    ...{ name: `${person}, signed in${isOwn ? '' : from}`, personOf: () => person },
    sign: ({ world, origin: own }) => {
      const cookie = `footfall_session=${world.secrets.cookies.get(person)}`;
      const origins = { own: { origin: own }, none: {}, foreign: { origin: 'https://evil.test' } };
      return { headers: { cookie, ...origins[origin] } as Record<string, string>, query: {} };
    },
    expected: (row) => {
      if (origin === 'foreign' && row.toForeignPages !== undefined) return row.toForeignPages;
      if (isOwn || isPublic(row) || row.at.startsWith('GET ')) return peopleOf(row)[person];
      return peopleOf(row)[person] === null ? null : 403;
    },
  };
}

/** People by their cookie: the same as by their client, unless the rules leave it open. */
function peopleOf(row: Row): ByPerson {
  return row.signedIn ?? row.people;
}

export const CALLERS: readonly Caller[] = [
  unknown('nobody', () => ({ headers: {}, query: {} })),
  unknown('an unknown token', () => bearer('a'.repeat(92))),
  unknown('an expired token', ({ expired }) => bearer(expired)),
  unknown('a token whose client is gone', ({ revoked }) => bearer(revoked)),
  ACCESS_KEY,
  code('code of the domain', 'code'),
  code('code of another domain', 'otherCode'),
  PAGE,
  ...(['', 'r', 'w'] as const).map((scope) => domainClient(scope)),
  domainClient('w', true),
  accountClient('owner', ''),
  LACKING,
  ...PEOPLE.flatMap((person) => [
    accountClient(person, 'r'),
    accountClient(person, 'w'),
    session(person),
  ]),
  session('owner', 'none'),
  session('owner', 'foreign'),
];
