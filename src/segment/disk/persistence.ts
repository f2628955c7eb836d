/**
 * Segments on disk: a header (`segment-header.ts`), blocks of tables (`block-codec.ts`) and of texts
 * (`dictionary-blocks.ts`); where the blocks are, `packed-blocks.ts` says.
 *
 * Control plane around the data plane of the codecs.
 *
 * The version of a block is the sequence number of the save that wrote it. A reader that holds an
 * older copy of the segment decodes only the blocks whose version moved.
 */

import { assert } from '../../base/assert.ts';
import { isHeapFull } from '../../base/heap.ts';
import { errors } from '../../model/errors.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { DICTIONARY_BLOCK_ENTRIES } from '../memory/dictionary.ts';
import {
  type Layout,
  NONE,
  type SESSIONS,
  TABLE_NAMES,
  type TableName,
  type VIEWS,
} from '../memory/layout.ts';
import { Segment } from '../memory/segment.ts';
import { finish } from '../memory/slices.ts';
import type { Columns, Table } from '../memory/table.ts';
import { ViewChain } from '../memory/view-chain.ts';
import { decodeBlock, encodeBlock } from './block-codec.ts';
import { decodeTexts, encodeTexts } from './dictionary-blocks.ts';
import { type Derivation, StoredColumns } from './lazy-columns.ts';
import { BlockPlaces, blockKey, removeBlocks, removeSegment, TEXTS } from './packed-blocks.ts';
import { readHeader, type SegmentHeader, writeHeader } from './segment-header.ts';

/** A segment and the versions of the blocks it was made of. */
export interface StoredSegment {
  segment: Segment;
  header: SegmentHeader;
  /** By table: versions of the blocks that were read. */
  loaded: number[][];
  /** By table, of a segment for reading: where its columns come from one by one; else null. */
  sources: (StoredColumns<Layout> | null)[];
  /** Whether a question reads it, which may be refused; an actor has to have it. */
  isForReading: boolean;
  /** What links the views. */
  chain: ViewChain;
  /** Where the blocks of `header` are. */
  places: BlockPlaces;
}

/**
 * Writes what changed since the last save. Inside a write transaction.
 *
 * @param previous header of the last save, or null for a segment never saved. One that was packed is
 *   written whole, in blocks of its own again.
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
  if (previous !== null && previous.packed !== null) {
    removeBlocks(environment, segment, previous);
    markUnsaved(segment);
  }
  for (let index = 0; index < TABLE_NAMES.length; index++) {
    const table = tableOf(segment, index);
    const versions = blockVersions[index] as number[];
    for (const block of table.takeDirtyBlocks()) {
      environment.put(blockKey(domainId, day, index, block), encodeBlock(table, block));
      versions[block] = version;
    }
  }
  saveDictionary(environment, segment);
  const header: SegmentHeader = {
    version,
    generation: previous?.generation ?? version,
    rows: TABLE_NAMES.map((_, index) => tableOf(segment, index).rowCount),
    entries: segment.dictionary.entryCount,
    minMs: segment.minMs,
    maxMs: segment.maxMs,
    blockVersions,
    packed: null,
  };
  writeHeader(environment, domainId, day, header);
  return header;
}

/** Removes everything of a stored segment, if there is one. Inside a write transaction. */
export function dropSegment(environment: StateEnvironment, domainId: string, day: number): void {
  const header = readHeader(environment, domainId, day);
  if (header !== null) removeSegment(environment, { domainId, day }, header);
}

/** After a save whose transaction failed: the next save writes the whole segment. */
export function markUnsaved(segment: Segment): void {
  for (let index = 0; index < TABLE_NAMES.length; index++) tableOf(segment, index).touchAll();
  segment.dictionary.markUnsaved();
}

/** Reads a whole segment from the current snapshot. */
export function loadSegment(
  environment: StateEnvironment,
  domainId: string,
  day: number,
  header: SegmentHeader,
): StoredSegment {
  return finish(loadInSlices(environment, domainId, day, header));
}

/**
 * The same slice by slice. What comes from disk must not change in between: only who writes the
 * segment may read it so.
 */
export function* loadInSlices(
  environment: StateEnvironment,
  domainId: string,
  day: number,
  header: SegmentHeader,
): Generator<undefined, StoredSegment> {
  const stored = openStored(domainId, day, header);
  refreshSegment(environment, stored, header);
  const { segment, chain } = stored;
  for (let index = 0; index < TABLE_NAMES.length; index++) {
    const versions = header.blockVersions[index] ?? [];
    tableOf(segment, index).makeRoom();
    yield* readBlocks(environment, stored, { index, versions });
  }
  const { sessions, views, dictionary } = segment;
  let rows = 0;
  do {
    rows = Math.min(rows + LINKED_ROWS, views.rowCount);
    chain.link(views.columns, rows, sessions.rowCount);
    yield;
  } while (rows < views.rowCount);
  dictionary.makeRoom();
  yield* readTexts(environment, stored, header.entries);
  sessions.columns.lastView.set(chain.heads);
  return stored;
}

