/**
 * The files of a source: local files and folders, with what archives have inside in their place.
 *
 * Control plane. Nothing is unpacked to disk; how much a file grows is bounded while it is read,
 * since what an archive says of itself may be wrong.
 */
import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import {
  INFLATE_RATIO_MAX,
  SOURCE_BYTES_MAX,
  SOURCE_FILE_COUNT_MAX,
  SOURCE_NAME_LENGTH_MAX,
} from '../../model/import-limits.ts';
import { ImportFault, type SourceFile, type SourceSample } from '../adapter.ts';
import { encodingOf } from './text.ts';

/** Bytes of a file that an adapter knows its own by. */
const SAMPLE_BYTES = 4_096;
/** Below this nobody asks how much a file has grown. */
const RATIO_BYTES_MIN = 16 * 1_024 ** 2;

/** A file, a folder, or what is to be read under another name than it has on disk. */
export interface SourcePath {
  readonly path: string;
  readonly name: string;
}

/** An opened source. */
export interface Source {
  /** By name: the same order each time. */
  readonly files: readonly SourceFile[];
  /** Of each file its beginning. @throws ImportFault. */
  samples(): Promise<readonly SourceSample[]>;
  close(): void;
}

/**
 * Opens files, folders and archives as one source.
 *
 * @throws ImportFault when an archive is damaged or larger than it may be.
 */
export async function openSource(paths: readonly SourcePath[]): Promise<Source> {
  const files: SourceFile[] = [];
  const archives: ZipFile[] = [];
  const close = () => {
    for (const archive of archives) archive.close();
  };
  try {
    for (const one of await listedFiles(paths)) {
      if (one.name.toLowerCase().endsWith('.zip')) await addArchive(one, files, archives);
      else files.push(await localFile(one));
      checkSize(files, one.name);
    }
  } catch (error) {
    close();
    throw error;
  }
  files.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { files, samples: () => samplesOf(files), close };
}

/** One after the other: so many files and inflaters at once would take more than a process may have. */
async function samplesOf(files: readonly SourceFile[]): Promise<SourceSample[]> {
  const samples: SourceSample[] = [];
  for (const file of files) samples.push(await sampleOf(file));
  return samples;
}

/** What is damaged in an archive is told like any other damage. */
function archiveFault(name: string, error: unknown): ImportFault {
  if (error instanceof ImportFault) return error;
  return new ImportFault({ file: name, line: 1 }, 'a whole zip archive', textOf(error));
}

/** The files among paths, in place of folders. @throws ImportFault when there are too many. */
export async function listedFiles(paths: readonly SourcePath[]): Promise<SourcePath[]> {
  const found: SourcePath[] = [];
  for (const { path, name } of paths) {
    const there = await stat(path);
    if (there.isFile()) {
      found.push({ path, name });
      continue;
    }
    if (!there.isDirectory()) {
      throw new ImportFault({ file: name, line: 1 }, 'a file or a folder, no pipe or device');
    }
    for await (const entry of await opendir(path, { recursive: true })) {
      if (!entry.isFile() || isHidden(entry.name)) continue;
      const inside = join(entry.parentPath, entry.name);
      found.push({ path: inside, name: inside.slice(path.length).replace(/^\/+/, '') });
      checkCount(found.length, name);
    }
  }
  return found;
}

async function localFile({ path, name }: SourcePath): Promise<SourceFile> {
  const { size: bytes } = await stat(path);
  if (!name.toLowerCase().endsWith('.gz')) {
    return { name, bytes, path, open: () => Promise.resolve(createReadStream(path)) };
  }
  const inside = basename(name).replace(/\.gz$/i, '');
  return {
    ...{ name: inside, bytes },
    open: () => {
      const packed = createReadStream(path);
      const unpacked = createGunzip();
      packed.on('error', (error) => unpacked.destroy(error));
      unpacked.on('close', () => packed.destroy());
      const isGzip = (error: unknown) =>
        new ImportFault({ file: name, line: 1 }, 'a whole gzip file', textOf(error));
      return Promise.resolve(bounded(packed.pipe(unpacked), { name, bytes, fault: isGzip }));
    },
  };
}

/**
 * Reads an archive by a stream of its own for each part. The package's own reader shares one file among
 * them, and throws where nobody can catch it when one that waits for its turn is given up.
 */
