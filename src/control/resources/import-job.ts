/**
 * Imports of statistics from other products (P-1 to P-3): what was asked for, and how far it is.
 *
 * The node that has the upload on its disk does the work (`jobs/imports.ts`). Days are those of the
 * domain's time zone.
 */
import { boolean, nullable, number, oneOf, string } from '../../base/schema.ts';
import { ASKER, kept, reference } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

/** `failed` and `cancelled` keep nothing of what was written. */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

const nothingYet = kept(nullable(number), () => null);

export const importJob = defineResource({
  name: 'import',
  table: 'imports',
  owners: [],
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    userId: ASKER,
    /** Of the upload. It may be gone: what was imported stays. */
    uploadId: kept(string, () => ''),
    name: kept(string, () => ''),
    /** Days, YYYY-MM-DD, both included; '' without a bound. */
    from: kept(string, () => ''),
    to: kept(string, () => ''),
    state: kept(oneOf(IMPORT_STATES), () => 'waiting' as const),
    /** Name of the adapter, once it is known. */
    format: kept(string, () => ''),
    rowsRead: kept(number, () => 0),
    rowsImported: kept(number, () => 0),
    rowsSkipped: kept(number, () => 0),
    /** Why it has failed; of one that is tried again, what went wrong the last time. */
    error: kept(string, () => ''),
    /** Attempts that have begun since it got any further. */
    attempts: kept(number, () => 0),
    startedMs: nothingYet,
    endedMs: nothingYet,
    /** From here on there is native data: nothing of it is imported, and nothing of it taken back. */
    nativeMs: nothingYet,
    /** What hits are written to, `[fromMs, toMs)`; null: none are. */
    fromMs: nothingYet,
    toMs: nothingYet,
    /** Sums are written. */
    hasSums: kept(boolean, () => false),
    /** Nothing is left of what it wrote. */
    isTakenBack: kept(boolean, () => false),
  },
});

export type ImportJob = RecordType<typeof importJob>;

/** Whether it is still to be done. */
export function isOpen({ state }: ImportJob): boolean {
  return state === 'waiting' || state === 'running';
}

/** Whether it has written something, and is to be without it. */
export function isToTakeBack(job: ImportJob): boolean {
  return hasKeptNothing(job) && !job.isTakenBack && (job.fromMs !== null || job.hasSums);
}

/** Whether nothing of it is left, and it has ended. */
export function isGone(job: ImportJob): boolean {
  return hasKeptNothing(job) && !isToTakeBack(job);
}

function hasKeptNothing({ state }: ImportJob): boolean {
  return state === 'cancelled' || state === 'failed';
}
