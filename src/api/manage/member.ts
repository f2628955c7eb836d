/** Members of domains and organizations: listed, invited, given a role, removed (M-3, M-30, M-31). */
import { assert } from '../../base/assert.ts';
import { listOf } from '../../base/schema.ts';
import { changed, deleted, draftChanged } from '../../control/descriptor/draft.ts';
import { REQUIRED_TEXT, TEXT } from '../../control/descriptor/fields.ts';
import { type Look, type Place, placeOf } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { invite } from '../../control/invitations.ts';
import { notFound } from '../../control/records.ts';
import { domain } from '../../control/resources/domain.ts';
import { type Member, member, memberKey } from '../../control/resources/member.ts';
import { organization } from '../../control/resources/organization.ts';
import {
  READ_ORGANIZATION,
  READ_SETTINGS,
  WRITE_DOMAINS_AS_USER,
  WRITE_ORGANIZATION,
} from '../../control/resources/permissions.ts';
import { errors } from '../../model/errors.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, optional, READS } from '../presets.ts';
import { requiredValue, stampOf, viewingOf } from './permitted.ts';
import {
  type Asking,
  checkPlace,
  checkScope,
  eitherPlace,
  type PlaceRights,
  placeNamed,
  rightsOn,
} from './place-rights.ts';

const PATH = '/api/v1/member';
const READ: PlaceRights = { domain: READ_SETTINGS, organization: READ_ORGANIZATION };
const CHANGE: PlaceRights = { domain: WRITE_DOMAINS_AS_USER, organization: WRITE_ORGANIZATION };
const CHANGES = { path: PATH, needsReady: true, auth: eitherPlace(CHANGE, 'Admin') } as const;
const DONE = '{}';

export const memberEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, auth: eitherPlace(READ, 'Viewer') },
    summary: 'Lists the members of a domain or of an organization, oldest first.',
    parameters: [
      optional('id', 'The id of a domain.'),
      optional('organization_id', 'The id of an organization, instead.'),
    ],
    answer: json(listOf(wireSchema(member))),
    handle: list,
  },
  {
    ...{ ...CHANGES, method: 'POST' },
    summary: 'Invites people to a domain or to an organization: all of them, or none.',
    parameters: [],
    body: jsonBody({
      required: ['emails'],
      fields: { id: TEXT, organization_id: TEXT, emails: { type: 'array' }, role: TEXT },
    }),
    answer: json(NOTHING),
    handle: inviteAll,
  },
  {
    ...{ ...CHANGES, method: 'PUT' },
    summary: 'Gives a member another role.',
    parameters: [],
    body: jsonBody({
      required: ['id', 'role'],
      fields: { id: REQUIRED_TEXT, role: REQUIRED_TEXT },
    }),
    answer: json(NOTHING),
    handle: changeRole,
  },
  {
    ...{ ...CHANGES, method: 'DELETE', body: null },
    summary: 'Removes a member; everybody may remove themselves.',
    parameters: [
      optional('id', 'The id of the member; this or one of the others is required.'),
      optional('domain_id', 'The id of a domain: removes the caller from its members.'),
      optional('organization_id', 'The id of an organization: removes the caller from it.'),
    ],
    answer: json(NOTHING),
    handle: remove,
  },
];

function list(call: Call, ports: Ports): string {
  const parameters = parseQueryString(call.query);
  const id = firstValue(parameters, 'id');
  const place = somePlace(['id', id], firstValue(parameters, 'organization_id'));
  const asking = { call, ports };
  checkPlace(asking, READ, place);
  const field = place.kind === 'domain' ? 'domainId' : 'organizationId';
  const viewing = viewingOf(asking);
  const found = ports.records.list(member, field, place.id);
  return JSON.stringify(found.map((one) => toWire(member, one, viewing)));
}

/** Of POST, its schema checked; what stands in the list may be anything. */
interface InvitationBody {
  readonly id?: string | null;
  readonly organization_id?: string | null;
  readonly emails: readonly unknown[];
  readonly role?: string | null;
}

