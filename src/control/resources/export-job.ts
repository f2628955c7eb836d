/**
 * Exports of a domain's rows into files (P-10): what was asked for, how far it is, and its files.
 *
 * The node that owns the domain's shard writes them (`jobs/exports.ts`), into a folder of the
 * record's id on its disk (`exports/offered.ts`): without a record the folder goes. Days are those of
 * the domain's time zone.
 */
import { exactly, integer, listOf, nullable, number, oneOf, string } from '../../base/schema.ts';
import { EXPORT_FILE_FORMATS } from '../../exports/columns.ts';
import { EXPORT_WHATS } from '../../exports/plan.ts';
import { ASKER, kept, reference } from '../descriptor/fields.ts';
import { defineResource, type RecordType } from '../descriptor/resource.ts';

export const EXPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/** A file that can be fetched. */
export const EXPORTED_FILE = { name: string, bytes: integer, sha256: string };

const nothingYet = kept(nullable(number), () => null);

export const exportJob = defineResource({
  name: 'export',
  table: 'exports',
  owners: ['domainId'],
  fields: {
    domainId: reference({ to: 'domain', whenGone: 'remove' }),
    userId: ASKER,
    what: kept(oneOf(EXPORT_WHATS), () => 'all' as const),
    format: kept(oneOf(EXPORT_FILE_FORMATS), () => 'csv' as const),
    /** Days, YYYY-MM-DD, both included; '' without a bound. */
    from: kept(string, () => ''),
    to: kept(string, () => ''),
    state: kept(oneOf(EXPORT_STATES), () => 'waiting' as const),
    rows: kept(number, () => 0),
    /** Of one that is done; the manifest is the last of them. */
    files: { ...kept(listOf(exactly(EXPORTED_FILE)), () => []), shown: [] },
    error: kept(string, () => ''),
    /** Times that it was begun: one that ends the process each time is given up. */
    attempts: { ...kept(number, () => 0), shown: [] },
    /** Whose disk it is written to (`exports/place.id`). */
    place: { ...kept(string, () => ''), shown: [] },
    endedMs: nothingYet,
    /** From then on it is offered no more, and its record goes. */
    expiresMs: nothingYet,
  },
});

export type ExportJob = RecordType<typeof exportJob>;

/** Whether it is still to be done. */
export function isExportOpen({ state }: Pick<ExportJob, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}
