/**
 * Reads an archive that `footfall backup --to -` wrote, or that another program packed again.
 *
 * Control plane.
 */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { errors, OperatingError } from '../../model/errors.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { OBJECT_BYTES } from './object-writer.ts';

/** Nothing that we write is nearly as large; what is larger would fill the memory. */
const FILE_BYTES_MAX = 512 * OBJECT_BYTES;

/** The bytes of an archive; `-` is standard input. */
export function archiveStream(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path);
}

/**
 * Reads an archive once.
 *
 * @param onFile gets every file, named without folders: objects, and the manifest last.
 * @throws BACKUP_UNUSABLE when it is no archive, or ends before its end.
 */
export async function readArchive(
  path: string,
  onFile: (name: string, bytes: Buffer) => void,
): Promise<void> {
  const archive = extract();
  let hasManifest = false;
  archive.on('entry', (head, stream, next) => {
    const chunks: Buffer[] = [];
    if ((head.size ?? 0) > FILE_BYTES_MAX) {
      const reason = `the file '${head.name}' is larger than any of a backup`;
      archive.destroy(errors.BACKUP_UNUSABLE({ path, reason }));
      return;
    }
    stream.on('data', (chunk) => chunks.push(chunk as Buffer));
    stream.on('end', () => {
      const name = basename(head.name);
      hasManifest ||= name === MANIFEST_NAME;
      if (head.type === 'file') onFile(name, Buffer.concat(chunks));
      next();
    });
  });
  try {
    await pipeline(archiveStream(path), archive);
  } catch (cause) {
    if (cause instanceof OperatingError) throw cause;
    throw errors.BACKUP_UNUSABLE({ path, reason: (cause as Error).message }, cause);
  }
  if (!hasManifest) {
    throw errors.BACKUP_UNUSABLE({ path, reason: `it is cut off: it has no ${MANIFEST_NAME}` });
  }
}
