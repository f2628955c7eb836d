/**
 * Sums of days at rest that are kept beside them on disk: the pre-aggregates of one packed day, of
 * eight or 32 side by side, as a small segment of their own (`rollup/day-sum.ts`). A query thread that
 * has just been started reads a dozen of them instead of the texts and tables of ninety days.
 *
 * Control plane. A query thread makes a sum and tells the shard's actor, its only writer. It belongs to
 * one state of each of its days and says which; whoever takes a packed day apart removes it in the same
 * transaction. One that is damaged, or of another state, is as good as none: it is made anew. Snapshots
 * are without them.
 *
 *     ['c', domain, first day, number of days]    days' states │ blocks of rollups, of pages │ texts
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { must } from '../../base/assert.ts';
import { DIMENSION_ROWS } from '../../model/dimensions.ts';
import { OperatingError } from '../../model/errors.ts';
import type { DomainId, Epoch, ShardId } from '../../model/ids.ts';
import { SUM_DAY_COUNTS } from '../../model/limits.ts';
import { DICTIONARY_KINDS } from '../../model/text-kinds.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { type KeptSums, Segment } from '../memory/segment.ts';
import { decodeBlock, encodeBlock } from './block-codec.ts';
import { readHeader, type SegmentHeader, sumKey } from './segment-header.ts';

/** To be raised when a day would be summed differently: what was kept before is not read. */
const FORMAT = 1;
const packr = new Packr({ useRecords: false });

/** Tables of a sum, in their order on disk. */
const TABLES = ['rollups', 'pages'] as const;
/** Kinds that a sum may have texts of. */
const KIND_COUNT = DICTIONARY_KINDS.length;
const LENGTH_BYTES = 4;

/** One state of a day: no other state has the same numbers under the same lease. */
type DayState = readonly [generation: number, version: number];

/** Days side by side, and under which lease they were read. */
interface DaysPlace {
  readonly shard: ShardId;
  readonly epoch: Epoch;
  readonly domainId: DomainId;
  readonly firstDay: number;
  readonly states: readonly DayState[];
}

/** A sum for an actor to keep. Plain data. */
export interface SummedDays extends DaysPlace {
  readonly bytes: Uint8Array;
}

/** As it is stored. */
interface Kept {
  format: number;
  /** A dimension that was added since is not in it. */
  dimensions: number;
  states: readonly DayState[];
  /** Rows by table. */
  rows: readonly number[];
  /** Of the tables in their order. */
  blocks: readonly Uint8Array[];
  /** How many texts there are of each kind. */
  texts: readonly number[];
  /** Deflated: their lengths in bytes, 32 bits each, then they themselves. */
  letters: Uint8Array;
}

/** Where a day comes from. */
interface Source {
  readonly environment: StateEnvironment;
  readonly place: Pick<DaysPlace, 'shard' | 'epoch' | 'domainId'>;
  readonly state: DayState;
}

/** The sums of a query thread: those that it read or made last, and what is on disk. */
export class DaySums implements KeptSums {
  readonly #bytesMax: number;
  readonly #sources = new WeakMap<Segment, Source>();
  // Insertion order is the order of use: the first entry is the least recently used.
  readonly #sums = new Map<string, Segment>();
  #bytes = 0;
  #made: SummedDays[] = [];

  /** @param bytesMax of sums that are held, beside the one that was asked for last. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Says what a packed day is a copy of. */
  note(
    segment: Segment,
    environment: StateEnvironment,
    place: Source['place'],
    { generation, version }: SegmentHeader,
  ): void {
    this.#sources.set(segment, { environment, place, state: [generation, version] });
  }

  find(days: readonly Segment[]): Segment | null {
    const { environment, place } = this.#placeOf(days);
    const name = nameOf(place);
    const known = this.#sums.get(name) ?? readSum(environment, place);
    return known === null ? null : this.#hold(name, known);
  }

  keep(days: readonly Segment[], sum: Segment): void {
    const { place } = this.#placeOf(days);
    this.#hold(nameOf(place), sum);
    this.#made.push({ ...place, bytes: encodeSum(place.states, sum) });
  }

