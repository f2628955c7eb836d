/** A domain changes hands (M-15): the named user finds and takes it, or its owner takes the offer back. */
import { listOf } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { takeDomain, withdrawOffer } from '../../control/domains.ts';
import { domain } from '../../control/resources/domain.ts';
import { OWN_DOMAINS } from '../../control/resources/permissions.ts';
import { user } from '../../control/resources/user.ts';
import { parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required, users } from '../presets.ts';
import { permittedRecord, requiredValue, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';
import { viewingDomains } from './shown-domains.ts';

const PATH = '/api/v1/domain/transfer';
const NOTHING_SAID = '{}';

/** Offering it is an action of the domain. */
export const transferEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, parameters: [] },
    summary: 'Lists the domains that their owners have offered to the caller.',
    auth: users('domains', 'r', null),
    answer: json(listOf(wireSchema(domain))),
    handle: listOffered,
  },
  {
    ...{ method: 'PUT', path: PATH, needsReady: true, parameters: [] },
    summary: 'Takes a domain that its owner has offered to the caller.',
    auth: users('domains', 'w', null),
    body: jsonBody({ required: ['domain_id'], fields: { domain_id: REQUIRED_TEXT } }),
    answer: json(NOTHING),
    refusals: [404],
    handle: take,
  },
  {
    ...{ method: 'DELETE', path: PATH, needsReady: true, body: null },
    summary: 'Takes back the offer of a domain.',
    auth: authOf(OWN_DOMAINS),
    parameters: [required('domain_id', 'The id of the domain.')],
    answer: json(NOTHING),
    handle: withdraw,
  },
];

/** As everybody sees them who is shown a dashboard (M-16), but for who is on them anyway. */
async function listOffered(call: Call, ports: Ports): Promise<string> {
  const { records } = ports;
  const person = records.find(user, viewingOf({ call, ports }).userId);
  const found = person === null ? [] : records.list(domain, 'newOwner', person.email.toLowerCase());
  const viewing = await viewingDomains({ call, ports }, found);
  const shown = found.map((one) => {
    const isInside = viewing.roleOn({ kind: domain.name, id: one.id }) !== null;
    return toWire(domain, one, isInside ? viewing : { ...viewing, isVisitor: true });
  });
  return JSON.stringify(shown);
}

async function take(call: Call, { records }: Ports): Promise<string> {
  const request = requestOf(call);
  const id = String(request.sent['domain_id']);
  await records.decide(request, (view, atMs) => ({
    changes: takeDomain(view, id, request.userId, atMs),
    result: null,
  }));
  return NOTHING_SAID;
}

async function withdraw(call: Call, ports: Ports): Promise<string> {
  const wanted = requiredValue(parseQueryString(call.query), 'domain_id', 'the id of a domain');
  const { id } = permittedRecord({ call, ports, role: OWN_DOMAINS.role }, domain, wanted);
  await ports.records.decide(requestOf(call), (view, atMs) => ({
    changes: withdrawOffer(view, id, atMs),
    result: null,
  }));
  return NOTHING_SAID;
}
