/**
 * What happens to the domains of an organization: put into it, taken out, left behind by it (M-32).
 *
 * Control plane. Pure: from the registry as it is to the changes that make it so.
 */
import { errors } from '../model/errors.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../model/limits.ts';
import { changed } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import { type Decision, notFound } from './records.ts';
import { removalOf } from './registry/changes.ts';
import { type Domain, domain } from './resources/domain.ts';
import { organization } from './resources/organization.ts';

/**
 * Puts a domain into an organization.
 *
 * @throws RECORD_NOT_FOUND; VALIDATION_FAILED when it is in another one; RECORDS_TOO_MANY.
 */
export function domainPutInto(
  { id, domainId }: { readonly id: string; readonly domainId: string },
  view: Look,
  atMs: number,
): Decision<Domain> {
  const site = view.find(domain, domainId);
  if (site === null) throw notFound(domain, domainId);
  if (site.organizationId === id) return { changes: [], result: site };
  if (site.organizationId !== null) {
    const fault = 'is in an organization already; take it out of it first';
    throw errors.VALIDATION_FAILED({ validation: { domain_id: fault } });
  }
  checkRoomForDomain(id, view);
  return replaced({ ...site, organizationId: id, modifiedMs: atMs });
}

/** Takes a domain out of an organization. @throws RECORD_NOT_FOUND when it is not in it. */
export function domainTakenOut(
  { id, domainId }: { readonly id: string; readonly domainId: string },
  view: Look,
  atMs: number,
): Decision<Domain> {
  const site = view.find(domain, domainId);
  if (site === null || site.organizationId !== id) throw notFound(domain, domainId);
  return replaced({ ...site, organizationId: null, modifiedMs: atMs });
}

/**
 * What has to happen for an organization to go: its domains are taken out, or go with it as far as
 * the caller may delete them. One record of the log.
 *
 * @param mayDelete null: all of them stay.
 */
export function organizationRemoval(
  id: string,
  mayDelete: ((site: Domain) => boolean) | null,
  view: Look,
  atMs: number,
): readonly Change[] {
  const doomed = mayDelete === null ? [] : view.of(domain, 'organizationId', id).filter(mayDelete);
  const roots = [
    ...doomed.map((site) => ({ resource: domain, id: site.id })),
    { resource: organization, id },
  ];
  return removalOf(roots, view, atMs);
}

/** Whether an organization may have one more domain (M-6). @throws RECORDS_TOO_MANY. */
export function checkRoomForDomain(id: string, view: Look): void {
  const { length } = view.of(domain, 'organizationId', id);
  if (length < DOMAIN_CHILD_COUNT_MAX) return;
  const { table } = domain;
  throw errors.RECORDS_TOO_MANY({ table, countMax: DOMAIN_CHILD_COUNT_MAX });
}

function replaced(site: Domain): Decision<Domain> {
  return { changes: [changed(domain, site)], result: site };
}
