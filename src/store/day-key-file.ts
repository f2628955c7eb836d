/**
 * The keys of the days (P-22) on disk: a file of places that are written where they are.
 *
 * Control plane. Other files of ours are replaced by a rename, which would leave a destroyed key in
 * blocks that nobody wrote over. Here a place is a sector of its own, so that writing one is done
 * or not done, whatever is killed when, and overwriting it leaves nothing:
 *
 *     place 0 … 15, 512 bytes each:  mark │ day │ key │ CRC-32 of these │ zeros
 *
 * A place that is neither that nor empty is of no use: its day gets another key.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { assert } from '../base/assert.ts';
import { syncDirectory } from '../base/sync-directory.ts';
import { dayKeyPlace } from '../model/key-days.ts';
import { DAY_KEY_BYTES, DAY_KEY_PLACE_COUNT } from '../model/limits.ts';

/** The file in a data directory; no backup has it. */
export const DAY_KEY_FILE = 'visitor-keys';

const PLACE_BYTES = 512;
const FILE_BYTES = PLACE_BYTES * DAY_KEY_PLACE_COUNT;
const OWNER_ONLY = 0o600;
/** `FKD1`: the first layout of a place. */
const MARK = 0x31444b46;
const DAY_AT = 4;
const KEY_AT = 8;
const CHECK_AT = KEY_AT + DAY_KEY_BYTES;

/** The keys of a data directory, by day. */
export class DayKeyFile {
  readonly #file: number;
  /** The day of each place; null: it is empty. */
  readonly #days: (number | null)[];
  /** What was there when it was opened, by day; who takes them overwrites them. */
  readonly found: ReadonlyMap<number, Uint8Array>;
  /** Places that could not be read, and were emptied. */
  readonly damagedCount: number;

  /** Opens what is there, or makes it. @throws what the file system says. */
  constructor(dataDir: string) {
    const path = join(dataDir, DAY_KEY_FILE);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    // Of another size it is not what was written.
    const isCut = size !== undefined && size !== FILE_BYTES;
    if (isCut) destroyDayKeys(dataDir);
    if (isCut || size === undefined) makeFile(path);
    this.#file = openSync(path, 'r+');
    const bytes = Buffer.alloc(FILE_BYTES);
    assert(readSync(this.#file, bytes, 0, FILE_BYTES, 0) === FILE_BYTES, 'the file is whole');
    const places = readPlaces(bytes);
    this.#days = places.map((place) => (typeof place === 'object' ? (place?.day ?? null) : null));
    this.found = new Map(
      places.flatMap((place) => (isKey(place) ? [[place.day, place.key] as const] : [])),
    );
    const damaged = places.flatMap((place, at) => (place === 'damaged' ? [at] : []));
    for (const at of damaged) this.#write(at, Buffer.alloc(PLACE_BYTES));
    if (damaged.length > 0) fsyncSync(this.#file);
    this.damagedCount = damaged.length + (isCut ? 1 : 0);
    bytes.fill(0);
  }

  /** Puts a day's key, over whichever stands in its place; it is on disk when this returns. */
  put(day: number, key: Uint8Array): void {
    const at = dayKeyPlace(day);
    const bytes = placeOf(day, key);
    this.#days[at] = null;
    this.#write(at, bytes);
    bytes.fill(0);
    fsyncSync(this.#file);
    this.#days[at] = day;
  }

  /** Overwrites a day's key; it is gone from the disk when this returns. Without one nothing happens. */
  erase(day: number): void {
    const at = dayKeyPlace(day);
    if (this.#days[at] !== day) return;
    this.#write(at, Buffer.alloc(PLACE_BYTES));
    fsyncSync(this.#file);
    this.#days[at] = null;
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(at: number, bytes: Uint8Array): void {
    const count = writeSync(this.#file, bytes, 0, PLACE_BYTES, at * PLACE_BYTES);
    assert(count === PLACE_BYTES, 'a place is written whole');
  }
}

/** Overwrites all keys of a data directory and removes their file. @returns the days that had one. */
export function destroyDayKeys(dataDir: string): number[] {
  const path = join(dataDir, DAY_KEY_FILE);
  rmSync(`${path}.draft`, { force: true });
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const days = readPlaces(bytes).flatMap((place) => (isKey(place) ? [place.day] : []));
  bytes.fill(0);
  const file = openSync(path, 'r+');
  try {
    writeAll(file, bytes);
  } finally {
    closeSync(file);
  }
  rmSync(path);
  syncDirectory(dataDir);
  return days;
}

/** Whether a data directory's file of keys is not what was written. */
export function hasDamagedDayKeys(dataDir: string): boolean {
  const path = join(dataDir, DAY_KEY_FILE);
  if (!existsSync(path)) return false;
  const bytes = readFileSync(path);
  const isDamaged = bytes.length !== FILE_BYTES || readPlaces(bytes).includes('damaged');
  bytes.fill(0);
  return isDamaged;
}

interface Key {
  readonly day: number;
  readonly key: Uint8Array;
}
type Place = Key | null | 'damaged';

function isKey(place: Place): place is Key {
  return place !== null && place !== 'damaged';
}

function readPlaces(bytes: Buffer): Place[] {
  return Array.from({ length: DAY_KEY_PLACE_COUNT }, (_, at) =>
    readPlace(bytes.subarray(at * PLACE_BYTES, (at + 1) * PLACE_BYTES), at),
  );
}

function readPlace(bytes: Buffer, at: number): Place {
  if (bytes.every((byte) => byte === 0)) return null;
  const day = bytes.readInt32LE(DAY_AT);
  const key = new Uint8Array(bytes.subarray(KEY_AT, CHECK_AT));
  if (dayKeyPlace(day) === at && placeOf(day, key).equals(bytes)) return { day, key };
  return 'damaged';
}

function placeOf(day: number, key: Uint8Array): Buffer {
  assert(key.length === DAY_KEY_BYTES, 'the key of a day has its length');
  const bytes = Buffer.alloc(PLACE_BYTES);
  bytes.writeUInt32LE(MARK, 0);
  bytes.writeInt32LE(day, DAY_AT);
  bytes.set(key, KEY_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECK_AT)), CHECK_AT);
  return bytes;
}

/** There before or after as a whole, and with room: no key is ever refused for want of it. */
function makeFile(path: string): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', OWNER_ONLY);
  try {
    writeAll(file, Buffer.alloc(FILE_BYTES));
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  fsyncSync(file);
}
