/**
 * A shard's state in parts that other nodes can fetch, and back.
 *
 * Control plane. A part is a segment (one site, one day) or all the rest of the shard's environment. A
 * part is named by its content, so that a day that has not changed is stored once, whoever stores it.
 * The manifest names the parts of one moment and its position in the log; it is replaced only by one
 * of a later position, so the log may be forgotten up to it.
 *
 *     environment ─ one read transaction ─▶ parts ─ those that are new ─▶ objects ─▶ manifest
 */

import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import { errors } from '../model/errors.ts';
import type { StateEnvironment, StateKey } from '../store/state-environment.ts';

/** Format of manifests and parts. */
const FORMAT = 1;
/** Keys of a segment begin with one of these, then the site and the day. */
const SEGMENT_KEYS = new Set<StateKey[number] | undefined>(['h', 'b', 't']);
/** Bytes that are written to a restored environment in one transaction. */
const RESTORE_BYTES = 8 * 1_024 * 1_024;

const packr = new Packr({ useRecords: false });

/** What a snapshot is made of. */
export interface Manifest {
  format: number;
  /** Epoch of the lease under which it was made. */
  epoch: number;
  /** Every record up to it is in the state. */
  position: number;
  /** Part → object. */
  parts: Record<string, string>;
}

/** Where snapshots are kept. */
export interface SnapshotStore {
  readManifest<Found>(shard: number): Promise<{ value: Found; revision: number } | null>;
  writeManifest(shard: number, manifest: unknown, revision: number): Promise<boolean>;
  putObject(name: string, bytes: Uint8Array): Promise<void>;
  getObject(name: string): Promise<Uint8Array>;
  deleteObject(name: string): Promise<void>;
}

/** The newest manifest of a shard. @throws SNAPSHOT_DAMAGED when it is of a newer format. */
export async function newestManifest(
  store: SnapshotStore,
  shard: number,
): Promise<{ value: Manifest; revision: number } | null> {
  const found = await store.readManifest<Manifest>(shard);
  if (found !== null && found.value.format !== FORMAT) {
    const fault = `its format is ${found.value.format}, not ${FORMAT}; update this node`;
    throw errors.SNAPSHOT_DAMAGED({ name: `shard.${shard}`, fault });
  }
  return found;
}

/**
 * Stores a shard's state as of its last checkpoint.
 *
 * @returns the position up to which the log is not needed any more; null when somebody else has
 *   stored a later one, or did so meanwhile.
 */
export async function saveSnapshot(
  environment: StateEnvironment,
  shard: number,
  store: SnapshotStore,
  epoch: number,
): Promise<number | null> {
  const newest = await newestManifest(store, shard);
  const known = new Set(Object.values(newest?.value.parts ?? {}));
  const parts: Record<string, string> = {};
  const snapshot = environment.snapshot();
  try {
    const position = positionOf(snapshot.get(['p']));
    if (newest !== null && newest.value.position >= position) {
      return newest.value.position === position ? position : null;
    }
    for (const { part, entries } of partsOf(snapshot.range())) {
      const bytes = packr.pack(entries);
      const name = `${shard}/${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}`;
      parts[part] = name;
      if (!known.has(name)) await store.putObject(name, bytes);
    }
    const manifest: Manifest = { format: FORMAT, epoch, position, parts };
    if (!(await store.writeManifest(shard, manifest, newest?.revision ?? 0))) return null;
    const needed = new Set(Object.values(parts));
    for (const name of known) if (!needed.has(name)) await store.deleteObject(name);
    return position;
  } finally {
    snapshot.done();
  }
}

/** Fills an empty environment with a snapshot. @throws SNAPSHOT_DAMAGED. */
export async function restoreSnapshot(
  environment: StateEnvironment,
  manifest: Manifest,
  store: SnapshotStore,
): Promise<void> {
  for (const name of Object.values(manifest.parts)) {
    const entries = packr.unpack(await store.getObject(name)) as [StateKey, Uint8Array][];
    for (let first = 0; first < entries.length; ) first = writeSome(environment, entries, first);
  }
  await environment.flushed();
}

/** Position of a shard on disk; 0 when there is none. */
export function positionOf(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : (packr.unpack(bytes) as number);
}

/** @returns the entry after the last that was written. */
function writeSome(
  environment: StateEnvironment,
  entries: readonly [StateKey, Uint8Array][],
  first: number,
): number {
  let at = first;
  environment.write(() => {
    for (let bytes = 0; at < entries.length && bytes < RESTORE_BYTES; at++) {
      const [key, value] = entries[at] as [StateKey, Uint8Array];
      environment.put(key, value);
      bytes += value.length;
    }
  });
  return at;
}

/** Segments' entries are apart from each other by kind of key, so they are gathered first. */
function* partsOf(
  all: Iterable<{ key: StateKey; value: Uint8Array }>,
): Iterable<{ part: string; entries: [StateKey, Uint8Array][] }> {
  const byPart = new Map<string, [StateKey, Uint8Array][]>();
  for (const { key, value } of all) {
    const part = SEGMENT_KEYS.has(key[0]) ? `${key[1]} ${key[2]}` : 'rest';
    const entries = byPart.get(part);
    if (entries === undefined) byPart.set(part, [[key, value]]);
    else entries.push([key, value]);
  }
  for (const [part, entries] of byPart) yield { part, entries };
}
