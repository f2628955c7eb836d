/**
 * The ledger of a domain: what is stored of it and what was dropped, day by day (P-31).
 *
 * Control plane. Both are counted where a record is applied and saved with what it changed, and neither
 * is reached by deletions: so they add up to what was sent.
 */

import type { DomainId } from '../../model/ids.ts';
import type { DroppedItems, LedgerDay, LedgerQuestion } from '../../model/ledger.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { DaySums, DropCounts } from './drop-counts.ts';
import { dropsOf } from './drop-store.ts';
import type { DayUsage, UsageCounts } from './usage-counts.ts';
import { eachDay } from './usage-store.ts';

const NOTHING: DayUsage = { views: 0, events: 0, keepAlives: 0, openings: 0 };

/** What is counted of a domain and not stored. */
export interface UnsavedCounts {
  readonly usage: UsageCounts;
  readonly drops: DropCounts | null;
}

/** Which days are asked for, and whether programs are told apart. */
export type AskedDays = Pick<LedgerQuestion, 'span' | 'hasBots'>;

/**
 * The days of a domain on which it was sent something, in order.
 *
 * @param environment null: nothing is stored.
 */
export function ledgerOf(
  environment: StateEnvironment | null,
  domainId: DomainId,
  unsaved: UnsavedCounts,
  { span, hasBots }: AskedDays,
): LedgerDay[] {
  const stored = new Map<number, DayUsage>();
  eachDay(environment, domainId, { span, unsaved: unsaved.usage }, (day, counts) => {
    const { views, events, keepAlives, openings } = stored.get(day) ?? NOTHING;
    stored.set(day, {
      views: views + counts.views,
      events: events + counts.events,
      keepAlives: keepAlives + counts.keepAlives,
      openings: openings + counts.openings,
    });
  });
  const dropped = dropsOf(environment, domainId, { span, unsaved: unsaved.drops });
  const days = new Set([...stored.keys(), ...dropped.keys()]);
  return [...days]
    .sort((left, right) => left - right)
    .map((day) => {
      const { views, events, keepAlives, openings } = stored.get(day) ?? NOTHING;
      const drops = itemsOf(dropped.get(day), hasBots);
      return { day, pageViews: views - openings, events, keepAlives, openings, dropped: drops };
    });
}

function itemsOf(sums: DaySums | undefined, hasBots: boolean): DroppedItems[] {
  const all = [...(sums?.values() ?? [])];
  if (hasBots) return all.map(({ reason, bot, count }) => [reason, bot, count]);
  const byReason = new Map<number, number>();
  for (const { reason, count } of all) byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  return [...byReason].map(([reason, count]) => [reason, '', count]);
}
