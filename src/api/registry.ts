/** Every endpoint of the service, in one list; a contract test keeps (method, path) unique. */
import { collectEndpoints } from './collect.ts';
import { domainEndpoints } from './domain.ts';
import type { Endpoint } from './endpoint.ts';
import { erasureEndpoints } from './erasure.ts';
import { funnelEndpoints } from './funnel.ts';
import { goalEndpoints } from './goal.ts';
import { healthEndpoints } from './health.ts';
import { rootEndpoints } from './root.ts';
import { statisticsEndpoints } from './statistics.ts';
import { tokenEndpoints } from './token.ts';

/** What the edge serves. */
export const endpoints: readonly Endpoint[] = [
  ...collectEndpoints,
  ...statisticsEndpoints,
  ...erasureEndpoints,
  ...domainEndpoints,
  ...goalEndpoints,
  ...funnelEndpoints,
  ...tokenEndpoints,
  ...healthEndpoints,
  ...rootEndpoints,
];
