/**
 * Small files of text with a checksum behind them, replaced as a whole.
 *
 * Control plane. The last line is `#` and eight digits, the CRC-32 of what is before it. What earlier
 * builds wrote has none and is taken as it is; where a flipped bit makes the line look like no checksum,
 * it is no JSON either, and who reads it says so.
 */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const OWNER_ONLY = 0o600;
const CHECK_LINE = /\n#([0-9a-f]{8})\n$/;

/** Writes a file that is there before or after as a whole, whatever is killed when, power cuts included. */
export function writeCheckedFile(path: string, text: string): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', OWNER_ONLY);
  try {
    const bytes = Buffer.from(checkedText(text));
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** A text with its checksum behind it, as such a file has it. */
export function checkedText(text: string): string {
  return `${text}\n#${checkOf(text)}\n`;
}

/** @returns the text; null when there is no file; `damaged` when it is not what was written. */
export function readCheckedFile(path: string): { text: string } | 'damaged' | null {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const check = CHECK_LINE.exec(content);
  if (check === null) return { text: content };
  const text = content.slice(0, check.index);
  return check[1] === checkOf(text) ? { text } : 'damaged';
}

/** The same of a file of JSON. */
export function readCheckedJson<Value>(path: string): { value: Value } | 'damaged' | null {
  const found = readCheckedFile(path);
  if (found === null || found === 'damaged') return found;
  try {
    return { value: JSON.parse(found.text) as Value };
  } catch {
    return 'damaged';
  }
}

function checkOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
