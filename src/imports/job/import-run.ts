/**
 * One import: reads all of a source, then writes it (P-3).
 *
 * Control plane. Nothing is stored before all of the source was read and is in order on disk, so a
 * damaged file stores nothing. What is written goes in portions that are always the same ones; how many
 * of them are durable is noted after each. A portion that was sent and not noted when the process was
 * killed is sent again: the log knows it by its idempotency key, or its number.
 *
 *     source ─▶ adapter ─▶ stage ─▶ (what was imported of these days goes) ─▶ portions ─▶ log
 *              reading                             writing
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { localDayOf, startOfLocalDayMs } from '../../base/zone.ts';
import type { Site } from '../../ingest/page/site.ts';
import { hashImportKey } from '../../ingest/visitor/visitor.ts';
import type { Erasure } from '../../model/erasure.ts';
import { OperatingError } from '../../model/errors.ts';
import type { HitGroup } from '../../model/hit.ts';
import type { DomainId } from '../../model/ids.ts';
import { IMPORT_BACKLOG_BYTES_MAX, IMPORT_REST_MS_MAX } from '../../model/import-limits.ts';
import type { ImportRecord, SumDays } from '../../model/imported-sum.ts';
import { formatDay } from '../../query/question/calendar.ts';
import { type Adapter, ImportFault } from '../adapter.ts';
import { ADAPTERS } from '../adapters.ts';
import { openSource, type Source, type SourcePath } from '../source/files.ts';
import { portionsOfHits, portionsOfSums } from './portions.ts';
import { RowIntake } from './row-intake.ts';
import { Stage } from './stage.ts';

/** How long an overloaded log is left alone. */
const PAUSE_MS = 100;
const WRITTEN = 'written.json';
const OWNER_ONLY = 0o600;

/** Days as adapters are told them. */
function dates(fromDay: number | null, toDay: number | null) {
  return {
    from: fromDay === null ? undefined : formatDay(fromDay),
    to: toDay === null ? undefined : formatDay(toDay),
  };
}

type Done = (error: Error | null) => void;

/** Where an import goes (`bus/log/hit-writer.ts` has this shape). */
export interface ImportLog {
  submit(groups: readonly HitGroup[], done: Done): void;
  submitErasure(erasure: Erasure, done: Done): void;
  submitImport(record: ImportRecord, done: Done): void;
}

/** What is to be imported, and where to. */
export interface ImportTask {
  /** Of the job: sums are known by it. */
  readonly id: string;
  readonly site: Site;
  readonly timezone: string;
  readonly files: readonly SourcePath[];
  /** Where it keeps what it makes of them. */
  readonly folder: string;
  /** Days since 1970-01-01, both included; null without a bound. */
  readonly fromDay: number | null;
  readonly toDay: number | null;
  /** From this instant, the begin of a day, there is native data. */
  readonly nativeMs: number;
  readonly visitorKey: Uint8Array;
}

/** How far an import is. */
export interface ImportProgress {
  readonly format: string;
  readonly rowsRead: number;
  readonly rowsImported: number;
  readonly rowsSkipped: number;
}

/** What happens beside it. */
export interface ImportWatch {
  readonly log: ImportLog;
  /** Bytes of the log that are not counted yet. */
  readonly backlogBytes: () => number;
  readonly nowMs: () => number;
  /** Asked between portions: whether it is to end here, to go on later or never. */
  readonly isStopped: () => boolean;
  readonly onProgress: (progress: ImportProgress) => Promise<void>;
  /**
   * Hits are about to be written to `[fromMs, toMs)`, or sums (null); resolves once that is written
   * down. @returns whether there may be hits of an import there, which go first.
   */
  readonly onWriting: (span: { fromMs: number; toMs: number } | null) => Promise<boolean>;
}

/** What is noted of the writing. */
interface Written {
  /** Raised when idempotency keys may have been forgotten: then everything is written anew. */
  readonly attempt: number;
  /** What stood in the way is gone: behind this portions are sent, and it is not done again. */
  readonly isCleared: boolean;
  readonly portions: number;
  readonly rows: number;
  readonly atMs: number;
}

/** It was asked to end: not now. */
class Stopped extends Error {}

/**
 * Does an import, or goes on with it.
 *
 * @returns false: it was stopped before the end.
 * @throws ImportFault when the source cannot be imported; what the log throws.
 */
