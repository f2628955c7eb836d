/** GET /api/v1/statistics/…: one endpoint per row of the table of statistics (contract 4.4). */
import { assert } from '../base/assert.ts';
import type { Credential } from '../model/credential.ts';
import type { Domain } from '../model/entities.ts';
import { errors } from '../model/errors.ts';
import { firstValue, parseQueryString, type QueryParameters } from '../query/parameters.ts';
import { parseStatisticsRequest } from '../query/request.ts';
import { STATISTICS } from '../query/statistics.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';

/** All of them read the domain named by `id` and answer what the query says. */
export const statisticsEndpoints: readonly Endpoint[] = STATISTICS.map(({ name }) => ({
  method: 'GET',
  path: `/api/v1/statistics/${name}`,
  scope: { area: 'statistics', right: 'r' },
  allowsAccessKeys: false,
  needsReady: true,
  body: null,
  handle: (call: Call, ports: Ports) => readStatistic(name, call, ports),
}));

function readStatistic(name: string, call: Call, ports: Ports): Promise<Uint8Array> {
  assert(call.credential !== null, 'a scoped endpoint has a credential');
  const parameters = parseQueryString(call.query);
  const domain = requestedDomain(parameters, call.credential, ports);
  const query = parseStatisticsRequest(name, parameters, { domain, nowMs: call.receivedMs });
  return ports.statistics.run(query);
}

/** A domain the client cannot see is answered like one that does not exist (F-36). */
function requestedDomain(
  parameters: QueryParameters,
  credential: Credential,
  ports: Ports,
): Domain {
  const domainId = firstValue(parameters, 'id');
  if (domainId === undefined) {
    throw errors.VALIDATION_FAILED({ validation: { id: 'is required: the id of a domain' } });
  }
  const domain = ports.access.domain(domainId);
  if (domain === null || !ports.access.reaches(credential, domain)) {
    throw errors.DOMAIN_NOT_FOUND({ domainId });
  }
  return domain;
}
