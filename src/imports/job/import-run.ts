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
import { join } from 'node:path';
import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { localDayOf, startOfLocalDayMs } from '../../base/zone.ts';
import { hashImportKey } from '../../ingest/visitor/visitor.ts';
import type { Erasure } from '../../model/erasure.ts';
import { OperatingError } from '../../model/errors.ts';
import type { HitGroup } from '../../model/hit.ts';
import type { DomainId } from '../../model/ids.ts';
import { IMPORT_BACKLOG_BYTES_MAX, IMPORT_REST_MS_MAX } from '../../model/import-limits.ts';
import type { ImportRecord, SumDays } from '../../model/imported-sum.ts';
import { readCheckedJson, writeCheckedFile } from '../../store/checked-file.ts';
import { ImportRefusal } from '../adapter.ts';
import { portionsOfHits, portionsOfSums } from './portions.ts';
import type { ReadProgress, ReadTask } from './source-reader.ts';
import { claimStage, Stage } from './stage.ts';
import { destroyStageKey, stageKey } from './stage-key.ts';

/** How long an overloaded log is left alone. */
const PAUSE_MS = 100;
const WRITTEN = 'written.json';

type Done = (error: Error | null) => void;

/** Where an import goes (`bus/log/hit-writer.ts` has this shape). */
export interface ImportLog {
  submit(groups: readonly HitGroup[], done: Done): void;
  submitErasure(erasure: Erasure, done: Done): void;
  submitImport(record: ImportRecord, done: Done): void;
}

/** What is to be imported, and where to. */
export interface ImportTask extends Omit<ReadTask, 'claim' | 'visitorKey'> {
  /** null: it has one of its own, which goes with the reading (P-22). */
  readonly visitorKey: Uint8Array | null;
  /** Of the job: sums are known by it. */
  readonly id: string;
  /** Where there are no notes of it, as in a restored backup: what it may have written goes first. */
  readonly mayHaveWritten: boolean;
}

/** Reads the source of an import into its stage; resolves with false when it was asked to end before. */
export type ReadStage = (
  task: ReadTask,
  watch: {
    readonly isStopped: () => boolean;
    readonly onProgress: (progress: ReadProgress, isLast: boolean) => Promise<void>;
  },
) => Promise<boolean>;

/** How far an import is. */
export interface ImportProgress {
  readonly format: string;
  readonly rowsRead: number;
  readonly rowsImported: number;
  readonly rowsSkipped: number;
}

