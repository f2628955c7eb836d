/**
 * Making accounts, domains and their clients from the command line, with the secrets shown once.
 *
 * Control plane. Secrets leave this file in the answer only; the registry has their hashes.
 */
import { errors } from '../model/errors.ts';
import { SCOPE_AREAS, type ScopeArea } from '../model/rights.ts';
import { created, type DraftContext, deleted, draftNew } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import { newLink } from './people/one-time-links.ts';
import type { Registry, Stamp } from './registry/registry.ts';
import type { RegistryView } from './registry/view.ts';
import { type Client, client, isScopeAllowed } from './resources/client.ts';
import { type Domain, domain } from './resources/domain.ts';
import { password } from './resources/password.ts';
import { secondFactor } from './resources/second-factor.ts';
import { type User, user } from './resources/user.ts';

/** An oauth client's credentials; the secret cannot be read again. */
export interface OauthSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A new user with an account-level client. */
export interface NewAccount extends OauthSecret {
  readonly user: User;
}

/** A new domain with a domain-level client and an access key. */
export interface NewDomain extends OauthSecret {
  readonly domain: Domain;
  readonly accessKey: string;
}

/** What the first start creates; the token is that of a link that sets the password. */
export interface FirstAccount {
  readonly account: NewAccount;
  readonly domain: NewDomain;
  readonly token: string;
}

/** An account as the list of them shows it. */
export interface ListedAccount {
  readonly user: User;
  readonly domainCount: number;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
}

/** What a person says of a new account. */
export interface AccountWish {
  readonly email: string;
  /** Absent: ''. */
  readonly name?: string | undefined;
}

/** What a person says of a new domain; the rest has defaults. */
export interface DomainWish {
  readonly hostname: string;
  /** Absent: derived from the hostname. */
  readonly subdomain?: string | undefined;
  /** Absent: UTC. */
  readonly timezone?: string | undefined;
}

/**
 * Creates a user and an account-level oauth client with every scope.
 *
 * @throws VALIDATION_FAILED for `email` (not one, or taken) and `name`.
 */
export async function createAccount(
  registry: Registry,
  wish: AccountWish,
  nowMs: number,
): Promise<NewAccount> {
  let made: NewAccount | undefined;
  await registry.change(stamp(nowMs), (view, atMs) => {
    const draft = draftAccount(wish, { view, nowMs: atMs });
    made = draft.made;
    return draft.changes;
  });
  return made as NewAccount;
}

/**
 * Creates a domain for the user of an email address, with a domain-level oauth client with every
 * scope and an access key that may send hits, events and sessions.
 *
 * @throws USER_NOT_FOUND; VALIDATION_FAILED for `hostname`, `subdomain`, `timezone`.
 */
export async function createDomain(
  registry: Registry,
  wish: DomainWish & { readonly email: string },
  nowMs: number,
): Promise<NewDomain> {
  let made: NewDomain | undefined;
  await registry.change(stamp(nowMs), (view, atMs) => {
    const owner = userOf(wish.email, view);
    const draft = draftDomain(wish, owner, { view, nowMs: atMs });
    made = draft.made;
    return draft.changes;
  });
  return made as NewDomain;
}

/**
 * Creates an account with a domain, and a link that sets its password, in a registry without users.
 *
 * @returns null when it has one, so that of several processes only one does this.
 */
export async function createFirstAccount(
  registry: Registry,
  wish: AccountWish & DomainWish,
  nowMs: number,
): Promise<FirstAccount | null> {
  let made: FirstAccount | null = null;
  await registry.change(stamp(nowMs), (view, atMs) => {
    made = null;
    if (view.count(user) > 0) return [];
    const account = draftAccount(wish, { view, nowMs: atMs });
    const site = draftDomain(wish, account.made.user, { view, nowMs: atMs });
    const userId = account.made.user.id;
    const link = newLink({ userId, purpose: 'reset', view, nowMs: atMs });
    made = { account: account.made, domain: site.made, token: link.token };
    return [...account.changes, ...site.changes, ...link.changes];
  });
  return made;
}

