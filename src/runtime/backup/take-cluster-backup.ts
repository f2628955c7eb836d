/**
 * Takes a backup of a cluster from its NATS servers, beside its nodes or without any of them.
 *
 * Control plane. What counts is in the streams: the registry, a snapshot of each shard, and the records
 * behind it; no node is asked, so that it does not matter which one owns a shard, or dies meanwhile.
 *
 *     spools are empty ─▶ the registry is pinned ─▶ records of each shard, from its snapshot on
 *                                                      └─▶ snapshots, as they are then ─▶ the log
 *
 * Records are forgotten only behind a snapshot that is stored. So what is missing in the copy of the
 * records is in the snapshots that are read after it. What both have is passed over by the sequences of
 * the stream, which the records keep: what comes of it is a data directory with a log of its own.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import { LogDraft } from '../../bus/local/log-draft.ts';
import { natsAccess } from '../../bus/nats/driver.ts';
import { NatsPeer } from '../../bus/nats/peer.ts';
import { NatsSnapshots } from '../../bus/nats/snapshots/snapshots.ts';
import { StreamCopy } from '../../bus/nats/stream-copy.ts';
import { errors } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence, type ShardId, shardIds } from '../../model/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../model/limits.ts';
import { packageVersion } from '../../settings/package-root.ts';
import type { Settings } from '../../settings/schema.ts';
import {
  newestManifest,
  restoreSnapshot,
  type SnapshotStore,
} from '../../shard/snapshot/snapshot.ts';
import { type CopiedEntry, PinnedEnvironment } from '../../store/environment-copy.ts';
import { bufferToKeyValue } from '../../store/lmdb-keys.ts';
import { isStreamBinding } from '../../store/registry-store.ts';
import { registryPath } from '../../store/registry-table.ts';
import { stateName } from '../../store/state-directories.ts';
import { StateEnvironment } from '../../store/state-environment.ts';
import type { Board } from '../cluster/lease-plan.ts';
import { lockDirectory } from '../directory/data-dir-lock.ts';
import { LAYOUT_NAME, ownLayoutText } from '../directory/data-layout.ts';
import { openRegistry } from '../node-registry.ts';
import {
  CLUSTER_DRAFT_NAME,
  copyEnvironment,
  copyFile,
  NODE_FILES,
  otherFiles,
} from './copied-contents.ts';
import {
  BACKUP_FORMAT,
  type BackedUpEnvironment,
  type BackedUpFile,
  type BackupManifest,
  manifestText,
} from './manifest.ts';
import { ObjectWriter } from './object-writer.ts';
import type { BackupSink } from './sink.ts';
import { spoolsAreEmpty } from './spool-check.ts';
import { type StreamRecordPlace, StreamRecords } from './stream-records.ts';

/** How long hits that wait in spools are waited for. */
const SPOOL_MS = MINUTE_MS;
const ANSWER_MS = 5 * SECOND_MS;
/** Snapshots of a shard that may be replaced while their parts are read. */
const ATTEMPTS = 20;
const SHARDS_AT_ONCE = 8;
const LOCK_NAME = 'backup.lock';

/**
 * Takes a backup of the cluster of the settings; files beside it are those of the settings' data
 * directory.
 *
 * @returns what was written last.
 * @throws what opening the streams throws; SNAPSHOT_DAMAGED, LOG_UNAVAILABLE; OVERLOADED when hits stay
 *   in a spool; DATA_DIR_IN_USE when another backup runs on the data directory.
 */
export async function takeClusterBackup(
  settings: Settings,
  sink: BackupSink,
): Promise<BackupManifest> {
  const access = natsAccess(settings);
  const { natsPrefix: prefix, dataDir } = settings;
  const stream = await StreamCopy.open(access, prefix);
  try {
    const { shards, replicas } = stream;
    const name = 'footfall backup';
    const store = await NatsSnapshots.open({ access, name, prefix, shards, replicas, bytesMax: 0 });
    try {
      await waitForSpools(settings, replicas);
      return await inDraft(dataDir, (draft) => {
        return new ClusterBackup({ settings, sink, stream, store, draft }).take();
      });
    } finally {
      await store.close();
    }
  } finally {
    await stream.close();
  }
}

