/** What a domain used, as billing counts it (S-99), and what is asked and answered about it. */
import type { DomainId } from './ids.ts';
import type { SumDays } from './imported-sum.ts';
import { KEEP_ALIVE_COUNT_PER_VIEW } from './limits.ts';

/** Sums over some days. */
export interface Usage {
  readonly views: number;
  readonly events: number;
  /** Those that extended a session. */
  readonly keepAlives: number;
}

/** UTC days since 1970-01-01, both included. */
export interface DaySpan {
  readonly fromDay: number;
  readonly toDay: number;
}

/** A question about many domains of one shard at once. */
export interface UsageQuestion {
  readonly kind: 'usage';
  readonly domainIds: readonly DomainId[];
  /** Null: only when their first rows are is asked for. */
  readonly span: DaySpan | null;
}

/**
 * When the last hit came that was stored of a domain (O-41): milliseconds since the epoch, by the
 * clock of who received it. A deletion of statistics takes nothing back. Unknown is what is
 * damaged.
 */
export type LastHit = number | 'never' | 'unknown';

/** The answer about one domain. */
export interface DomainUsage {
  /** Instant of its first row (M-17), null without rows. */
  readonly firstRowMs: number | null;
  /** Nothing where no days were asked for. */
  readonly usage: Usage;
  readonly lastHit: LastHit;
  /** From the first to the last day with imported sums that are shown (S-98); null without. */
  readonly importedDays: SumDays | null;
}

/** The page views that are billed for a domain (S-99). */
export function billedViews({ views, events, keepAlives }: Usage): number {
  return views + events + Math.floor(keepAlives / KEEP_ALIVE_COUNT_PER_VIEW);
}
