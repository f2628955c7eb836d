/**
 * The states of all shards as of about one moment, and the log from the oldest of them on.
 *
 * Control plane. A service beside it saves and trims: what it took from the log between the pins and the
 * copy shows in a state that is newer than its pin, and all of it is begun anew.
 */

import type { LogCopy, StoredLog } from '../../bus/log/driver.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence, type ShardId } from '../../model/ids.ts';
import { positionOf } from '../../shard/snapshot/snapshot.ts';
import { PinnedEnvironment } from '../../store/environment-copy.ts';
import { openState, reopenState, shardStatePath } from '../../store/state-directories.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { BackedUpFile } from './manifest.ts';
import { ObjectWriter } from './object-writer.ts';
import type { BackupSink } from './sink.ts';

const ATTEMPTS = 20;

/** A shard that has a state, at the moment of its pin. */
export interface PinnedState {
  readonly shard: ShardId;
  readonly environment: PinnedEnvironment;
}

/** What `pinStates` found. */
export interface PinnedStates {
  readonly states: readonly PinnedState[];
  /** The log, which is copied already. */
  readonly files: readonly BackedUpFile[];
  readonly lastSequence: Sequence;
}

/**
 * Pins the states and copies the log.
 *
 * @throws STORE_DAMAGED, LOG_DAMAGED; OVERLOADED when the log is trimmed again and again meanwhile.
 */
export function pinStates(
  dataDir: string,
  { shards, log }: { shards: readonly ShardId[]; log: StoredLog },
  sink: BackupSink,
): PinnedStates {
  // LMDB trusts what it opens; a state that is missing is told here, too.
  for (const shard of shards) void openState(dataDir, shard)?.close();
  for (let attempt = 1; ; attempt++) {
    const states = shards.map((shard) => new State(dataDir, shard));
    const isLast = attempt === ATTEMPTS;
    try {
      const after = Math.min(...states.map(({ position }) => position));
      const { files, firstSequence, lastSequence } = copyLog(log, asSequence(after), sink);
      if (!states.some((state) => state.wasTrimmed(firstSequence))) {
        return { states: states.flatMap((state) => state.keep()), files, lastSequence };
      }
    } catch (error) {
      // A file that is given back while it is read looks damaged.
      if (isLast) throw error;
    } finally {
      for (const state of states) state.close();
    }
    if (isLast) {
      throw errors.OVERLOADED({ reason: 'the service saves faster than its log can be copied' });
    }
  }
}

/** One shard while it is pinned. */
class State {
  readonly shard: ShardId;
  /** Every record up to it is in the pinned state. */
  readonly position: Sequence;
  readonly #dataDir: string;
  readonly #environment: StateEnvironment | null;
  #pinned: PinnedEnvironment | null;

  constructor(dataDir: string, shard: ShardId) {
    this.shard = shard;
    this.#dataDir = dataDir;
    this.#environment = reopenState(dataDir, shard);
    // Before the pin, which may have more.
    this.position = savedPosition(this.#environment);
    this.#pinned =
      this.#environment === null ? null : new PinnedEnvironment(shardStatePath(dataDir, shard));
  }

  /** @param first position of the first record in the copy. */
  wasTrimmed(first: number): boolean {
    if (this.position + 1 >= first) return false;
    const environment = this.#environment ?? reopenState(this.#dataDir, this.shard);
    environment?.refresh();
    const saved = savedPosition(environment);
    if (this.#environment === null) void environment?.close();
    return saved > this.position;
  }

  /** `close` leaves the pin to the caller. */
  keep(): PinnedState[] {
    const environment = this.#pinned;
    this.#pinned = null;
    return environment === null ? [] : [{ shard: this.shard, environment }];
  }

  close(): void {
    this.#pinned?.release();
    void this.#environment?.close();
  }
}

function savedPosition(environment: StateEnvironment | null): Sequence {
  return environment === null ? BEGINNING : positionOf(environment.get(['p']));
}

function copyLog(
  log: StoredLog,
  after: Sequence,
  sink: BackupSink,
): LogCopy & { files: BackedUpFile[] } {
  const files: BackedUpFile[] = [];
  let writer: { name: string; of: ObjectWriter } | null = null;
  const end = () => {
    if (writer !== null) files.push(writer.of.end());
  };
  const copied = log.copy(after, (name, bytes) => {
    if (writer?.name !== name) {
      end();
      writer = { name, of: new ObjectWriter(`log/${name}`, sink) };
    }
    writer.of.write(bytes);
  });
  end();
  return { ...copied, files };
}
