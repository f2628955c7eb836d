/**
 * Does the imports that stand in the registry (P-3), one after the other, and keeps the uploads.
 *
 * Control plane. The node that has an upload on its disk imports it, so no lease is needed; what is done
 * of it stands beside the upload, and whoever was killed goes on there.
 *
 *     waiting ─▶ running ─┬─▶ done ───────┐
 *                         ├─▶ failed ─────┼─▶ taken back: what hits were written is erased, sums go
 *                         └─▶ cancelled ◀─┘
 */
import { monotonicMs } from '../base/clock.ts';
import { localDayOf, startOfLocalDayMs } from '../base/zone.ts';
import { changed, deleted } from '../control/descriptor/draft.ts';
import { type Domain, domain } from '../control/resources/domain.ts';
import {
  type ImportJob,
  importJob,
  isOpen,
  isToTakeBack,
} from '../control/resources/import-job.ts';
import { upload } from '../control/resources/upload.ts';
import { Sites } from '../control/sites.ts';
import { ImportFault } from '../imports/adapter.ts';
import { type ImportProgress, runImport } from '../imports/job/import-run.ts';
import { removeStage } from '../imports/job/stage.ts';
import { jobFolder, removeUpload, storedUploads, uploadedFiles } from '../imports/uploads.ts';
import { asDomainId } from '../model/ids.ts';
import { UPLOAD_ORPHAN_MS, UPLOAD_SWEEP_MS } from '../model/import-limits.ts';
import { SECOND_MS } from '../model/limits.ts';
import { parseDay } from '../query/question/calendar.ts';
import type { JobContext, JobTurn } from './job.ts';

/** How often a job that runs says how far it is. */
const TELL_MS = 2 * SECOND_MS;

type Parts = Pick<JobContext, 'registry' | 'owns' | 'imports' | 'nowMs'>;

/** The job of the imports. */
export function imports(parts: Parts): JobTurn {
  const work = new Imports(parts);
  return () => work.take();
}

class Imports {
  readonly #parts: Parts;
  readonly #sites: Sites;
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sites = new Sites(parts.registry);
  }

  /** What is to be done now. Rejects with the first fault; it is tried again. */
  async take(): Promise<void> {
    // A command may have changed something.
    this.#parts.registry.refresh();
    for (const job of this.#all()) if (isToTakeBack(job)) await this.#takeBack(job);
    await this.#sweep();
    const next = this.#all().find((job) => isOpen(job) && this.#has(job.uploadId));
    if (next !== undefined) await this.#import(next);
  }

  #all(): ImportJob[] {
    const { view } = this.#parts.registry;
    return view.count(importJob) === 0 ? [] : [...view.all(importJob)];
  }

  #has(uploadId: string): boolean {
    return uploadedFiles(this.#parts.imports.dataDir, uploadId) !== null;
  }

  async #import(job: ImportJob): Promise<void> {
    const { registry, imports, nowMs } = this.#parts;
    const { id, uploadId, from, to } = job;
    const site = registry.view.find(domain, job.domainId);
    if (site === null) return;
    const { timezone } = site;
    const nativeMs = job.nativeMs ?? (await this.#nativeMs(job, site));
    await this.#change(id, { state: 'running', nativeMs, startedMs: job.startedMs ?? nowMs() });
    const folder = jobFolder(imports.dataDir, uploadId, id);
    const task = {
      ...{ id, timezone, folder, nativeMs, site: this.#sites.of(site) },
      files: uploadedFiles(imports.dataDir, uploadId) ?? [],
      ...{ fromDay: parseDay(from), toDay: parseDay(to), visitorKey: registry.visitorKey },
    };
    let told: ImportProgress | null = null;
    let toldMs = monotonicMs();
    try {
      const isDone = await runImport(task, {
        ...{ log: imports.log, backlogBytes: imports.backlogBytes, nowMs },
        isStopped: () => imports.isStopping() || !this.#goesOn(id),
        onProgress: async (progress) => {
          told = progress;
          if (monotonicMs() - toldMs < TELL_MS) return;
          toldMs = monotonicMs();
          registry.refresh();
          await this.#change(id, progress);
        },
        onWriting: (span) => this.#beginWriting(id, span),
      });
      if (!isDone) return;
      await this.#change(id, { ...(told ?? {}), state: 'done', endedMs: nowMs() });
      removeStage(folder);
    } catch (error) {
      if (!(error instanceof ImportFault)) throw error;
      const ended = { state: 'failed', error: error.message, endedMs: nowMs() } as const;
      await this.#change(id, { ...ended, ...(told ?? {}) });
      removeStage(folder);
    }
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
    removeStage(jobFolder(imports.dataDir, uploadId, id));
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

  /** With the jobs that cannot be done without them. */
  #forget(ids: readonly string[]) {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    return registry.change({ nowMs: atMs, by: { kind: 'node', id: '' } }, (view) => [
      ...ids.filter((id) => view.has(upload.name, id)).map((id) => deleted(upload, id)),
      ...[...view.all(importJob)]
        .filter((job) => isOpen(job) && ids.includes(job.uploadId))
        .map((job) => {
          const error = 'the node that has the upload did not come back within a week';
          return changed(importJob, { ...job, state: 'failed', error, endedMs: atMs });
        }),
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
      return [changed(importJob, next)];
    });
  }
}

function isBusy(job: ImportJob): boolean {
  return isOpen(job) || isToTakeBack(job);
}

function stored(hand: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    hand((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
