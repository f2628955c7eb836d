/** The people around a domain, each with a client of an account: for tests of who may do what with it. */
import { Access } from '../../../src/control/access.ts';
import { createAccount } from '../../../src/control/accounts.ts';
import { created, draftNew } from '../../../src/control/descriptor/draft.ts';
import type { Base, Resource } from '../../../src/control/descriptor/resource.ts';
import { member } from '../../../src/control/resources/member.ts';
import { NOW_MS } from '../../support/fake-ports.ts';
import type { RegistryEdge } from '../registry-edge.ts';

/** Somebody with an account. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly bearer: string;
}

/** A new person, who has a role on nothing. */
export async function newPerson({ registry }: RegistryEdge, email: string): Promise<Person> {
  const made = await createAccount(registry, { email }, NOW_MS);
  const issued = new Access(registry).issueToken(made.clientId, made.clientSecret, NOW_MS);
  return { id: made.user.id, email, bearer: issued?.accessToken ?? '' };
}

/** A record that no endpoint makes here. @returns its id. */
export async function put<Rec extends Base>(
  { registry, nowMs }: RegistryEdge,
  resource: Resource<Rec>,
  sent: Record<string, unknown>,
  userId = '',
): Promise<Rec> {
  let made: Rec | undefined;
  await registry.change({ nowMs, by: { kind: 'cli', id: '' } }, (view, atMs) => {
    made = draftNew(resource, { view, userId, nowMs: atMs, sent }).record;
    return [created(resource, made)];
  });
  return made as Rec;
}

/** Makes a person a member of a domain. */
export async function join(
  edge: RegistryEdge,
  person: Person,
  domainId: string,
  role: 'Viewer' | 'Admin',
): Promise<void> {
  await put(edge, member, { domain_id: domainId, user_id: person.id, role });
}
