/** What a deletion of statistics says. Plain data: it travels in a record of the log. */

import type { DomainId } from './ids.ts';
import type { SumDays } from './imported-sum.ts';
import { DAY_MS } from './limits.ts';

/** Kinds of a deletion as the contract names them; '' is everything. */
export const ERASURE_KINDS = ['', 'all', 'events', 'imported'] as const;

export type ErasureKind = (typeof ERASURE_KINDS)[number];

/** Rows of one domain that go: those whose own time lies in `[startMs, endMs)`. */
export interface Erasure {
  readonly domainId: DomainId;
  readonly kind: ErasureKind;
  readonly startMs: number;
  readonly endMs: number;
  /** The days that were asked for: what is imported has no instants. Absent: those of UTC. */
  readonly days?: SumDays;
}

/** Whether a deletion takes rows that the service collected. */
export function takesRows({ kind }: Erasure): boolean {
  return kind !== 'imported';
}

/** The days of which a deletion takes what was imported (S-98); null: it takes none of that. */
export function importedDaysOf({ kind, days, startMs, endMs }: Erasure): SumDays | null {
  if (kind !== 'imported' && kind !== '') return null;
  return days ?? { fromDay: Math.floor(startMs / DAY_MS), toDay: Math.ceil(endMs / DAY_MS) - 1 };
}
