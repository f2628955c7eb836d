/**
 * The themes that a request names, if its caller may do this to them (M-3): its own, those of a domain
 * as Admin, those of an organization as owner. Whoever sees a theme may choose it for a domain.
 */
import type { Place } from '../../control/descriptor/resource.ts';
import { placeOf } from '../../control/descriptor/resource.ts';
import { notFound } from '../../control/records.ts';
import type { Domain } from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { type Theme, theme } from '../../control/resources/theme.ts';
import type { Role } from '../../model/rights.ts';
import { type Asked, checkRole } from './permitted.ts';

/** A request in the hands of its handler; which role it needs follows from the place. */
export type ThemeAsked = Pick<Asked, 'call' | 'ports'>;

/** Lets a caller read or change the themes of a place. @throws RECORD_NOT_FOUND, ROLE_MISSING. */
export function checkThemeRole(asked: ThemeAsked, place: Place): void {
  checkRole({ ...asked, role: roleFor(place) }, place, place);
}

/** A theme by its id. @throws RECORD_NOT_FOUND, ROLE_MISSING. */
export function permittedTheme(asked: ThemeAsked, id: string): Theme {
  const found = asked.ports.records.find(theme, id);
  const place = found === null ? null : placeOf(theme, found);
  checkRole({ ...asked, role: roleFor(place) }, place, { kind: theme.name, id });
  return found as Theme;
}

/**
 * A theme that may be chosen for others to show: not what a domain has for itself.
 *
 * @param site the domain it is for: its clients see the themes of whom it belongs to; null: no domain.
 * @throws RECORD_NOT_FOUND: the caller does not see it.
 */
export function choosableTheme(
  { call, ports }: ThemeAsked,
  id: string,
  site: Domain | null,
): Theme {
  const { credential } = call;
  const found = ports.records.find(theme, id);
  const place = found === null ? null : placeOf(theme, found);
  if (found === null || place === null || credential === null || found.domainId !== null) {
    throw notFound(theme, id);
  }
  const isOfSite =
    credential.domainId !== null &&
    (place.id === site?.userId || place.id === site?.organizationId);
  if (isOfSite || ports.access.roleOn(credential, place) !== null) return found;
  throw notFound(theme, id);
}

function roleFor(place: Place | null): Role {
  return place?.kind === organization.name ? 'Owner' : 'Admin';
}
