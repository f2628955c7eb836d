/**
 * Making accounts, domains and their clients, with the secrets that are shown once.
 *
 * Control plane. Secrets leave this file in the answer only; the registry has their hashes.
 */
import { sha256Hex } from '../base/hash.ts';
import { randomAlphanumeric } from '../base/random.ts';
import {
  type Client,
  type Domain,
  SCOPE_AREAS,
  type Scope,
  type ScopeArea,
  type Scopes,
  type User,
} from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import {
  ACCESS_KEY_LENGTH,
  ACTIVE_SECONDS_DEFAULT,
  CLIENT_ID_LENGTH,
  CLIENT_SECRET_LENGTH,
  ENTITY_ID_LENGTH,
  IDENTIFICATION_CODE_LENGTH,
} from '../model/limits.ts';
import { deriveSubdomain, normalHostname, normalTimezone } from './field-rules.ts';
import type { Change } from './registry/changes.ts';
import type { Registry } from './registry/registry.ts';
import type { RegistryView } from './registry/view.ts';

/** What every access key begins with. */
export const ACCESS_KEY_PREFIX = 'pa_';

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
  await registry.change(nowMs, (_, atMs) => {
    const draft = draftAccount(wish, atMs);
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
  await registry.change(nowMs, (view, atMs) => {
    const user = view.userByEmail(wish.email.trim());
    if (user === null) throw errors.USER_NOT_FOUND({ email: wish.email.trim() });
    const draft = draftDomain(wish, { user, view, nowMs: atMs });
    made = draft.made;
    return draft.changes;
  });
  return made as NewDomain;
}

/**
 * Creates an account with a domain in a registry that has no user yet.
 *
 * @returns null when it has one, so that of several processes only one does this.
 */
export async function createFirstAccount(
  registry: Registry,
  wish: AccountWish & DomainWish,
  nowMs: number,
): Promise<{ account: NewAccount; domain: NewDomain } | null> {
  let made: { account: NewAccount; domain: NewDomain } | null = null;
  await registry.change(nowMs, (view, atMs) => {
    made = null;
    if (view.userCount > 0) return [];
    const account = draftAccount(wish, atMs);
    const domain = draftDomain(wish, { user: account.made.user, view, nowMs: atMs });
    made = { account: account.made, domain: domain.made };
    return [...account.changes, ...domain.changes];
  });
  return made;
}

interface Draft<Made> {
  readonly made: Made;
  readonly changes: readonly Change[];
}

function draftAccount(wish: AccountWish, nowMs: number): Draft<NewAccount> {
  const user: User = {
    id: newId(),
    email: wish.email.trim(),
    fullName: (wish.name ?? '').trim(),
    createdMs: nowMs,
    modifiedMs: nowMs,
  };
  const { secret, client } = draftOauthClient({ userId: user.id, domainId: null, nowMs });
  return {
    made: { user, ...secret },
    changes: [
      { kind: 'user-created', payload: user },
      { kind: 'client-created', payload: client },
    ],
  };
}

function draftDomain(
  wish: DomainWish,
  at: { readonly user: User; readonly view: RegistryView; readonly nowMs: number },
): Draft<NewDomain> {
  const hostname = normalHostname(wish.hostname);
  const isTaken = (subdomain: string) => at.view.domainBySubdomain(subdomain) !== null;
  const domain: Domain = {
    id: newId(),
    createdMs: at.nowMs,
    modifiedMs: at.nowMs,
    userId: at.user.id,
    organizationId: null,
    hostname,
    subdomain: wish.subdomain?.trim().toLowerCase() ?? deriveSubdomain(hostname, isTaken),
    identificationCode: randomAlphanumeric(IDENTIFICATION_CODE_LENGTH),
    isPublic: false,
    timezone: normalTimezone(wish.timezone ?? 'UTC'),
    groupByTitle: false,
    activeVisitorsSeconds: ACTIVE_SECONDS_DEFAULT,
    disableScripts: false,
    displayName: '',
    metadata: {},
    settings: {},
    themeId: null,
    theme: {},
    themeSettings: {},
    customDomain: null,
    alternativeHostnames: [],
  };
  const owner = { userId: at.user.id, domainId: domain.id, nowMs: at.nowMs };
  const oauth = draftOauthClient(owner);
  const key = draftAccessKey(owner);
  return {
    made: { domain, ...oauth.secret, accessKey: key.accessKey },
    changes: [
      { kind: 'domain-created', payload: domain },
      { kind: 'client-created', payload: oauth.client },
      { kind: 'client-created', payload: key.client },
    ],
  };
}

interface ClientOwner {
  readonly userId: string;
  readonly domainId: string | null;
  readonly nowMs: number;
}

function draftOauthClient(owner: ClientOwner): { secret: OauthSecret; client: Client } {
  const secret = {
    clientId: randomAlphanumeric(CLIENT_ID_LENGTH),
    clientSecret: randomAlphanumeric(CLIENT_SECRET_LENGTH),
  };
  const client: Client = {
    ...newClient(owner),
    type: 'oauth',
    clientId: secret.clientId,
    secretHash: sha256Hex(secret.clientSecret),
    scopes: scopesOf(() => 'w'),
  };
  return { secret, client };
}

function draftAccessKey(owner: ClientOwner): { accessKey: string; client: Client } {
  const accessKey = ACCESS_KEY_PREFIX + randomAlphanumeric(ACCESS_KEY_LENGTH);
  const mayCollect = (area: ScopeArea) =>
    area === 'hit' || area === 'event' || area === 'session' ? 'w' : '';
  const client: Client = {
    ...newClient(owner),
    type: 'token',
    clientId: '',
    secretHash: sha256Hex(accessKey),
    scopes: scopesOf(mayCollect),
  };
  return { accessKey, client };
}

function newClient({ userId, domainId, nowMs }: ClientOwner) {
  return { id: newId(), createdMs: nowMs, modifiedMs: nowMs, userId, domainId, description: '' };
}

function scopesOf(scope: (area: ScopeArea) => Scope): Scopes {
  return Object.fromEntries(SCOPE_AREAS.map((area) => [area, scope(area)])) as unknown as Scopes;
}

function newId(): string {
  return randomAlphanumeric(ENTITY_ID_LENGTH);
}
