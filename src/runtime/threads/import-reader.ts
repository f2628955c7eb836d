/**
 * What is in the process that reads an import.
 *
 * Control plane. Files of others go through parsers, inflaters and expressions, so this is a process and
 * no thread: a heap that is full ends all threads of its process. It is told its task in a message, has
 * an empty environment, writes nothing but the stage, and ends with the service.
 *
 *     jobs thread (watched-reader.ts) ──── task ───▶ workers/import ─▶ stage
 *                                     ◀─ progress, done, refused, broken ─
 */

import { ImportRefusal } from '../../imports/adapter.ts';
import type { Outside } from '../../imports/job/native-hits.ts';
import {
  type CountTask,
  countSource,
  type ReadProgress,
  type ReadTask,
  readSource,
} from '../../imports/job/source-reader.ts';
import { Locator, openFile } from '../../ingest/place/locate.ts';
import { IMPORT_LOOK_MS } from '../../model/import-limits.ts';
import type { Settings } from '../../settings/schema.ts';
import { readAddressLists } from '../directory/address-lists.ts';
import { placeFiles } from '../directory/place-files.ts';
import { readPlaceFile } from '../places/read-place-files.ts';

/** What the settings say that a reader has to know. */
export type ReaderSettings = Pick<
  Settings,
  'dataDir' | 'geoDb' | 'ipBlock' | 'ipBlockFile' | 'ipAllow' | 'ipAllowFile'
>;

/** What a reader is asked: to read into a stage, or to count what is there. */
export type AskedReading =
  | { readonly kind: 'stage'; readonly task: ReadTask; readonly settings: ReaderSettings }
  | { readonly kind: 'count'; readonly task: CountTask };

/** What a reader says; all but the first are its last word. */
export type ReaderWord =
  | { readonly kind: 'progress'; readonly progress: ReadProgress }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string };

/** Reads what it is asked to, says what came of it, and ends the process. */
export async function runReader(own: NodeJS.Process): Promise<void> {
  let progress: ReadProgress = { format: '', rowsRead: 0 };
  const tellProgress = () => own.send?.({ kind: 'progress', progress } satisfies ReaderWord);
  const end = (word: ReaderWord) => {
    tellProgress();
    own.send?.(word, undefined, undefined, () => own.exit());
  };
  own.on('disconnect', () => own.exit());
  // Who ends the service sends them to all of its processes: it says itself when this one is to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) own.on(signal, () => undefined);
  const onFault = (error: unknown) => end({ kind: 'broken', reason: textOf(error) });
  own.on('uncaughtException', onFault);
  own.on('unhandledRejection', onFault);
  const asked = await new Promise<AskedReading>((resolve) => {
    own.once('message', (told) => resolve(told as AskedReading));
  });
  setInterval(tellProgress, IMPORT_LOOK_MS);
  const onProgress = (newer: ReadProgress) => {
    progress = newer;
  };
  try {
    if (asked.kind === 'count') await countSource(asked.task, onProgress);
    else await readSource(asked.task, outsideOf(asked.settings), onProgress);
    end({ kind: 'done' });
  } catch (error) {
    if (error instanceof ImportRefusal) end({ kind: 'refused', reason: error.message });
    else onFault(error);
  }
}

/** What hits are looked up in, as the edges have it. */
function outsideOf(settings: ReaderSettings): Outside {
  const places = placeFiles(settings).map((file) => {
    const { path, bytes } = readPlaceFile(file);
    return openFile(path, Buffer.from(bytes));
  });
  const locator = new Locator(places);
  return { locate: (ip) => locator.locate(ip), addresses: readAddressLists(settings) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