  /** What was made since the last call. */
  take(): readonly SummedDays[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  /** Lets go of all that is held. */
  forget(): void {
    this.#sums.clear();
    this.#bytes = 0;
  }

  #placeOf(days: readonly Segment[]): { environment: StateEnvironment; place: DaysPlace } {
    const sources = days.map((day) => must(this.#sources.get(day), 'the reader gave the day'));
    const [{ environment, place }] = sources as [Source, ...Source[]];
    const states = sources.map(({ state }) => state);
    return { environment, place: { ...place, firstDay: must(days[0], 'a day').day, states } };
  }

  #hold(name: string, sum: Segment): Segment {
    if (this.#sums.delete(name)) this.#bytes -= sum.bytes;
    for (const [oldest, { bytes }] of this.#sums) {
      if (this.#bytes + sum.bytes <= this.#bytesMax) break;
      this.#sums.delete(oldest);
      this.#bytes -= bytes;
    }
    this.#sums.set(name, sum);
    this.#bytes += sum.bytes;
    return sum;
  }
}

/**
 * Writes a sum down if its days are still as they were; by the environment's only writer, in a
 * transaction of its own.
 */
export function keepSum(environment: StateEnvironment, sum: SummedDays): void {
  const { domainId, firstDay, states, bytes } = sum;
  environment.write(() => {
    const isOfNow = states.every(([generation, version], at) => {
      const header = readHeader(environment, domainId, firstDay + at);
      return header?.generation === generation && header.version === version;
    });
    if (isOfNow) environment.put(sumKey(domainId, firstDay, states.length), bytes);
  });
}

/** Removes the sums that a day is part of. Inside a write transaction. */
export function removeSums(environment: StateEnvironment, domainId: DomainId, day: number): void {
  for (const count of SUM_DAY_COUNTS) {
    environment.remove(sumKey(domainId, day - (day % count), count));
  }
}

function nameOf({ epoch, domainId, firstDay, states }: DaysPlace): string {
  return `${epoch} ${domainId} ${firstDay} ${states.join(' ')}`;
}

function encodeSum(states: readonly DayState[], sum: Segment): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const name of TABLES) {
    const { blockCount } = sum[name];
    // What is the same for any table is not the same type.
    const table = sum[name] as Segment['pages'];
    for (let block = 0; block < blockCount; block++) blocks.push(encodeBlock(table, block));
  }
  const rows = TABLES.map((name) => sum[name].rowCount);
  const dimensions = DIMENSION_ROWS.length;
  const kept: Kept = { format: FORMAT, dimensions, states, rows, blocks, ...encodeTexts(sum) };
  return packr.pack(kept);
}

function encodeTexts({ dictionary }: Segment): Pick<Kept, 'texts' | 'letters'> {
  // The first of each kind is the empty one.
  const byKind = Array.from({ length: KIND_COUNT }, (_, kind) => dictionary.texts(kind).slice(1));
  const letters = byKind.flat().map((text) => Buffer.from(text));
  const lengths = Buffer.alloc(letters.length * LENGTH_BYTES);
  for (const [at, { length }] of letters.entries())
    lengths.writeUInt32LE(length, at * LENGTH_BYTES);
  return {
    texts: byKind.map(({ length }) => length),
    letters: deflateRawSync(Buffer.concat([lengths, ...letters])),
  };
}

/** In one go: a call of the library for each thousand of them costs more than the texts. */
function decodeTexts({ texts, letters }: Kept, { dictionary }: Segment): void {
  const bytes = inflateRawSync(letters);
  let lengthAt = 0;
  let at = texts.reduce((sum, count) => sum + count, 0) * LENGTH_BYTES;
  for (const [kind, count] of texts.entries()) {
    const found: string[] = [];
    for (let entry = 0; entry < count; entry++) {
      const end = at + bytes.readUInt32LE(lengthAt);
      found.push(bytes.toString('utf8', at, end));
      lengthAt += LENGTH_BYTES;
      at = end;
    }
    dictionary.readAll(kind, found);
  }
  dictionary.isOrdered = true;
}

/** What is kept of exactly these states of the days; null: nothing that could be read. */
function readSum(environment: StateEnvironment, place: DaysPlace): Segment | null {
  const { domainId, firstDay, states } = place;
  try {
    const bytes = environment.view(sumKey(domainId, firstDay, states.length));
    if (bytes === undefined) return null;
    const kept = packr.unpack(bytes) as Kept;
    const isKnown = kept.format === FORMAT && kept.dimensions === DIMENSION_ROWS.length;
    const isOfStates = isKnown && kept.states.join(' ') === states.join(' ');
    return isOfStates ? decodeSum(place, kept) : null;
  } catch (error) {
    if (error instanceof OperatingError && error.code === 'STATE_DAMAGED') return null;
    throw error;
  }
}

/** @returns null when blocks are not what was written. */
function decodeSum({ domainId, firstDay }: DaysPlace, kept: Kept): Segment | null {
  const sum = new Segment(domainId, firstDay);
  const blocks = kept.blocks[Symbol.iterator]();
  const next = () => blocks.next().value ?? new Uint8Array(0);
  for (const [at, name] of TABLES.entries()) {
    const table = sum[name] as Segment['pages'];
    const rows = kept.rows[at] ?? 0;
    table.reserve(rows);
    table.rowCount = rows;
    for (let block = 0; block < table.blockCount; block++) {
      const wanted = Math.min(rows - block * table.blockRows, table.blockRows);
      if (decodeBlock(table, block, next()) !== wanted) return null;
    }
  }
  decodeTexts(kept, sum);
  return sum;
}
