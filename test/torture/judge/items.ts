/**
 * Holds the ledger of a site against what was sent to it (P-31): items that are stored, dropped by
 * reason, and duplicates.
 */
import type { Node } from '../cluster/cluster.ts';
import type { Site } from '../load/sites.ts';
import { rangeOf } from './questions.ts';
import type { Reader } from './reader.ts';

/** A row of GET /api/v1/ledger. */
export interface LedgerRow {
  received: number;
  stored: { page_views: number; events: number; keep_alives: number };
  opening_events: number;
  dropped: Readonly<Record<string, number>>;
  duplicates: number;
}

/** What may have been counted: least and most. */
type Bounds = readonly [least: number, most: number];

/** Asks one node. @returns what its ledger says that cannot be. */
export async function wrongItems(
  reader: Pick<Reader, 'patiently'>,
  { node, site, round }: { node: Node; site: Site; round: number },
): Promise<string[]> {
  const parameters = { id: site.made.id, ...rangeOf(site, round) };
  const rows = await reader.patiently(node, 'ledger', parameters);
  return differencesOf(site, round, rows as LedgerRow[]).map(
    (text) => `ledger of ${site.name}: ${text}`,
  );
}

function differencesOf(site: Site, round: number, rows: readonly LedgerRow[]): string[] {
  const { pageViews, events, sessions, dropped } = site.world(round);
  const sent = site.sent(round);
  const sum = (of: (row: LedgerRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const extended = sessions.reduce((total, session) => total + session.extended, 0);
  const unsure = [...sent.unsure.values()].reduce((total, count) => total + count, 0);
  const duplicates = sum((row) => row.duplicates);
  const exactly = (count: number): Bounds => [count, count];
  const reasons = new Set([...dropped, ...rows.flatMap((row) => Object.keys(row.dropped))]);
  const found: [what: string, counted: number, bounds: Bounds][] = [
    [
      'rows of page views',
      sum((row) => row.stored.page_views + row.opening_events),
      exactly(pageViews.length),
    ],
    ['events', sum((row) => row.stored.events), exactly(events.length)],
    ['keep-alives', sum((row) => row.stored.keep_alives), exactly(extended)],
    ['duplicates', duplicates, sent.repeats],
    [
      'received without duplicates',
      sum((row) => row.received) - duplicates,
      [sent.items, sent.items + unsure],
    ],
    ...[...reasons].map((reason): [string, number, Bounds] => {
      const due = dropped.filter((text) => text === reason).length;
      const counted = sum((row) => row.dropped[reason] ?? 0);
      return [`dropped by ${reason}`, counted, [due, due + (sent.unsure.get(reason) ?? 0)]];
    }),
  ];
  return found
    .filter(([, counted, [least, most]]) => counted < least || counted > most)
    .map(([what, counted, [least, most]]) => `${what}: ${counted}, not ${least} to ${most}`);
}
