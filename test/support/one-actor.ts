/** An actor with one shard in a temporary directory, led by the test's own clock, and its state on disk. */

import { rmSync } from 'node:fs';
import { encodeGroups } from '../../src/bus/record/codec.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId, asSequence, asShardId } from '../../src/model/ids.ts';
import { Actor } from '../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { makeTemporaryDirectory } from './service.ts';

/** A fault of the actor is thrown. */
export class OneActor {
  readonly actor: Actor;
  /** What it has saved; `refresh` it after a tick. */
  readonly environment: StateEnvironment;
  readonly #dataDir = makeTemporaryDirectory();
  #sequence = 0;

  constructor() {
    const onFault = (error: unknown) => {
      throw error;
    };
    const leases = LeaseTable.alone(1);
    const dataDir = this.#dataDir;
    this.actor = new Actor({ dataDir, shards: [asShardId(0)], leases, onFault });
    this.environment = new StateEnvironment(shardStatePath(dataDir, asShardId(0)));
  }

  /** Hands it hits of the domain `a` in one record. */
  apply(hits: Hit[], nowMs: number): void {
    const head = {
      domainId: asDomainId('a'),
      receivedMs: nowMs,
      idempotencyHash: '',
      dropped: null,
    };
    const payload = encodeGroups([{ ...head, hits }]);
    this.actor.onRecords(
      [{ shard: asShardId(0), sequence: asSequence(++this.#sequence), payload }],
      nowMs,
    );
  }

  async close(): Promise<void> {
    await this.actor.close();
    await this.environment.close();
    rmSync(this.#dataDir, { recursive: true });
  }
}
