/**
 * Which role a user has where (M-2): as owner, as member, or through the organization of a domain.
 *
 * Control plane; read per request, so every question is a few Map hits.
 */
import { ROLES, type Role } from '../model/rights.ts';
import type { Base, Look, Place } from './descriptor/resource.ts';
import { type Domain, domain } from './resources/domain.ts';
import { member, memberKey } from './resources/member.ts';
import { type Organization, organization } from './resources/organization.ts';

/** The highest that a user has on a domain; null: it may not even see it. */
export function roleOnDomain(view: Look, userId: string, site: Domain): Role | null {
  if (userId === site.userId) return 'Owner';
  const own = memberRole(view, userId, site.id);
  const { organizationId } = site;
  if (organizationId === null) return own;
  const inherited = roleOnOrganization(view, userId, organizationId);
  // Whoever owns the organization is Admin of its domains, not their Owner.
  return higher(own, inherited === 'Owner' ? 'Admin' : inherited);
}

/** The role of a user in an organization; null: it is not in it. */
export function roleOnOrganization(view: Look, userId: string, id: string): Role | null {
  const found = view.find(organization, id);
  if (found === null) return null;
  return found.userId === userId ? 'Owner' : memberRole(view, userId, id);
}

/** Whose a domain or an organization is; null: it is not there. */
export function ownerIdOf(view: Look, { kind, id }: Place): string | null {
  const found = kind === organization.name ? view.find(organization, id) : view.find(domain, id);
  return found?.userId ?? null;
}

/** Every organization that a user has a role in, oldest first. */
export function organizationsOfUser(view: Look, userId: string): readonly Organization[] {
  const found = new Set(view.of(organization, 'userId', userId));
  for (const { organizationId } of view.of(member, 'userId', userId)) {
    const one = organizationId === null ? null : view.find(organization, organizationId);
    if (one !== null) found.add(one);
  }
  return [...found].sort(byAge);
}

/** Every domain that a user has a role on, oldest first. */
export function domainsOfUser(view: Look, userId: string): readonly Domain[] {
  const own = view.of(domain, 'userId', userId);
  const memberships = view.of(member, 'userId', userId);
  const organizations = view.of(organization, 'userId', userId);
  // Most people have only what they made themselves: that list is there already.
  if (memberships.length + organizations.length === 0) return own;
  const found = new Map(own.map((site) => [site.id, site]));
  const add = (site: Domain | null) => site === null || found.set(site.id, site);
  const addAll = (id: string) => view.of(domain, 'organizationId', id).forEach(add);
  for (const { id } of organizations) addAll(id);
  for (const { domainId, organizationId } of memberships) {
    if (domainId !== null) add(view.find(domain, domainId));
    if (organizationId !== null) addAll(organizationId);
  }
  return [...found.values()].sort(byAge);
}

/**
 * The lists and records that `domainsOfUser` is made of: while each of them is the same object, so is
 * what it gives.
 */
export function domainSources(view: Look, userId: string): readonly unknown[] {
  const memberships = view.of(member, 'userId', userId);
  const organizations = view.of(organization, 'userId', userId);
  const domainsIn = (id: string) => view.of(domain, 'organizationId', id);
  return [
    ...[view.of(domain, 'userId', userId), memberships, organizations],
    ...organizations.map(({ id }) => domainsIn(id)),
    ...memberships.map(({ domainId, organizationId }) =>
      domainId === null ? domainsIn(String(organizationId)) : view.find(domain, domainId),
    ),
  ];
}

/** People with access to a domain, its owner included (S-74). */
export function memberCount(view: Look, site: Domain): number {
  return peopleOf(view, site).size;
}

/** Their ids, the owner's first. */
export function peopleOf(view: Look, { id, userId, organizationId }: Domain): ReadonlySet<string> {
  const people = new Set([userId]);
  for (const one of view.of(member, 'domainId', id)) people.add(one.userId);
  if (organizationId !== null) {
    const owner = view.find(organization, organizationId)?.userId;
    if (owner !== undefined) people.add(owner);
    for (const one of view.of(member, 'organizationId', organizationId)) people.add(one.userId);
  }
  return people;
}

function memberRole(view: Look, userId: string, placeId: string): Role | null {
  return view.by(member, 'userId', memberKey(userId, placeId))?.role ?? null;
}

/** The id decides between records of the same millisecond, as in the tables. */
function byAge(left: Base, right: Base): number {
  return left.createdMs - right.createdMs || (left.id < right.id ? -1 : 1);
}

function higher(left: Role | null, right: Role | null): Role | null {
  if (left === null || right === null) return left ?? right;
  return ROLES.indexOf(left) > ROLES.indexOf(right) ? left : right;
}