class ArchiveReader extends RandomAccessReader {
  readonly #path: string;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 });
  }
}

async function addArchive(
  { path, name }: SourcePath,
  files: SourceFile[],
  archives: ZipFile[],
): Promise<void> {
  const fault = (error: unknown) => archiveFault(name, error);
  const { size } = await stat(path);
  const reader = new ArchiveReader(path);
  const options = { autoClose: false, lazyEntries: true };
  const archive = await fromRandomAccessReaderPromise(reader, size, options).catch((error) => {
    throw fault(error);
  });
  archives.push(archive);
  const names = new Set<string>();
  try {
    for await (const entry of archive.eachEntry()) {
      checkName(entry.fileName, name);
      if (entry.fileName.endsWith('/') || entry.fileName.split('/').some(isHidden)) continue;
      if (names.has(entry.fileName)) {
        throw new ImportFault({ file: name, line: 1 }, 'names that occur once', entry.fileName);
      }
      names.add(entry.fileName);
      files.push(archivedFile(archive, entry));
      checkSize(files, name);
    }
  } catch (error) {
    throw fault(error);
  }
}

function archivedFile(archive: ZipFile, entry: Entry): SourceFile {
  const { fileName: name, uncompressedSize, compressedSize, crc32: crc } = entry;
  const fault = (error: unknown) => archiveFault(name, error);
  return {
    ...{ name, bytes: uncompressedSize },
    async open() {
      const unpacked = await archive.openReadStreamPromise(entry).catch((error: unknown) => {
        throw fault(error);
      });
      return bounded(unpacked, { name, bytes: compressedSize, crc, fault });
    },
  };
}

/** A packed file: its bytes as they are packed, and where the archive says it the CRC-32 of what is inside. */
interface Packed {
  readonly name: string;
  readonly bytes: number;
  readonly crc?: number;
  readonly fault: (error: unknown) => ImportFault;
}

/** What is unpacked, up to as much as there may be of it, and whole: the package looks at lengths only. */
function bounded(unpacked: Readable, of: Packed): Readable {
  const bytesMax = Math.max(of.bytes * INFLATE_RATIO_MAX, RATIO_BYTES_MIN);
  let seen = 0;
  let crc = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      if (of.crc !== undefined) crc = crc32(chunk, crc);
      if (seen <= bytesMax && seen <= SOURCE_BYTES_MAX) done(null, chunk);
      else {
        const most = `at most ${INFLATE_RATIO_MAX} times the packed ${of.bytes} bytes`;
        done(new ImportFault({ file: of.name, line: 1 }, most, 'more'));
      }
    },
    flush(done) {
      const isWhole = of.crc === undefined || of.crc === crc;
      done(isWhole ? null : of.fault('what is inside has another checksum than was packed'));
    },
  });
  unpacked.on('error', (error) => counted.destroy(of.fault(error)));
  counted.on('close', () => unpacked.destroy());
  return unpacked.pipe(counted);
}

async function sampleOf(file: SourceFile): Promise<SourceSample> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of (await file.open()) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length >= SAMPLE_BYTES) break;
  }
  const bytes = Buffer.concat(pieces).subarray(0, SAMPLE_BYTES);
  return { name: file.name, head: new TextDecoder(encodingOf(bytes)).decode(bytes) };
}

/** What systems leave beside files. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name === '__MACOSX';
}

function checkSize(files: readonly SourceFile[], name: string): void {
  checkCount(files.length, name);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= SOURCE_BYTES_MAX) return;
  throw new ImportFault({ file: name, line: 1 }, `at most ${SOURCE_BYTES_MAX} bytes`, `${bytes}`);
}

function checkName(inside: string, name: string): void {
  if (inside.length <= SOURCE_NAME_LENGTH_MAX) return;
  const most = `names of at most ${SOURCE_NAME_LENGTH_MAX} characters`;
  throw new ImportFault({ file: name, line: 1 }, most, inside);
}

function checkCount(count: number, name: string): void {
  if (count <= SOURCE_FILE_COUNT_MAX) return;
  throw new ImportFault({ file: name, line: 1 }, `at most ${SOURCE_FILE_COUNT_MAX} files`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
