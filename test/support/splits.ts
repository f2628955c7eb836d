/**
 * Sites that are split over lanes or merged while the service runs, for end-to-end tests.
 *
 * Asks for it in the registry, as `footfall domain split` does, and waits until the state on disk
 * says that it has happened.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '../../src/control/registry.ts';
import { splitDomain } from '../../src/control/splits.ts';
import { readLanes } from '../../src/segment/hidden-rows.ts';
import { shardOf } from '../../src/shard/placement.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';

const DONE_WITHIN_MS = 30_000;
const LOOK_MS = 50;

/** Gives every one of the domains another number of lanes. @returns when they have it. */
export async function changeLanes(
  place: { dataDir: string; shards: number },
  domainIds: readonly string[],
  lanes: number,
): Promise<void> {
  const { dataDir } = place;
  const registry = Registry.open(dataDir, Date.now());
  try {
    for (const domain of domainIds) {
      await splitDomain(registry, { domain, lanes, fromMs: null }, Date.now());
    }
  } finally {
    await registry.close();
  }
  const endMs = Date.now() + DONE_WITHIN_MS;
  for (const domainId of domainIds) {
    while ((await lanesOnDisk(place, domainId)) !== lanes) {
      if (Date.now() > endMs) throw new Error(`${domainId} did not get ${lanes} lanes`);
      await sleep(LOOK_MS);
    }
  }
}

/** Lanes that the state in a data directory says a domain has; 1 when it knows nothing of any. */
export async function lanesOnDisk(
  { dataDir, shards }: { dataDir: string; shards: number },
  domainId: string,
): Promise<number> {
  const path = shardStatePath(dataDir, shardOf(domainId, shards));
  if (!existsSync(path)) return 1;
  const environment = new StateEnvironment(path);
  const lanes = readLanes(environment, domainId)?.lanes.at(-1) ?? 1;
  await environment.close();
  return lanes;
}
