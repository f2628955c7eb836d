/** What became of the items that a domain was sent, by UTC day (P-31), and what is asked and answered of it. */
import type { DomainId } from './ids.ts';
import type { DaySpan } from './usage.ts';

/** Dropped items of a day, duplicates too: index in `DROP_REASONS`, name of the program or '', count. */
export type DroppedItems = readonly [reason: number, bot: string, count: number];

/** A day on which items were sent. */
export interface LedgerDay {
  /** UTC days since 1970-01-01. */
  readonly day: number;
  /** Stored items by kind. An event that opened a session counts as an event, not as a page view. */
  readonly pageViews: number;
  readonly events: number;
  readonly keepAlives: number;
  /** Events that opened a session: each wrote a page view, too (I-50). */
  readonly openings: number;
  readonly dropped: readonly DroppedItems[];
}

/** The same of many days and domains, as it is counted: openings are page views, too. */
export interface LedgerSums {
  views: number;
  events: number;
  keepAlives: number;
  openings: number;
  /** By index in `DROP_REASONS`; duplicates too. */
  readonly dropped: number[];
}

/** A question about one domain. */
export interface LedgerQuestion {
  readonly kind: 'ledger';
  readonly domainIds: readonly [DomainId];
  readonly span: DaySpan;
  /** Whether programs are told apart; else their names are ''. */
  readonly hasBots: boolean;
}
