/** The formats that can be imported, one adapter each. */

import type { Adapter } from './adapter.ts';
import { ACCESS_LOG } from './products/access-log.ts';
import { FATHOM } from './products/fathom.ts';
import { FOOTFALL } from './products/footfall/footfall.ts';
import { GOATCOUNTER } from './products/goatcounter.ts';
import { GOOGLE_ANALYTICS } from './products/google-analytics.ts';
import { MATOMO_REPORTS } from './products/matomo/reports.ts';
import { MATOMO_VISITS } from './products/matomo/visits.ts';
import { PLAUSIBLE } from './products/plausible.ts';
import { SIMPLE_ANALYTICS } from './products/simple-analytics.ts';
import { UMAMI } from './products/umami/umami.ts';

/** In the order in which they are asked whether files are theirs: narrow before wide. */
export const ADAPTERS: readonly Adapter[] = [
  PLAUSIBLE,
  FOOTFALL,
  GOATCOUNTER,
  SIMPLE_ANALYTICS,
  UMAMI,
  MATOMO_VISITS,
  MATOMO_REPORTS,
  FATHOM,
  GOOGLE_ANALYTICS,
  ACCESS_LOG,
];

/** Whether files of a format may hold addresses or user agents (P-22); of one that nobody knows they may. */
export function isPersonal(format: string): boolean {
  return ADAPTERS.find(({ name }) => name === format)?.isPersonal ?? true;
}
