/** Every endpoint of the service, in one list; a contract test keeps (method, path) unique. */
import { collectEndpoints } from './collect/collect.ts';
import type { Endpoint } from './endpoint.ts';
import { healthEndpoints } from './health.ts';
import { domainEndpoints } from './manage/domain.ts';
import { funnelEndpoints } from './manage/funnel.ts';
import { goalEndpoints } from './manage/goal.ts';
import { tokenEndpoints } from './manage/token.ts';
import { rootEndpoints } from './root.ts';
import { erasureEndpoints } from './statistics/erasure.ts';
import { statisticsEndpoints } from './statistics/statistics.ts';

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
