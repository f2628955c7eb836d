/**
 * An export of our own: a folder with `manifest.json` (P-10). Its sessions come back as they were, and
 * behind them what other products counted.
 */
import { createHash } from 'node:crypto';
import { type ExportFileFormat, type ExportTable, ROW_TABLES } from '../../../exports/columns.ts';
import {
  MANIFEST_NAME,
  type Manifest,
  type ManifestFile,
  readManifest,
} from '../../../exports/manifest.ts';
import { type Adapter, ImportFault, type SourceFile, type SourceSample } from '../../adapter.ts';
import { type OwnRow, type ReadRows, readCsv, readNdjson, readParquet } from './rows.ts';
import { sessionsOf } from './sessions.ts';
import { sumsOf } from './sums.ts';

const READERS: Readonly<Record<ExportFileFormat, ReadRows>> = {
  ...{ csv: readCsv, ndjson: readNdjson, parquet: readParquet },
};
/** As long as that of a thousand years. */
const MANIFEST_BYTES_MAX = 16 * 1_024 ** 2;
const OURS = /"product":\s*"footfall"/;

export const FOOTFALL: Adapter = {
  ...{ name: 'footfall', title: 'Footfall', gives: 'sessions', isPersonal: false },
  recognises: (files) => files.some((file) => isManifest(file) && OURS.test(file.head)),
  async *read(files) {
    const { manifest, folder } = await manifestOf(files);
    const named = new Map(files.map((file) => [file.name, file]));
    const fileOf = (entry: ManifestFile) => found(named.get(folder + entry.name), entry, folder);
    // First all of them: a damaged one is known before anything was read.
    for (const entry of manifest.files) await checkFile(fileOf(entry), entry);
    const read = READERS[manifest.file_format];
    for (const month of [...new Set(manifest.files.map((entry) => entry.month))].sort()) {
      const rows = (table: ExportTable): AsyncIterable<readonly OwnRow[]> => {
        const entry = manifest.files.find((one) => one.month === month && one.table === table);
        if (entry === undefined) return nothing();
        return read(fileOf(entry), table);
      };
      yield* sessionsOf({
        ...{ sessions: rows('sessions'), views: rows('views'), events: rows('events') },
      });
    }
    for (const entry of manifest.files) {
      if (entry.table === 'imported_sums') yield* sumsOf(read(fileOf(entry), entry.table));
    }
  },
};

function isManifest({ name }: SourceSample | SourceFile): boolean {
  return name === MANIFEST_NAME || name.endsWith(`/${MANIFEST_NAME}`);
}

async function* nothing(): AsyncGenerator<OwnRow[]> {
  // A month without such rows has no file of them.
}

/** @returns with the folder that it stands in, a slash at its end. */
async function manifestOf(
  files: readonly SourceFile[],
): Promise<{ manifest: Manifest; folder: string }> {
  const manifests = files.filter(isManifest);
  const [file] = manifests;
  if (file === undefined || manifests.length > 1) {
    const place = { file: MANIFEST_NAME, line: 1 };
    throw new ImportFault(place, 'one export', `${manifests.length}`);
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of (await file.open()) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MANIFEST_BYTES_MAX) break;
  }
  const manifest = readManifest(Buffer.concat(pieces).toString('utf8'));
  const place = { file: file.name, line: 1 };
  if (manifest === null) {
    throw new ImportFault(place, 'a whole manifest of this version; a later one may have made it');
  }
  if (ROW_TABLES.some((table) => !manifest.what.includes(table))) {
    const what = manifest.what.join(', ');
    throw new ImportFault(place, "an export of all tables ('--what all')", what);
  }
  return { manifest, folder: file.name.slice(0, -MANIFEST_NAME.length) };
}

function found(file: SourceFile | undefined, { name }: ManifestFile, folder: string): SourceFile {
  if (file !== undefined) return file;
  throw new ImportFault({ file: folder + name, line: 1 }, 'the file that the manifest names', '');
}

/** @throws ImportFault when a file is not what was written. */
async function checkFile(file: SourceFile, { sha256 }: ManifestFile): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of (await file.open()) as AsyncIterable<Buffer>) hash.update(piece);
  const digest = hash.digest('hex');
  if (digest === sha256) return;
  const place = { file: file.name, line: 1 };
  throw new ImportFault(place, `a file with the SHA-256 ${sha256} of the manifest`, digest);
}
