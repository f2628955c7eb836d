/** GET /api/v1/statistics/…: one endpoint per row of the table of statistics (contract 4.4). */
import { assert } from '../base/assert.ts';
import { parseQueryString } from '../query/parameters.ts';
import { parseStatisticsRequest } from '../query/request.ts';
import { STATISTICS } from '../query/statistics.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Ports } from './ports.ts';
import { requestedDomain } from './requested-domain.ts';

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
  return ports.statistics.run(query, call);
}
