/** The NATS servers: whether they answer, keep streams, and have the same time. Control plane. */

import { natsAccess } from '../../bus/nats/driver.ts';
import type { Settings } from '../../settings/schema.ts';
import { bad, type Finding, fine, warning } from './finding.ts';

type Connection = Awaited<ReturnType<typeof import('../../bus/nats/connection.ts')['openNats']>>;

/** Nodes whose clocks differ by more put hits of one visitor in an order that was not theirs. */
const CLOCK_DISTANCE_MS_MAX = 1_000;

/** Nothing where no servers are set. */
export async function examineNats(settings: Settings): Promise<Finding[]> {
  if (settings.natsServers.length === 0) return [];
  // Loaded here: without NATS nobody needs its client.
  const { openNats } = await import('../../bus/nats/connection.ts');
  try {
    const connection = await openNats(natsAccess(settings), 'footfall doctor');
    try {
      const version = connection.info?.version ?? 'of no version';
      const manager = await connection.jetstreamManager();
      await manager.getAccountInfo();
      return [fine('NATS', `NATS ${version}, JetStream answers`), await clock(connection)];
    } finally {
      await connection.close();
    }
  } catch (error) {
    const change = 'see FOOTFALL_NATS_SERVERS; start the servers with JetStream (-js)';
    return [bad('NATS', (error as Error).message, change)];
  }
}

/** A second clock, where no time service can be asked. */
async function clock(connection: Connection): Promise<Finding> {
  const check = 'clock of NATS';
  const { distanceOfServers } = await import('../../bus/nats/server-time.ts');
  try {
    const { aheadMs, uncertainMs } = await distanceOfServers(connection);
    const side = aheadMs < 0 ? 'behind' : 'ahead of';
    const by = `${Math.abs(Math.round(aheadMs))} ms (± ${Math.ceil(uncertainMs)})`;
    const found = `it is ${by} ${side} this machine's`;
    if (Math.abs(aheadMs) - uncertainMs <= CLOCK_DISTANCE_MS_MAX) return fine(check, found);
    return warning(check, found, 'run a time service on this machine and on those of the servers');
  } catch (error) {
    const change = 'allow this user to make a stream, or compare the clocks by hand (date -u)';
    return warning(check, `unknown: ${(error as Error).message}`, change);
  }
}