export async function runImport(task: ImportTask, watch: ImportWatch): Promise<boolean> {
  const run = new ImportRun(task, watch);
  try {
    await run.take();
    return true;
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
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

class ImportRun {
  readonly #task: ImportTask;
  readonly #watch: ImportWatch;
  readonly #stage: Stage;
  #written: Written;
  #adapter: Adapter | null = null;

  constructor(task: ImportTask, watch: ImportWatch) {
    this.#task = task;
    this.#watch = watch;
    this.#stage = new Stage(task.folder);
    const path = join(task.folder, WRITTEN);
    this.#written = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as Written)
      : { attempt: 0, isCleared: false, portions: 0, rows: 0, atMs: watch.nowMs() };
  }

  async take(): Promise<void> {
    const source = await openSource(this.#task.files);
    try {
      this.#adapter = await adapterOf(source);
      if (!this.#stage.notes.isWhole) await this.#read(source, this.#adapter);
    } finally {
      source.close();
    }
    await this.#tell();
    if (this.#stage.notes.rowsStaged > 0) await this.#write(this.#adapter);
    await this.#tell();
  }

  async #read(source: Source, adapter: Adapter): Promise<void> {
    const { timezone, fromDay, toDay } = this.#task;
    const stage = this.#stage;
    const intake = new RowIntake(this.#task, stage);
    const options = { timezone, ...dates(fromDay, toDay) };
    // What is safely there of an attempt before is passed over.
    let known = stage.notes.rowsRead;
    for await (const rows of adapter.read(source.files, options)) {
      const first = Math.min(known, rows.length);
      known -= first;
      for (let index = first; index < rows.length; index++) intake.take(rows[index]!);
      await this.#pause();
      await this.#tell();
    }
    stage.finish();
  }

  async #write(adapter: Adapter): Promise<void> {
    const isOfSums = adapter.gives === 'sums';
    const span = isOfSums ? null : this.#spanOfHits();
    const isReplacing = await this.#watch.onWriting(span);
    this.#checkAge(isOfSums);
    if (span !== null && !this.#written.isCleared && (isReplacing || this.#written.attempt > 0)) {
      const { domainId } = this.#domain;
      const erasure: Erasure = { domainId, kind: 'all', startMs: span.fromMs, endMs: span.toMs };
      await this.#send((log, done) => log.submitErasure(erasure, done));
    }
    this.#keepWritten({ ...this.#written, isCleared: true });
    if (isOfSums) await this.#writeSums();
    else await this.#writeHits();
  }

  async #writeHits(): Promise<void> {
    const { id } = this.#task;
    const { domainId } = this.#domain;
    const key = `import:${id}:${this.#written.attempt}`;
    for (const { number, hits, rows } of portionsOfHits(this.#stage.rows())) {
      if (number <= this.#written.portions) continue;
      const group: HitGroup = {
        ...{ domainId, receivedMs: this.#watch.nowMs(), dropped: null, hits },
        idempotencyHash: hashImportKey(`${key}:${number}`, domainId),
      };
      await this.#send((log, done) => log.submit([group], done));
      await this.#note(rows);
    }
  }

  async #writeSums(): Promise<void> {
    const { id: importId } = this.#task;
    const { domainId } = this.#domain;
    for (const { number, sums, rows } of portionsOfSums(this.#stage.rows())) {
      if (number <= this.#written.portions) continue;
      const record: ImportRecord = { domainId, importId, kind: 'add', batch: number, sums };
      await this.#send((log, done) => log.submitImport(record, done));
      await this.#note(rows);
    }
    const shown: ImportRecord = { domainId, importId, kind: 'show', ...this.#daysOfSums() };
    await this.#send((log, done) => log.submitImport(shown, done));
  }

  get #domain(): { readonly domainId: DomainId } {
    return { domainId: this.#task.site.domainId as DomainId };
  }

  /** Keys of portions are forgotten in time; numbers of sums are not. */
  #checkAge(isOfSums: boolean): void {
    const { attempt, atMs, portions } = this.#written;
    const isLate = this.#watch.nowMs() - atMs > IMPORT_REST_MS_MAX;
    if (isOfSums || portions === 0 || !isLate) return;
    const fresh = { isCleared: false, portions: 0, rows: 0, atMs: this.#watch.nowMs() };
    this.#keepWritten({ ...fresh, attempt: attempt + 1 });
  }

  /** A portion is durable. */
  async #note(rows: number): Promise<void> {
    const { portions, rows: before } = this.#written;
    const atMs = this.#watch.nowMs();
    this.#keepWritten({ ...this.#written, portions: portions + 1, rows: before + rows, atMs });
    await this.#tell();
  }

  /** What a kill leaves is the file before or this one. */
  #keepWritten(written: Written): void {
    this.#written = written;
    const path = join(this.#task.folder, WRITTEN);
    writeFileSync(`${path}.draft`, JSON.stringify(this.#written), { mode: OWNER_ONLY });
    renameSync(`${path}.draft`, path);
  }

  /** Hands something to the log, when it has time for it. */
  async #send(hand: (log: ImportLog, done: Done) => void): Promise<void> {
    for (;;) {
      await this.#pause();
      if (this.#watch.backlogBytes() > IMPORT_BACKLOG_BYTES_MAX) {
        await sleep(PAUSE_MS);
        continue;
      }
      const error = await new Promise<Error | null>((resolve) => hand(this.#watch.log, resolve));
      if (error === null) return;
      const isBusy = error instanceof OperatingError && error.code === 'OVERLOADED';
      if (!isBusy) throw error;
      await sleep(PAUSE_MS);
    }
  }

  /** @throws Stopped. */
  async #pause(): Promise<void> {
    await othersFirst();
    if (this.#watch.isStopped()) throw new Stopped();
  }

  #tell(): Promise<void> {
    const { rowsRead } = this.#stage;
    const { isWhole, rowsStaged } = this.#stage.notes;
    return this.#watch.onProgress({
      format: this.#adapter?.name ?? '',
      ...{ rowsRead, rowsImported: this.#written.rows },
      rowsSkipped: isWhole ? rowsRead - rowsStaged : 0,
    });
  }

  /** The days that were asked for, as far as there is anything; of the others nothing is touched. */
  #spanOfHits(): { fromMs: number; toMs: number } {
    const { timezone, fromDay, toDay, nativeMs } = this.#task;
    const { least, greatest } = this.#stage.notes;
    const first = fromDay ?? localDayOf(timezone, least ?? 0);
    const last = toDay ?? localDayOf(timezone, greatest ?? 0);
    return {
      fromMs: startOfLocalDayMs(timezone, first),
      toMs: Math.min(startOfLocalDayMs(timezone, last + 1), nativeMs),
    };
  }

  #daysOfSums(): SumDays {
    const { timezone, fromDay, toDay, nativeMs } = this.#task;
    const { least, greatest } = this.#stage.notes;
    const lastDay = localDayOf(timezone, nativeMs) - 1;
    return {
      fromDay: fromDay ?? least ?? 0,
      toDay: Math.min(toDay ?? greatest ?? 0, lastDay),
    };
  }
}
