/**
 * Writes a shard's state as parts that other nodes can fetch, and restores it from them.
 *
 * Control plane. A part is some days, or all other entries of the shard's environment (`snapshot-
 * parts.ts`). It is named by its content, so an unchanged day is stored once, whichever node stores
 * it. The manifest names the parts of one moment and its position in the log; it is replaced only
 * by one of a later position, or of later changes of the outbox, so the log may be trimmed up to it.
 *
 *     environment ─ one read transaction ─▶ parts ─ those that are new ─▶ objects ─▶ manifest
 */

import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import { errors } from '../../model/errors.ts';
import { asShardId, BEGINNING, type Epoch, type Sequence, type ShardId } from '../../model/ids.ts';
import type { StateEnvironment, StateSnapshot } from '../../store/state-environment.ts';
import { outboxRevision } from '../outbox/outbox-store.ts';
import {
  dayGroups,
  otherEntries,
  outboxParts,
  type PartEntry,
  partsOfGroup,
} from './snapshot-parts.ts';

/**
 * Format of manifests and parts: an earlier build would count without the sums of formats 3 and 4, and
 * cannot read the related columns of 5.
 */
const FORMAT = 5;
/** The first that is read. */
const FIRST_FORMAT = 2;
/** Bytes that are written to a restored environment in one transaction. */
const RESTORE_BYTES = 8 * 1_024 * 1_024;

/** Parts of one shard that are fetched at once. */
const FETCHES_AT_ONCE = 4;

const packr = new Packr({ useRecords: false });

/** What a snapshot is made of. */
export interface Manifest {
  format: number;
  /** Epoch of the lease under which it was made. */
  epoch: Epoch;
  /** When the stream was made whose positions these are. */
  log: string;
  /** Every record up to it is in the state. */
  position: Sequence;
  /** Of the outbox, which changes between two records, too; absent: 0. */
  outbox?: number;
  /** Part → object. */
  parts: Record<string, string>;
}

/** Where snapshots are kept. */
export interface SnapshotStore {
  readManifest<Found>(shard: ShardId): Promise<{ value: Found; revision: number } | null>;
  writeManifest(shard: ShardId, manifest: unknown, revision: number): Promise<boolean>;
  putObject(name: string, bytes: Uint8Array): Promise<void>;
  getObject(name: string): Promise<Uint8Array>;
  deleteObject(name: string): Promise<void>;
}

/** The newest manifest of a shard. @throws SNAPSHOT_DAMAGED when it is of another format. */
export async function newestManifest(
  store: SnapshotStore,
  shard: ShardId,
): Promise<{ value: Manifest; revision: number } | null> {
  const found = await store.readManifest<Manifest>(shard);
  const format = found?.value.format ?? FORMAT;
  if (format < FIRST_FORMAT || format > FORMAT) {
    const isNewer = format > FORMAT;
    const remedy = isNewer ? 'update this node' : 'use the version that stored it, or begin anew';
    const fault = `its format is ${format}, not ${FORMAT}; ${remedy}`;
    throw errors.SNAPSHOT_DAMAGED({ name: `shard.${shard}`, fault });
  }
  return found;
}

/** What is to be stored, and what is known from the last time. */
export interface SnapshotSave {
  shard: ShardId;
  /** Epoch of the lease under which the shard is open. */
  epoch: Epoch;
  /** Identity of the log. */
  log: string;
  /** Groups of days by stamp as they were stored from this environment; brought up to date. */
  stored: Map<string, StoredGroup>;
  /** Looked at before the manifest is written: false ends it, nothing is replaced. */
  isHeld: () => boolean;
}

/** A group of days that is stored: its parts and their objects. */
export interface StoredGroup {
  stamp: string;
  parts: Record<string, string>;
}

/**
 * Stores a shard's state as of its last checkpoint.
 *
 * @returns the position up to which the log is not needed any more; null when somebody else has
 *   stored a later one, or did so meanwhile.
 */
