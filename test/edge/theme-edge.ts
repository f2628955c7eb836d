/** An edge over a real registry whose requests may be forms, and people with roles in an organization. */
import { Access } from '../../src/control/access.ts';
import { createAccount } from '../../src/control/accounts.ts';
import { created } from '../../src/control/descriptor/draft.ts';
import type { Base, Resource } from '../../src/control/descriptor/resource.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { member } from '../../src/control/resources/member.ts';
import { organization } from '../../src/control/resources/organization.ts';
import type { Role } from '../../src/model/rights.ts';
import { NOW_MS } from '../support/fake-ports.ts';
import { themeForm } from '../support/images.ts';
import type { Reply } from './edge.ts';
import { type RegistryEdge, useRegistryEdge } from './registry-edge.ts';

const BY = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
let numbers = 0;

/** A `RegistryEdge` for themes. */
export interface ThemeEdge extends RegistryEdge {
  /** Sends a form; without a bearer as the account that owns the domains. */
  form(
    path: string,
    data: unknown,
    files?: Readonly<Record<string, Uint8Array>>,
    bearer?: string,
  ): Promise<Reply>;
  /** An organization of the account, with the domain `own` in it if wanted. */
  organization(hasOwn?: boolean): Promise<string>;
  /** The bearer of somebody new, with a role at a place. */
  person(
    role?: Role | null,
    place?: { domainId: string } | { organizationId: string },
  ): Promise<string>;
  /** The domain as the account sees it. */
  site(id?: string): Promise<Record<string, unknown> & { theme: Record<string, string> }>;
  userIdOf(bearer: string): string;
}

/** Before each test. */
export function useThemeEdge(): ThemeEdge {
  const edge = useRegistryEdge() as ThemeEdge;
  const add = async <Rec extends Base>(resource: Resource<Rec>, fields: Omit<Rec, keyof Base>) => {
    const id = `made${numbers++}`.padEnd(20, '0');
    const record = { id, createdMs: NOW_MS, modifiedMs: NOW_MS, ...fields } as unknown as Rec;
    await edge.registry.change(BY, () => [created(resource, record)]);
    return id;
  };
  edge.userIdOf = (bearer) => new Access(edge.registry).authenticate(bearer, NOW_MS)?.userId ?? '';
  edge.form = async (path, data, files = {}, bearer = edge.bearers.account) => {
    const body = themeForm(data, files);
    const response = await fetch(`${edge.baseUrl}/api/v1/${path}`, {
      ...{ method: 'POST', body, headers: { authorization: `Bearer ${bearer}` } },
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  edge.organization = async (hasOwn = false) => {
    const userId = edge.userIdOf(edge.bearers.account);
    const id = await add(organization, { userId, name: 'Org', themeId: null } as never);
    if (hasOwn) {
      await edge.registry.change(BY, (view) => {
        const site = view.find(domain, edge.own.id);
        const payload = { ...site, id: edge.own.id, organizationId: id };
        return [{ kind: 'domain-changed', payload }];
      });
    }
    return id;
  };
  edge.person = async (role = null, place) => {
    const email = `person${numbers++}@example.org`;
    const made = await createAccount(edge.registry, { email }, NOW_MS);
    const nowhere = { domainId: null, organizationId: null };
    if (role !== null && place !== undefined) {
      await add(member, { ...nowhere, ...place, userId: made.user.id, role } as never);
    }
    const access = new Access(edge.registry);
    return access.issueToken(made.clientId, made.clientSecret, NOW_MS)?.accessToken ?? '';
  };
  edge.site = async (id = edge.own.id) =>
    (await edge.send('GET', `domain?id=${id}`, undefined, edge.bearers.account)).json;
  return edge;
}
