/** Puts the ledger of an actor's shards into the metrics (P-30, P-31). Control plane, once a second. */

import type { LedgerSums } from '../../model/ledger.ts';
import { metrics } from '../../model/metrics.ts';

/** @param sums of all shards that the actor has. */
export function tellLedger(sums: LedgerSums): void {
  const { views, events, keepAlives, openings, dropped } = sums;
  const stored = [views - openings, events, keepAlives];
  let received = 0;
  for (const [kind, count] of stored.entries()) {
    metrics.ledgerStored.set(count, kind);
    received += count;
  }
  for (const [reason, count] of dropped.entries()) {
    metrics.ledgerDropped.set(count, reason);
    received += count;
  }
  metrics.ledgerReceived.set(received);
}
