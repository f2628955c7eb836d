/** What a deletion of statistics says. Plain data: it travels in a record of the log. */

import type { DomainId } from './ids.ts';

/** Kinds of a deletion as the contract names them; '' is everything. */
export const ERASURE_KINDS = ['', 'all', 'events', 'imported'] as const;

export type ErasureKind = (typeof ERASURE_KINDS)[number];

/** Rows of one domain that go: those whose own time lies in `[startMs, endMs)`. */
export interface Erasure {
  readonly domainId: DomainId;
  readonly kind: ErasureKind;
  readonly startMs: number;
  readonly endMs: number;
}
