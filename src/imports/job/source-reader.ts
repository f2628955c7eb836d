/**
 * The reading of an import: all of a source, checked and in order, into a stage (P-3).
 *
 * Control plane, in a process of its own (`runtime/threads/import-reader.ts`): what others have written
 * goes through parsers here, and whatever becomes of that is no concern of who collects hits.
 */
import { addressSet } from '../../base/address-set.ts';
import { siteWith } from '../../ingest/page/site.ts';
import { formatDay } from '../../query/question/calendar.ts';
import { type Adapter, ImportFault, type ReadOptions } from '../adapter.ts';
import { ADAPTERS } from '../adapters.ts';
import { openSource, type Source, type SourcePath } from '../source/files.ts';
import { NativeHits, type Outside } from './native-hits.ts';
import { RowIntake } from './row-intake.ts';
import { Stage } from './stage.ts';
import { SumTables } from './sum-tables.ts';

/** A site as it travels to another process. */
export interface SourceSite {
  readonly domainId: string;
  /** Normalised by I-4. */
  readonly hostname: string;
  readonly alternatives: readonly string[];
  /** Addresses and ranges that the site drops, and lets through (I-24). */
  readonly blocked: readonly string[];
  readonly allowed: readonly string[];
}

/** What is to be read, and where to. */
export interface ReadTask {
  readonly site: SourceSite;
  readonly timezone: string;
  readonly files: readonly SourcePath[];
  /** Of the stage, and what it was claimed with. */
  readonly folder: string;
  readonly claim: string;
  /** Days since 1970-01-01, both included; null without a bound. */
  readonly fromDay: number | null;
  readonly toDay: number | null;
  /** From this instant, the begin of a day, there is native data. */
  readonly nativeMs: number;
  readonly visitorKey: Uint8Array;
}

/** What is only counted (`footfall import --dry-run`). */
export type CountTask = Pick<ReadTask, 'timezone' | 'files' | 'fromDay' | 'toDay'>;

/** How far the reading is. */
export interface ReadProgress {
  readonly format: string;
  readonly rowsRead: number;
}

/**
 * Reads a source, or goes on with it: what is safely in the stage is passed over.
 *
 * @param outside what the hits of the source are looked up in.
 * @throws ImportRefusal when the source cannot be imported, or not be kept.
 */
export async function readSource(
  task: ReadTask,
  outside: Outside,
  onProgress: (progress: ReadProgress) => void,
): Promise<void> {
  const stage = new Stage(task.folder, task.claim);
  const source = await openSource(task.files);
  try {
    const adapter = await adapterOf(source);
    onProgress({ format: adapter.name, rowsRead: stage.rowsRead });
    const intake = new RowIntake(task, stage, nativeHits(task, outside));
    const tables = new SumTables();
    let known = stage.notes.rowsRead;
    for await (const rows of adapter.read(source.files, optionsOf(task))) {
      tables.check(rows);
      const first = Math.min(known, rows.length);
      known -= first;
      for (let index = first; index < rows.length; index++) intake.take(rows[index]!);
      onProgress({ format: adapter.name, rowsRead: stage.rowsRead });
    }
    stage.finish(adapter.name);
    onProgress({ format: adapter.name, rowsRead: stage.rowsRead });
  } finally {
    source.close();
  }
}

/**
 * Reads a source as an import does, and stores nothing.
 *
 * @throws ImportRefusal when the source cannot be imported.
 */
export async function countSource(
  task: CountTask,
  onProgress: (progress: ReadProgress) => void,
): Promise<void> {
  const source = await openSource(task.files);
  try {
    const adapter = await adapterOf(source);
    const tables = new SumTables();
    let rowsRead = 0;
    onProgress({ format: adapter.name, rowsRead });
    for await (const rows of adapter.read(source.files, optionsOf(task))) {
      tables.check(rows);
      rowsRead += rows.length;
      onProgress({ format: adapter.name, rowsRead });
    }
  } finally {
    source.close();
  }
}

/** Which format files are of. @throws ImportFault. */
export async function adapterOf(source: Source): Promise<Adapter> {
  const samples = await source.samples();
  const found = ADAPTERS.find((adapter) => adapter.recognises(samples));
  if (found !== undefined) return found;
  const known = ADAPTERS.map(({ title }) => title).join(', ');
  const file = samples[0]?.name ?? 'the upload';
  throw new ImportFault({ file, line: 1 }, `an export of ${known}`);
}

function nativeHits({ site, visitorKey }: ReadTask, outside: Outside): NativeHits {
  const { domainId, hostname, alternatives, blocked, allowed } = site;
  const isListed = blocked.length + allowed.length > 0;
  const lists = isListed ? { block: addressSet(blocked), allow: addressSet(allowed) } : null;
  return new NativeHits(siteWith(domainId, hostname, alternatives, lists), visitorKey, outside);
}

function optionsOf({ timezone, fromDay, toDay }: CountTask): ReadOptions {
  return { timezone, from: dateOf(fromDay), to: dateOf(toDay) };
}

/** Days as adapters are told them. */
function dateOf(day: number | null): string | undefined {
  return day === null ? undefined : formatDay(day);
}