export async function saveSnapshot(
  environment: StateEnvironment,
  store: SnapshotStore,
  save: SnapshotSave,
): Promise<Sequence | null> {
  const { shard, epoch, log } = save;
  const newest = await newestManifest(store, shard);
  const known = new Set(Object.values(newest?.value.parts ?? {}));
  const snapshot = environment.snapshot();
  try {
    const position = positionOf(snapshot.get(['p']));
    const outbox = outboxRevision(snapshot);
    if (newest !== null && newest.value.position > position) return null;
    if (newest?.value.position === position && (newest.value.outbox ?? 0) >= outbox) {
      return position;
    }
    const parts = await storeParts(snapshot, { store, known, shard, stored: save.stored });
    if (!save.isHeld()) return null;
    const manifest: Manifest = { format: FORMAT, epoch, log, position, outbox, parts };
    if (!(await store.writeManifest(shard, manifest, newest?.revision ?? 0))) return null;
    const needed = new Set(Object.values(parts));
    for (const name of known) if (!needed.has(name)) await store.deleteObject(name);
    return position;
  } finally {
    snapshot.done();
  }
}

/** @returns part → object of everything; objects that are not known yet are stored. */
async function storeParts(
  snapshot: StateSnapshot,
  target: {
    store: SnapshotStore;
    known: ReadonlySet<string>;
    shard: ShardId;
    stored: Map<string, StoredGroup>;
  },
): Promise<Record<string, string>> {
  const { store, known, shard, stored } = target;
  const put = async (entries: PartEntry[]) => {
    const bytes = packr.pack(entries);
    const name = objectName(shard, bytes);
    if (!known.has(name)) await store.putObject(name, bytes);
    return name;
  };
  const groups = dayGroups(snapshot);
  const parts: Record<string, string> = { rest: await put(otherEntries(snapshot)) };
  for (const group of groups) {
    const before = stored.get(group.name);
    const isKept = before?.stamp === group.stamp && areKnown(before.parts, known);
    const own: Record<string, string> = isKept ? before.parts : {};
    if (!isKept) {
      for (const [name, entries] of partsOfGroup(snapshot, group)) own[name] = await put(entries);
    }
    stored.set(group.name, { stamp: group.stamp, parts: own });
    Object.assign(parts, own);
  }
  let index = 0;
  for (const entries of outboxParts(snapshot)) {
    parts[`outbox ${index}`] = await put(entries);
    index++;
  }
  const names = new Set(groups.map(({ name }) => name));
  for (const name of stored.keys()) if (!names.has(name)) stored.delete(name);
  return parts;
}

function areKnown(parts: Record<string, string>, known: ReadonlySet<string>): boolean {
  return Object.values(parts).every((name) => known.has(name));
}

/** Fills an empty environment with a snapshot. @throws SNAPSHOT_DAMAGED. */
export async function restoreSnapshot(
  environment: StateEnvironment,
  manifest: Manifest,
  store: SnapshotStore,
): Promise<void> {
  const names = Object.values(manifest.parts);
  const takeOn = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const entries = unpackPart(name, await store.getObject(name));
      for (let first = 0; first < entries.length; ) first = writeSome(environment, entries, first);
    }
  };
  await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, takeOn));
  const position = positionOf(environment.get(['p']));
  if (position !== manifest.position) {
    const fault = `its parts are of position ${position}, its manifest says ${manifest.position}; restore both from one backup`;
    throw errors.SNAPSHOT_DAMAGED({ name: 'manifest', fault });
  }
}

/** Position of a shard on disk; 0 when there is none. */
export function positionOf(bytes: Uint8Array | undefined): Sequence {
  return bytes === undefined ? BEGINNING : (packr.unpack(bytes) as Sequence);
}

function objectName(shard: ShardId, bytes: Uint8Array): string {
  return `${shard}/${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}`;
}

function unpackPart(name: string, bytes: Uint8Array): PartEntry[] {
  if (objectName(asShardId(Number(name.split('/')[0])), bytes) !== name) {
    const fault = 'it is not what was stored; restore the object store from a backup';
    throw errors.SNAPSHOT_DAMAGED({ name, fault });
  }
  return packr.unpack(bytes) as PartEntry[];
}

/** @returns the entry after the last that was written. */
function writeSome(
  environment: StateEnvironment,
  entries: readonly PartEntry[],
  first: number,
): number {
  let at = first;
  environment.write(() => {
    for (let bytes = 0; at < entries.length && bytes < RESTORE_BYTES; at++) {
      const [key, value] = entries[at] as PartEntry;
      environment.put(key, value);
      bytes += value.length;
    }
  });
  return at;
}
