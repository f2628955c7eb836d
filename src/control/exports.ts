/** Exports of a domain: which may be asked for, how they end, and how they are shown (P-10). */
import { exactly, integer, listOf, nullable, oneOf, string } from '../base/schema.ts';
import { errors } from '../model/errors.ts';
import {
  EXPORT_COUNT_MAX,
  EXPORT_KEPT_MS,
  EXPORT_OFFERED_BYTES_MAX,
  EXPORT_OPEN_COUNT_MAX,
  EXPORT_OPEN_OF_USER_COUNT_MAX,
} from '../model/export-limits.ts';
import { DAY_MS } from '../model/limits.ts';
import { changed, created, deleted } from './descriptor/draft.ts';
import type { Change, Look } from './descriptor/resource.ts';
import type { Decision } from './records.ts';
import {
  EXPORT_STATES,
  EXPORTED_FILE,
  type ExportJob,
  exportJob,
  isExportOpen,
} from './resources/export-job.ts';

/** Where a file is fetched from, without the service's address. */
export const EXPORT_FILE_PATH = '/api/v1/export/file';

/** An export as requests see it. */
export const EXPORT_SHOWN = exactly({
  ...{ id: string, domain_id: string, what: string, format: string },
  ...{ from: nullable(string), to: nullable(string) },
  state: oneOf(EXPORT_STATES),
  rows: integer,
  files: listOf(exactly({ ...EXPORTED_FILE, url: string })),
  ...{ created: string, expires: nullable(string), error: nullable(string) },
});
export const EXPORTS_SHOWN = listOf(EXPORT_SHOWN);

/** How an export is answered. */
export function shownExport(job: ExportJob) {
  const { id, domainId, what, format, state, rows, files, expiresMs } = job;
  return {
    ...{ id, domain_id: domainId, what, format },
    ...{ from: job.from || null, to: job.to || null, state, rows },
    files: files.map((file) => ({ ...file, url: addressOf(id, file.name) })),
    created: new Date(job.createdMs).toISOString(),
    expires: expiresMs === null ? null : new Date(expiresMs).toISOString(),
    error: job.error || null,
  };
}

function addressOf(id: string, name: string): string {
  return `${EXPORT_FILE_PATH}?${new URLSearchParams({ id, name })}`;
}

/** Exports of a domain that are listed, oldest first. */
export function exportsOf(view: Look, domainId: string, nowMs: number): readonly ExportJob[] {
  return view.of(exportJob, 'domainId', domainId).filter((job) => isListed(job, nowMs));
}

/** Whether anybody is told of it: the record of one that has expired goes a moment later. */
export function isListed({ expiresMs }: ExportJob, nowMs: number): boolean {
  return expiresMs === null || expiresMs > nowMs;
}

/** What an export is asked for; `checkWish` has looked at it. */
export type WantedExport = Pick<
  ExportJob,
  'id' | 'domainId' | 'userId' | 'what' | 'format' | 'from' | 'to'
>;

/** An export that waits for its turn. @throws VALIDATION_FAILED when there are as many as may be. */
export function newExport(view: Look, wanted: WantedExport, nowMs: number): Decision<ExportJob> {
  const { domainId, userId } = wanted;
  const jobs = exportsOf(view, domainId, nowMs);
  const fault = faultOf(jobs) || (userId === null ? '' : faultOfUser(view, userId));
  if (fault !== '') throw errors.VALIDATION_FAILED({ validation: { domain_id: fault } });
  const record: ExportJob = {
    ...{ ...wanted, createdMs: nowMs, modifiedMs: nowMs, state: 'waiting' },
    ...{ rows: 0, files: [], error: '', attempts: 0, place: '', endedMs: null, expiresMs: null },
  };
  return { changes: [...withoutOldest(jobs), created(exportJob, record)], result: record };
}

