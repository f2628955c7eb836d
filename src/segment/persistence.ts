/**
 * Segments on disk: a header, blocks of tables, blocks of the dictionary.
 *
 *     ['h', domain, day]                 header: rows of every table, span of time, block versions
 *     ['b', domain, day, table, block]   rows of a table (`block-codec.ts`)
 *     ['t', domain, day, block]          1,024 dictionary entries, compressed once there are that many
 *
 * The version of a block is the sequence number of the save that wrote it. A reader that holds an
 * older copy of the segment decodes only the blocks whose version moved.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { assert } from '../base/assert.ts';
import type { StateEnvironment, StateKey } from '../store/state-environment.ts';
import { decodeBlock, encodeBlock } from './block-codec.ts';
import { DICTIONARY_BLOCK_ENTRIES } from './dictionary.ts';
import {
  type Layout,
  NONE,
  type SESSIONS,
  TABLE_NAMES,
  type TableName,
  type VIEWS,
} from './layout.ts';
import { Segment } from './segment.ts';
import { type Derivation, StoredColumns } from './stored-columns.ts';
import type { Columns, Table } from './table.ts';
import { ViewChain } from './view-chain.ts';

const FORMAT = 3;
/** First byte of a compressed block; msgpack uses it for nothing. */
const DEFLATED = 0xc1;
const packr = new Packr({ useRecords: false });

/** What is known of a segment without reading its blocks. */
export interface SegmentHeader {
  format: number;
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
}

/** A segment and the versions of the blocks it was made of. */
export interface StoredSegment {
  segment: Segment;
  header: SegmentHeader;
  /** By table: versions of the blocks that were read. */
  loaded: number[][];
  /** By table, of a segment for reading: where its columns come from one by one; else null. */
  sources: (StoredColumns<Layout> | null)[];
  /** What links the views. */
  chain: ViewChain;
}

function headerKey(domainId: string, day: number): StateKey {
  return ['h', domainId, day];
}

/**
 * Writes what changed since the last save. Inside a write transaction.
 *
 * @param previous header of the last save, or null for a segment never saved.
 * @param version number of this save; greater than any before of this domain.
 * @returns the header as written.
 */
export function saveSegment(
  environment: StateEnvironment,
  segment: Segment,
  previous: SegmentHeader | null,
  version: number,
): SegmentHeader {
  const blockVersions = TABLE_NAMES.map((_, index) => previous?.blockVersions[index] ?? []);
  const { domainId, day } = segment;
  for (let index = 0; index < TABLE_NAMES.length; index++) {
    const table = tableOf(segment, index);
    const versions = blockVersions[index] as number[];
    for (const block of table.takeDirtyBlocks()) {
      environment.put(['b', domainId, day, index, block], encodeBlock(table, block));
      versions[block] = version;
    }
  }
  saveDictionary(environment, segment);
  const header: SegmentHeader = {
    format: FORMAT,
    version,
    generation: previous?.generation ?? version,
    rows: TABLE_NAMES.map((_, index) => tableOf(segment, index).rowCount),
    entries: segment.dictionary.entryCount,
    minMs: segment.minMs,
    maxMs: segment.maxMs,
    blockVersions,
  };
  environment.put(headerKey(domainId, day), packr.pack(header));
  return header;
}

/** Removes everything of a stored segment, if there is one. Inside a write transaction. */
export function dropSegment(environment: StateEnvironment, domainId: string, day: number): void {
  const header = readHeader(environment, domainId, day);
  if (header === null) return;
  for (let index = 0; index < header.blockVersions.length; index++) {
    const blocks = header.blockVersions[index]!.length;
    for (let block = 0; block < blocks; block++) {
      environment.remove(['b', domainId, day, index, block]);
    }
  }
  for (let block = 0; block * DICTIONARY_BLOCK_ENTRIES < header.entries; block++) {
    environment.remove(['t', domainId, day, block]);
  }
  environment.remove(headerKey(domainId, day));
}

