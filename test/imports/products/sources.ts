/** Sources for the tests of adapters: the samples in test/data/imports, and files made of texts. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Adapter, ImportedRow, SourceFile } from '../../../src/imports/adapter.ts';
import { ADAPTERS } from '../../../src/imports/adapters.ts';
import { openSource } from '../../../src/imports/source/files.ts';

const SAMPLES = join(import.meta.dirname, '../../data/imports');

/** A file of a text, in pieces of so many bytes. */
export function textFile(name: string, text: string | Buffer, pieceBytes = 65_536): SourceFile {
  const bytes = Buffer.from(text);
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  return { name, bytes: bytes.length, open: async () => Readable.from(pieces()) };
}

/** The bytes of a file of a sample. */
export function sampleBytes(sample: string, file: string): Buffer {
  return readFileSync(join(SAMPLES, sample, file));
}

/** All rows that an adapter reads out of files. */
export async function rowsOf(
  adapter: Adapter,
  files: readonly SourceFile[],
  timezone = 'UTC',
): Promise<ImportedRow[]> {
  const rows: ImportedRow[] = [];
  for await (const batch of adapter.read(files, { timezone })) rows.push(...batch);
  return rows;
}

/** Names of the adapters that take a sample for their own, and what the first reads out of it. */
export async function readSample(sample: string): Promise<{ names: string[]; rows: unknown[] }> {
  const source = await openSource([{ path: join(SAMPLES, sample), name: sample }]);
  const samples = await source.samples();
  const adapters = ADAPTERS.filter((adapter) => adapter.recognises(samples));
  const rows = adapters[0] === undefined ? [] : await rowsOf(adapters[0], source.files);
  source.close();
  return { names: adapters.map(({ name }) => name), rows: rows.map(shown) };
}

/** A row without what is not known, its time readable and its place short. */
export function shown(row: ImportedRow): unknown {
  const { place, ...rest } = row;
  const known = Object.entries(rest).filter(([, value]) => value !== undefined);
  const at = 'at' in row ? { at: new Date(row.at).toISOString() } : {};
  return { ...Object.fromEntries(known), ...at, place: `${place.file}:${place.line}` };
}
