/**
 * `footfall keywords import|delete`: what a search console exported, for the statistic of keywords
 * (P-4).
 *
 * Control plane.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { Files } from '../control/files.ts';
import { changeKeywords } from '../control/keywords.ts';
import { notFound, Records } from '../control/records.ts';
import type { Registry } from '../control/registry/registry.ts';
import { domain } from '../control/resources/domain.ts';
import { ImportFault } from '../imports/adapter.ts';
import { readKeywords } from '../imports/keywords.ts';
import { errors } from '../model/errors.ts';
import { type KeywordDays, type KeywordRow, keywordDays } from '../model/keywords.ts';
import { type SharedFlags, withRegistry, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly id: string;
}

interface ImportFlags extends Flags {
  readonly file: string;
}

/** Adds the command to the program. */
export function registerKeywords(program: Command): void {
  const keywords = program.command('keywords').description('what people searched to find a site');
  withSharedFlags(keywords.command('import'))
    .description(
      'import the CSV export of a search console, in place of what there was of its days',
    )
    .requiredOption('--id <id>', 'id of the site')
    .requiredOption('--file <path>', 'date, query, clicks, impressions, ctr and position as CSV')
    .action(importKeywords);
  withSharedFlags(keywords.command('delete'))
    .description('delete all that was imported from a search console')
    .requiredOption('--id <id>', 'id of the site')
    .action((flags: Flags) => change(flags, [], { fromDay: 0, toDay: 2 ** 31 }));
}

async function importKeywords(flags: ImportFlags): Promise<void> {
  const rows = await rowsOf(flags.file);
  const days = keywordDays(rows);
  if (days === null) throw refusal(`${flags.file} has no rows below the names of its columns`);
  await change(flags, rows, days);
}

async function change(flags: Flags, rows: readonly KeywordRow[], days: KeywordDays) {
  const saved = await withRegistry(flags, async (registry, nowMs) => {
    if (registry.view.find(domain, flags.id) === null) throw notFound(domain, flags.id);
    return changeKeywords(storeOf(registry), { domainId: flags.id, rows, days }, stamp(nowMs));
  });
  const result = {
    ...{ domain_id: flags.id, rows_imported: rows.length, rows: saved?.rowCount ?? 0 },
    from: saved?.from ?? null,
    to: saved?.to ?? null,
  };
  const note = 'The statistic of keywords of a running service has them at once.';
  writeResult(result, { json: flags.json === true, note });
}

function storeOf(registry: Registry) {
  return { records: new Records(registry), files: new Files(registry) };
}

function stamp(nowMs: number) {
  return { nowMs, by: { kind: 'cli', id: '' } } as const;
}

async function rowsOf(path: string): Promise<KeywordRow[]> {
  try {
    const { size: bytes } = await stat(path);
    return await readKeywords({
      ...{ name: basename(path), bytes },
      open: async () => createReadStream(path),
    });
  } catch (error) {
    if (error instanceof ImportFault) throw refusal(error.message);
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw refusal(`cannot be read: ${message}`);
    throw error;
  }
}

function refusal(file: string) {
  return errors.VALIDATION_FAILED({ validation: { file } });
}
