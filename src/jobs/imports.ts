/**
 * Does the imports that stand in the registry (P-3), one after the other, and keeps the uploads.
 *
 * Control plane. The node that has an upload on its disk imports it, so no lease is needed; what is done
 * of it stands beside the upload, and whoever was killed goes on there.
 *
 *     waiting ─▶ running ─┬─▶ done ───────┐
 *                         ├─▶ failed ─────┼─▶ taken back: what hits were written is erased, sums go
 *                         └─▶ cancelled ◀─┘
 *
 * A fault that is none of the file's is tried again after a rest, while other imports go on; after
 * some attempts that brought a job no further it has failed. Attempts are counted when they begin, so
 * that one which ended the service counts, too.
 */
import { monotonicMs } from '../base/clock.ts';
import { localDayOf, startOfLocalDayMs } from '../base/zone.ts';
import { changed, deleted } from '../control/descriptor/draft.ts';
import type { Change } from '../control/descriptor/resource.ts';
import { lastDayOf } from '../control/imports.ts';
import { endedJobWanted, type NoticeContext } from '../control/people/mails.ts';
import { alternative } from '../control/resources/alternative.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import {
  type ImportJob,
  importJob,
  isOpen,
  isToTakeBack,
} from '../control/resources/import-job.ts';
import { type Upload, upload } from '../control/resources/upload.ts';
import { ImportRefusal } from '../imports/adapter.ts';
import { isPersonal } from '../imports/adapters.ts';
import { type ImportProgress, runImport } from '../imports/job/import-run.ts';
import type { SourceSite } from '../imports/job/source-reader.ts';
import { removeStage } from '../imports/job/stage.ts';
import {
  hasUpload,
  jobFolder,
  removeUpload,
  storedUploads,
  uploadedFiles,
} from '../imports/uploads.ts';
import { normalizeHostname } from '../ingest/page/page-url.ts';
import { OperatingError } from '../model/errors.ts';
import { asDomainId } from '../model/ids.ts';
import {
  IMPORT_ATTEMPTS_MAX,
  IMPORT_REST_MS_MAX,
  IMPORT_RETRY_MS,
  IMPORT_RETRY_MS_MAX,
  UPLOAD_ORPHAN_MS,
  UPLOAD_SWEEP_MS,
} from '../model/import-limits.ts';
import { SECOND_MS } from '../model/limits.ts';
import { parseDay } from '../query/question/calendar.ts';
import type { JobContext, JobTurn } from './job.ts';

/** How often a job that runs says how far it is. */
const TELL_MS = 2 * SECOND_MS;
const NO_ATTEMPTS = { attempts: 0 } as const;

type Parts = Pick<JobContext, 'registry' | 'owns' | 'imports' | 'nowMs'>;

/** The job of the imports. */
export function imports(parts: Parts): JobTurn {
  const work = new Imports(parts);
  return () => work.take();
}