/** Every account, oldest first. */
export function listAccounts(view: RegistryView): ListedAccount[] {
  const users = [...view.all(user)].sort(
    (left, right) => left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1),
  );
  return users.map((one) => ({
    user: one,
    domainCount: view.of(domain, 'userId', one.id).length,
    hasPassword: view.by(password, 'userId', one.id) !== null,
    hasSecondFactor: view.by(secondFactor, 'userId', one.id)?.isConfirmed === true,
  }));
}

/**
 * A link that sets the password of an account (M-81).
 *
 * @param wish `endsFactor` also turns two-factor sign-in off.
 * @throws USER_NOT_FOUND.
 */
export async function passwordLink(
  registry: Registry,
  wish: { readonly email: string; readonly endsFactor: boolean },
  nowMs: number,
): Promise<{ readonly user: User; readonly token: string }> {
  let made: { user: User; token: string } | undefined;
  await registry.change(stamp(nowMs), (view, atMs) => {
    const found = userOf(wish.email, view);
    const link = newLink({ userId: found.id, purpose: 'reset', view, nowMs: atMs });
    made = { user: found, token: link.token };
    const factor = wish.endsFactor ? view.by(secondFactor, 'userId', found.id) : null;
    return [...link.changes, ...(factor === null ? [] : [deleted(secondFactor, factor.id)])];
  });
  return made as { user: User; token: string };
}

/** @throws USER_NOT_FOUND. */
function userOf(given: string, view: Look): User {
  const email = given.trim();
  const found = view.by(user, 'email', email.toLowerCase());
  if (found === null) throw errors.USER_NOT_FOUND({ email });
  return found;
}

function stamp(nowMs: number): Stamp {
  return { nowMs, by: { kind: 'cli', id: '' } };
}

interface Made<Thing> {
  readonly made: Thing;
  readonly changes: readonly Change[];
}

interface At {
  readonly view: Look;
  readonly nowMs: number;
}

function draftAccount({ email, name }: AccountWish, at: At): Made<NewAccount> {
  const { record } = draftNew(user, { ...at, userId: '', sent: { email, name } });
  const oauth = draftClient({ type: 'oauth', ...scopesFor(() => true) }, record.id, at);
  return {
    made: { user: record, clientId: oauth.record.clientId, clientSecret: oauth.secret },
    changes: [created(user, record), created(client, oauth.record)],
  };
}

function draftDomain(wish: DomainWish, owner: User, at: At): Made<NewDomain> {
  const { hostname, subdomain, timezone } = wish;
  const sent = { hostname, subdomain, timezone };
  const { record } = draftNew(domain, { ...at, userId: owner.id, sent });
  const domain_id = record.id;
  const all = {
    type: 'oauth',
    domain_id,
    ...scopesFor((area) => isScopeAllowed(area, 'oauth', true)),
  };
  const collecting = {
    type: 'token',
    domain_id,
    ...scopesFor((area) => isScopeAllowed(area, 'token', true)),
  };
  const oauth = draftClient(all, owner.id, at);
  const key = draftClient(collecting, owner.id, at);
  return {
    made: {
      domain: record,
      clientId: oauth.record.clientId,
      clientSecret: oauth.secret,
      accessKey: key.secret,
    },
    changes: [created(domain, record), created(client, oauth.record), created(client, key.record)],
  };
}

function draftClient(
  sent: DraftContext['sent'],
  userId: string,
  at: At,
): { record: Client; secret: string } {
  const { record, revealed } = draftNew(client, { ...at, userId, sent });
  return { record, secret: revealed['client_secret'] ?? '' };
}

function scopesFor(isGranted: (area: ScopeArea) => boolean): Record<string, string> {
  return Object.fromEntries(
    SCOPE_AREAS.map((area) => [`scope_${area}`, isGranted(area) ? 'w' : '']),
  );
}
