/**
 * Writes the exports that stand in the registry (P-10), one after the other, and removes what is offered
 * no more.
 *
 * Control plane. The node that owns a domain's shard does it. An export is begun anew after a kill, or
 * when the shard moved; one that ends its process each time, or meets a fault of ours, has failed after
 * some attempts. What was deleted of the statistics while it was written, or is offered, ends it
 * (`control/exports.ts`): no file says more than the statistics do.
 *
 *     waiting ─▶ running ─┬─▶ done ──────┬─ 24 h ─▶ record and folder go
 *        ▲          │     ├─▶ failed ────┤
 *        └──────────┘     └─▶ cancelled ─┘
 *     shard moved, service stopped
 */
import { monotonicMs } from '../base/clock.ts';
import { changed, deleted } from '../control/descriptor/draft.ts';
import { endOf, isListed } from '../control/exports.ts';
import { endedJobWanted } from '../control/people/mails.ts';
import { domain } from '../control/resources/domain.ts';
import { type ExportJob, exportJob, isExportOpen } from '../control/resources/export-job.ts';
import type { ExportPlan } from '../exports/export-segments.ts';
import type { Manifest } from '../exports/manifest.ts';
import {
  exportFolder,
  isExportWhole,
  offeredFiles,
  removeExport,
  storedExports,
} from '../exports/offered.ts';
import { planOf } from '../exports/plan.ts';
import { OperatingError } from '../model/errors.ts';
import { EXPORT_ATTEMPT_COUNT_MAX, EXPORT_TELL_MS } from '../model/export-limits.ts';
import { asDomainId } from '../model/ids.ts';
import { parseDay } from '../query/question/calendar.ts';
import type { JobContext, JobTurn } from './job.ts';

const NODE = { kind: 'node', id: '' } as const;
/** What no other attempt makes better: it is told at once. */
const FINAL = new Set(['EXPORT_FAILED', 'STATE_DAMAGED', 'STORE_DAMAGED']);
/** What goes away by itself, and is nobody's fault. */
const PASSING = new Set(['SHARD_MOVED', 'NODE_AWAY', 'NOT_READY', 'LOG_UNAVAILABLE']);

type Parts = Pick<JobContext, 'registry' | 'owns' | 'exports' | 'nowMs'>;

/** The job of the exports. */
export function exports(parts: Parts): JobTurn {
  const work = new Exports(parts);
  return () => work.take();
}

class Exports {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is to be done now. Rejects with a fault; it is tried again. */
  async take(): Promise<void> {
    // A command may have changed something.
    this.#parts.registry.refresh();
    await this.#sweep(null);
    const { owns } = this.#parts;
    const next = this.#all().find((job) => isExportOpen(job) && owns(asDomainId(job.domainId)));
    if (next !== undefined) await this.#begin(next);
  }

