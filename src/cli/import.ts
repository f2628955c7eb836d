/**
 * `footfall import`: brings what another product has exported to a site (P-2).
 *
 * Control plane. The files are copied into the data directory and the job is written down; a running
 * service does it, or the next one that starts.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { randomAlphanumeric } from '../base/random.ts';
import { checkUploadRoom, newImport, newUpload, shownJob } from '../control/imports.ts';
import { notFound, Records } from '../control/records.ts';
import { domain as site } from '../control/resources/domain.ts';
import { errors } from '../model/errors.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
import { DATE_MESSAGE, formatDay, parseDay } from '../query/question/calendar.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly id: string;
  readonly file: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
}

/** Adds the command to the program. */
export function registerImport(program: Command): void {
  withSharedFlags(program.command('import'))
    .description('import what another product has exported, also while the service runs')
    .requiredOption('--id <id>', 'id of the site')
    .requiredOption('--file <path...>', 'files, archives or folders of one export')
    .option('--from <date>', "the first day, in the site's time zone (default: its first)")
    .option('--to <date>', 'the last day (default: the last before the site has its own)')
    .option('--dry-run', 'read everything and say what it is, and store nothing')
    .action(importFiles);
}

async function importFiles(flags: Flags): Promise<void> {
  const span = { from: dayOf(flags, 'from'), to: dayOf(flags, 'to') };
  const missing = flags.file.find((path) => !existsSync(path));
  if (missing !== undefined) {
    throw errors.VALIDATION_FAILED({ validation: { file: `is not there: ${missing}` } });
  }
  // Loaded here: the other commands need none of it.
  const { listedFiles } = await import('../imports/source/files.ts');
  const given = flags.file.map((path) => ({ path: resolve(path), name: basename(resolve(path)) }));
  const files = await asFileFault(listedFiles(given));
  if (flags.dryRun === true) {
    await tellRows(flags, files, span);
    return;
  }
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  const uploadId = randomAlphanumeric(ENTITY_ID_LENGTH);
  const { copyUpload, removeUpload } = await import('../imports/uploads.ts');
  const job = await withRegistry(flags, async (registry, nowMs) => {
    if (registry.view.find(site, flags.id) === null) throw notFound(site, flags.id);
    // Before the disk is full of what is not taken.
    const wantedBytes = files.reduce((sum, { path }) => sum + statSync(path).size, 0);
    checkUploadRoom(registry.view, flags.id, wantedBytes);
    const bytes = await copyUpload(dataDir, uploadId, files);
    const name = files.length === 1 ? files[0]!.name : `${given[0]!.name} (${files.length} files)`;
    const records = new Records(registry);
    const stamp = { nowMs, by: { kind: 'cli', id: '' } } as const;
    try {
      await records.decide(stamp, (view, atMs) =>
        newUpload(view, { id: uploadId, domainId: flags.id, name, bytes }, atMs),
      );
      const id = randomAlphanumeric(ENTITY_ID_LENGTH);
      const wanted = { id, domainId: flags.id, userId: null, property: uploadId, ...span };
      const made = await records.decide(stamp, (view, atMs) => newImport(view, wanted, atMs));
      return shownJob(made, registry.view);
    } catch (error) {
      removeUpload(dataDir, uploadId);
      throw error;
    }
  });
  const note = 'A running service imports it now, else the next one that starts.';
  writeResult(job, { json: flags.json === true, note });
}

async function tellRows(
  flags: Flags,
  files: readonly { path: string; name: string }[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { timezone } = await withRegistry(flags, ({ view }) => {
    const found = view.find(site, flags.id);
    if (found === null) throw notFound(site, flags.id);
    return Promise.resolve(found);
  });
  // In a process of its own, as the job does: no file takes more memory than an import may have.
  const { countApart } = await import('../runtime/threads/watched-reader.ts');
  const { ADAPTERS } = await import('../imports/adapters.ts');
  const { memory } = givenSettings({ dataDir: flags.dataDir });
  const task = { timezone, files, fromDay: parseDay(from), toDay: parseDay(to) };
  const { format, rowsRead } = await asFileFault(countApart(task, memory));
  const gives = ADAPTERS.find(({ name }) => name === format)?.gives ?? '';
  const result = { format, gives, files: files.length, rows: rowsRead };
  writeResult(result, { json: flags.json === true, note: 'Nothing was stored.' });
}

/** What is wrong with a file is said in one line. */
async function asFileFault<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    // Only now: what fails while something is loaded ends the process, if nobody waits for it yet.
    const { ImportRefusal } = await import('../imports/adapter.ts');
    if (!(error instanceof ImportRefusal)) throw error;
    throw errors.VALIDATION_FAILED({
      validation: { file: `cannot be imported: ${error.message}` },
    });
  }
}

/** @throws VALIDATION_FAILED. */
function dayOf(flags: Flags, name: 'from' | 'to'): string {
  const text = flags[name];
  if (text === undefined) return '';
  const day = parseDay(text);
  if (day === null) throw errors.VALIDATION_FAILED({ validation: { [name]: DATE_MESSAGE } });
  return formatDay(day);
}
