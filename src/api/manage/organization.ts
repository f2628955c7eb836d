/** Organizations and their domains: what is no making and renaming of one record (M-32). */
import { assert } from '../../base/assert.ts';
import { boolean, listOf } from '../../base/schema.ts';
import { REQUIRED_TEXT } from '../../control/descriptor/fields.ts';
import type { Permission } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { domainPutInto, domainTakenOut, organizationRemoval } from '../../control/organizations.ts';
import { type Domain, domain } from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { READ_ORGANIZATION, WRITE_ORGANIZATION } from '../../control/resources/permissions.ts';
import { errors } from '../../model/errors.ts';
import { firstValue, parseFlag, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, NOTHING, READS, required } from '../presets.ts';
import { checkRole, requiredValue, stampOf, viewingOf } from './permitted.ts';
import { viewingDomains } from './shown-domains.ts';

const PATH = '/api/v1/organization';
const DOMAIN_PATH = '/api/v1/organization/domain';
const DONE = '{}';
const ID = required('id', 'The id of the organization.');
/** Whoever puts a domain into an organization is Admin of both. */
const ADD_DOMAIN: Permission = { ...WRITE_ORGANIZATION, role: 'Admin' };

export const organizationEndpoints: readonly Endpoint[] = [
  {
    ...{ ...READS, path: PATH, parameters: [] },
    summary: 'Lists the organizations that the caller owns or is a member of, oldest first.',
    auth: { ...authOf(READ_ORGANIZATION), role: null },
    answer: json(listOf(wireSchema(organization))),
    handle: list,
  },
  {
    ...{ method: 'DELETE', path: PATH, needsReady: true, body: null },
    summary: 'Deletes an organization; its domains are taken out of it, or deleted with it.',
    auth: authOf(WRITE_ORGANIZATION),
    parameters: [
      ID,
      {
        ...{ name: 'delete_domains', in: 'query', schema: boolean },
        description: 'True deletes those of its domains that the caller owns and may delete.',
      },
    ],
    answer: json(NOTHING),
    handle: remove,
  },
  {
    ...{ ...READS, path: DOMAIN_PATH, parameters: [ID] },
    summary: 'Lists the domains of an organization, oldest first.',
    auth: authOf(READ_ORGANIZATION),
    answer: json(listOf(wireSchema(domain))),
    handle: listDomains,
  },
  {
    ...{ method: 'POST', path: DOMAIN_PATH, needsReady: true, parameters: [] },
    summary: 'Puts a domain into an organization.',
    auth: authOf(ADD_DOMAIN),
    body: jsonBody({
      required: ['id', 'domain_id'],
      fields: { id: REQUIRED_TEXT, domain_id: REQUIRED_TEXT },
    }),
    answer: json(wireSchema(domain)),
    handle: addDomain,
  },
  {
    ...{ method: 'DELETE', path: DOMAIN_PATH, needsReady: true, body: null },
    summary: 'Takes a domain out of an organization.',
    auth: authOf(WRITE_ORGANIZATION),
    parameters: [ID, required('domain_id', 'The id of the domain.')],
    answer: json(NOTHING),
    handle: takeDomainOut,
  },
];

function list(call: Call, ports: Ports): string {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const viewing = viewingOf({ call, ports });
  const found = ports.access.organizationsOf(call.credential);
  return JSON.stringify(found.map((one) => toWire(organization, one, viewing)));
}

async function remove(call: Call, ports: Ports): Promise<string> {
  const parameters = parseQueryString(call.query);
  const id = requiredValue(parameters, 'id', 'the id of an organization');
  const sent = firstValue(parameters, 'delete_domains');
  const withDomains = sent === undefined ? false : parseFlag(sent);
  if (withDomains === null) {
    const validation = { delete_domains: 'must be true or false' };
    throw errors.VALIDATION_FAILED({ validation });
  }
  const { credential } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  // Deleting a domain takes a scope of its own; without it they are only taken out.
  const mayDelete = (site: Domain) =>
    credential.scopes.domains === 'w' &&
    ports.access.roleOn(credential, { kind: domain.name, id: site.id }) === 'Owner';
  await ports.records.decide(stampOf(call), (view, atMs) => {
    checkOrganization({ call, ports }, WRITE_ORGANIZATION, id);
    const changes = organizationRemoval(id, withDomains ? mayDelete : null, view, atMs);
    return { changes, result: null };
  });
  return DONE;
}

async function listDomains(call: Call, ports: Ports): Promise<string> {
  const id = requiredValue(parseQueryString(call.query), 'id', 'the id of an organization');
  const asking = { call, ports };
  checkOrganization(asking, READ_ORGANIZATION, id);
  const found = ports.records.list(domain, 'organizationId', id);
  const viewing = await viewingDomains(asking, found);
  return JSON.stringify(found.map((one) => toWire(domain, one, viewing)));
}

async function addDomain(call: Call, ports: Ports): Promise<string> {
  const { id, domain_id: domainId } = call.body as { readonly id: string; domain_id: string };
  const asking = { call, ports };
  const site = await ports.records.decide(stampOf(call), (view, atMs) => {
    checkOrganization(asking, ADD_DOMAIN, id);
    const place = { kind: domain.name, id: domainId };
    checkRole({ ...asking, role: 'Admin' }, place, place);
    return domainPutInto({ id, domainId }, view, atMs);
  });
  return JSON.stringify(toWire(domain, site, await viewingDomains(asking, [site])));
}

async function takeDomainOut(call: Call, ports: Ports): Promise<string> {
  const parameters = parseQueryString(call.query);
  const id = requiredValue(parameters, 'id', 'the id of an organization');
  const domainId = requiredValue(parameters, 'domain_id', 'the id of a domain');
  await ports.records.decide(stampOf(call), (view, atMs) => {
    checkOrganization({ call, ports }, WRITE_ORGANIZATION, id);
    return domainTakenOut({ id, domainId }, view, atMs);
  });
  return DONE;
}

function checkOrganization(
  asking: { readonly call: Call; readonly ports: Ports },
  { role }: Permission,
  id: string,
): void {
  const place = { kind: organization.name, id };
  checkRole({ ...asking, role }, place, place);
}