/** After a save whose transaction failed: the next save writes the whole segment. */
export function markUnsaved(segment: Segment): void {
  for (let index = 0; index < TABLE_NAMES.length; index++) tableOf(segment, index).touchAll();
  segment.dictionary.markUnsaved();
}

/** Header of a segment, or null if it was never saved. */
export function readHeader(
  environment: StateEnvironment,
  domainId: string,
  day: number,
): SegmentHeader | null {
  const bytes = environment.view(headerKey(domainId, day));
  return bytes === undefined ? null : decodeHeader(bytes);
}

/** Headers of a domain's segments from `firstDay` to `lastDay`, both included, by day. */
export function* readHeaders(
  environment: StateEnvironment,
  domainId: string,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Iterable<{ day: number; header: SegmentHeader }> {
  const end = headerKey(domainId, lastDay + 1);
  for (const { key, value } of environment.range(headerKey(domainId, firstDay), end)) {
    yield { day: key[2] as number, header: decodeHeader(value) };
  }
}

/** Reads a whole segment from the current snapshot. */
export function loadSegment(
  environment: StateEnvironment,
  domainId: string,
  day: number,
  header: SegmentHeader,
): StoredSegment {
  const stored = openStored(domainId, day, header);
  refreshSegment(environment, stored, header);
  const { segment } = stored;
  for (let index = 0; index < TABLE_NAMES.length; index++) tableOf(segment, index).load();
  segment.dictionary.bringIn();
  segment.sessions.columns.lastView.set(stored.chain.heads);
  return stored;
}

/** A copy of a segment that holds nothing yet: `refreshSegment` is next. */
export function openStored(domainId: string, day: number, header: SegmentHeader): StoredSegment {
  const empty: SegmentHeader = { ...header, version: 0, entries: 0, blockVersions: [] };
  const segment = new Segment(domainId, day);
  return { segment, header: empty, loaded: [], sources: [], chain: new ViewChain() };
}

/** Tables of which a question touches a few of many columns, so that these are read one by one. */
const READ_BY_COLUMN: ReadonlySet<TableName> = new Set(['sessions', 'views', 'events']);

/** The same for reading only: columns of the large tables are decoded when they are asked for. */
export function openForReading(
  environment: StateEnvironment,
  domainId: string,
  day: number,
  header: SegmentHeader,
): StoredSegment {
  const stored = openStored(domainId, day, header);
  stored.sources = TABLE_NAMES.map((name, index) => {
    if (!READ_BY_COLUMN.has(name)) return null;
    const table = tableOf(stored.segment, index);
    const read = (block: number) => environment.view(['b', domainId, day, index, block]);
    const derivation = derivationOf(name, stored);
    const source = new StoredColumns<Layout>(table as unknown as Table<Layout>, read, derivation);
    table.readFrom(source as StoredColumns<Record<string, 'u32'>>);
    return source;
  });
  return stored;
}

/**
 * Brings a copy of a segment up to `header`. Tables and texts are read when they are first looked at,
 * and of them only the blocks that moved since they were read last: most questions need one table.
 *
 * @param stored changed in place; of the generation of `header`. Its columns have to be asked for
 *   before the environment moves to another snapshot.
 */
export function refreshSegment(
  environment: StateEnvironment,
  stored: StoredSegment,
  header: SegmentHeader,
): void {
  const { segment } = stored;
  for (let index = 0; index < TABLE_NAMES.length; index++) {
    // A segment saved before a table was added has none of its rows.
    const rows = header.rows[index] ?? 0;
    const versions = header.blockVersions[index] ?? [];
    const table = tableOf(segment, index);
    const source = stored.sources[index] ?? null;
    if (source === null) {
      table.defer(rows, () => loadTable(environment, stored, { index, versions }));
      continue;
    }
    source.refresh(rows, versions);
    table.rowCount = rows;
  }
  segment.dictionary.defer(() => loadDictionary(environment, segment, header.entries));
  segment.minMs = header.minMs;
  segment.maxMs = header.maxMs;
  stored.header = header;
}

/** How the derived columns of a table are made for reading; null when it has none. */
function derivationOf(name: TableName, stored: StoredSegment): Derivation | null {
  if (name === 'views') {
    return {
      follows: true,
      derive(columns, rows, isAnew) {
        if (isAnew) stored.chain = new ViewChain();
        const sessions = stored.segment.sessions.rowCount;
        stored.chain.link(columns as Columns<typeof VIEWS>, rows, sessions);
      },
    };
  }
  if (name !== 'sessions') return null;
  return {
    follows: false,
    derive(columns, rows) {
      // The chain has its heads once the views are linked, which they are when they are asked for.
      const { previous } = stored.segment.views.columns;
      assert(previous.length >= stored.segment.views.rowCount, 'the views are linked');
      const heads = stored.chain.heads.subarray(0, rows);
      (columns as Columns<typeof SESSIONS>).lastView.fill(NONE).set(heads);
    },
  };
}

function loadTable(
  environment: StateEnvironment,
  { segment, loaded, chain }: StoredSegment,
  { index, versions }: { index: number; versions: number[] },
): void {
  const table = tableOf(segment, index);
  const before = loaded[index] ?? [];
  for (let block = 0; block * table.blockRows < table.rowCount; block++) {
    if (before[block] === versions[block]) continue;
    const bytes = environment.view(['b', segment.domainId, segment.day, index, block]);
    assert(bytes !== undefined, 'every block of a header is stored');
    decodeBlock(table, block, bytes);
  }
  if (TABLE_NAMES[index] === 'views') {
    chain.link(segment.views.columns, table.rowCount, segment.sessions.rowCount);
  }
  loaded[index] = versions;
}

function tableOf(segment: Segment, index: number): Table<Record<string, 'u32'>> {
  // Every table has the same methods; which columns it has matters to its users only.
  return segment[TABLE_NAMES[index] as TableName] as unknown as Table<Record<string, 'u32'>>;
}

function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const header = packr.unpack(bytes) as SegmentHeader;
  assert(header.format === FORMAT, 'the segment has a known format');
  return header;
}