async function inviteAll(call: Call, ports: Ports): Promise<string> {
  const { id, organization_id, emails, role } = call.body as InvitationBody;
  const place = somePlace(['id', id], organization_id);
  await ports.records.decide(stampOf(call), (view, atMs) => {
    checkPlace({ call, ports }, CHANGE, place);
    const inviterId = call.credential?.userId ?? '';
    const wish = { place, emails, role: role ?? undefined, inviterId };
    return { changes: invite(wish, view, atMs), result: null };
  });
  return DONE;
}

async function changeRole(call: Call, ports: Ports): Promise<string> {
  const { id, role } = call.body as { readonly id: string; readonly role: string };
  await ports.records.decide(stampOf(call), (view, nowMs) => {
    const before = permittedMember({ call, ports }, view, id);
    const making = { sent: { role }, userId: before.userId, view, nowMs };
    const after = draftChanged(member, before, making);
    return { changes: after === before ? [] : [changed(member, after)], result: null };
  });
  return DONE;
}

async function remove(call: Call, ports: Ports): Promise<string> {
  const parameters = parseQueryString(call.query);
  const left = placeNamed({
    domain: ['domain_id', firstValue(parameters, 'domain_id')],
    organizationId: firstValue(parameters, 'organization_id'),
  });
  const isOwn = left !== null && firstValue(parameters, 'id') === undefined;
  const named = isOwn ? '' : requiredValue(parameters, 'id', 'the id of a member');
  await ports.records.decide(stampOf(call), (view) => {
    const id = isOwn ? ownMembership({ call, ports }, view, left) : named;
    const { id: found } = permittedMember({ call, ports }, view, id, 'or oneself');
    return { changes: [deleted(member, found)], result: null };
  });
  return DONE;
}

/** By which the caller is in a place: who may not list its members leaves it all the same. */
function ownMembership({ call, ports }: Asking, view: Look, place: Place): string {
  assert(call.credential !== null, 'an endpoint about persons has a credential');
  const key = memberKey(call.credential.userId, place.id);
  const found = view.by(member, 'userId', key);
  if (found !== null) return found.id;
  const role = ports.access.roleOn(call.credential, place);
  if (role === null) throw notFound(place.kind === 'domain' ? domain : organization, place.id);
  const isOwner = role === 'Owner';
  const fault = isOwner ? 'is yours: give it away, or delete it' : 'is yours by its organization';
  throw errors.VALIDATION_FAILED({ validation: { [`${place.kind}_id`]: fault } });
}

/**
 * A member that the caller may change: asked on the state that the change applies to, since two
 * Admins may try to be rid of each other.
 *
 * @param self whether the member itself may, whatever its role.
 * @throws RECORD_NOT_FOUND, SCOPE_MISSING, ROLE_MISSING.
 */
function permittedMember(asking: Asking, view: Look, id: string, self?: 'or oneself'): Member {
  const { credential } = asking.call;
  assert(credential !== null, 'an endpoint that names an object has a credential');
  const found = view.find(member, id);
  const place = found === null ? null : placeOf(member, found);
  const held = place === null ? null : asking.ports.access.roleOn(credential, place);
  if (found === null || place === null || held === null) throw notFound(member, id);
  const isSelf = found.userId === credential.userId;
  if (isSelf && self !== undefined) {
    checkScope(asking, rightsOn(CHANGE, place));
    return found;
  }
  checkPlace(asking, CHANGE, place);
  if (found.role === 'Admin' && held !== 'Owner' && !isSelf) {
    const needed = `the role Owner on this ${place.kind}: the member is an Admin, as you are`;
    throw errors.ROLE_MISSING({ needed });
  }
  return found;
}

function somePlace(named: readonly [string, unknown], organizationId: unknown): Place {
  const place = placeNamed({ domain: named, organizationId });
  if (place !== null) return place;
  const fault = 'is required: the id of a domain, or organization_id instead';
  throw errors.VALIDATION_FAILED({ validation: { [named[0]]: fault } });
}
