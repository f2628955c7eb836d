/** Uploads and import jobs of a domain: what may be made of them, and how they are shown (P-2). */
import { boolean, exactly, integer, listOf, nullable, oneOf, string } from '../base/schema.ts';
import { localDayOf } from '../base/zone.ts';
import { errors } from '../model/errors.ts';
import {
  IMPORT_JOB_COUNT_MAX,
  UPLOAD_COUNT_MAX,
  UPLOAD_KEPT_MS,
  UPLOADED_BYTES_MAX,
} from '../model/import-limits.ts';
import { formatDay } from '../query/question/calendar.ts';
import { changed, created, deleted } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import type { Decision } from './records.ts';
import { domain } from './resources/domain.ts';
import {
  IMPORT_STATES,
  type ImportJob,
  importJob,
  isGone,
  isOpen,
} from './resources/import-job.ts';
import { type Upload, upload } from './resources/upload.ts';

/** An upload as requests name it. */
export const UPLOAD_SHOWN = exactly({ name: string, id: string });
export const UPLOADS_SHOWN = listOf(UPLOAD_SHOWN);

/** The contract's import job and what it has beside. */
export const JOB_SHOWN = exactly({
  ...{ id: string, def_time: string, mod_time: string },
  ...{ domain_id: string, external_user_id: string, external_user_email: string },
  ...{ domain: nullable(string), name: string, format: string },
  ...{ from: nullable(string), to: nullable(string) },
  state: oneOf(IMPORT_STATES),
  ...{ rows_read: integer, rows_imported: integer, rows_skipped: integer },
  error: nullable(string),
  ...{ until: nullable(string), taken_back: boolean },
});
export const JOBS_SHOWN = listOf(JOB_SHOWN);

/** How a job is answered. */
export function shownJob(job: ImportJob, view: Look) {
  return {
    id: job.id,
    def_time: new Date(job.createdMs).toISOString(),
    mod_time: new Date(job.modifiedMs).toISOString(),
    // Nobody signs in elsewhere: files are brought.
    ...{ domain_id: job.domainId, external_user_id: '', external_user_email: '' },
    ...{ domain: job.uploadId, name: job.name, format: job.format },
    ...{ from: job.from || null, to: job.to || null, state: job.state },
    ...{ rows_read: job.rowsRead, rows_imported: job.rowsImported },
    ...{ rows_skipped: job.rowsSkipped, error: job.error || null },
    ...{ until: lastDayOf(job, view), taken_back: isGone(job) },
  };
}

/** The last day that it may write to, in the domain's zone: the site has its own from the next one on. */
export function lastDayOf({ domainId, nativeMs, to }: ImportJob, view: Look): string | null {
  const site = view.find(domain, domainId);
  if (nativeMs === null || site === null) return null;
  const last = formatDay(localDayOf(site.timezone, nativeMs) - 1);
  return to !== '' && to < last ? to : last;
}

/** How an upload is answered. */
export function shownUpload({ id, name }: Upload) {
  return { name, id };
}

/** Uploads that somebody may still import, oldest first. */
export function uploadsOf(view: Look, domainId: string, nowMs: number): readonly Upload[] {
  return view.of(upload, 'domainId', domainId).filter(({ expiresMs }) => expiresMs > nowMs);
}

/** The newest job; null without any. */
export function newestJobOf(view: Look, domainId: string): ImportJob | null {
  return view.of(importJob, 'domainId', domainId).at(-1) ?? null;
}

/** All that are remembered, newest first. */
export function jobsOf(view: Look, domainId: string): readonly ImportJob[] {
  return view.of(importJob, 'domainId', domainId).toReversed();
}

/** @throws VALIDATION_FAILED when a domain has as many uploads as it may. */
export function checkUploadRoom(view: Look, domainId: string, bytes: number): void {
  const there = view.of(upload, 'domainId', domainId);
  const held = there.reduce((sum, one) => sum + one.bytes, bytes);
  const isTooMany = there.length >= UPLOAD_COUNT_MAX;
  if (!isTooMany && held <= UPLOADED_BYTES_MAX) return;
  const most = isTooMany ? `${UPLOAD_COUNT_MAX} uploads` : `${UPLOADED_BYTES_MAX} bytes of uploads`;
  const fault = `has ${most}, which is the limit; they are removed a day after they came`;
  throw errors.VALIDATION_FAILED({ validation: { domain_id: fault } });
}

/** An upload whose file is there. @throws VALIDATION_FAILED, as `checkUploadRoom`. */
export function newUpload(
  view: Look,
  of: Pick<Upload, 'id' | 'domainId' | 'name' | 'bytes'>,
  nowMs: number,
): Decision<Upload> {
  checkUploadRoom(view, of.domainId, of.bytes);
  const record = { ...of, createdMs: nowMs, modifiedMs: nowMs, expiresMs: nowMs + UPLOAD_KEPT_MS };
  return { changes: [created(upload, record)], result: record };
}

/** What a job is asked to import. */
export interface WantedImport {
  readonly id: string;
  readonly domainId: string;
  /** Who is told once it is over; null: nobody. */
  readonly userId: string | null;
  readonly property: string;
  readonly from: string;
  readonly to: string;
}

/** A job that waits for its turn. @throws VALIDATION_FAILED. */
export function newImport(view: Look, wanted: WantedImport, nowMs: number): Decision<ImportJob> {
  const { id, domainId, userId, property, from, to } = wanted;
  const found = view.find(upload, property);
  const isThere = found !== null && found.domainId === domainId && found.expiresMs > nowMs;
  const jobs = view.of(importJob, 'domainId', domainId);
  const validation: Record<string, string> = {};
  if (!isThere) validation['property'] = 'is no upload of this domain; GET profile lists them';
  if (from !== '' && to !== '' && from > to) validation['to'] = 'must not be before from';
  if (jobs.some(isOpen)) validation['domain_id'] = 'has an import that is not done yet';
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  const record: ImportJob = {
    ...{ id, domainId, userId, createdMs: nowMs, modifiedMs: nowMs },
    ...{ uploadId: property, name: found?.name ?? '', from, to },
    ...{ state: 'waiting', format: '', error: '', attempts: 0, startedMs: null, endedMs: null },
    ...{ rowsRead: 0, rowsImported: 0, rowsSkipped: 0 },
    ...{ nativeMs: null, fromMs: null, toMs: null, hasSums: false, isTakenBack: false },
  };
  return { changes: [...withoutOldest(jobs), created(importJob, record)], result: record };
}

/** The oldest of which nothing is left makes room. */
function withoutOldest(jobs: readonly ImportJob[]): Change[] {
  if (jobs.length < IMPORT_JOB_COUNT_MAX) return [];
  const gone = jobs.find(({ state, isTakenBack }) => state === 'failed' || isTakenBack) ?? jobs[0];
  return gone === undefined ? [] : [deleted(importJob, gone.id)];
}

/**
 * Ends the newest job that is not cancelled: what it wrote is taken back by who does the work.
 *
 * @returns null: there is none.
 */
export function cancelledImport(
  view: Look,
  domainId: string,
  nowMs: number,
): Decision<ImportJob | null> {
  const jobs = view.of(importJob, 'domainId', domainId);
  const last = jobs.findLast(({ state }) => state !== 'cancelled' && state !== 'failed');
  if (last === undefined) return { changes: [], result: null };
  const record: ImportJob = { ...last, state: 'cancelled', endedMs: nowMs, modifiedMs: nowMs };
  return { changes: [changed(importJob, record)], result: record };
}
