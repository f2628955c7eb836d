/**
 * The objects that a request names, if the caller may do this to them: 404 and 403 of M-4.
 *
 * The one place that compares the role an endpoint needs with the one its caller has.
 */
import { assert } from '../../base/assert.ts';
import {
  type AnyRecord,
  type Base,
  type Place,
  placeOf,
  type Resource,
  type Surface,
  type Viewing,
} from '../../control/descriptor/resource.ts';
import type { Stamp } from '../../control/registry/registry.ts';
import { type Domain, domain } from '../../control/resources/domain.ts';
import type { Credential } from '../../model/credential.ts';
import { errors } from '../../model/errors.ts';
import { isRoleEnough, type Role, USERS } from '../../model/rights.ts';
import { firstValue, type QueryParameters } from '../../query/question/parameters.ts';
import type { Author } from '../../store/registry-store.ts';
import type { Call } from '../endpoint.ts';
import { checkGranted } from '../granted.ts';
import type { Ports } from '../ports.ts';
import { authOf } from '../presets.ts';

/** A request in the hands of its handler. */
export interface Asked {
  readonly call: Call;
  readonly ports: Ports;
  /** The role that its endpoint needs. */
  readonly role: Role;
}

/**
 * Lets a caller do something to a place.
 *
 * @param named what the request named; what the caller cannot see is answered like what is not there.
 * @throws RECORD_NOT_FOUND, ROLE_MISSING.
 */
export function checkRole({ call, ports, role }: Asked, place: Place | null, named: Place): void {
  assert(call.credential !== null, 'an endpoint that names an object has a credential');
  const held = place === null ? null : ports.access.roleOn(call.credential, place);
  if (held === null) throw unseen(call.credential, named);
  if (isRoleEnough(held, role)) return;
  throw errors.ROLE_MISSING({
    needed: `the role ${role} on this ${place?.kind}; yours is ${held}`,
  });
}

/** A code opens one domain; with the id of another one it is a wrong code (M-20). */
function unseen({ kind }: Credential, named: Place) {
  const isWrongCode = kind === 'code' && named.kind === domain.name;
  return isWrongCode ? errors.CODE_UNKNOWN({}) : errors.RECORD_NOT_FOUND(named);
}

/** Who is answered, and from what. */
export interface Viewed {
  readonly call: Pick<Call, 'credential'>;
  readonly ports: Ports;
}

/** For whom an answer is made. */
export function viewingOf({ call, ports }: Viewed): Viewing {
  assert(call.credential !== null, 'records are shown to callers only');
  return ports.access.viewing(call.credential);
}

/** Who makes a change (M-5). */
export function authorOf({ kind, clientId, userId }: Credential): Author {
  return kind === 'person' ? { kind: 'user', id: userId } : { kind: 'client', id: clientId };
}

/** When a request changes something, and by whom. */
export function stampOf({ credential, receivedMs }: Call): Stamp {
  assert(credential !== null, 'whoever changes something has a credential');
  return { nowMs: receivedMs, by: authorOf(credential) };
}

/** The domain that the parameter `id` names. @throws VALIDATION_FAILED without it; `checkRole`. */
export function requestedDomain(asked: Asked, parameters: QueryParameters): Domain {
  const id = requiredValue(parameters, 'id', 'the id of a domain');
  const place = { kind: domain.name, id };
  checkRole(asked, place, place);
  return asked.ports.access.domain(id) as Domain;
}

/** A record by its id. @throws `checkRole`: also for one that others can see (F-36). */
export function permittedRecord<Rec extends Base>(
  asked: Asked,
  resource: Resource<Rec>,
  id: string,
): Rec {
  const record = asked.ports.records.find(resource, id);
  const place = record === null ? null : placeOf(resource, record);
  checkRole(asked, place, { kind: resource.name, id });
  return record as Rec;
}

/**
 * Lets a caller change what belongs to a place: by the right of the resource, or by that of whoever
 * made the record itself.
 *
 * @param makerId the user whose record it is, or will be.
 * @throws RECORD_NOT_FOUND, ROLE_MISSING, SCOPE_MISSING.
 */
export function checkChange(
  { call, ports }: Pick<Asked, 'call' | 'ports'>,
  { change, own }: Surface,
  about: { readonly place: Place | null; readonly named: Place; readonly makerId: unknown },
): void {
  assert(call.credential !== null, 'whoever changes something has a credential');
  const { kind, userId } = call.credential;
  const isOwn = own !== undefined && USERS.includes(kind) && about.makerId === userId;
  checkRole({ call, ports, role: (isOwn ? own : change).role }, about.place, about.named);
  // The row of the endpoint takes the scope of either.
  if (!isOwn && own !== undefined) checkGranted(authOf(change), call.credential);
}

/** A record by its id that the caller may change. @throws `checkChange`. */
export function changeableRecord<Rec extends Base>(
  asking: Pick<Asked, 'call' | 'ports'>,
  resource: Resource<Rec>,
  surface: Surface,
  id: string,
): Rec {
  const record = asking.ports.records.find(resource, id);
  const place = record === null ? null : placeOf(resource, record);
  const makerId = (record as AnyRecord | null)?.['userId'];
  checkChange(asking, surface, { place, named: { kind: resource.name, id }, makerId });
  return record as Rec;
}

/** The value of a parameter. @param what said to who leaves it out. @throws VALIDATION_FAILED. */
export function requiredValue(parameters: QueryParameters, name: string, what: string): string {
  const value = firstValue(parameters, name);
  if (value === undefined) {
    throw errors.VALIDATION_FAILED({ validation: { [name]: `is required: ${what}` } });
  }
  return value;
}
