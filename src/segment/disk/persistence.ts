/**
 * Reads segments from disk: a header (`segment-header.ts`), blocks of tables (`block-codec.ts`) and of
 * texts (`dictionary-blocks.ts`); where the blocks are, `packed-blocks.ts` says. `save-segment.ts`
 * writes them.
 *
 * Control plane around the data plane of the codecs.
 *
 * The version of a block is the sequence number of the save that wrote it. A reader that holds an
 * older copy of the segment decodes only the blocks whose version moved.
 */

import { assert } from '../../base/assert.ts';
import { isHeapFull } from '../../base/heap.ts';
import { errors } from '../../model/errors.ts';
import type { DomainId } from '../../model/ids.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import type { Columns } from '../memory/columns.ts';
import { DICTIONARY_BLOCK_ENTRIES } from '../memory/dictionary.ts';
import {
  type Layout,
  NONE,
  type SESSIONS,
  TABLE_NAMES,
  type TableName,
  type VIEWS,
} from '../memory/layout.ts';
import { Segment, tableOf } from '../memory/segment.ts';
import { finish } from '../memory/slices.ts';
import type { Table } from '../memory/table.ts';
import type { TextBytes } from '../memory/text-bytes.ts';
import { ViewChain } from '../memory/view-chain.ts';
import { decodeBlock } from './block-codec.ts';
import { decodeTexts, PackedTexts, readTexts } from './dictionary-blocks.ts';
import { type Derivation, LazyColumns } from './lazy-columns.ts';
import { BlockLocator, TEXTS } from './packed-blocks.ts';
import type { SegmentHeader } from './segment-header.ts';

/** A segment and the versions of the blocks it was made of. */
export interface StoredSegment {
  segment: Segment;
  header: SegmentHeader;
  /** By table: versions of the blocks that were read. */
  loadedVersions: number[][];
  /** By table, of a segment for reading: where its columns come from one by one; else null. */
  lazyColumns: (LazyColumns<Layout> | null)[];
  /** Whether a question reads it, which may be refused; an actor has to have it. */
  isForReading: boolean;
  /** What links the views. */
  chain: ViewChain;
  /** Where the blocks of `header` are. */
  blocks: BlockLocator;
}

/** Reads a whole segment from the current snapshot. */
export function loadSegment(
  environment: StateEnvironment,
  domainId: DomainId,
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
  domainId: DomainId,
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
  yield* loadTexts(environment, stored, header.entries);
  sessions.columns.lastView.set(chain.heads);
  return stored;
}

/** Views that are linked in one go: some milliseconds. */
const LINKED_ROWS = 65_536;

/** A copy of a segment that holds nothing yet: `refreshSegment` is next. */
export function openStored(domainId: DomainId, day: number, header: SegmentHeader): StoredSegment {
  const empty = { ...header, version: 0, entries: 0, blockVersions: [], packed: null };
  const segment = new Segment(domainId, day);
  const blocks = new BlockLocator(segment, empty);
  const chain = new ViewChain();
  return {
    segment,
    header: empty,
    loadedVersions: [],
    lazyColumns: [],
    chain,
    blocks,
    isForReading: false,
  };
}

/** Tables of which a question touches a few of many columns, so that these are read one by one. */
const READ_BY_COLUMN: ReadonlySet<TableName> = new Set([
  ...(['visitors', 'sessions', 'views', 'events'] as const),
]);

/** The same for reading only: columns of the large tables are decoded when they are asked for. */
export function openForReading(
  environment: StateEnvironment,
  domainId: DomainId,
  day: number,
  header: SegmentHeader,
): StoredSegment {
  const stored = openStored(domainId, day, header);
  stored.isForReading = true;
  stored.lazyColumns = TABLE_NAMES.map((name, index) => {
    if (!READ_BY_COLUMN.has(name)) return null;
    const table = tableOf(stored.segment, index);
    const blocks = {
      read: (block: number) => stored.blocks.read(environment, index, block),
      damage: (block: number) => stored.blocks.damage(environment, index, block),
    };
    const derivation = derivationOf(name, stored);
    const source = new LazyColumns<Layout>(table as unknown as Table<Layout>, blocks, derivation);
    table.readFrom(source as LazyColumns<Record<string, 'u32'>>);
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
  stored.blocks = new BlockLocator(segment, header);
  for (let index = 0; index < TABLE_NAMES.length; index++) {
    // A segment saved before a table was added has none of its rows.
    const rows = header.rows[index] ?? 0;
    const versions = header.blockVersions[index] ?? [];
    const table = tableOf(segment, index);
    const source = stored.lazyColumns[index] ?? null;
    if (source === null) {
      table.defer(rows, () => loadTable(environment, stored, { index, versions }));
      continue;
    }
    source.refresh(rows, versions);
    table.rowCount = rows;
  }
  const { dictionary } = segment;
  if (stored.isForReading) {
    dictionary.deferShares(
      (share) => readShare(environment, stored, share),
      () => readPacked(environment, stored),
    );
  } else dictionary.defer(() => loadDictionary(environment, stored, header.entries));
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
  { segment, loadedVersions, blocks }: StoredSegment,
  { index, versions }: { index: number; versions: number[] },
): Generator<undefined, void> {
  const table = tableOf(segment, index);
  const before = loadedVersions[index] ?? [];
  for (let block = 0; block * table.blockRows < table.rowCount; block++) {
    if (before[block] === versions[block]) continue;
    const rows = decodeBlock(table, block, blocks.read(environment, index, block));
    const isWhole = rows === Math.min(table.rowCount - block * table.blockRows, table.blockRows);
    if (!isWhole) throw blocks.damage(environment, index, block);
    yield;
  }
  loadedVersions[index] = versions;
}

function loadDictionary(
  environment: StateEnvironment,
  stored: StoredSegment,
  entries: number,
): void {
  finish(loadTexts(environment, stored, entries));
}

/** Reads the texts of some kinds that are not here yet, for a question. */
function readShare(
  environment: StateEnvironment,
  { segment: { dictionary }, header: { entries }, blocks }: StoredSegment,
  share: number,
): void {
  checkRoom();
  for (let read = dictionary.entriesRead(share); read < entries; ) {
    const block = Math.floor(read / DICTIONARY_BLOCK_ENTRIES);
    const bytes = blocks.read(environment, TEXTS, block);
    if (!readTexts(dictionary, share, { block, bytes })) {
      throw blocks.damage(environment, TEXTS, block);
    }
    read = dictionary.entriesRead(share);
  }
}

/** Reads all texts as they are in their blocks. */
function readPacked(
  environment: StateEnvironment,
  { header: { entries }, blocks }: StoredSegment,
): readonly TextBytes[] {
  const texts = new PackedTexts();
  for (let block = 0; texts.entries < entries; block++) {
    if (!texts.add(block, blocks.read(environment, TEXTS, block))) {
      throw blocks.damage(environment, TEXTS, block);
    }
  }
  return texts.finish();
}

function* loadTexts(
  environment: StateEnvironment,
  { segment, blocks }: StoredSegment,
  entries: number,
): Generator<undefined, void> {
  const { dictionary } = segment;
  while (dictionary.entryCount < entries) {
    const block = Math.floor(dictionary.entryCount / DICTIONARY_BLOCK_ENTRIES);
    const before = dictionary.entryCount;
    const isGood = decodeTexts(dictionary, block, blocks.read(environment, TEXTS, block));
    if (!isGood || dictionary.entryCount === before) {
      throw blocks.damage(environment, TEXTS, block);
    }
    yield;
  }
  dictionary.markSaved();
}
