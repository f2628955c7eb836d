/** People with an account each, as clients of an edge over a real registry. */
import { Access } from '../../../src/control/access.ts';
import { createAccount, createDomain } from '../../../src/control/accounts.ts';
import { createClient } from '../../../src/control/clients.ts';
import { user } from '../../../src/control/resources/user.ts';
import type { Reply } from '../edge.ts';
import type { RegistryEdge } from '../registry-edge.ts';

/** Requests below /api/v1 with one bearer. */
interface Calls {
  readonly bearer: string;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  remove(path: string): Promise<Reply>;
}

/** A person, by a client of its account with every right. */
export interface Tenant extends Calls {
  readonly email: string;
  readonly userId: string;
}

/** Somebody's site, with a client of its own. */
export interface Site extends Calls {
  readonly id: string;
  readonly accessKey: string;
}

/** Whoever has an access token or a key. */
export function callsBy(edge: RegistryEdge, bearer: string): Calls {
  return {
    bearer,
    get: (path) => edge.send('GET', path, undefined, bearer),
    post: (path, body) => edge.send('POST', path, body, bearer),
    put: (path, body) => edge.send('PUT', path, body, bearer),
    remove: (path) => edge.send('DELETE', path, undefined, bearer),
  };
}

/** Makes an account. */
export async function makeTenant(edge: RegistryEdge, name: string): Promise<Tenant> {
  const email = `${name}@tenants.test`;
  const made = await createAccount(edge.registry, { email }, edge.nowMs);
  return { ...callsBy(edge, tokenOf(edge, made)), email, userId: made.user.id };
}

/** Gives a client to an account that has none: that of somebody who was invited. */
export async function tenantOf(
  edge: RegistryEdge,
  email: string,
  scopes: readonly string[] = [],
): Promise<Tenant> {
  const wish = { email, domain: '', type: 'oauth', description: '', scopes };
  const { record, secret } = await createClient(edge.registry, wish, edge.nowMs);
  const bearer = tokenOf(edge, { clientId: record.clientId, clientSecret: secret });
  const userId = edge.registry.view.by(user, 'email', email)?.id ?? '';
  return { ...callsBy(edge, bearer), email, userId };
}

/** Makes a site of a tenant. */
export async function makeSite(
  edge: RegistryEdge,
  { email }: Tenant,
  hostname: string,
): Promise<Site> {
  const made = await createDomain(edge.registry, { email, hostname }, edge.nowMs);
  const { domain, accessKey } = made;
  return { ...callsBy(edge, tokenOf(edge, made)), id: domain.id, accessKey };
}

/** An access token, as POST /api/v1/token gives it. */
export function tokenOf(
  edge: RegistryEdge,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): string {
  const issued = new Access(edge.registry).issueToken(clientId, clientSecret, edge.nowMs);
  return issued?.accessToken ?? '';
}

/** Where people are invited: in a path, and in the body of POST member. */
export interface Invited {
  /** As parameters of GET member. */
  readonly query: string;
  /** As parameters of GET and DELETE invitation. */
  readonly invitations: string;
  readonly body: Readonly<Record<string, string>>;
}

/** A domain as a place of members. */
export function onDomain(id: string): Invited {
  return { query: `id=${id}`, invitations: `domain_id=${id}`, body: { id } };
}

/** An organization as a place of members. */
export function inOrganization(id: string): Invited {
  const query = `organization_id=${id}`;
  return { query, invitations: query, body: { organization_id: id } };
}

/** Makes somebody a member as it is done: invited by one, accepted by the other. @returns the member's id. */
export async function join(
  by: Tenant,
  who: Tenant,
  place: Invited,
  role = 'Viewer',
): Promise<string> {
  await done(by.post('member', { ...place.body, emails: [who.email], role }));
  const { json: own } = await who.get('invitation');
  const id = own.find(
    ({ domain_id, organization_id }: Record<string, string>) =>
      (domain_id ?? organization_id) === Object.values(place.body)[0],
  )?.id;
  await done(who.post('invitation', { id }));
  const { json: members } = await by.get(`member?${place.query}`);
  return members.find(({ user_id }: { user_id: string }) => user_id === who.userId).id;
}

/** Expects that a request is answered 200. @returns the answer. */
export async function done(reply: Promise<Reply>): Promise<Reply['json']> {
  const { status, json } = await reply;
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json)}`);
  return json;
}

/** How many of some answers had which status. */
export function statusesOf(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** A hundred requests at once. */
export function hundred(send: (index: number) => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: 100 }, (_, index) => send(index)));
}
