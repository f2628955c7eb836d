/**
 * Where the blocks of a stored segment are: each a value of its own, or packed into few large ones.
 *
 * Control plane. A value takes whole pages of 4 KiB, so blocks waste a tenth of the disk, and a small
 * day most of it. When a day is over and leaves memory its blocks go side by side into values of
 * 256 KiB. They stay the same bytes with the same versions: whoever has read them need not read again.
 *
 *     ['b', domain, day, table, block]   a block of a table; of an open segment
 *     ['t', domain, day, block]          a block of texts
 *     ['s', domain, day, pack]           blocks of tables and texts, in order; of a packed segment
 */

import { assert } from '../../base/assert.ts';
import type { OperatingError } from '../../model/errors.ts';
import type { DomainId } from '../../model/ids.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';
import { TABLE_NAMES } from '../memory/layout.ts';
import { removeSums } from './day-sums.ts';
import { dictionaryBlockCount } from './dictionary-blocks.ts';
import { removeHeader, type SegmentHeader, writeHeader } from './segment-header.ts';

/** Bytes at which a pack is full; a block is never cut. */
const PACK_BYTES = 256 * 1_024;
const LENGTH_BYTES = 4;
/** Bytes of blocks that are unpacked in one transaction. */
const UNPACKED_BYTES = 1_024 * 1_024;
/** Stands for the dictionary among the tables. */
export const TEXTS = TABLE_NAMES.length;

type BlockLocation = readonly [pack: number, start: number, end: number];

/** Packs of the segment that was read last: a question takes one column of it after the other. */
interface ReadPacks {
  readonly environment: StateEnvironment | null;
  readonly moment: number;
  readonly locator: BlockLocator | null;
  readonly bytes: Map<number, Uint8Array>;
}

/** One per thread. */
let last: ReadPacks = { environment: null, moment: 0, locator: null, bytes: new Map() };
/** Packs that are held, 8 MiB: ten times those of a day with a hundred thousand page views. */
const READ_PACK_COUNT_MAX = 32;

/** The blocks of one stored segment. */
export class BlockLocator {
  readonly #segment: { domainId: DomainId; day: number };
  /** By table: where its blocks are; null for a segment that is not packed. */
  readonly #locations: BlockLocation[][] | null;

  constructor(segment: { domainId: DomainId; day: number }, header: SegmentHeader) {
    this.#segment = segment;
    this.#locations = header.packed === null ? null : locationsOf(header, header.packed);
  }

