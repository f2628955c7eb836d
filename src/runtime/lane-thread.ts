/**
 * The thread of a lane, and how an actor's thread starts it: `shard/lane-host.ts`, `shard/lanes.ts`.
 *
 * Control plane. Calls have a port of their own; the worker's carries the start, positions and the end.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { openLog } from '../base/log.ts';
import { errors } from '../model/errors.ts';
import type { Settings } from '../settings/schema.ts';
import { noteDeath } from '../shard/lane-feed.ts';
import { LaneHost } from '../shard/lane-host.ts';
import type { LaneCall, SpawnLane } from '../shard/lane-protocol.ts';
import { LeaseTable } from '../shard/lease-table.ts';
import { keepBeating } from './actor-beat.ts';
import { DamageLog } from './damage-log.ts';
import { answerCalls, PortCaller } from './port-calls.ts';
import { commandThread } from './thread-link.ts';
import { beginThread, type ThreadStart } from './threads.ts';

/** What a lane's thread is started with. */
export interface LaneThreadData {
  /** Of the actor. */
  index: number;
  /** From 1. */
  lane: number;
  settings: Settings;
  leases: LeaseTable['memory'];
  /** Shared with the actor (`shard/lane-feed.ts`). */
  memory: Int32Array<SharedArrayBuffer>;
  /** The actor's calls. */
  calls: MessagePort;
}

/** What a lane tells its actor unasked. */
export interface LaneSaved {
  saved: { shard: number; sequence: number };
}

/** A running lane. */
export interface LaneThread {
  /** Saves everything and lets go of the files. */
  close(): Promise<void>;
}

/** Starts to answer the actor's calls. @param tell sends the actor what it did not ask for. */
export function openLaneThread(
  data: LaneThreadData,
  tell: (message: LaneSaved) => void,
): LaneThread {
  const { settings, lane, memory } = data;
  // Whoever waits for this thread without its event loop hears of its end, whatever it is.
  process.once('exit', () => noteDeath(memory));
  const thread = `actor-${data.index}-lane-${lane}`;
  const log = openLog({ level: settings.logLevel, format: settings.logFormat, thread });
  process.once('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'a lane died'));
  const damage = new DamageLog(log);
  const host = new LaneHost({
    dataDir: settings.dataDir,
    leases: new LeaseTable(data.leases),
    ...{ lane, memory },
    onFault: (error) => damage.tellFault(error),
  });
  answerCalls(data.calls, (call: LaneCall) => host.answer(call, systemClock()));
  const rest = keepBeating(
    host.actor,
    (shard, sequence) => tell({ saved: { shard, sequence } }),
    log,
  );
  return {
    async close() {
      rest();
      data.calls.close();
      await host.actor.close();
    },
  };
}

/**
 * What starts an actor's lanes. The death of one is thrown on the actor's thread, which it ends.
 *
 * @param options.onSaved a position of a lane is on disk for good.
 */
export function laneSpawner(options: {
  index: number;
  settings: Settings;
  leases: LeaseTable['memory'];
  onSaved: (lane: number, shard: number, sequence: number) => void;
}): SpawnLane {
  const { index, settings, leases, onSaved } = options;
  return (lane, memory) => {
    const { port1, port2 } = new MessageChannel();
    const data: LaneThreadData = { index, lane, settings, leases, memory, calls: port2 };
    const worker = beginThread('lane', data, [port2]);
    const die = (reason: string, cause?: unknown): never => {
      throw errors.LANE_DIED({ lane, actor: index, reason }, cause);
    };
    let isEnding = false;
    worker.on('message', (message: ThreadStart<null> | LaneSaved | string) => {
      if (typeof message === 'string') return;
      if ('saved' in message) onSaved(lane, message.saved.shard, message.saved.sequence);
      if ('failed' in message) {
        die(`it did not start: ${JSON.stringify(message.failed)}`);
      }
    });
    worker.once('error', (cause) => {
      die((cause as Error).message, cause);
    });
    worker.once('exit', () => {
      if (!isEnding) die('it ended by itself');
    });
    const caller = new PortCaller<LaneCall>(port1);
    return {
      tell: (call) => caller.tell(call),
      call: (call) => caller.call(call),
      async end() {
        isEnding = true;
        await commandThread(worker, 'stop');
        caller.close();
      },
    };
  };
}
