/**
 * Rights where the request decides what it is about: members and invitations are of a domain or of an
 * organization, and each asks for a scope and a role of its own (M-3).
 *
 * The row of such an endpoint says the least that it takes; what the place asks for is checked here.
 */
import { assert } from '../../base/assert.ts';
import type { Permission, Place } from '../../control/descriptor/resource.ts';
import { domain } from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { errors } from '../../model/errors.ts';
import { MANAGERS, type Role } from '../../model/rights.ts';
import type { Auth } from '../endpoint.ts';
import { checkGranted } from '../granted.ts';
import { type Asked, checkRole } from './permitted.ts';

/** What each kind of place asks for. */
export interface PlaceRights {
  readonly domain: Permission;
  readonly organization: Permission;
}

/** Whoever asks; the role depends on the place. */
export type Asking = Pick<Asked, 'call' | 'ports'>;

/** The row of an endpoint that is about either. @param role the least that it takes. */
export function eitherPlace(
  { domain: of, organization: or }: PlaceRights,
  role: Role | null,
): Auth {
  const callers = [...new Set([...callersOf(of), ...callersOf(or)])];
  return { callers, scopes: [...of.scopes, ...or.scopes], role };
}

/**
 * Lets a caller do something to a place.
 *
 * @param named what the request named: said when there is none, or the caller cannot see it (M-4).
 * @throws RECORD_NOT_FOUND, ROLE_MISSING, SCOPE_MISSING.
 */
export function checkPlace(asking: Asking, rights: PlaceRights, place: Place, named = place): void {
  const permission = rightsOn(rights, place);
  checkScope(asking, permission);
  checkRole({ ...asking, role: permission.role }, place, named);
}

/** The same without a role: whoever is there may do it. */
export function checkScope({ call }: Asking, permission: Permission): void {
  assert(call.credential !== null, 'an endpoint that names an object has a credential');
  checkGranted({ callers: callersOf(permission), scopes: permission.scopes }, call.credential);
}

/** What a place asks for. */
export function rightsOn(rights: PlaceRights, { kind }: Place): Permission {
  return kind === organization.name ? rights.organization : rights.domain;
}

/**
 * The domain or organization that a request names.
 *
 * @param named the domain's parameter or field, and what stands under both; blank is absent (M-6).
 * @returns null when it names neither.
 * @throws VALIDATION_FAILED when it names both.
 */
export function placeNamed(named: {
  readonly domain: readonly [name: string, id: unknown];
  readonly organizationId: unknown;
}): Place | null {
  const [name, sent] = named.domain;
  const [domainId, organizationId] = [textOf(sent), textOf(named.organizationId)];
  if (domainId !== '' && organizationId !== '') {
    const fault = `must not be sent with ${name}: it is about one place`;
    throw errors.VALIDATION_FAILED({ validation: { organization_id: fault } });
  }
  if (domainId !== '') return { kind: domain.name, id: domainId };
  return organizationId === '' ? null : { kind: organization.name, id: organizationId };
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent.trim() : '';
}

function callersOf({ callers = MANAGERS }: Permission): readonly Auth['callers'][number][] {
  return callers;
}
