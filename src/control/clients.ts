/**
 * Clients as the command line makes and deletes them (M-40): for whoever has the data directory.
 *
 * Control plane. The same rules as over HTTP: what is checked stands in the descriptor.
 */
import { errors } from '../model/errors.ts';
import { SCOPE_AREAS, scopesOf } from '../model/rights.ts';
import { created, draftNew } from './descriptor/draft.ts';
import type { Look } from './descriptor/resource.ts';
import { notFound } from './records.ts';
import { removalOf } from './registry/changes.ts';
import type { Registry } from './registry/registry.ts';
import { type Client, client, isScopeAllowed, scopeFaults } from './resources/client.ts';
import { domain } from './resources/domain.ts';
import { user } from './resources/user.ts';

/** What a person says of a new client. */
export interface ClientWish {
  /** Of the account it is for; '' when it is for a domain. */
  readonly email: string;
  /** Id or subdomain of the domain it is for; '' when it is for an account. */
  readonly domain: string;
  readonly type: string;
  readonly description: string;
  /** `statistics=r`; empty: everything that such a client may have. */
  readonly scopes: readonly string[];
}

/** A new client, and what is told of it this once: its secret, or the access key. */
export interface NewClient {
  readonly record: Client;
  readonly secret: string;
}

/** @throws USER_NOT_FOUND, RECORD_NOT_FOUND; VALIDATION_FAILED by what was said. */
export async function createClient(
  registry: Registry,
  wish: ClientWish,
  nowMs: number,
): Promise<NewClient> {
  const { type, description } = wish;
  let made: NewClient | undefined;
  await registry.change(stampAt(nowMs), (view, atMs) => {
    const owner = ownerOf(wish, view);
    const sent = { type, description, ...scopesSent(wish), domain_id: owner.domainId };
    const { record, revealed } = draftNew(client, {
      sent,
      userId: owner.userId,
      view,
      nowMs: atMs,
    });
    made = { record, secret: revealed['client_secret'] ?? '' };
    return [created(client, record)];
  });
  return made as NewClient;
}

/** Ends a client and its tokens. @param id its id, or its client_id. @throws RECORD_NOT_FOUND. */
export async function deleteClient(registry: Registry, id: string, nowMs: number): Promise<Client> {
  let gone: Client | undefined;
  await registry.change(stampAt(nowMs), (view, atMs) => {
    const found = view.find(client, id) ?? view.by(client, 'clientId', id);
    if (found === null) throw notFound(client, id);
    gone = found;
    return removalOf([{ resource: client, id: found.id }], view, atMs);
  });
  return gone as Client;
}

function ownerOf({ email, domain: named }: ClientWish, view: Look) {
  if ((email === '') === (named === '')) {
    const fault = 'or --domain is required, and only one of them';
    throw errors.VALIDATION_FAILED({ validation: { email: fault } });
  }
  if (named !== '') {
    const site = view.find(domain, named) ?? view.by(domain, 'subdomain', named.toLowerCase());
    if (site === null) throw notFound(domain, named);
    return { userId: site.userId, domainId: site.id };
  }
  const owner = view.by(user, 'email', email.toLowerCase());
  if (owner === null) throw errors.USER_NOT_FOUND({ email });
  return { userId: owner.id, domainId: null };
}

/** @throws VALIDATION_FAILED for `scope`: that is how the command line names all of them. */
function scopesSent({ scopes, type, domain: named }: ClientWish): Record<string, string> {
  const allowed = SCOPE_AREAS.filter((area) => isScopeAllowed(area, type, named !== ''));
  const said = scopes.length === 0 ? allowed.map((area) => `${area}=w`) : scopes;
  const pairs = said.map((text) => text.split('='));
  const areas: readonly string[] = SCOPE_AREAS;
  if (pairs.some(([area = '', right]) => !areas.includes(area) || right === undefined)) {
    throw scopeRefused(`must be such as statistics=r; areas are ${areas.join(', ')}`);
  }
  const given = { ...scopesOf(''), ...Object.fromEntries(pairs) };
  const faults = scopeFaults({ type, domainId: named || null, scopes: given });
  const [name, fault] = Object.entries(faults).find(([, text]) => text !== '') ?? [];
  if (name !== undefined) throw scopeRefused(`${name.replace('scope_', '')} ${fault}`);
  return Object.fromEntries(SCOPE_AREAS.map((area) => [`scope_${area}`, given[area]]));
}

function scopeRefused(scope: string) {
  return errors.VALIDATION_FAILED({ validation: { scope } });
}

function stampAt(nowMs: number) {
  return { nowMs, by: { kind: 'cli', id: '' } } as const;
}
