/**
 * What the state of a shard says of split domains (DECISIONS 33): the lanes of each generation, and
 * which session rows of a stored segment do not count any more, since their visitor was copied.
 *
 * Data plane for the rows: numbers as they lie in memory, in chunks, so that a save appends to one.
 * The letters of the keys are none of those that snapshots cut by day (`shard/snapshot-parts.ts`).
 *
 *     ['j', holder, day, lane, chunk]  rows of the holder's day that a lane has copied; any order,
 *                                      a row may be there twice; only ever more
 *     ['l', domain]                    lanes by generation, of the base
 *     ['l', domain, lane]              the same as far as a lane (1 and up) has come
 */

import { Packr } from 'msgpackr';
import type { StateEnvironment, StateKey, StateSnapshot } from '../store/state-environment.ts';

const packr = new Packr({ useRecords: false });

const ROW_BYTES = 4;
/** Rows that a chunk has at the most: what a save of one more row writes, 16 KB. */
export const HIDDEN_CHUNK_ROWS = 4_096;

/** An environment as it is now, or a moment of it. */
export type LaneReader = Pick<StateEnvironment | StateSnapshot, 'get' | 'range'>;

/** Whose rows are hidden, and by whom. */
export interface HiddenPlace {
  /** Name under which the rows are stored (`holderId`). */
  readonly holderId: string;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  /** Who copied them, as text: `${generation}.${lane}`. */
  readonly lane: string;
}

/** A split domain as the state has it. */
export interface SavedLanes {
  /** Number of lanes by generation: all their holders may have something. */
  lanes: readonly number[];
  /** Position in the log of the record that said so. */
  sequence: number;
  /** Record since which the lane has followed the domain without a gap. */
  bornSequence: number;
}

/** Key of a chunk of hidden rows. */
export function hiddenKey({ holderId, day, lane }: HiddenPlace, chunk: number): StateKey {
  return ['j', holderId, day, lane, chunk];
}

/** Rows as the bytes of a value: 32 bits each, little-endian. */
export function encodeHidden(rows: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(rows.length * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < rows.length; index++) {
    view.setUint32(index * ROW_BYTES, rows[index]!, true);
  }
  return bytes;
}

/** The rows of a value. */
export function decodeHidden(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = new Uint32Array(bytes.byteLength / ROW_BYTES);
  for (let index = 0; index < rows.length; index++) {
    rows[index] = view.getUint32(index * ROW_BYTES, true);
  }
  return rows;
}

/**
 * Adds rows to those that a lane has hidden. Inside a write transaction, the one that saves the copies.
 *
 * @cost a read and a write of the place's last chunk, and of those that the rows fill.
 */
export function appendHidden(
  environment: StateEnvironment,
  place: HiddenPlace,
  rows: ArrayLike<number>,
): void {
  const end = hiddenKey(place, Number.MAX_SAFE_INTEGER);
  const last = environment.last(hiddenKey(place, 0), end);
  const held = last === undefined ? [] : [...decodeHidden(last.value)];
  let chunk = (last?.key[4] as number | undefined) ?? 0;
  for (let index = 0; index < rows.length; index++) {
    if (held.length === HIDDEN_CHUNK_ROWS) {
      environment.put(hiddenKey(place, chunk), encodeHidden(held));
      chunk++;
      held.length = 0;
    }
    held.push(rows[index]!);
  }
  if (held.length > 0) environment.put(hiddenKey(place, chunk), encodeHidden(held));
}

/** The hidden rows of a holder's day, by whichever lane; in any order, a row may be there twice. */
export function readHidden(reader: LaneReader, holderId: string, day: number): Uint32Array {
  const found = readHiddenDays(reader, holderId, { firstDay: day, lastDay: day });
  return found.get(day) ?? new Uint32Array(0);
}

/** The same of all days from `firstDay` to `lastDay` that have any, both included. */
export function readHiddenDays(
  reader: LaneReader,
  holderId: string,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Map<number, Uint32Array> {
  const chunks = new Map<number, Uint32Array[]>();
  for (const { key, value } of reader.range(
    ['j', holderId, firstDay],
    ['j', holderId, lastDay + 1],
  )) {
    const day = key[2] as number;
    const ofDay = chunks.get(day);
    if (ofDay === undefined) chunks.set(day, [decodeHidden(value)]);
    else ofDay.push(decodeHidden(value));
  }
  const days = new Map<number, Uint32Array>();
  for (const [day, ofDay] of chunks) days.set(day, joined(ofDay));
  return days;
}

/**
 * The lanes of a domain.
 *
 * @param lane 0 is the base, whose word readers of the domain go by.
 * @returns null: never split.
 */
export function readLanes(reader: LaneReader, domainId: string, lane = 0): SavedLanes | null {
  const bytes = reader.get(lanesKey(domainId, lane));
  return bytes === undefined ? null : (packr.unpack(bytes) as SavedLanes);
}

/** Says what `readLanes` finds. Inside a write transaction. */
export function writeLanes(
  environment: StateEnvironment,
  domainId: string,
  saved: SavedLanes,
  lane = 0,
): void {
  const { lanes, sequence, bornSequence } = saved;
  const value = { lanes: [...lanes], sequence, bornSequence };
  environment.put(lanesKey(domainId, lane), packr.pack(value));
}

/** Every domain whose lanes the base or a lane has said. */
export function* readAllLanes(
  reader: LaneReader,
  lane = 0,
): Iterable<SavedLanes & { domainId: string }> {
  for (const { key, value } of reader.range(['l'], ['m'])) {
    if (((key[2] as number | undefined) ?? 0) !== lane) continue;
    yield { domainId: key[1] as string, ...(packr.unpack(value) as SavedLanes) };
  }
}

function lanesKey(domainId: string, lane: number): StateKey {
  return lane === 0 ? ['l', domainId] : ['l', domainId, lane];
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const rows = new Uint32Array(length);
  let at = 0;
  for (const part of parts) {
    rows.set(part, at);
    at += part.length;
  }
  return rows;
}
