/** The formats that can be imported, one adapter each. */

import type { Adapter } from './adapter.ts';
import { ACCESS_LOG } from './adapters/access-log.ts';
import { FATHOM } from './adapters/fathom.ts';
import { GOATCOUNTER } from './adapters/goatcounter.ts';
import { GOOGLE_ANALYTICS } from './adapters/google-analytics.ts';
import { MATOMO_REPORTS } from './adapters/matomo/reports.ts';
import { MATOMO_VISITS } from './adapters/matomo/visits.ts';
import { SIMPLE_ANALYTICS } from './adapters/simple-analytics.ts';
import { UMAMI } from './adapters/umami/umami.ts';

/** In the order in which they are asked whether files are theirs: narrow before wide. */
export const ADAPTERS: readonly Adapter[] = [
  GOATCOUNTER,
  SIMPLE_ANALYTICS,
  UMAMI,
  MATOMO_VISITS,
  MATOMO_REPORTS,
  FATHOM,
  GOOGLE_ANALYTICS,
  ACCESS_LOG,
];
