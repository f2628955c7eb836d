/**
 * How the files of a directory make one log: in order, without gaps, up to the torn tail.
 *
 * Control plane. Rules: a file ends at its first commit that is not whole, or before the first
 * sequence of the next file, whichever comes first. Only the commit that was being written when the
 * process or the machine stopped can be torn, and every start begins a new file. So these are
 * damage, not torn tails, and refuse the start: a file that ends before the next one begins; a file
 * without a readable head (it gets its name when its head is on disk); and, where every commit was
 * synced, a whole commit behind one that is not.
 */

import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../model/errors.ts';
import type { LogRecord } from '../log/interface.ts';
import { foreignVersion, readBody } from '../log/record-frame.ts';
import { LogFileReader } from './file-format.ts';

const LOG_FILE_NAME = /^log-\d{16}$/;

/** A file with the records `[firstSequence, lastSequence]`; none if the last is before the first. */
export interface LogFile {
  name: string;
  firstSequence: number;
  lastSequence: number;
  bytes: number;
}

/** Where the newest commit lies. */
export interface LogTail {
  name: string;
  position: number;
  bytes: number;
}

/** What a directory holds. */
export interface FoundLog {
  /** In order of their sequences. */
  files: LogFile[];
  /** Names of files that are ready to be used again. */
  spares: string[];
  /** Names of files that a crash left half made. */
  drafts: string[];
  /** 0 for a log that never had a record. */
  lastSequence: number;
  tail: LogTail | null;
}

/** Name of the file whose first record has a sequence. Names sort like sequences. */
export function logFileName(firstSequence: number): string {
  return `log-${String(firstSequence).padStart(16, '0')}`;
}

/** Name under which a file waits to be used again. */
export function spareFileName(number: number): string {
  return `spare-${String(number).padStart(16, '0')}`;
}

/**
 * Reads a log, which nobody may be writing meanwhile.
 *
 * @param after files that end at or before this sequence are not read.
 * @param visit gets every record behind `after` in order; its payload is valid during the call.
 * @throws LOG_DAMAGED when records are missing or a file cannot be read.
 */
export function walkLog(dir: string, after: number, visit: (record: LogRecord) => void): FoundLog {
  const names = readdirSync(dir).sort();
  const logNames = names.filter((name) => LOG_FILE_NAME.test(name));
  const found: FoundLog = {
    files: [],
    spares: names.filter((name) => /^spare-\d{16}$/.test(name)),
    drafts: names.filter((name) => name.endsWith('.draft')),
    lastSequence: 0,
    tail: null,
  };
  for (const [index, name] of logNames.entries()) {
    const next = logNames[index + 1];
    const end = next === undefined ? null : sequenceOf(next) - 1;
    if (end !== null && end <= after) continue;
    const { file, tail } = walkFile({ dir, name, end, after }, visit);
    found.files.push(file);
    found.tail = tail ?? found.tail;
    found.lastSequence = file.lastSequence;
  }
  return found;
}

/** Sequence of the first record of a log file by its name; null for other files. */
export function logFileSequence(name: string): number | null {
  return LOG_FILE_NAME.test(name) ? sequenceOf(name) : null;
}

function sequenceOf(name: string): number {
  return Number(name.slice('log-'.length));
}

/** @param at.end last sequence before the next file; null for the newest file. */
function walkFile(
  at: { dir: string; name: string; end: number | null; after: number },
  visit: (record: LogRecord) => void,
): { file: LogFile; tail: LogTail | null } {
  const path = join(at.dir, at.name);
  const firstSequence = sequenceOf(at.name);
  const fd = openSync(path, 'r');
  try {
    const reader = new LogFileReader(fd);
    if (reader.head?.firstSequence !== firstSequence) {
      throw errors.LOG_DAMAGED({ file: path, fault: 'its first bytes are damaged' });
    }
    const file: LogFile = {
      name: at.name,
      firstSequence,
      lastSequence: firstSequence - 1,
      bytes: reader.bytes,
    };
    let tail: LogTail | null = null;
    const visitWanted = (record: LogRecord) => {
      if (record.sequence > at.after) visit(record);
    };
    const isWithin = (last: number) => at.end === null || last <= at.end;
    for (let commit = reader.next(); commit !== null; commit = reader.next()) {
      const last = commit.firstSequence + commit.records - 1;
      if (!isWithin(last)) break;
      checkVersion(path, commit.body);
      readBody(commit.body, commit.firstSequence, visitWanted);
      file.lastSequence = last;
      tail = { name: at.name, position: commit.position, bytes: commit.bytes };
    }
    const isDamaged =
      at.end === null
        ? reader.head.isSynced && reader.hasCommitBehindEnd()
        : file.lastSequence < at.end;
    if (isDamaged) {
      const fault = `record ${file.lastSequence + 1} and what follows it are damaged`;
      throw errors.LOG_DAMAGED({ file: path, fault });
    }
    return { file, tail };
  } finally {
    closeSync(fd);
  }
}

function checkVersion(path: string, body: Uint8Array): void {
  const version = foreignVersion(body);
  if (version === null) return;
  const fault = `its records have format ${version}, which this version of Footfall does not read`;
  throw errors.LOG_DAMAGED({ file: path, fault });
}
