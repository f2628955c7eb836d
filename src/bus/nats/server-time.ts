/** What time it is for the NATS servers. Control plane. */

import { type NatsConnection, StorageType } from 'nats';
import { systemClock } from '../../base/clock.ts';

/** How far the clock of the servers is from this machine's. */
export interface ClockDistance {
  /** Positive: the servers are ahead. */
  readonly aheadMs: number;
  /** It may be so much more or less: half of the time that the question took. */
  readonly uncertainMs: number;
}

/**
 * Asks by the one answer that tells it: when a stream was made. It is in memory and removed at once.
 *
 * @throws what the servers refuse.
 */
export async function distanceOfServers(connection: NatsConnection): Promise<ClockDistance> {
  const manager = await connection.jetstreamManager();
  const name = `footfall-doctor-${process.pid}`;
  const sentMs = systemClock();
  const { created } = await manager.streams.add({
    ...{ name, subjects: [`${name}.nothing`] },
    ...{ storage: StorageType.Memory, max_msgs: 1 },
  });
  const answeredMs = systemClock();
  await manager.streams.delete(name);
  const uncertainMs = (answeredMs - sentMs) / 2;
  return { aheadMs: Date.parse(created) - sentMs - uncertainMs, uncertainMs };
}
