/** What files take on disk. Control plane. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that the files of a folder take on disk; sparse files count what they hold. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512;
  }
  return bytes;
}
