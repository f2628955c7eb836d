/**
 * The actor's timer: saves, erasures, and garbage collection after domains were evicted.
 *
 * Control plane around `shard/save/save-loop.ts`.
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { collectGarbage } from '../../base/heap.ts';
import { setSharedInterval } from '../../base/shared-interval.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';
import type { Log } from '../../model/log.ts';
import type { Actor } from '../../shard/actor/actor.ts';
import { DropCounts } from '../telemetry/drop-counts.ts';
import { tellLedger } from '../telemetry/ledger-gauges.ts';

/** How often the actor looks what is due; a domain is saved a second after it got busy. */
const TICK_MS = 250;
/** How often the ledger's sums are told, in milliseconds. */
const LEDGER_MS = 1_000;
/** Domains that left memory, after which it is worth a collection: some ten megabytes. */
const COLLECT_AFTER_DOMAINS = 64;

/**
 * Begins.
 *
 * @param tell.onSaved a position is on disk for good.
 * @param tell.onOutboxNews a shard may have something new to be told.
 * @returns what ends it.
 */
export function keepBeating(
  actor: Actor,
  log: Log,
  tell: {
    onSaved: (shard: ShardId, sequence: Sequence) => void;
    onOutboxNews: (shard: ShardId) => void;
  },
): () => void {
  const drops = new DropCounts(log);
  const noteDrop = (reason: number, count: number) => drops.count(reason, count);
  let rested = 0;
  const collectRested = () => {
    rested += actor.takeEvictedDomains();
    if (rested < COLLECT_AFTER_DOMAINS) return;
    rested = 0;
    collectGarbage();
  };
  let ledgerMs = Number.NEGATIVE_INFINITY;
  const tellSums = () => {
    if (monotonicMs() - ledgerMs < LEDGER_MS) return;
    tellLedger(actor.ledgerSums());
    ledgerMs = monotonicMs();
  };
  let isErasing = false;
  let isClosed = false;
  // Slice by slice, so that records and requests come in between.
  const eraseOn = () => {
    isErasing = !isClosed && actor.erase(systemClock(), monotonicMs);
    if (isErasing) setImmediate(eraseOn);
  };
  const endTicks = setSharedInterval(() => {
    if (!isErasing) eraseOn();
    for (const { id, savedSequence } of actor.tick(systemClock())) tell.onSaved(id, savedSequence);
    actor.takeOutboxNews(tell.onOutboxNews);
    actor.takeDrops(noteDrop);
    tellSums();
    collectRested();
  }, TICK_MS);
  return () => {
    endTicks();
    actor.takeDrops(noteDrop);
    drops.stop();
    isClosed = true;
  };
}
