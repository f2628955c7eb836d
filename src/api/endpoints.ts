/** Every endpoint of the service, in one list; a contract test keeps (method, path) unique. */
import { RESOURCES } from '../control/resources/resources.ts';
import { collectEndpoints } from './collect/collect.ts';
import type { Endpoint } from './endpoint.ts';
import { healthEndpoints } from './health.ts';
import { auditEndpoints } from './manage/audit.ts';
import { domainEndpoints } from './manage/domain.ts';
import { endpointsOf } from './manage/resource-endpoints.ts';
import { tokenEndpoints } from './manage/token.ts';
import { openApiEndpoint } from './openapi/endpoint.ts';
import { rootEndpoints } from './root.ts';
import { billingEndpoints } from './statistics/billing.ts';
import { erasureEndpoints } from './statistics/erasure.ts';
import { statisticsEndpoints } from './statistics/statistics.ts';

const described: readonly Endpoint[] = [
  ...collectEndpoints,
  ...statisticsEndpoints,
  ...erasureEndpoints,
  ...billingEndpoints,
  ...domainEndpoints,
  ...auditEndpoints,
  ...RESOURCES.flatMap(endpointsOf),
  ...tokenEndpoints,
  ...healthEndpoints,
  ...rootEndpoints,
];

/** What the edge serves. */
export const endpoints: readonly Endpoint[] = [...described, openApiEndpoint(described)];
