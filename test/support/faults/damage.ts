/**
 * Damages files as disks do: single bits, and pages that come back empty.
 *
 * Files are taken by their size, but small ones are not left out.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE_BYTES = 4_096;

/** What was done to a file. */
export interface Wound {
  readonly file: string;
  readonly kind: 'bit' | 'page';
  /** Offset in bytes. */
  readonly at: number;
}

/** Files below a directory, relative to it; not those that say nothing after a stop (LMDB's readers). */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(directory, name)).isFile())
    .filter((name) => !name.endsWith('lock.mdb') && name !== 'service.lock')
    .sort();
}

/** Damages one file. @param random numbers in [0, 1). */
export function wound(directory: string, kind: Wound['kind'], random: () => number): Wound {
  const files = filesBelow(directory);
  const file = random() < 0.5 ? pick(files, random) : pickBySize(directory, files, random);
  const path = join(directory, file);
  const bytes = readFileSync(path);
  const used = usedBytes(file, bytes);
  if (kind === 'bit') {
    const at = Math.floor(random() * used);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(path, bytes);
    return { file, kind, at };
  }
  const at = Math.floor((random() * used) / PAGE_BYTES) * PAGE_BYTES;
  bytes.fill(0, at, Math.min(at + PAGE_BYTES, bytes.length));
  writeFileSync(path, bytes);
  return { file, kind, at };
}

/** Most of a log file is preallocated zeros: nothing can happen to them. */
function usedBytes(file: string, bytes: Buffer): number {
  if (!file.startsWith('log')) return bytes.length;
  let end = bytes.length;
  while (end > 1 && bytes[end - 1] === 0) end--;
  return end;
}

function pick(files: readonly string[], random: () => number): string {
  return files[Math.floor(random() * files.length)] as string;
}

function pickBySize(directory: string, files: readonly string[], random: () => number): string {
  const sizes = files.map((file) => usedBytes(file, readFileSync(join(directory, file))));
  let rest = random() * sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, size] of sizes.entries()) {
    rest -= size;
    if (rest < 0) return files[index] as string;
  }
  return files.at(-1) as string;
}
