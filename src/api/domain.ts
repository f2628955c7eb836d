/** GET /api/v1/domain: the domains a client may see (contract 4.5, A-19). */
import { assert } from '../base/assert.ts';
import { errors } from '../model/errors.ts';
import { firstValue, parseQueryString } from '../query/question/parameters.ts';
import { domainShape } from './domain-shape.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';

/** Parameter → the field of a domain it names; the first one given decides. */
const SELECTORS = [
  ['id', 'id'],
  ['subdomain', 'subdomain'],
  ['domain', 'customDomain'],
] as const;

/** Without parameters an array, with one of the selectors one object. */
export const domainEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/domain',
    scope: { area: 'domains', right: 'r' },
    allowsAccessKeys: false,
    needsReady: true,
    body: null,
    handle: readDomains,
  },
];

function readDomains(call: Call, ports: Ports): string {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const parameters = parseQueryString(call.query);
  const domains = ports.access.domainsOf(call.credential);
  for (const [parameter, field] of SELECTORS) {
    const wanted = firstValue(parameters, parameter);
    if (wanted === undefined) continue;
    const domain = domains.find((candidate) => candidate[field] === wanted);
    if (domain !== undefined) return JSON.stringify(domainShape(domain));
    if (parameter === 'id') throw errors.DOMAIN_NOT_FOUND({ domainId: wanted });
    throw errors.DOMAIN_UNMATCHED({ parameter, value: wanted });
  }
  return JSON.stringify(domains.map(domainShape));
}
