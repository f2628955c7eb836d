/** Invitations: listed by either side, accepted by the invited person, deleted by either (M-31). */
import { assert } from '../../base/assert.ts';
import { listOf } from '../../base/schema.ts';
import { deleted } from '../../control/descriptor/draft.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { type Look, type Place, placeOf } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { accept, isFor } from '../../control/invitations.ts';
import { notFound } from '../../control/records.ts';
import { type Invitation, invitation } from '../../control/resources/invitation.ts';
import {
  READ_DOMAINS_AS_USER,
  READ_ORGANIZATION,
  READ_SETTINGS,
  WRITE_DOMAINS_AS_USER,
  WRITE_ORGANIZATION,
} from '../../control/resources/permissions.ts';
import { user } from '../../control/resources/user.ts';
import { errors } from '../../model/errors.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { json, jsonBody, NOTHING, optional, READS, required, users } from '../presets.ts';
import { requiredValue, stampOf } from './permitted.ts';
import {
  type Asking,
  checkPlace,
  checkScope,
  eitherPlace,
  type PlaceRights,
  placeNamed,
} from './place-rights.ts';
import { viewingDomains } from './shown-domains.ts';

const PATH = '/api/v1/invitation';
const READ: PlaceRights = { domain: READ_SETTINGS, organization: READ_ORGANIZATION };
const CHANGE: PlaceRights = { domain: WRITE_DOMAINS_AS_USER, organization: WRITE_ORGANIZATION };
// The place that a request may name is not there for the caller, or the invitation is not.
const REFUSALS = { refusals: [404] } as const;
const DONE = '{}';

const PLACES = [
  optional('domain_id', 'The id of a domain: those to it, not the own ones.'),
  optional('organization_id', 'The id of an organization: those to it, not the own ones.'),
];

export const invitationEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, ...REFUSALS, path: PATH, auth: eitherPlace(READ, null) },
    summary: "Lists the caller's invitations, or those to a domain or an organization.",
    parameters: PLACES,
    answer: json(listOf(wireSchema(invitation))),
    handle: list,
  },
  {
    ...{ ...REFUSALS, method: 'POST', path: PATH, needsReady: true },
    summary: 'Accepts an invitation: the caller becomes a member.',
    auth: users('domains', 'w', null),
    parameters: [],
    body: jsonBody({ required: ['id'], fields: { id: REQUIRED_TEXT } }),
    answer: json(NOTHING),
    handle: acceptOwn,
  },
  {
    ...{ ...REFUSALS, method: 'DELETE', path: PATH, needsReady: true, body: null },
    summary: 'Deletes an invitation of the caller, or one to a domain or an organization.',
    auth: eitherPlace(CHANGE, null),
    parameters: [required('id', 'The id of the invitation.'), ...PLACES],
    answer: json(NOTHING),
    handle: remove,
  },
];

async function list(call: Call, ports: Ports): Promise<string> {
  const asking = { call, ports };
  const place = placeOfQuery(call);
  const found = place === null ? ownInvitations(asking) : invitationsTo(asking, place);
  const sites = found.flatMap(({ domainId }) => (domainId === null ? [] : [{ id: domainId }]));
  const viewing = await viewingDomains(asking, sites);
  return JSON.stringify(found.map((one) => toWire(invitation, one, viewing)));
}

function ownInvitations(asking: Asking): readonly Invitation[] {
  checkScope(asking, READ_DOMAINS_AS_USER);
  const { records } = asking.ports;
  const person = records.find(user, userIdOf(asking.call));
  return person === null ? [] : records.list(invitation, 'email', person.email.toLowerCase());
}

function invitationsTo(asking: Asking, place: Place): readonly Invitation[] {
  checkPlace(asking, READ, place);
  const field = place.kind === 'domain' ? 'domainId' : 'organizationId';
  return asking.ports.records.list(invitation, field, place.id);
}

async function acceptOwn(call: Call, ports: Ports): Promise<string> {
  const { id } = call.body as { readonly id: string };
  await ports.records.decide(stampOf(call), (view, atMs) => {
    const { found, person } = ownInvitation({ call, ports }, view, id);
    return { changes: accept(found, person, view, atMs), result: null };
  });
  return DONE;
}

async function remove(call: Call, ports: Ports): Promise<string> {
  const id = requiredValue(parseQueryString(call.query), 'id', 'the id of an invitation');
  const place = placeOfQuery(call);
  const asking = { call, ports };
  if (place === null) checkScope(asking, WRITE_DOMAINS_AS_USER);
  await ports.records.decide(stampOf(call), (view) => {
    if (place === null) ownInvitation(asking, view, id);
    else checkInvitationTo(asking, place, view, id);
    return { changes: [deleted(invitation, id)], result: null };
  });
  return DONE;
}

/**
 * An invitation of the caller.
 *
 * @throws RECORD_NOT_FOUND; ROLE_MISSING to who sees that somebody else is invited.
 */
function ownInvitation({ call, ports }: Asking, view: Look, id: string) {
  const { credential } = call;
  assert(credential !== null, 'an endpoint about persons has a credential');
  const found = view.find(invitation, id);
  const place = found === null ? null : placeOf(invitation, found);
  const person = view.find(user, credential.userId);
  if (found === null || place === null || person === null) throw notFound(invitation, id);
  if (isFor(found, person)) return { found, person };
  if (ports.access.roleOn(credential, place) === null) throw notFound(invitation, id);
  throw errors.ROLE_MISSING({ needed: `the person who is invited to this ${place.kind}` });
}

function checkInvitationTo(asking: Asking, place: Place, view: Look, id: string): void {
  checkPlace(asking, CHANGE, place);
  const found = view.find(invitation, id);
  const actual = found === null ? null : placeOf(invitation, found);
  if (actual?.kind !== place.kind || actual.id !== place.id) throw notFound(invitation, id);
}

function placeOfQuery({ query }: Call): Place | null {
  const parameters = parseQueryString(query);
  return placeNamed({
    domain: ['domain_id', firstValue(parameters, 'domain_id')],
    organizationId: firstValue(parameters, 'organization_id'),
  });
}

function userIdOf({ credential }: Call): string {
  assert(credential !== null, 'an endpoint about persons has a credential');
  return credential.userId;
}