  #all(): ExportJob[] {
    const { view } = this.#parts.registry;
    return view.count(exportJob) === 0 ? [] : [...view.all(exportJob)];
  }

  /** What runs according to its record was broken off: exports are written here only, one by one. */
  async #begin(job: ExportJob): Promise<void> {
    const { registry, exports, nowMs } = this.#parts;
    const site = registry.view.find(domain, job.domainId);
    if (site === null) return;
    if (job.attempts >= EXPORT_ATTEMPT_COUNT_MAX) {
      await this.#fail(job.id, job.error || 'the service ended each time while it was written');
      return;
    }
    const attempts = job.attempts + 1;
    const begun = { state: 'running', attempts, place: exports.place, rows: 0 } as const;
    if (!(await this.#change(job.id, begun))) return;
    removeExport(exports.dataDir, job.id);
    const { id, hostname, timezone } = site;
    const days = { fromDay: parseDay(job.from), toDay: parseDay(job.to) };
    const plan = planOf({ ...job, ...days }, { id, hostname, timezone }, nowMs());
    try {
      const manifest = await this.#write(job.id, attempts, plan);
      if (manifest !== null) await this.#finish(job.id, attempts, manifest);
      // Nobody is to blame: the next start begins anew.
      else if (exports.isStopping()) await this.#change(job.id, { state: 'waiting', attempts: 0 });
    } catch (error) {
      await this.#settle(job.id, attempts, error);
    } finally {
      await this.#sweep(null);
    }
  }

  #write(id: string, attempts: number, plan: ExportPlan): Promise<Manifest | null> {
    const { registry, exports } = this.#parts;
    let toldMs = monotonicMs();
    return exports.write(plan, exportFolder(exports.dataDir, id), {
      isStopped: () => {
        registry.keepUp();
        return exports.isStopping() || !this.#goesOn(id, attempts);
      },
      onRows: async (rows) => {
        if (monotonicMs() - toldMs < EXPORT_TELL_MS) return;
        toldMs = monotonicMs();
        registry.refresh();
        await this.#change(id, { rows });
        await this.#sweep(id);
      },
    });
  }

  /** Whether this attempt is wanted: not cancelled, not begun anew, here or by another node. */
  #goesOn(id: string, attempts: number): boolean {
    const job = this.#parts.registry.view.find(exportJob, id);
    return job !== null && this.#isOurs(job, attempts);
  }

  #isOurs(job: ExportJob, attempts: number): boolean {
    const { owns, exports } = this.#parts;
    const isSame = job.attempts === attempts && job.place === exports.place;
    return job.state === 'running' && isSame && owns(asDomainId(job.domainId));
  }

  async #finish(id: string, attempts: number, manifest: Manifest): Promise<void> {
    const { registry, exports, nowMs } = this.#parts;
    const files = offeredFiles(exports.dataDir, id, manifest);
    const atMs = nowMs();
    await registry.change({ nowMs: atMs, by: NODE }, (view) => {
      const job = view.find(exportJob, id);
      if (job === null || !this.#isOurs(job, attempts)) return [];
      const done = endOf({ ...job, files, rows: manifest.rows, error: '' }, 'done', atMs);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const about = { rows: done.rows, bytes, untilMs: done.expiresMs };
      const { domainId, userId } = done;
      const ended = { kind: 'export-ready', domainId, userId, about } as const;
      return [changed(exportJob, done), ...endedJobWanted(ended, { view, nowMs: atMs })];
    });
  }

  async #settle(id: string, attempts: number, error: unknown): Promise<void> {
    const job = this.#parts.registry.view.find(exportJob, id);
    if (job === null || !this.#isOurs(job, attempts)) return;
    const known = error instanceof OperatingError ? error : null;
    if (known !== null && PASSING.has(known.code)) {
      await this.#change(id, { state: 'waiting', attempts: attempts - 1 });
      return;
    }
    const words = known?.told ?? 'the service met a fault; its log says which';
    if (known !== null && FINAL.has(known.code)) await this.#fail(id, words);
    else await this.#change(id, { state: 'waiting', error: words });
    // The operator is told of it, whoever asked of what it means to them.
    throw error;
  }

  async #fail(id: string, error: string): Promise<void> {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    await registry.change({ nowMs: atMs, by: NODE }, (view) => {
      const job = view.find(exportJob, id);
      if (job === null || !isExportOpen(job)) return [];
      return [changed(exportJob, endOf({ ...job, error }, 'failed', atMs))];
    });
  }

  /** Somebody has removed its files. */
  async #lose(id: string): Promise<void> {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    await registry.change({ nowMs: atMs, by: NODE }, (view) => {
      const job = view.find(exportJob, id);
      if (job?.state !== 'done') return [];
      const error = 'its files are gone: export again';
      return [changed(exportJob, endOf({ ...job, error }, 'failed', atMs))];
    });
  }

  /** What was cancelled meanwhile stays cancelled. @returns whether it was changed. */
  async #change(id: string, fields: Partial<ExportJob>): Promise<boolean> {
    const { registry, nowMs } = this.#parts;
    const atMs = nowMs();
    const made = await registry.change({ nowMs: atMs, by: NODE }, (view) => {
      const job = view.find(exportJob, id);
      if (job === null || !isExportOpen(job)) return [];
      return [changed(exportJob, { ...job, ...fields, modifiedMs: atMs })];
    });
    return made.length > 0;
  }

  /** Removes records that have expired, and folders of no export. @param writing stays. */
  async #sweep(writing: string | null): Promise<void> {
    const { registry, owns, exports, nowMs } = this.#parts;
    const atMs = nowMs();
    const over = this.#all().filter(
      (job) => !isListed(job, atMs) && owns(asDomainId(job.domainId)),
    );
    if (over.length > 0) {
      await registry.change({ nowMs: atMs, by: NODE }, (view) =>
        over
          .filter(({ id }) => view.has(exportJob.name, id))
          .map(({ id }) => deleted(exportJob, id)),
      );
    }
    for (const { id, state, place } of this.#all()) {
      const isLost = state === 'done' && place === exports.place;
      if (isLost && !isExportWhole(exports.dataDir, id)) await this.#lose(id);
    }
    for (const id of storedExports(exports.dataDir)) {
      const job = registry.view.find(exportJob, id);
      const isOffered = job?.state === 'done' && isExportWhole(exports.dataDir, id);
      if (id !== writing && !isOffered) removeExport(exports.dataDir, id);
    }
  }
}
