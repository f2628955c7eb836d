/**
 * What is known of a stored segment without reading its blocks.
 *
 * Control plane. Headers of a domain lie side by side, so that a question finds its days in one walk.
 */

import { Packr } from 'msgpackr';
import { assert } from '../../base/assert.ts';
import type { DomainId } from '../../model/ids.ts';
import type { StateEnvironment, StateKey } from '../../store/state-environment.ts';

const FORMAT = 4;
const packr = new Packr({ useRecords: false });

/** Header of a segment. */
export interface SegmentHeader {
  /** Number of the save that wrote it, ascending per domain. */
  version: number;
  /**
   * The save that first wrote it. A segment that was rebuilt or made again has another one: a copy
   * of an earlier generation cannot be brought up to it block by block.
   */
  generation: number;
  /** Rows by table, in the order of `TABLE_NAMES`. */
  rows: number[];
  /** Entries of the dictionary. */
  entries: number;
  minMs: number;
  maxMs: number;
  /** By table: version of every block. */
  blockVersions: number[][];
  /**
   * Of a packed segment: lengths of all its blocks, tables in order and then the dictionary, as
   * 32-bit words (`packed-blocks.ts`); null while every block is a value of its own.
   */
  packed: Uint8Array | null;
}

/** Header of a segment, or null if it was never saved. */
export function readHeader(
  environment: StateEnvironment,
  domainId: DomainId,
  day: number,
): SegmentHeader | null {
  const bytes = environment.view(headerKey(domainId, day));
  return bytes === undefined ? null : decodeHeader(bytes);
}

/** Headers of a domain's segments from `firstDay` to `lastDay`, both included, by day. */
export function* readHeaders(
  environment: StateEnvironment,
  domainId: DomainId,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Iterable<{ day: number; header: SegmentHeader }> {
  const end = headerKey(domainId, lastDay + 1);
  for (const { key, value } of environment.range(headerKey(domainId, firstDay), end)) {
    yield { day: key[2] as number, header: decodeHeader(value) };
  }
}

/** Writes a header; what was counted of the day before is gone. Inside a write transaction. */
export function writeHeader(
  environment: StateEnvironment,
  domainId: DomainId,
  day: number,
  header: SegmentHeader,
): void {
  environment.put(headerKey(domainId, day), packr.pack({ format: FORMAT, ...header }));
  environment.remove(countsKey(domainId, day));
}

/** Removes a header and what was counted of the day. Inside a write transaction. */
export function removeHeader(environment: StateEnvironment, domainId: DomainId, day: number): void {
  environment.remove(headerKey(domainId, day));
  environment.remove(countsKey(domainId, day));
}

/** Where counts of a day are kept that hold for this state of it only (`day-counts.ts`). */
export function countsKey(domainId: DomainId, day: number): StateKey {
  return ['c', domainId, day];
}

/** Where the sum of so many days from this one on is kept (`day-sums.ts`). */
export function sumKey(domainId: DomainId, firstDay: number, count: number): StateKey {
  return ['c', domainId, firstDay, count];
}

function headerKey(domainId: DomainId, day: number): StateKey {
  return ['h', domainId, day];
}

/** The header of stored bytes; they may change afterwards. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const { format, ...header } = packr.unpack(bytes) as SegmentHeader & { format: number };
  assert(format === FORMAT, 'the segment has a known format');
  // The bytes are valid until the next read only.
  if (header.packed !== null) header.packed = new Uint8Array(header.packed);
  return header;
}
