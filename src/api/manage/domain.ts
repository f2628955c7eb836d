/** The domains that a caller may see, making one (M-10), and whose a hostname is (M-13). */
import { assert } from '../../base/assert.ts';
import { boolean, either, exactly, listOf } from '../../base/schema.ts';
import { sentSchema } from '../../control/descriptor/draft.ts';
import { type Place, placeOf } from '../../control/descriptor/resource.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { makeDomain } from '../../control/domains.ts';
import {
  type Domain,
  domainOfCustomHostname,
  domain as domainResource,
} from '../../control/resources/domain.ts';
import { organization } from '../../control/resources/organization.ts';
import { READ_SHOWN } from '../../control/resources/permissions.ts';
import { RESOURCES } from '../../control/resources/resources.ts';
import { errors } from '../../model/errors.ts';
import { MANAGERS } from '../../model/rights.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, jsonBody, optional, READS, required, users } from '../presets.ts';
import { describedSent } from './described.ts';
import { type Asked, checkRole, requiredValue, viewingOf } from './permitted.ts';
import { requestOf } from './resource-endpoints.ts';
import { viewingDomains } from './shown-domains.ts';

const SHAPE = wireSchema(domainResource);
const SENT = sentSchema(domainResource, 'create');

/** What is no plain action of one domain; those stand in its descriptor. */
export const domainEndpoints: readonly Endpoint[] = [
  {
    ...READS,
    path: '/api/v1/domain',
    summary: 'Lists the domains that the client sees, or shows the one that is named.',
    auth: authOf(READ_SHOWN),
    parameters: [
      optional('id', 'The id of a domain.'),
      optional('subdomain', 'The subdomain of its dashboard.'),
      optional('domain', 'The custom hostname of its dashboard.'),
      optional('access', 'The code of one of its access links.'),
    ],
    answer: json(either(listOf(SHAPE), SHAPE)),
    handle: readDomains,
  },
  {
    ...{ method: 'POST', path: '/api/v1/domain', needsReady: true, parameters: [] },
    summary: 'Makes a domain of the caller, or of the owner of an organization.',
    auth: users('domains', 'w', null),
    body: jsonBody(SENT, describedSent(domainResource, 'create', false)),
    answer: json(SHAPE),
    refusals: [404],
    handle: createDomain,
  },
  {
    ...{ ...READS, path: '/api/v1/domain/custom' },
    summary: 'Says whether some dashboard has a custom hostname.',
    auth: { ...authOf(READ_SHOWN), callers: MANAGERS, role: null },
    parameters: [required('domain', 'The hostname.')],
    answer: json(exactly({ exists: boolean })),
    handle: (call, ports) => {
      const hostname = requiredValue(parseQueryString(call.query), 'domain', 'a hostname');
      const { view } = viewingOf({ call, ports });
      return JSON.stringify({ exists: domainOfCustomHostname(hostname, view) !== null });
    },
  },
];

async function readDomains(call: Call, ports: Ports): Promise<string> {
  const { credential } = call;
  assert(credential !== null, 'a scoped endpoint has a credential');
  const shapesOf = async (shown: readonly Domain[]) => {
    const viewing = await viewingDomains({ call, ports }, shown);
    return shown.map((domain) => toWire(domainResource, domain, viewing));
  };
  const wanted = selected(call, ports);
  if (wanted === null) return JSON.stringify(await shapesOf(ports.access.domainsOf(credential)));
  const { domain, refusal } = wanted;
  const place = { kind: domainResource.name, id: domain?.id ?? '' };
  const isSeen = domain !== null && ports.access.roleOn(credential, place) !== null;
  // A code opens one domain; with the name of another one it is a wrong code (M-20).
  if (!isSeen) throw credential.kind === 'code' ? errors.CODE_UNKNOWN({}) : refusal;
  return JSON.stringify((await shapesOf([domain]))[0]);
}

/** The domain that the first of the selectors names, whoever may see it; null: there is none. */
function selected(call: Call, ports: Ports) {
  const { access } = ports;
  const { view } = viewingOf({ call, ports });
  const parameters = parseQueryString(call.query);
  const id = firstValue(parameters, 'id');
  if (id !== undefined) {
    const refusal = errors.RECORD_NOT_FOUND({ kind: 'domain', id });
    return { domain: access.domain(id), refusal };
  }
  const found = (parameter: string, value: string, domain: Domain | null) => ({
    ...{ domain, refusal: errors.DOMAIN_UNMATCHED({ parameter, value }) },
  });
  const subdomain = firstValue(parameters, 'subdomain');
  if (subdomain !== undefined) {
    return found(
      'subdomain',
      subdomain,
      view.by(domainResource, 'subdomain', subdomain.toLowerCase()),
    );
  }
  const hostname = firstValue(parameters, 'domain');
  if (hostname !== undefined) {
    return found('domain', hostname, domainOfCustomHostname(hostname, view));
  }
  const code = firstValue(parameters, 'access');
  if (code === undefined) return null;
  const domain = access.domain(access.visitor(code, call.receivedMs)?.domainId ?? '');
  return { domain, refusal: errors.CODE_UNKNOWN({}) };
}

async function createDomain(call: Call, ports: Ports): Promise<string> {
  const request = requestOf(call);
  checkNamed(request.sent['organization_id'], organization.name, { call, ports, role: 'Admin' });
  checkNamed(request.sent['theme_id'], 'theme', { call, ports, role: 'Viewer' });
  const made = await ports.records.decide(request, (view, atMs) => makeDomain(view, request, atMs));
  return JSON.stringify(toWire(domainResource, made, viewingOf({ call, ports })));
}

/** Whether the caller has its role on what a body names, if it names something. @throws `checkRole`. */
function checkNamed(sent: unknown, kind: string, asked: Asked): void {
  const id = String(sent ?? '').trim();
  if (id === '') return;
  const resource = RESOURCES.find(({ name }) => name === kind);
  const record = resource === undefined ? null : asked.ports.records.find(resource, id);
  const place: Place | null =
    resource === undefined || record === null ? null : placeOf(resource, record);
  checkRole(asked, place, { kind, id });
}