  /**
   * A block of a table or of `TEXTS`, valid until the next read; it must be there. Only its place is
   * looked at: what is in it, who decodes it (each column has a checksum of its own).
   *
   * @throws STATE_DAMAGED when it is missing.
   */
  read(environment: StateEnvironment, table: number, block: number): Uint8Array {
    if (this.#locations === null) return viewOf(environment, this.#keyOf(table, block));
    const place = this.#locations[table]?.[block];
    assert(place !== undefined, 'a packed segment knows the places of its blocks');
    const [pack, start, end] = place;
    return this.#readPack(environment, pack).subarray(start, end);
  }

  /** The error for a block that is not what was written. */
  damage(environment: StateEnvironment, table: number, block: number): OperatingError {
    return environment.damage(this.#keyOf(table, block), 'does not match its checksum');
  }

  #keyOf(table: number, block: number): StateKey {
    const { domainId, day } = this.#segment;
    if (this.#locations === null) return blockKey(domainId, day, table, block);
    return packKey(domainId, day, this.#locations[table]?.[block]?.[0] ?? 0);
  }

  #readPack(environment: StateEnvironment, pack: number): Uint8Array {
    const { moment } = environment;
    const isSame = last.locator === this && last.environment === environment;
    if (!isSame || last.moment !== moment) {
      last = { environment, moment, locator: this, bytes: new Map() };
    }
    const known = last.bytes.get(pack);
    if (known !== undefined) return known;
    const { domainId, day } = this.#segment;
    // Not `Uint8Array.from`, which copies byte by byte.
    const bytes = new Uint8Array(viewOf(environment, packKey(domainId, day, pack)));
    if (last.bytes.size >= READ_PACK_COUNT_MAX) last.bytes.clear();
    last.bytes.set(pack, bytes);
    return bytes;
  }
}

function viewOf(environment: StateEnvironment, key: StateKey): Uint8Array {
  const bytes = environment.viewUnchecked(key);
  if (bytes === undefined) throw environment.damage(key, 'is missing');
  return bytes;
}

/** Key of a block that is a value of its own. */
export function blockKey(domainId: DomainId, day: number, table: number, block: number): StateKey {
  return table === TEXTS ? ['t', domainId, day, block] : ['b', domainId, day, table, block];
}

/**
 * Packs a stored segment. Inside a write transaction.
 *
 * @param version number of this save.
 */
export function packSegment(
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
  { header, version }: { header: SegmentHeader; version: number },
): void {
  if (header.packed !== null) return;
  const { domainId, day } = segment;
  const lengths: number[] = [];
  let pack: Uint8Array[] = [];
  let packs = 0;
  let bytes = 0;
  const write = () => {
    if (pack.length > 0) environment.put(packKey(domainId, day, packs++), Buffer.concat(pack));
    pack = [];
    bytes = 0;
  };
  for (const [table, count] of blockCounts(header).entries()) {
    for (let block = 0; block < count; block++) {
      const key = blockKey(domainId, day, table, block);
      const value = environment.get(key);
      if (value === undefined) throw environment.damage(key, 'is missing');
      lengths.push(value.length);
      pack.push(value);
      bytes += value.length;
      if (bytes >= PACK_BYTES) write();
    }
  }
  write();
  removeBlocks(environment, segment, header);
  const packed = new Uint8Array(Uint32Array.from(lengths).buffer);
  writeHeader(environment, domainId, day, { ...header, version, packed });
}

/**
 * Writes the blocks of a packed segment as values of their own, in transactions of some milliseconds.
 * They count from `finishUnpacking` on; whoever is interrupted has written what is written over later.
 */
export function* unpackInSlices(
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
  header: SegmentHeader,
): Generator<undefined, void> {
  const { domainId, day } = segment;
  const locator = new BlockLocator(segment, header);
  let blocks: { key: StateKey; value: Uint8Array }[] = [];
  let bytes = 0;
  const write = () => {
    environment.write(() => {
      for (const { key, value } of blocks) environment.put(key, value);
    });
    blocks = [];
    bytes = 0;
  };
  for (const [table, count] of blockCounts(header).entries()) {
    for (let block = 0; block < count; block++) {
      const value = locator.read(environment, table, block).slice();
      blocks.push({ key: blockKey(domainId, day, table, block), value });
      bytes += value.length;
      if (bytes < UNPACKED_BYTES) continue;
      write();
      yield;
    }
  }
  if (blocks.length > 0) write();
}

/** From now on the blocks that `unpackInSlices` wrote count. Inside a write transaction. */
export function finishUnpacking(
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
  { header, version }: { header: SegmentHeader; version: number },
): SegmentHeader {
  removeBlocks(environment, segment, header);
  const unpacked = { ...header, version, packed: null };
  writeHeader(environment, segment.domainId, segment.day, unpacked);
  return unpacked;
}

/** Removes everything of a stored segment. Inside a write transaction. */
export function removeSegment(
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
  header: SegmentHeader,
): void {
  removeBlocks(environment, segment, header);
  removeHeader(environment, segment.domainId, segment.day);
}

/**
 * Removes the blocks of a stored segment, packed or not; of a packed one the sums, too, that it is part
 * of. Inside a write transaction.
 */
export function removeBlocks(
  environment: StateEnvironment,
  segment: { domainId: DomainId; day: number },
  header: SegmentHeader,
): void {
  for (const key of blockKeysOf(segment, header)) environment.remove(key);
  if (header.packed !== null) removeSums(environment, segment.domainId, segment.day);
}

/** Keys under which the blocks of a stored segment are, packed or not. */
export function* blockKeysOf(
  { domainId, day }: { domainId: DomainId; day: number },
  header: SegmentHeader,
): Iterable<StateKey> {
  if (header.packed !== null) {
    const last = locationsOf(header, header.packed)
      .findLast((locations) => locations.length > 0)
      ?.at(-1);
    for (let pack = 0; pack <= (last?.[0] ?? -1); pack++) yield packKey(domainId, day, pack);
    return;
  }
  for (const [table, count] of blockCounts(header).entries()) {
    for (let block = 0; block < count; block++) yield blockKey(domainId, day, table, block);
  }
}

function packKey(domainId: DomainId, day: number, pack: number): StateKey {
  return ['s', domainId, day, pack];
}

/** Blocks of every table and of the dictionary. */
function blockCounts(header: SegmentHeader): number[] {
  const counts = TABLE_NAMES.map((_, table) => header.blockVersions[table]?.length ?? 0);
  return [...counts, dictionaryBlockCount(header.entries)];
}

function locationsOf(header: SegmentHeader, packed: Uint8Array): BlockLocation[][] {
  const lengths = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let at = 0;
  let pack = 0;
  let start = 0;
  return blockCounts(header).map((count) =>
    Array.from({ length: count }, (): BlockLocation => {
      if (start >= PACK_BYTES) {
        pack++;
        start = 0;
      }
      const from = start;
      start += lengths.getUint32(at, true);
      at += LENGTH_BYTES;
      return [pack, from, start];
    }),
  );
}