class Imports {
  readonly #parts: Parts;
  /** By job: when it is tried again after a fault, and how long it rested the last time. */
  readonly #resting = new Map<string, { readonly untilMs: number; readonly restMs: number }>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is to be done now. Rejects with the first fault; it is tried again. */
  async take(): Promise<void> {
    // A command may have changed something.
    this.#parts.registry.refresh();
    const faults: unknown[] = [];
    for (const job of this.#all()) {
      if (isToTakeBack(job)) await this.#try(job, faults, () => this.#takeBack(job));
    }
    await this.#sweep();
    const next = this.#all().find((job) => {
      return isOpen(job) && this.#has(job.uploadId) && !this.#rests(job.id);
    });
    if (next !== undefined) await this.#try(next, faults, () => this.#import(next));
    await this.#removeUsed();
    if (faults.length > 0) throw faults[0];
  }

  #rests(id: string): boolean {
    return (this.#resting.get(id)?.untilMs ?? 0) > monotonicMs();
  }

  /** A job whose turn fails rests, so that it holds up no other. */
  async #try({ id }: ImportJob, faults: unknown[], work: () => Promise<void>): Promise<void> {
    if (this.#rests(id)) return;
    try {
      await work();
      this.#resting.delete(id);
    } catch (error) {
      const before = this.#resting.get(id)?.restMs ?? IMPORT_RETRY_MS / 2;
      const restMs = Math.min(before * 2, IMPORT_RETRY_MS_MAX);
      this.#resting.set(id, { untilMs: monotonicMs() + restMs, restMs });
      faults.push(error);
    }
  }

  #all(): ImportJob[] {
    const { view } = this.#parts.registry;
    return view.count(importJob) === 0 ? [] : [...view.all(importJob)];
  }

  #has(uploadId: string): boolean {
    return hasUpload(this.#parts.imports.dataDir, uploadId);
  }

  async #import(job: ImportJob): Promise<void> {
    const { registry, nowMs } = this.#parts;
    const { id } = job;
    const site = registry.view.find(domain, job.domainId);
    if (site === null) return;
    if (job.attempts >= IMPORT_ATTEMPTS_MAX) {
      const fault = job.error || 'the service ended while it was at it';
      await this.#fail(job, `given up after ${job.attempts} attempts; the last one: ${fault}`);
      return;
    }
    const startedMs = job.startedMs ?? nowMs();
    await this.#change(id, { state: 'running', startedMs, attempts: job.attempts + 1 });
    try {
      const nativeMs = job.nativeMs ?? (await this.#nativeMs(job, site));
      await this.#change(id, { nativeMs });
      const isDone = await this.#run(job, site, nativeMs);
      if (isDone) await this.#change(id, { state: 'done', error: '', endedMs: nowMs() });
      else await this.#change(id, { attempts: job.attempts });
      if (isDone || !this.#goesOn(id)) removeStage(this.#folderOf(job));
    } catch (error) {
      if (error instanceof ImportRefusal) await this.#fail(job, error.message);
      else {
        // Who is busy will not be for ever: that is no attempt.
        const isBusy = error instanceof OperatingError && error.status === 503;
        const known = isBusy ? { attempts: job.attempts } : { error: textOf(error) };
        await this.#change(id, known);
        throw error;
      }
    }
  }

  async #fail(job: ImportJob, error: string): Promise<void> {
    await this.#change(job.id, { state: 'failed', error, endedMs: this.#parts.nowMs() });
    removeStage(this.#folderOf(job));
  }

  /** @returns false: it was stopped, or cancelled. */
  #run(job: ImportJob, site: Domain, nativeMs: number): Promise<boolean> {
    const { registry, imports, nowMs } = this.#parts;
    const { id, uploadId, from, to } = job;
    const task = {
      ...{ id, timezone: site.timezone, folder: this.#folderOf(job), nativeMs },
      ...{ site: this.#sourceSite(site), files: uploadedFiles(imports.dataDir, uploadId) ?? [] },
      ...{ fromDay: parseDay(from), toDay: parseDay(to) },
      visitorKey: imports.hasOwnKeys ? null : registry.visitorKey,
      mayHaveWritten: job.fromMs !== null || nowMs() - job.createdMs > IMPORT_REST_MS_MAX,
    };
    let toldMs = Number.NEGATIVE_INFINITY;
    return runImport(task, {
      ...{ read: imports.read, log: imports.log, backlogBytes: imports.backlogBytes, nowMs },
      isStopped: () => imports.isStopping() || !this.#goesOn(id),
      onProgress: async (progress, isLast) => {
        if (!isLast && monotonicMs() - toldMs < TELL_MS) return;
        toldMs = monotonicMs();
        registry.refresh();
        await this.#change(id, { ...progress, ...(isFurther(progress, job) && NO_ATTEMPTS) });
      },
      onWriting: (span) => this.#beginWriting(id, span),
    });
  }

  #folderOf({ id, uploadId }: ImportJob): string {
    return jobFolder(this.#parts.imports.dataDir, uploadId, id);
  }

  #sourceSite({ id, hostname, filter }: Domain): SourceSite {
    const others = this.#parts.registry.view.of(alternative, 'domainId', id);
    return {
      ...{ domainId: id, hostname: normalizeHostname(hostname) },
      alternatives: others.map((one) => one.hostname),
      ...{ blocked: filter?.ipBlock ?? [], allowed: filter?.ipAllow ?? [] },
    };
  }

  /** What another process said counts as well: it was looked at with the last progress. */
  #goesOn(id: string): boolean {
    const { registry } = this.#parts;
    registry.keepUp();
    const job = registry.view.find(importJob, id);
    return job !== null && isOpen(job);
  }

  /** From when on there is native data: what imports have brought is none. */
  async #nativeMs(job: ImportJob, site: Domain): Promise<number> {
    const { registry, imports, nowMs } = this.#parts;
    const { timezone } = site;
    const others = registry.view.of(importJob, 'domainId', site.id);
    const before = others.find(({ id, fromMs, isTakenBack, nativeMs }) => {
      return id !== job.id && fromMs !== null && !isTakenBack && nativeMs !== null;
    });
    if (before?.nativeMs) return before.nativeMs;
    const first = (await imports.firstRowMs(asDomainId(site.id))) ?? nowMs();
    return startOfLocalDayMs(timezone, localDayOf(timezone, Math.min(first, nowMs())));
  }

  async #beginWriting(id: string, span: { fromMs: number; toMs: number } | null): Promise<boolean> {
    await this.#change(id, span === null ? { hasSums: true } : span);
    if (span === null) return false;
    const { view } = this.#parts.registry;
    const own = view.find(importJob, id);
    const others = view.of(importJob, 'domainId', own?.domainId ?? '');
    return others.some(({ id: other, fromMs, toMs, isTakenBack }) => {
      if (other === id || fromMs === null || toMs === null || isTakenBack) return false;
      return fromMs < span.toMs && toMs > span.fromMs;
    });
  }

  /**
   * Who may still be writing has to be done with it: this node, which does one thing after the other, or
   * nobody any more.
   */
  async #takeBack(job: ImportJob): Promise<void> {
    const { registry, owns, imports } = this.#parts;
    const { id, uploadId, fromMs, toMs, hasSums } = job;
    const domainId = asDomainId(job.domainId);
    const isGone = !registry.view.has(upload.name, uploadId);
    if (!this.#has(uploadId) && !(isGone && owns(domainId))) return;
    if (fromMs !== null && toMs !== null && fromMs < toMs) {
      const erasure = { domainId, kind: 'all', startMs: fromMs, endMs: toMs } as const;
      await stored((done) => imports.log.submitErasure(erasure, done));
    }
    if (hasSums) {
      const record = { domainId, importId: id, kind: 'take-back' } as const;
      await stored((done) => imports.log.submitImport(record, done));
    }
    await this.#change(id, { isTakenBack: true });
    removeStage(this.#folderOf(job));
  }

  /** Removes what nobody has a use for: uploads that are too old, and what was left behind. */
  async #sweep(): Promise<void> {
    if (monotonicMs() - this.#sweptMs < UPLOAD_SWEEP_MS) return;
    this.#sweptMs = monotonicMs();
    const { registry, imports, nowMs } = this.#parts;
    const { view } = registry;
    const used = new Set(
      this.#all()
        .filter(isBusy)
        .map(({ uploadId }) => uploadId),
    );
    const old = [...view.all(upload)].filter(({ id, expiresMs }) => {
      return expiresMs <= nowMs() && !(used.has(id) && this.#has(id));
    });
    if (old.length > 0) await this.#forget(old.map(({ id }) => id));
    for (const { id, writtenMs } of storedUploads(imports.dataDir)) {
      const isOrphan = !view.has(upload.name, id) && nowMs() - writtenMs > UPLOAD_ORPHAN_MS;
      if (isOrphan) removeUpload(imports.dataDir, id);
    }
  }

  /** Uploads that may tell who somebody was are not kept to be imported again (P-22). */
  async #removeUsed(): Promise<void> {
    const jobs = this.#all();
    const isUsed = ({ id }: Upload) => {
      const own = jobs.filter(({ uploadId }) => uploadId === id);
      const isOver = own.length > 0 && !own.some(isBusy) && this.#has(id);
      return isOver && own.some(({ format }) => isPersonal(format));
    };
    const ids = [...this.#parts.registry.view.all(upload)].filter(isUsed).map(({ id }) => id);
    if (ids.length === 0) return;
    await this.#forget(ids);
    for (const id of ids) removeUpload(this.#parts.imports.dataDir, id);
  }

  /** With the jobs that cannot be done without them. */
  #forget(ids: readonly string[]) {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    return registry.change({ nowMs: atMs, by: { kind: 'node', id: '' } }, (view) => [
      ...ids.filter((id) => view.has(upload.name, id)).map((id) => deleted(upload, id)),
      ...[...view.all(importJob)]
        .filter((job) => isOpen(job) && ids.includes(job.uploadId))
        .map((job) => {
          const error = 'the node that has the upload did not come back within a day';
          return { ...job, state: 'failed', error, endedMs: atMs } as const;
        })
        .flatMap((job) => [changed(importJob, job), ...toldOf(job, { view, nowMs: atMs })]),
    ]);
  }

  /** What was cancelled meanwhile stays cancelled. */
  #change(id: string, fields: Partial<ImportJob>) {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    return registry.change({ nowMs: atMs, by: { kind: 'node', id: '' } }, (view) => {
      const job = view.find(importJob, id);
      if (job === null) return [];
      const { state = job.state, ...rest } = fields;
      const next = { ...job, ...rest, state: isOpen(job) ? state : job.state, modifiedMs: atMs };
      const isOver = isOpen(job) && !isOpen(next);
      return [changed(importJob, next), ...(isOver ? toldOf(next, { view, nowMs: atMs }) : [])];
    });
  }
}

/** What who began an import that is over is told. */
function toldOf(job: ImportJob, context: NoticeContext): Change[] {
  const { domainId, userId, state, name: source, rowsImported: rows, error: fault } = job;
  const of = { domainId, userId };
  if (state === 'failed')
    return endedJobWanted({ ...of, kind: 'import-failed', about: { fault } }, context);
  if (state !== 'done') return [];
  const about = { source, rows, to: lastDayOf(job, context.view) ?? job.to };
  return endedJobWanted({ ...of, kind: 'import-done', about }, context);
}

function isBusy(job: ImportJob): boolean {
  return isOpen(job) || isToTakeBack(job);
}

/** Than it ever was: what was read or written of it stays. */
function isFurther(progress: ImportProgress, job: ImportJob): boolean {
  return progress.rowsRead > job.rowsRead || progress.rowsImported > job.rowsImported;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stored(hand: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    hand((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