function faultOf(jobs: readonly ExportJob[]): string {
  if (jobs.filter(isExportOpen).length >= EXPORT_OPEN_COUNT_MAX) {
    return `has ${EXPORT_OPEN_COUNT_MAX} exports that are not done yet, which is the limit`;
  }
  const done = jobs.filter(({ state }) => state === 'done');
  const bytes = done.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  const isFull = bytes >= EXPORT_OFFERED_BYTES_MAX || jobs.length - gone(jobs) >= EXPORT_COUNT_MAX;
  return isFull ? 'has as many exports as it may; remove some, or wait until they expire' : '';
}

/** What is listed for its words alone makes room for a new one. */
function gone(jobs: readonly ExportJob[]): number {
  return jobs.filter(isOnlyTold).length;
}

function isOnlyTold({ state }: ExportJob): boolean {
  return state === 'failed' || state === 'cancelled';
}

function withoutOldest(jobs: readonly ExportJob[]): Change[] {
  if (jobs.length < EXPORT_COUNT_MAX) return [];
  const oldest = jobs.find(isOnlyTold);
  return oldest === undefined ? [] : [deleted(exportJob, oldest.id)];
}

function faultOfUser(view: Look, userId: string): string {
  const open = view.of(exportJob, 'userId', userId).filter(isExportOpen).length;
  if (open < EXPORT_OPEN_OF_USER_COUNT_MAX) return '';
  return `is one of several: ${open} exports that you asked for are not done yet, which is the limit`;
}

/** Ends one that waits or runs; one that has ended goes, with its files. */
export function endedExport(view: Look, id: string, nowMs: number): Decision<ExportJob | null> {
  const job = view.find(exportJob, id);
  if (job === null) return { changes: [], result: null };
  if (!isExportOpen(job)) return { changes: [deleted(exportJob, id)], result: job };
  return { changes: [changed(exportJob, endOf(job, 'cancelled', nowMs))], result: job };
}

/** Days of the domain's time zone of which something was deleted, both included. */
export interface DeletedDays {
  readonly fromDay: number;
  readonly toDay: number;
}

/**
 * What becomes of a domain's exports when some of its statistics were deleted, once that is durable: one
 * that is offered goes, and says so; one that is written is begun anew. What has no such days stays.
 */
export function withoutDeleted(
  view: Look,
  domainId: string,
  { fromDay, toDay }: DeletedDays,
  nowMs: number,
): Change[] {
  return view.of(exportJob, 'domainId', domainId).flatMap((job) => {
    const { state, attempts } = job;
    const [first, last] = boundsOf(job);
    // Rows of a session belong to the day of its start, and may be of the next one.
    if (last + 1 < fromDay || first > toDay) return [];
    if (state === 'running') {
      const anew = { ...job, state: 'waiting', attempts: attempts - 1, modifiedMs: nowMs } as const;
      return [changed(exportJob, anew)];
    }
    if (state !== 'done') return [];
    const error = 'statistics in it were deleted after it was written: export again';
    return [changed(exportJob, endOf({ ...job, error }, 'failed', nowMs))];
  });
}

/** Its first and last day (F-2: in whichever order); infinite without one. */
function boundsOf({ from, to }: ExportJob): readonly [first: number, last: number] {
  const first = parsedDay(from) ?? Number.NEGATIVE_INFINITY;
  const last = parsedDay(to) ?? Number.POSITIVE_INFINITY;
  return first <= last ? [first, last] : [last, first];
}

/** Days since 1970-01-01; null: without a bound. */
function parsedDay(date: string): number | null {
  return date === '' ? null : Date.parse(date) / DAY_MS;
}

/** An export as it is once it has ended. */
export function endOf(
  job: ExportJob,
  state: 'done' | 'failed' | 'cancelled',
  nowMs: number,
): ExportJob {
  const expiresMs = nowMs + EXPORT_KEPT_MS;
  const files = state === 'done' ? job.files : [];
  return { ...job, state, files, endedMs: nowMs, expiresMs, modifiedMs: nowMs };
}
