/** GET /api/v1/domain: the domains a client may see. */
import { assert } from '../../base/assert.ts';
import { either, listOf } from '../../base/schema.ts';
import { toWire, wireSchema } from '../../control/descriptor/wire.ts';
import { type Domain, domain as domainResource } from '../../control/resources/domain.ts';
import { READ_SHOWN } from '../../control/resources/permissions.ts';
import { errors } from '../../model/errors.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Ports } from '../ports.ts';
import { authOf, json, optional, READS } from '../presets.ts';
import { viewingDomains } from './shown-domains.ts';

/** Parameter → the field of a domain it names; the first one given decides. */
const SELECTORS = [
  ['id', 'id'],
  ['subdomain', 'subdomain'],
  ['domain', 'customDomain'],
] as const;

const SHAPE = wireSchema(domainResource);

/** Without parameters an array, with one of the selectors one object. */
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
];

async function readDomains(call: Call, ports: Ports): Promise<string> {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const parameters = parseQueryString(call.query);
  const domains = ports.access.domainsOf(call.credential);
  const shapesOf = async (shown: readonly Domain[]) => {
    const viewing = await viewingDomains({ call, ports }, shown);
    return shown.map((domain) => toWire(domainResource, domain, viewing));
  };
  for (const [parameter, field] of SELECTORS) {
    const wanted = firstValue(parameters, parameter);
    if (wanted === undefined) continue;
    const domain = domains.find((candidate) => candidate[field] === wanted);
    if (domain !== undefined) return JSON.stringify((await shapesOf([domain]))[0]);
    if (call.credential.kind === 'code') throw errors.CODE_UNKNOWN({});
    if (parameter === 'id') throw errors.RECORD_NOT_FOUND({ kind: 'domain', id: wanted });
    throw errors.DOMAIN_UNMATCHED({ parameter, value: wanted });
  }
  const code = firstValue(parameters, 'access');
  if (code === undefined) return JSON.stringify(await shapesOf(domains));
  const shown = ports.access.visitor(code)?.domainId;
  const domain = domains.find(({ id }) => id === shown);
  if (domain === undefined) throw errors.CODE_UNKNOWN({});
  return JSON.stringify((await shapesOf([domain]))[0]);
}
