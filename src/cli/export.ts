/**
 * `footfall export`: everything that is stored of a domain, into files that others read (P-10).
 *
 * Control plane. Changes nothing, and may be run beside the service.
 */
import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { notFound } from '../control/records.ts';
import { domain as site } from '../control/resources/domain.ts';
import { checkWish, EXPORT_WHATS, planOf } from '../exports/plan.ts';
import { errors } from '../model/errors.ts';
import { DATE_MESSAGE, parseDay } from '../query/question/calendar.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly id: string;
  readonly from?: string;
  readonly to?: string;
  readonly what?: string;
  readonly format?: string;
  readonly out: string;
}

/** Adds the command to the program. */
export function registerExport(program: Command): void {
  withSharedFlags(program.command('export'))
    .description('write what is stored of a site into files, also while the service runs')
    .requiredOption('--id <id>', 'id of the site')
    .requiredOption('--out <dir>', 'an empty directory, or one to be made')
    .option('--from <date>', "the first day, in the site's time zone (default: its first)")
    .option('--to <date>', 'the last day (default: its last)')
    .option('--what <rows>', `${EXPORT_WHATS.join(', ')} (default: all)`)
    .option('--format <format>', 'csv, ndjson or parquet (default: csv)')
    .action(exportSite);
}

async function exportSite(flags: Flags): Promise<void> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  const wish = wishOf(flags);
  const directory = resolve(flags.out);
  checkOut(directory);
  const domain = await withRegistry(flags, ({ view }) => {
    const found = view.find(site, flags.id);
    if (found === null) throw notFound(site, flags.id);
    const { id, hostname, timezone } = found;
    return Promise.resolve({ id, hostname, timezone });
  });
  // Loaded here: the other commands need none of it.
  const { exportDomain } = await import('../runtime/exports/domain-export.ts');
  const watch = { onBytes: () => undefined, onRows: () => undefined };
  const plan = planOf(wish, domain, systemClock());
  const { rows, files } = await exportDomain(dataDir, plan, directory, watch);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const result = { id: domain.id, out: directory, rows, files: files.length, bytes };
  const note = "manifest.json has each file's rows, length and SHA-256.";
  writeResult(result, { json: flags.json === true, note });
}

/** @throws VALIDATION_FAILED, before anything is read. */
function checkOut(directory: string): void {
  const found = statSync(directory, { throwIfNoEntry: false });
  const isFree =
    found === undefined || (found.isDirectory() && readdirSync(directory).length === 0);
  if (isFree) return;
  throw errors.VALIDATION_FAILED({ validation: { out: 'has to be an empty directory' } });
}

/** @throws VALIDATION_FAILED. */
function wishOf(flags: Flags) {
  const validation: Record<string, string> = {};
  const read = (name: 'from' | 'to'): number | null => {
    const text = flags[name];
    const day = text === undefined ? null : parseDay(text);
    if (text !== undefined && day === null) validation[name] = DATE_MESSAGE;
    return day;
  };
  const shape = checkWish(flags, (name, problem) => {
    validation[name] = problem;
  });
  const wish = { ...shape, fromDay: read('from'), toDay: read('to') };
  if (Object.keys(validation).length > 0) throw errors.VALIDATION_FAILED({ validation });
  return wish;
}
