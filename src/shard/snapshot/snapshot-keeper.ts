/**
 * A node's snapshots: fetched before a shard opens, stored while it runs and when it closes.
 *
 * Control plane. A restored state replaces the local one only when the local one is behind the
 * snapshot, since the log was trimmed up to there. What the log still has is replayed, which is
 * cheaper. The log is trimmed only up to a stored manifest, so every node finds either the records
 * or the snapshot.
 */

import { monotonicMs } from '../../base/clock.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { BEGINNING, type Epoch, type Sequence, type ShardId } from '../../model/ids.ts';
import { SECOND_MS } from '../../model/limits.ts';
import {
  adoptState,
  draftStatePath,
  openState,
  reopenState,
  sweepState,
} from '../../store/state-directories.ts';
import { StateEnvironment } from '../../store/state-environment.ts';
import { outboxRevision } from '../outbox/outbox-store.ts';
import type { LeaseTable } from '../state/lease-table.ts';
import {
  type Manifest,
  newestManifest,
  positionOf,
  restoreSnapshot,
  type SnapshotStore,
  type StoredGroup,
  saveSnapshot,
} from './snapshot.ts';

/** A shard with anything new is stored this long after the last time … */
const SAVE_EVERY_MS = 10 * SECOND_MS;
/** … or later, so that storing takes this share of a core at most. */
const SAVE_SHARE = 0.05;
/** Shards that are looked at, restored or stored at once. */
const SHARDS_AT_ONCE = 8;
/** How often, and how often at most, it is looked whether a stream has really gone back. */
const LOOK_MS = 250;
const LOOKS = 8;

/** The log as far as snapshots are concerned. */
export interface SnapshotLog {
  /** Name of the stream, for messages. */
  name: string;
  /** When it was made. */
  created: string;
  lastSequence(): Promise<Sequence>;
  /** Forgets a shard's records up to a position. */
  forget(shard: ShardId, sequence: Sequence): Promise<void>;
}

/** What `prepare` found. */
export interface Prepared {
  /** Of the state on disk. */
  position: Sequence;
  isRestored: boolean;
}

/** A shard that is open here. */
interface Watched {
  epoch: Epoch;
  environment: StateEnvironment | null;
  stored: Map<string, StoredGroup>;
  position: Sequence;
  /** Of the outbox, as it was stored. */
  outbox: number;
  dueMs: number;
  saving: Promise<unknown>;
}

/** The snapshots of one node. */
export class SnapshotKeeper {
  readonly #dataDir: string;
  readonly #leases: LeaseTable;
  readonly #store: SnapshotStore;
  readonly #log: SnapshotLog;
  readonly #watched = new Map<ShardId, Watched>();
  readonly #gate = new Semaphore(SHARDS_AT_ONCE);

  constructor(options: {
    dataDir: string;
    leases: LeaseTable;
    store: SnapshotStore;
    log: SnapshotLog;
  }) {
    this.#dataDir = options.dataDir;
    this.#leases = options.leases;
    this.#store = options.store;
    this.#log = options.log;
  }

  /**
   * Makes the state on disk one from which the log can be replayed. Nobody may have it open.
   *
   * @throws SNAPSHOT_DAMAGED, STREAM_WENT_BACK: the state on disk is then as it was.
   */
  prepare(shard: ShardId): Promise<Prepared> {
    return this.#gate.run(async () => {
      for (;;) {
        const found = await newestManifest(this.#store, shard);
        try {
          return await this.#prepareFrom(shard, found?.value ?? null);
        } catch (error) {
          // Parts go when somebody stores a newer snapshot: then that one is the one to take.
          const again = await newestManifest(this.#store, shard);
          if (again === null || again.revision === found?.revision) throw error;
        }
      }
    });
  }

