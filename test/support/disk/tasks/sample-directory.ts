/** A data directory with an account, hits that are saved and hits that are in the log alone. */

import { join } from 'node:path';
import { LocalLogFiles } from '../../../../src/bus/local/log-files.ts';
import { LocalLogReader } from '../../../../src/bus/local/log-reader.ts';
import { frameRecords } from '../../../../src/bus/log/record-frame.ts';
import { encodeGroups } from '../../../../src/bus/record/codec.ts';
import { createFirstAccount } from '../../../../src/control/accounts.ts';
import { Registry } from '../../../../src/control/registry/registry.ts';
import { asDomainId, type DomainId, shardIds } from '../../../../src/model/ids.ts';
import { HOUR_MS } from '../../../../src/model/limits.ts';
import { bindLog } from '../../../../src/runtime/directory/data-layout.ts';
import { Actor } from '../../../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../../../src/shard/state/lease-table.ts';
import { shardOf } from '../../../../src/shard/state/placement.ts';
import { hit, MONDAY_MS } from '../../../shard/hit-builder.ts';

const SHARDS = 2;
/** Of `addHits`. */
export const HITS_PER_RECORD = 40;
const WISH = { email: 'admin@example.org', hostname: 'example.org', name: 'Admin' };

/** Makes it. @returns the id of its domain. */
export async function makeSampleDirectory(dataDir: string): Promise<DomainId> {
  const registry = Registry.open(dataDir, MONDAY_MS);
  const first = await createFirstAccount(registry, WISH, MONDAY_MS);
  await registry.close();
  const domainId = asDomainId(first?.domain.domain.id ?? '');
  bindLog(dataDir, SHARDS, { kind: 'local' });
  addHits(dataDir, domainId, 0);
  await saveAll(dataDir);
  addHits(dataDir, domainId, 1);
  return domainId;
}

/** More hits in the log. */
export function addHits(dataDir: string, domainId: DomainId, part: number): void {
  const options = { dir: join(dataDir, 'log'), durability: 'sync', fileBytes: 65_536 } as const;
  const log = LocalLogFiles.open(options, () => {});
  const hits = Array.from({ length: HITS_PER_RECORD }, (_, index) =>
    hit(part * HITS_PER_RECORD + index, MONDAY_MS + part * HOUR_MS + index * 1_000, {
      path: `/${part}/${index}`,
    }),
  );
  const payload = encodeGroups([
    { domainId, receivedMs: MONDAY_MS, idempotencyHash: '', dropped: null, hits },
  ]);
  log.commit([frameRecords([{ shard: shardOf(domainId, SHARDS), payload }])]);
  log.close();
}

/** What the log has is in the state. */
export async function saveAll(dataDir: string): Promise<void> {
  const actor = openActor(dataDir);
  actor.recover(new LocalLogReader(join(dataDir, 'log')), MONDAY_MS + HOUR_MS);
  await actor.close();
}

/** The actor of all shards. A fault of it is thrown. */
export function openActor(dataDir: string): Actor {
  const onFault = (error: unknown) => {
    throw error;
  };
  const leases = LeaseTable.alone(SHARDS);
  return new Actor({ dataDir, shards: shardIds(SHARDS), leases, onFault });
}
