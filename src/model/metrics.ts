/**
 * What the service counts of itself: the table of `metric-rows.ts`, and the writers of this thread.
 *
 * Both planes; what the memory is like and what a write costs says `base/metrics/`.
 */

import { MetricsTable } from '../base/metrics/table.ts';
import { METRIC_ROWS } from './metric-rows.ts';

/** The table. */
export const metricsTable = new MetricsTable(METRIC_ROWS);

/** What this thread counts with. */
export const metrics = metricsTable.writers;
