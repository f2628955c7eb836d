/**
 * Writes what changed of a segment since its last save: blocks, texts and the header.
 *
 * Control plane around the data plane of the codecs, inside a write transaction. The version of a block
 * is the number of the save that wrote it (`persistence.ts` reads by it).
 */

import type { DomainId } from '../../model/ids.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { TABLE_NAMES } from '../memory/layout.ts';
import { type Segment, tableOf } from '../memory/segment.ts';
import { encodeBlock } from './block-codec.ts';
import { encodeTexts } from './dictionary-blocks.ts';
import { blockKey, removeBlocks, removeSegment, TEXTS } from './packed-blocks.ts';
import { readHeader, type SegmentHeader, writeHeader } from './segment-header.ts';

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
export function dropSegment(environment: StateEnvironment, domainId: DomainId, day: number): void {
  const header = readHeader(environment, domainId, day);
  if (header !== null) removeSegment(environment, { domainId, day }, header);
}

/** After a save whose transaction failed: the next save writes the whole segment. */
export function markUnsaved(segment: Segment): void {
  for (let index = 0; index < TABLE_NAMES.length; index++) tableOf(segment, index).touchAll();
  segment.dictionary.markUnsaved();
}

function saveDictionary(environment: StateEnvironment, segment: Segment): void {
  const { dictionary, domainId, day } = segment;
  const { first, end } = dictionary.dirtyBlocks();
  for (let block = first; block < end; block++) {
    environment.put(blockKey(domainId, day, TEXTS, block), encodeTexts(dictionary, block));
  }
  dictionary.markSaved();
}