async function waitForSpools(settings: Settings, replicas: number): Promise<void> {
  const identity = { prefix: settings.natsPrefix, node: '', name: 'footfall backup' };
  const peer = await NatsPeer.open(natsAccess(settings), identity);
  try {
    const documents = await peer.documents('leases', { replicas, timeoutMs: ANSWER_MS });
    const read = async () => (await documents.read<Board>('board'))?.value ?? null;
    await spoolsAreEmpty(read, SPOOL_MS);
  } finally {
    await peer.close();
  }
}

/** Runs with an empty directory for what is not needed afterwards. */
async function inDraft<Result>(
  dataDir: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = join(dataDir, CLUSTER_DRAFT_NAME);
  makePrivateDirectory(draft);
  const lock = lockDirectory(draft, LOCK_NAME);
  const clear = () => {
    for (const name of readdirSync(draft).filter((each) => each !== LOCK_NAME)) {
      rmSync(join(draft, name), { recursive: true, force: true });
    }
  };
  try {
    clear();
    return await work(draft);
  } finally {
    clear();
    lock.release();
  }
}

class ClusterBackup {
  readonly #settings: Settings;
  readonly #sink: BackupSink;
  readonly #stream: StreamCopy;
  readonly #store: SnapshotStore;
  readonly #draft: string;
  readonly #records: StreamRecords;

  constructor(parts: {
    settings: Settings;
    sink: BackupSink;
    stream: StreamCopy;
    store: SnapshotStore;
    draft: string;
  }) {
    this.#settings = parts.settings;
    this.#sink = parts.sink;
    this.#stream = parts.stream;
    this.#store = parts.store;
    this.#draft = parts.draft;
    this.#records = new StreamRecords(join(parts.draft, 'records'));
  }

