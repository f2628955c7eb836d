/**
 * Copies the log while it is written: whole commits only, up to the newest.
 *
 * Control plane, for backups. What the writer gives back is used again for other records: a file that
 * does not hold what its name says any more makes the whole copy worthless, and it is begun anew.
 */

import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../model/errors.ts';
import { asSequence, BEGINNING, type Sequence } from '../../model/ids.ts';
import type { LogCopy } from '../log/driver.ts';
import { COMMIT_HEAD_BYTES, fileHead, LogFileReader, writeCommitHead } from './file-format.ts';
import { logFileSequence } from './recovery.ts';

/**
 * Copies the files that have records behind a position.
 *
 * @param write gets each file's bytes in order, its name with each piece; valid during the call.
 * @throws LOG_DAMAGED, or what the system says, also when a file was given back meanwhile.
 */
export function copyLog(
  dir: string,
  after: Sequence,
  write: (name: string, bytes: Uint8Array) => void,
): LogCopy {
  const names = existsSync(dir) ? readdirSync(dir).sort() : [];
  const files = names.flatMap((name) => {
    const first = logFileSequence(name);
    return first === null ? [] : [{ name, first }];
  });
  let firstSequence = Number.POSITIVE_INFINITY;
  let lastSequence = BEGINNING;
  for (const [index, { name, first }] of files.entries()) {
    const next = files[index + 1];
    const end = next === undefined ? null : asSequence(next.first - 1);
    if (end !== null && end <= after) continue;
    firstSequence = Math.min(firstSequence, first);
    lastSequence = copyFile({ path: join(dir, name), first, end }, (bytes) => write(name, bytes));
  }
  return { firstSequence, lastSequence };
}

/** @param at.end last sequence before the next file; null for the newest. @returns the last copied. */
function copyFile(
  { path, first, end }: { path: string; first: Sequence; end: Sequence | null },
  write: (bytes: Uint8Array) => void,
): Sequence {
  const fd = openSync(path, 'r');
  try {
    const reader = new LogFileReader(fd);
    const { head } = reader;
    if (head?.firstSequence !== first) {
      throw errors.LOG_DAMAGED({ file: path, fault: 'its first bytes are damaged' });
    }
    write(fileHead(head));
    let last = asSequence(first - 1);
    for (let commit = reader.next(); commit !== null; commit = reader.next()) {
      const { frames, records, firstSequence } = commit;
      if (end !== null && firstSequence + records - 1 > end) break;
      const commitHead = Buffer.alloc(COMMIT_HEAD_BYTES);
      const told = { frameBytes: frames.length, records, firstSequence, salt: head.salt };
      writeCommitHead(commitHead, [frames], told);
      write(commitHead);
      write(frames);
      last = asSequence(firstSequence + records - 1);
    }
    const isTorn = end === null && head.isSynced && reader.hasCommitBehindEnd();
    if (!isTorn && (end === null || last === end)) return last;
    throw errors.LOG_DAMAGED({
      file: path,
      fault: `record ${last + 1} and what follows it are damaged`,
    });
  } finally {
    closeSync(fd);
  }
}
