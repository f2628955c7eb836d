/**
 * The actor's thread: recovery first, then records, requests and checkpoints as they come.
 *
 * Control plane around the data plane of `shard/actor/actor.ts`.
 */

import type { MessagePort } from 'node:worker_threads';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { driverOf } from '../../bus/drivers.ts';
import { LogLinkFeed } from '../../bus/log/feed.ts';
import type { LogActorLink } from '../../bus/log/links.ts';
import { causeOf, setStateFault } from '../../bus/log/write-faults.ts';
import { answerCalls } from '../../bus/request-reply.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';
import type { LiveWish } from '../../model/live.ts';
import { openLog } from '../../model/log.ts';
import type { CountedDay } from '../../segment/disk/day-counts.ts';
import type { SummedDays } from '../../segment/disk/day-sums.ts';
import type { Settings } from '../../settings/schema.ts';
import { Actor } from '../../shard/actor/actor.ts';
import type { ActorRequest } from '../../shard/actor/protocol.ts';
import { LeaseTable } from '../../shard/state/lease-table.ts';
import type { Opening } from '../../shard/state/open-shards.ts';
import { isDamage } from '../../shard/state/set-aside.ts';
import { DamageLog } from '../telemetry/damage-log.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';
import { traceThread } from '../telemetry/thread-traces.ts';
import { keepBeating } from './actor-beat.ts';

/** What an actor thread is started with. */
export interface ActorThreadData {
  index: number;
  settings: Settings;
  /** Of the log's driver, which says whether there is something to replay. */
  logKind: string;
  /** Ids of the shards that it opens at the start; others come over `control`. */
  shards: readonly ShardId[];
  /** Memory of the node's `LeaseTable`. */
  leases: LeaseTable['memory'];
  /** Calls of the main thread. */
  control: MessagePort;
  log: LogActorLink;
  /** By edge. */
  edgePorts: readonly MessagePort[];
  /** Who is looked at comes in, what was stored of them goes out (`live/live-hub.ts`). */
  live: MessagePort;
  /** Which shards have something new to be told, as numbers, to the thread that sends. */
  outbox: MessagePort;
}

/** What the main thread may ask of an actor. */
export type ActorCall =
  /** Opens a shard: its position. Its records are those that the log sends for this opening. */
  | { kind: 'open'; opening: Opening }
  /** Resolves when the shard has come to the position. */
  | { kind: 'caught-up'; shard: ShardId; sequence: Sequence }
  /** Saves it and lets go of it; `drop` does not save. */
  | { kind: 'close' | 'drop'; shard: ShardId }
  /** Keeps what was counted of days of one shard, if they are still as they were. */
  | { kind: 'keep'; days: readonly CountedDay[] }
  /** The same of a sum of days. */
  | { kind: 'keep-sum'; sum: SummedDays };

/** Positions on disk, told to the main thread as they move. */
export type SavedSequences = readonly { shard: ShardId; sequence: Sequence }[];

/** A running actor thread. */
export interface ActorThread {
  /** Positions found on disk at the start. */
  saved: SavedSequences;
  /** Saves everything and lets go of the files. */
  close(): Promise<void>;
}

/**
 * Recovers the actor's shards and starts it.
 *
 * @param onSaved called with positions that are on disk for good: the log may be trimmed to them.
 */
export function openActorThread(
  data: ActorThreadData,
  onSaved: (saved: SavedSequences) => void,
): ActorThread {
  const { settings, edgePorts } = data;
  watchThread('actor', data.index);
  const endTraces = traceThread(`actor-${data.index}`);
  const log = openLog({
    level: settings.logLevel,
    format: settings.logFormat,
    thread: `actor-${data.index}`,
  });
  const damage = new DamageLog(log);
  const actor = new Actor({
    dataDir: settings.dataDir,
    shards: data.shards,
    leases: new LeaseTable(data.leases),
    onFault(error) {
      damage.tellFault(error);
      if (!isDamage(error)) setStateFault(data.log.memory, data.index, causeOf(error));
    },
    // What waits is not applied: it counts for the bound of the backlog.
    onHeld: (bytes) => Atomics.sub(data.log.memory.applied, data.index, bytes),
    onMended: () => setStateFault(data.log.memory, data.index, 0),
  });
  const startedMs = monotonicMs();
  const reader = driverOf(data.logKind).reader(settings.dataDir);
  const replayedHits = reader === null ? 0 : actor.recover(reader, systemClock());
  const tookMs = Math.round(monotonicMs() - startedMs);
  log.tell('shards.recovered', { shards: data.shards.length, replayedHits, tookMs });

  const feed = new LogLinkFeed(data.log);
  feed.onRecords(
    (records) => actor.onRecords(records, systemClock()),
    ({ shard, opening }) => actor.begin(shard, opening),
  );
  answerCalls(data.control, (call: ActorCall) => carryOut(actor, call));
  for (const port of edgePorts) {
    answerCalls(port, (request: ActorRequest) => actor.ask(request, systemClock()));
  }
  const { live } = data;
  actor.taps.onNews((news) => live.postMessage(news));
  live.on('message', ({ domainId, isWatched }: LiveWish) => actor.taps.set(domainId, isWatched));
  const rest = keepBeating(actor, log, {
    onSaved: (shard, sequence) => onSaved([{ shard, sequence }]),
    onOutboxNews: (shard) => data.outbox.postMessage(shard),
  });
  return {
    saved: actor.savedSequences(),
    async close() {
      rest();
      feed.close();
      for (const port of [...edgePorts, data.control, live, data.outbox]) port.close();
      await actor.close();
      await endTraces();
    },
  };
}

function carryOut(actor: Actor, call: ActorCall): Promise<unknown> {
  switch (call.kind) {
    case 'open':
      return actor.open(call.opening);
    case 'caught-up':
      return actor.caughtUp(call.shard, call.sequence);
    case 'close':
      return actor.closeShard(call.shard);
    case 'drop':
      return actor.drop(call.shard);
    case 'keep':
      return actor.keepCounts(call.days);
    case 'keep-sum':
      return actor.keepSum(call.sum);
  }
}