/** What happens beside it. */
export interface ImportWatch {
  readonly read: ReadStage;
  readonly log: ImportLog;
  /** Bytes of the log that are not counted yet. */
  readonly backlogBytes: () => number;
  readonly nowMs: () => number;
  /** Asked between portions: whether it is to end here, to go on later or never. */
  readonly isStopped: () => boolean;
  /** @param isLast the reading has ended with it, or the whole import. */
  readonly onProgress: (progress: ImportProgress, isLast: boolean) => Promise<void>;
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

/** @throws ImportRefusal when it is damaged: what was written is taken back then. */
function writtenIn(folder: string): Written | null {
  const found = readCheckedJson<Written>(join(folder, WRITTEN));
  if (found === 'damaged') throw new ImportRefusal(`${WRITTEN} of the import is damaged`);
  return found?.value ?? null;
}

/** It was asked to end. */
class Stopped extends Error {}

/**
 * Does an import, or goes on with it.
 *
 * @returns false: it was stopped before the end.
 * @throws ImportFault when the source cannot be imported; what the reading and the log throw.
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

class ImportRun {
  readonly #task: ImportTask;
  readonly #watch: ImportWatch;
  #stage: Stage;
  #written: Written;

  constructor(task: ImportTask, watch: ImportWatch) {
    this.#task = task;
    this.#watch = watch;
    this.#stage = new Stage(task.folder);
    this.#written = writtenIn(task.folder) ?? {
      // No number of an attempt that nobody knows any more.
      attempt: task.mayHaveWritten ? watch.nowMs() : 0,
      ...{ isCleared: false, portions: 0, rows: 0, atMs: watch.nowMs() },
    };
  }

  async take(): Promise<void> {
    if (!this.#stage.notes.isWhole) await this.#read();
    await this.#tell(true);
    if (this.#stage.notes.rowsStaged > 0) await this.#write();
    await this.#tell(true);
  }

  /** Elsewhere: what is safely there of an attempt before is passed over. */
  async #read(): Promise<void> {
    const { id: _, mayHaveWritten: _written, ...task } = this.#task;
    const { isStopped, onProgress } = this.#watch;
    const claim = claimStage(task.folder);
    const visitorKey = task.visitorKey ?? stageKey(task.folder);
    const isRead = await this.#watch.read(
      { ...task, claim, visitorKey },
      {
        isStopped,
        onProgress: (progress, isLast) => {
          return onProgress({ ...progress, rowsImported: 0, rowsSkipped: 0 }, isLast);
        },
      },
    );
    if (!isRead) throw new Stopped();
    destroyStageKey(task.folder);
    this.#stage = new Stage(task.folder);
  }

  async #write(): Promise<void> {
    const { hits, sums } = this.#stage.notes;
    const span = hits.rows === 0 ? null : this.#spanOfHits();
    const isReplacing = span !== null && (await this.#watch.onWriting(span));
    if (sums.rows > 0) await this.#watch.onWriting(null);
    if (span !== null) {
      this.#checkAge();
      if (!this.#written.isCleared) await this.#clear(span, isReplacing);
    }
    if (!this.#written.isCleared) {
      this.#keepWritten({ ...this.#written, isCleared: true, atMs: this.#watch.nowMs() });
    }
    const portions = span === null ? 0 : await this.#writeHits();
    if (sums.rows > 0) await this.#writeSums(portions);
  }

  /** What stands in the way of hits goes: of other imports, and of an attempt before. */
  async #clear(span: { fromMs: number; toMs: number }, isReplacing: boolean): Promise<void> {
    const { domainId } = this.#domain;
    if (!isReplacing && this.#written.attempt === 0) return;
    const erasure: Erasure = { domainId, kind: 'all', startMs: span.fromMs, endMs: span.toMs };
    await this.#send((log, done) => log.submitErasure(erasure, done));
  }

  /** @returns how many portions there are. */
  async #writeHits(): Promise<number> {
    const { id } = this.#task;
    const { domainId } = this.#domain;
    const key = `import:${id}:${this.#written.attempt}`;
    let last = 0;
    for (const { number, hits, rows } of portionsOfHits(this.#stage.hits())) {
      last = number;
      if (number <= this.#written.portions) continue;
      const group: HitGroup = {
        ...{ domainId, receivedMs: this.#watch.nowMs(), dropped: null, hits },
        idempotencyHash: hashImportKey(`${key}:${number}`, domainId),
      };
      await this.#send((log, done) => log.submit([group], done));
      await this.#note(rows);
    }
    return last;
  }

  /** @param before portions of hits, which were written first. */
  async #writeSums(before: number): Promise<void> {
    const { id: importId } = this.#task;
    const { domainId } = this.#domain;
    for (const { number, sums, rows } of portionsOfSums(this.#stage.sums())) {
      if (before + number <= this.#written.portions) continue;
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

  /** Keys are forgotten in time, also that of a portion that no note tells of; numbers of sums are not. */
  #checkAge(): void {
    const { attempt, atMs, isCleared } = this.#written;
    const isLate = this.#watch.nowMs() - atMs > IMPORT_REST_MS_MAX;
    if (!isCleared || !isLate) return;
    const fresh = { isCleared: false, portions: 0, rows: 0, atMs: this.#watch.nowMs() };
    this.#keepWritten({ ...fresh, attempt: attempt + 1 });
  }

  /** A portion is durable. */
  async #note(rows: number): Promise<void> {
    const { portions, rows: before } = this.#written;
    const atMs = this.#watch.nowMs();
    this.#keepWritten({ ...this.#written, portions: portions + 1, rows: before + rows, atMs });
    await this.#tell(false);
  }

  #keepWritten(written: Written): void {
    this.#written = written;
    writeCheckedFile(join(this.#task.folder, WRITTEN), JSON.stringify(written));
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

  #tell(isLast: boolean): Promise<void> {
    const { rowsRead } = this.#stage;
    const { format, isWhole, rowsStaged } = this.#stage.notes;
    const progress = {
      ...{ format, rowsRead, rowsImported: this.#written.rows },
      rowsSkipped: isWhole ? rowsRead - rowsStaged : 0,
    };
    return this.#watch.onProgress(progress, isLast);
  }

  /** The days that were asked for, as far as there is anything; of the others nothing is touched. */
  #spanOfHits(): { fromMs: number; toMs: number } {
    const { timezone, fromDay, toDay, nativeMs } = this.#task;
    const { least, greatest } = this.#stage.notes.hits;
    const first = fromDay ?? localDayOf(timezone, least);
    const last = toDay ?? localDayOf(timezone, greatest);
    return {
      fromMs: startOfLocalDayMs(timezone, first),
      toMs: Math.min(startOfLocalDayMs(timezone, last + 1), nativeMs),
    };
  }

  #daysOfSums(): SumDays {
    const { timezone, fromDay, toDay, nativeMs } = this.#task;
    const { least, greatest } = this.#stage.notes.sums;
    const lastDay = localDayOf(timezone, nativeMs) - 1;
    return {
      fromDay: fromDay ?? least,
      toDay: Math.min(toDay ?? greatest, lastDay),
    };
  }
}