function saveDictionary(environment: StateEnvironment, segment: Segment): void {
  const { dictionary } = segment;
  const { first, end } = dictionary.dirtyBlocks();
  for (let block = first; block < end; block++) {
    const start = block * DICTIONARY_BLOCK_ENTRIES;
    const stop = Math.min(start + DICTIONARY_BLOCK_ENTRIES, dictionary.entryCount);
    const kinds: number[] = [];
    const texts: string[] = [];
    for (let entry = start; entry < stop; entry++) {
      kinds.push(dictionary.entryKind(entry));
      texts.push(dictionary.entryText(entry));
    }
    const bytes = packTexts(kinds, texts);
    environment.put(['t', segment.domainId, segment.day, block], bytes);
  }
  dictionary.markSaved();
}

/** A block that is full never changes again, so it is worth compressing: to about a fifth. */
function packTexts(kinds: readonly number[], texts: readonly string[]): Uint8Array {
  const packed = packr.pack([kinds, texts]);
  if (texts.length < DICTIONARY_BLOCK_ENTRIES) return packed;
  return Buffer.concat([Buffer.from([DEFLATED]), deflateRawSync(packed)]);
}

function unpackTexts(bytes: Uint8Array): [number[], string[]] {
  const packed = bytes[0] === DEFLATED ? inflateRawSync(bytes.subarray(1)) : bytes;
  return packr.unpack(packed) as [number[], string[]];
}

function loadDictionary(environment: StateEnvironment, segment: Segment, entries: number): void {
  const { dictionary } = segment;
  while (dictionary.entryCount < entries) {
    const block = Math.floor(dictionary.entryCount / DICTIONARY_BLOCK_ENTRIES);
    const bytes = environment.view(['t', segment.domainId, segment.day, block]);
    assert(bytes !== undefined, 'every dictionary block of a header is stored');
    const [kinds, texts] = unpackTexts(bytes);
    const start = block * DICTIONARY_BLOCK_ENTRIES;
    for (let entry = dictionary.entryCount - start; entry < kinds.length; entry++) {
      dictionary.load(kinds[entry] as number, texts[entry] as string);
    }
  }
  dictionary.markSaved();
}