/** Views that are linked in one go: some milliseconds. */
const LINKED_ROWS = 65_536;

/** A copy of a segment that holds nothing yet: `refreshSegment` is next. */
export function openStored(domainId: string, day: number, header: SegmentHeader): StoredSegment {
  const empty = { ...header, version: 0, entries: 0, blockVersions: [], packed: null };
  const segment = new Segment(domainId, day);
  const places = new BlockPlaces(segment, empty);
  const chain = new ViewChain();
  return { segment, header: empty, loaded: [], sources: [], chain, places, isForReading: false };
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
  stored.isForReading = true;
  stored.sources = TABLE_NAMES.map((name, index) => {
    if (!READ_BY_COLUMN.has(name)) return null;
    const table = tableOf(stored.segment, index);
    const blocks = {
      read: (block: number) => stored.places.read(environment, index, block),
      damage: (block: number) => stored.places.damage(environment, index, block),
    };
    const derivation = derivationOf(name, stored);
    const source = new StoredColumns<Layout>(table as unknown as Table<Layout>, blocks, derivation);
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
  stored.places = new BlockPlaces(segment, header);
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
  segment.dictionary.defer(() => {
    if (stored.isForReading) checkRoom();
    loadDictionary(environment, stored, header.entries);
  });
  segment.minMs = header.minMs;
  segment.maxMs = header.maxMs;
  stored.header = header;
}

/**
 * The texts of all days of a question are held at once, and nobody knows how many those are.
 *
 * @throws QUERY_BUDGET_EXCEEDED when there is no room for more of them.
 */
function checkRoom(): void {
  if (isHeapFull()) throw errors.QUERY_BUDGET_EXCEEDED({ budget: 'the memory for texts' });
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
  stored: StoredSegment,
  which: { index: number; versions: number[] },
): void {
  finish(readBlocks(environment, stored, which));
  const { segment, chain } = stored;
  if (TABLE_NAMES[which.index] !== 'views') return;
  chain.link(segment.views.columns, segment.views.rowCount, segment.sessions.rowCount);
}

/** Reads the blocks of a table that moved since they were read last; there is room for them. */
function* readBlocks(
  environment: StateEnvironment,
  { segment, loaded, places }: StoredSegment,
  { index, versions }: { index: number; versions: number[] },
): Generator<undefined, void> {
  const table = tableOf(segment, index);
  const before = loaded[index] ?? [];
  for (let block = 0; block * table.blockRows < table.rowCount; block++) {
    if (before[block] === versions[block]) continue;
    const rows = decodeBlock(table, block, places.read(environment, index, block));
    const isWhole = rows === Math.min(table.rowCount - block * table.blockRows, table.blockRows);
    if (!isWhole) throw places.damage(environment, index, block);
    yield;
  }
  loaded[index] = versions;
}

function tableOf(segment: Segment, index: number): Table<Record<string, 'u32'>> {
  // Every table has the same methods; which columns it has matters to its users only.
  return segment[TABLE_NAMES[index] as TableName] as unknown as Table<Record<string, 'u32'>>;
}

function saveDictionary(environment: StateEnvironment, segment: Segment): void {
  const { dictionary, domainId, day } = segment;
  const { first, end } = dictionary.dirtyBlocks();
  for (let block = first; block < end; block++) {
    environment.put(blockKey(domainId, day, TEXTS, block), encodeTexts(dictionary, block));
  }
  dictionary.markSaved();
}

function loadDictionary(
  environment: StateEnvironment,
  stored: StoredSegment,
  entries: number,
): void {
  finish(readTexts(environment, stored, entries));
}

function* readTexts(
  environment: StateEnvironment,
  { segment, places }: StoredSegment,
  entries: number,
): Generator<undefined, void> {
  const { dictionary } = segment;
  while (dictionary.entryCount < entries) {
    const block = Math.floor(dictionary.entryCount / DICTIONARY_BLOCK_ENTRIES);
    const before = dictionary.entryCount;
    const isGood = decodeTexts(dictionary, block, places.read(environment, TEXTS, block));
    if (!isGood || dictionary.entryCount === before) {
      throw places.damage(environment, TEXTS, block);
    }
    yield;
  }
  dictionary.markSaved();
}