  /** The shard is open: it is stored from time to time until `save` or `forget`. */
  watch(shard: ShardId, epoch: Epoch): void {
    this.forget(shard);
    const dueMs = monotonicMs() + SAVE_EVERY_MS;
    this.#watched.set(shard, {
      ...{ epoch, environment: null, stored: new Map(), position: BEGINNING, outbox: 0, dueMs },
      saving: Promise.resolve(),
    });
  }

  /** The shard is not open any more, and is not stored. */
  forget(shard: ShardId): void {
    const watched = this.#watched.get(shard);
    if (watched === undefined) return;
    this.#watched.delete(shard);
    void watched.saving.catch(() => {}).then(() => watched.environment?.close());
  }

  /** Stores a shard that was saved and closed, for the last time. */
  async save(shard: ShardId): Promise<void> {
    const watched = this.#watched.get(shard);
    if (watched === undefined) return;
    try {
      await this.#storeInTurn(shard, watched);
    } finally {
      if (this.#watched.get(shard) === watched) this.forget(shard);
    }
  }

  /** Begins to store what is due. @param onFault a shard could not be stored; it is tried again. */
  tick(onFault: (error: unknown) => void): void {
    const nowMs = monotonicMs();
    for (const [shard, watched] of this.#watched) {
      if (nowMs < watched.dueMs) continue;
      watched.dueMs = Number.POSITIVE_INFINITY;
      const startMs = monotonicMs();
      this.#storeInTurn(shard, watched)
        .catch(onFault)
        .finally(() => {
          const endMs = monotonicMs();
          watched.dueMs = endMs + Math.max(SAVE_EVERY_MS, (endMs - startMs) / SAVE_SHARE);
        });
    }
  }

  async close(): Promise<void> {
    const all = [...this.#watched.values()];
    for (const shard of [...this.#watched.keys()]) this.forget(shard);
    await Promise.allSettled(all.map(({ saving }) => saving));
  }

  async #prepareFrom(shard: ShardId, manifest: Manifest | null): Promise<Prepared> {
    sweepState(this.#dataDir, shard);
    const { position: local, outbox } = await this.#onDisk(shard, manifest !== null);
    const { name, created } = this.#log;
    if (manifest !== null && manifest.log !== created) {
      const fault = `it belongs to the stream made at ${manifest.log}, but ${name} was made at ${created}; restore that stream, or remove the snapshots with everything else`;
      throw errors.SNAPSHOT_DAMAGED({ name: `shard.${shard}`, fault });
    }
    const counted = Math.max(local, manifest?.position ?? 0);
    let last = await this.#log.lastSequence();
    // Servers that have just elected a leader may have to catch up with what they acknowledged.
    for (let look = 1; counted > last && look < LOOKS; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      last = await this.#log.lastSequence();
    }
    if (counted > last) throw errors.STREAM_WENT_BACK({ stream: name, shard, counted, last });
    // What others have told meanwhile is not told again (O-3); the log has the rest.
    const isAhead = outbox >= (manifest?.outbox ?? 0);
    if (manifest === null || (local >= manifest.position && isAhead)) {
      return { position: local, isRestored: false };
    }
    const draft = draftStatePath(this.#dataDir, shard);
    const environment = new StateEnvironment(draft);
    try {
      await restoreSnapshot(environment, manifest, this.#store);
    } catch (error) {
      await environment.close();
      sweepState(this.#dataDir, shard);
      throw error;
    }
    await environment.close();
    adoptState(this.#dataDir, shard, draft);
    return { position: manifest.position, isRestored: true };
  }

  /** @param isStored whether there is a snapshot: then a damaged state is worth nothing. */
  async #onDisk(
    shard: ShardId,
    isStored: boolean,
  ): Promise<{ position: Sequence; outbox: number }> {
    let environment: StateEnvironment | null = null;
    try {
      environment = openState(this.#dataDir, shard);
    } catch (error) {
      if (!isStored || !(error instanceof OperatingError)) throw error;
    }
    if (environment === null) return { position: BEGINNING, outbox: 0 };
    const position = positionOf(environment.get(['p']));
    const outbox = outboxRevision(environment);
    await environment.close();
    return { position, outbox };
  }

  /** One after the other for each shard. */
  #storeInTurn(shard: ShardId, watched: Watched): Promise<void> {
    const saving = watched.saving
      .catch(() => {})
      .then(() => this.#gate.run(() => this.#storeNow(shard, watched)));
    watched.saving = saving;
    return saving;
  }

  async #storeNow(shard: ShardId, watched: Watched): Promise<void> {
    const isHeld = () => this.#leases.epochOf(shard) === watched.epoch;
    if (!isHeld()) return;
    // A shard without data has no files.
    watched.environment ??= reopenState(this.#dataDir, shard);
    if (watched.environment === null) return;
    watched.environment.refresh();
    const position = positionOf(watched.environment.get(['p']));
    const outbox = outboxRevision(watched.environment);
    if (position <= watched.position && outbox <= watched.outbox) return;
    const saved = await saveSnapshot(watched.environment, this.#store, {
      ...{ shard, epoch: watched.epoch, log: this.#log.created },
      stored: watched.stored,
      isHeld,
    });
    if (saved === null) return;
    watched.position = saved;
    watched.outbox = outbox;
    await this.#log.forget(shard, saved);
  }
}