  async take(): Promise<BackupManifest> {
    const { dataDir } = this.#settings;
    const madeAt = new Date(systemClock()).toISOString();
    try {
      const registry = await this.#registry();
      await this.#copyRecords();
      const end = await this.#stream.end();
      const positions = new Map<ShardId, Sequence>();
      const environments = [registry];
      for (const shard of shardIds(this.#stream.shards)) {
        const state = await this.#state(shard);
        positions.set(shard, state?.position ?? BEGINNING);
        if (state !== null) environments.push(state.copied);
      }
      const log = this.#log(positions, asSequence(Math.max(end, ...positions.values())));
      const others = otherFiles(dataDir).filter((path) => !NODE_FILES.has(path));
      const files = [
        ...[this.#text(LAYOUT_NAME, ownLayoutText(this.#stream.shards)), ...log.files],
        ...others.flatMap((path) => copyFile(dataDir, path, this.#sink)),
      ];
      const manifest: BackupManifest = {
        ...{ format: BACKUP_FORMAT, version: packageVersion(), madeAt },
        ...{ lastSequence: log.lastSequence, environments, files },
      };
      this.#sink.finish(manifestText(manifest));
      return manifest;
    } finally {
      this.#records.close();
    }
  }

  /** The directory's copy, brought up to the end of its stream; bound to no stream any more. */
  async #registry(): Promise<BackedUpEnvironment> {
    const { dataDir } = this.#settings;
    const opened = await openRegistry(this.#settings, systemClock(), () => {});
    await opened.close();
    const pinned = new PinnedEnvironment(registryPath(dataDir));
    try {
      const isWanted = ({ tree, key }: CopiedEntry) =>
        !isStreamBinding(tree, bufferToKeyValue(key));
      const as = { path: 'registry', shard: null };
      return copyEnvironment(pinned, as, this.#sink, isWanted);
    } finally {
      pinned.release();
    }
  }

  async #copyRecords(): Promise<void> {
    const shards = shardIds(this.#stream.shards);
    const takeOn = async () => {
      for (let shard = shards.pop(); shard !== undefined; shard = shards.pop()) {
        const of = shard;
        const snapshotPosition = async () =>
          (await this.#manifest(of))?.value.position ?? BEGINNING;
        const after = await snapshotPosition();
        await this.#stream.copy(of, { after, snapshotPosition }, (sequence, frame) => {
          this.#records.add({ shard: of, sequence, frame });
        });
      }
    };
    await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, takeOn));
  }

  async #manifest(shard: ShardId) {
    const found = await newestManifest(this.#store, shard);
    if (found !== null && found.value.log !== this.#stream.created) {
      const fault = `it belongs to the stream made at ${found.value.log}, but ${this.#stream.name} was made at ${this.#stream.created}`;
      throw errors.SNAPSHOT_DAMAGED({ name: `shard.${shard}`, fault });
    }
    return found;
  }

  /** The newest snapshot of a shard; null when nothing of it was ever stored. */
  async #state(
    shard: ShardId,
  ): Promise<{ copied: BackedUpEnvironment; position: Sequence } | null> {
    const path = join(this.#draft, stateName(shard));
    const store = this.#keptParts();
    let position = BEGINNING;
    for (let attempt = 1; ; attempt++) {
      const found = await this.#manifest(shard);
      if (found === null) return null;
      position = found.value.position;
      rmSync(path, { recursive: true, force: true });
      try {
        const environment = new StateEnvironment(path);
        try {
          await restoreSnapshot(environment, found.value, store);
        } finally {
          await environment.close();
        }
        break;
      } catch (error) {
        // Its parts go when a newer one is stored, of which most are the same.
        const again = await this.#manifest(shard);
        if (attempt === ATTEMPTS || again?.revision === found.revision) throw error;
      }
    }
    const pinned = new PinnedEnvironment(path);
    try {
      const as = { path: `state/${stateName(shard)}`, shard };
      return { copied: copyEnvironment(pinned, as, this.#sink), position };
    } finally {
      pinned.release();
      rmSync(path, { recursive: true, force: true });
      rmSync(join(this.#draft, 'parts'), { recursive: true, force: true });
    }
  }

  /** What was fetched for a snapshot that was replaced meanwhile is not fetched again. */
  #keptParts(): SnapshotStore {
    const folder = join(this.#draft, 'parts');
    const store = this.#store;
    mkdirSync(folder, { recursive: true });
    return {
      readManifest: (shard) => store.readManifest(shard),
      writeManifest: async () => false,
      putObject: async () => undefined,
      deleteObject: async () => undefined,
      async getObject(name) {
        const path = join(folder, name.replaceAll('/', '-'));
        if (existsSync(path)) return readFileSync(path);
        const bytes = await store.getObject(name);
        writeFileSync(path, bytes);
        return bytes;
      },
    };
  }

  /** @param end at or behind all sequences that a state may have met. */
  #log(
    positions: ReadonlyMap<ShardId, Sequence>,
    end: Sequence,
  ): { files: BackedUpFile[]; lastSequence: Sequence } {
    const isNew = ({ shard, sequence }: StreamRecordPlace) =>
      sequence > (positions.get(shard) ?? BEGINNING);
    const places = this.#records.places().filter(isNew);
    const after = places[0] === undefined ? end : asSequence(places[0].sequence - 1);
    const writers = new Map<string, ObjectWriter>();
    const log = new LogDraft(after, (name, bytes) => {
      const writer = writers.get(name) ?? new ObjectWriter(`log/${name}`, this.#sink);
      writers.set(name, writer);
      writer.write(bytes);
    });
    for (const place of places) log.add(place.sequence, this.#records.frameAt(place));
    log.fillTo(end);
    log.end();
    const files = [...writers.values()].map((writer) => writer.end());
    return { files, lastSequence: log.lastSequence };
  }

  #text(path: string, text: string): BackedUpFile {
    const writer = new ObjectWriter(path, this.#sink);
    writer.write(Buffer.from(text));
    return writer.end();
  }
}
