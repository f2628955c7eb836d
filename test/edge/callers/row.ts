/**
 * A row of the table of callers and endpoints: what M-3 asks for, and how a valid request looks.
 *
 * Written down from the rules, not from the code: no row imports `src`. A row says for each person what
 * it is answered; what clients, keys and codes are answered follows by M-1 (`callers.ts`).
 */
import type { FormPart } from '../../support/clients/multipart.ts';
import { PEOPLE, type Person } from './people.ts';
import type { Own, World } from './world.ts';

/** Null: the rules do not fix it, and nobody asks. */
export type Status = 200 | 400 | 401 | 403 | 404 | null;

export type ByPerson = Readonly<Record<Person, Status>>;

/** The areas of A-18, each with the right to read or write. */
export type ScopeWords = `${Area | 'hit' | 'event' | 'session'} ${'r' | 'w'}`;
type Area = 'statistics' | 'domains' | 'organizations' | 'themes' | 'billing';

/**
 * Who may call beside a user: M-1 (2), M-1 (5). Person: one with a session alone, which the request is
 * about (M-80). Public: whoever, also without credentials.
 */
export type Who =
  | 'person'
  | 'user'
  | 'user, domain client'
  | 'user, domain client, code'
  | 'public';

/** What a request says; `own` is what whoever asks has itself. */
type Said<Value> = (world: World, own: Own) => Value;

export interface Row {
  /** Method and path, below /api/v1/ unless it begins with a slash. */
  readonly at: string;
  /** Which of several requests to one endpoint this is. */
  readonly how?: string;
  readonly who: Who;
  /** Any of them will do; none: every credential of the right kind. */
  readonly scopes: readonly ScopeWords[];
  readonly people: ByPerson;
  /** Of a person by its cookie, where that is not the same. */
  readonly signedIn?: ByPerson;
  /** What a domain client needs, where that is not the same. */
  readonly clientScopes?: readonly ScopeWords[];
  /** What a client of the domain with the scope is answered; default: 200. */
  readonly domainClient?: Status;
  /** What the code of the domain is answered where codes are read; default: 200. */
  readonly code?: Status;
  /** What the code of another domain is answered there; default: 401. */
  readonly otherCode?: Status;
  /** Which scope is needed follows from the object: who does not see it hears of no scope. */
  readonly isSeenFirst?: true;
  /** What is answered to a page of somebody else, where that matters and nothing else does. */
  readonly toForeignPages?: Status;
  /** What of the world is another's, where the rest is the caller's own; default: all of it. */
  readonly unseen?: readonly (keyof World)[];
  /** What an access key is answered; default: 403. */
  readonly accessKey?: Status;
  readonly query?: Said<Readonly<Record<string, string>>>;
  readonly body?: Said<unknown>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Said<readonly FormPart[]>;
}

const all = (status: Status): ByPerson =>
  Object.fromEntries(PEOPLE.map((person) => [person, status])) as unknown as ByPerson;

/** Nothing is named that somebody could not see. */
export const ANYBODY = all(200);
/** Whatever is valid for others is not for these: how a request without a valid form is let in. */
export const ANYBODY_BUT_BAD = all(400);
export const NOBODY_SEES = all(404);
export const UNAUTHORIZED = all(401);
export const UNFIXED = all(null);

/** By the role on the domain: the organization's owner is an Admin, a stranger does not see it (M-2). */
export const VIEWER: ByPerson = { ...all(200), stranger: 404 };
export const ADMIN: ByPerson = {
  ...{ owner: 200, admin: 200, viewer: 403 },
  ...{ orgOwner: 200, orgAdmin: 200, orgViewer: 403, stranger: 404 },
};
export const OWNER: ByPerson = {
  ...{ owner: 200, admin: 403, viewer: 403 },
  ...{ orgOwner: 403, orgAdmin: 403, orgViewer: 403, stranger: 404 },
};
/** By the role on the organization: who is on the domain alone does not see it. */
export const ORGANIZATION_MEMBER: ByPerson = {
  ...{ owner: 404, admin: 404, viewer: 404 },
  ...{ orgOwner: 200, orgAdmin: 200, orgViewer: 200, stranger: 404 },
};
export const ORGANIZATION_ADMIN: ByPerson = { ...ORGANIZATION_MEMBER, orgViewer: 403 };
export const ORGANIZATION_OWNER: ByPerson = { ...ORGANIZATION_ADMIN, orgAdmin: 403 };

type Rights = Pick<Row, 'who' | 'scopes' | 'people'>;

const EVERYBODY = 'user, domain client, code';
const CLIENTS = 'user, domain client';

/** The lines of M-3, in its order. */
export const STATISTIC: Rights = { who: EVERYBODY, scopes: ['statistics r'], people: VIEWER };
export const BILLING: Rights = {
  ...{ who: 'user', scopes: ['statistics r', 'billing r'], people: ANYBODY },
};
export const READ: Rights = {
  ...{ who: EVERYBODY, scopes: ['domains r', 'statistics r'], people: VIEWER },
};
export const READ_AS_ADMIN: Rights = { who: CLIENTS, scopes: ['domains r'], people: ADMIN };
export const OWN_DOMAINS: Rights = { who: 'user', scopes: ['domains w'], people: ANYBODY };
export const AS_OWNER: Rights = { who: 'user', scopes: ['domains w'], people: OWNER };
export const LOOK_UP: Rights = {
  ...{ who: CLIENTS, scopes: ['domains r', 'statistics r'], people: ANYBODY },
};
export const CHANGE: Rights = { who: CLIENTS, scopes: ['domains w'], people: ADMIN };
export const CHANGE_AS_USER: Rights = { who: 'user', scopes: ['domains w'], people: ADMIN };
export const READ_ORGANIZATION: Rights = {
  ...{ who: 'user', scopes: ['organizations r'], people: ORGANIZATION_MEMBER },
};
export const CHANGE_ORGANIZATION: Rights = {
  ...{ who: 'user', scopes: ['organizations w'], people: ORGANIZATION_OWNER },
};
export const READ_THEMES: Rights = { who: 'user', scopes: ['themes r'], people: ANYBODY };
export const CHANGE_THEMES: Rights = { who: 'user', scopes: ['themes w'], people: ANYBODY };
export const ITSELF: Rights = { who: 'user', scopes: [], people: ANYBODY };
export const SESSION: Rights = { who: 'person', scopes: [], people: ANYBODY };
export const OPEN: Rights = { who: 'public', scopes: [], people: ANYBODY };
