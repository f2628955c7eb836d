/**
 * Several questions about one domain, to be answered from one state of the data (D-14).
 *
 * Control plane: plain data that can be sent to another thread or node.
 */

import type { DomainId } from '../../model/ids.ts';
import type { StatisticsQuery } from './request.ts';

/** One of them; of one that was refused before it was asked, what is answered in its place. */
export type BatchEntry = StatisticsQuery | { readonly refused: string };

/** The questions, in the order of their answers. */
export interface BatchQuestion {
  readonly kind: 'batch';
  readonly domainId: DomainId;
  readonly entries: readonly BatchEntry[];
}
