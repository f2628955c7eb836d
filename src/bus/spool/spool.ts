/**
 * A node's spool: records that wait on its disk until the stream takes them.
 *
 * Data plane at batch granularity, used by one thread, synchronous. The files are those of the local
 * log, always synced; a record's sequence there is its number. Numbers are told apart by the id of
 * the run that gave them: a directory that is restored from a backup gives old numbers again. How far
 * it was forwarded is noted in a file that may be behind: what is forwarded twice is applied once
 * (`spooled-records.ts`).
 *
 *     ids  forwarded │ log-…01  log-…93 │ spare-…
 */

import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../../base/random.ts';
import { errors } from '../../model/errors.ts';
import { LogFileReader } from '../local/file-format.ts';
import { systemFiles } from '../local/file-operations.ts';
import { LocalLogFiles } from '../local/log-files.ts';
import { logFileSequence } from '../local/recovery.ts';
import { RECORD_HEAD_BYTES, readBody } from '../log/record-frame.ts';
import { SPOOL_ID_LENGTH, type SpooledRecord } from './spooled-records.ts';

/** Where a spool is and how much it may hold. */
export interface SpoolOptions {
  dir: string;
  bytesMax: number;
}

/** A record that waits. */
export interface WaitingRecord extends SpooledRecord {
  /** Id of the run that spooled it. */
  spool: string;
  shard: number;
}

/** A run of the node, and its first number. */
interface Run {
  id: string;
  from: number;
}

/** Smaller than the log's: its newest file is looked through again whenever there is more to read. */
const FILE_BYTES = 4 * 1_024 * 1_024;

/** Whether a directory has been a spool: it may hold records, whatever the setting says now. */
export function isSpool(dir: string): boolean {
  return existsSync(join(dir, 'ids'));
}

/** The records that wait, oldest first. */
export class Spool {
  readonly #dir: string;
  readonly #bytesMax: number;
  readonly #files: LocalLogFiles;
  /** Of the records that wait, oldest first; this run's once it has spooled something. */
  #runs: readonly Run[];
  #isNamed = false;
  #forwarded: number;
  #noted: number;
  #waitingBytes = 0;

  private constructor(options: SpoolOptions) {
    this.#dir = options.dir;
    this.#bytesMax = options.bytesMax;
    this.#forwarded = readForwarded(options.dir);
    const { dir } = options;
    this.#files = LocalLogFiles.open(
      { dir, durability: 'sync', fileBytes: FILE_BYTES },
      (record) => {
        if (record.sequence > this.#forwarded) this.#waitingBytes += bytesOf(record.payload);
      },
    );
    this.#forwarded = Math.min(this.#forwarded, this.#files.lastSequence);
    this.#noted = this.#forwarded;
    this.#runs = readRuns(dir);
    if (!this.isEmpty && (this.#runs[0]?.from ?? Number.POSITIVE_INFINITY) > this.#forwarded + 1) {
      throw errors.LOG_DAMAGED({ file: join(dir, 'ids'), fault: 'it does not name what waits' });
    }
  }

  /**
   * Opens the spool of a directory, which is made if there is none.
   *
   * @throws LOG_DAMAGED, LOG_WRITE_FAILED.
   */
  static open(options: SpoolOptions): Spool {
    return new Spool(options);
  }

  /** Nothing waits. */
  get isEmpty(): boolean {
    return this.#forwarded === this.#files.lastSequence;
  }

  /** Bytes of the records that wait. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether records of so many bytes may wait, too. */
  hasRoom(bytes: number): boolean {
    return this.#waitingBytes + bytes <= this.#bytesMax;
  }

  /**
   * Adds bodies; they are durable when it returns.
   *
   * @throws LOG_WRITE_FAILED when none of them is there; LOG_SYNC_FAILED when nobody can tell.
   */
  add(bodies: readonly Uint8Array[]): void {
    if (!this.#isNamed) this.#nameRun();
    this.#files.commit(bodies);
    for (const body of bodies) this.#waitingBytes += body.length;
    this.#files.prepareSpare(false);
  }

  /** The oldest records that wait: at least one if there is any, else about so many bytes. */
  read(bytesMax: number): WaitingRecord[] {
    const records: WaitingRecord[] = [];
    if (this.isEmpty) return records;
    let bytes = 0;
    const after = this.#forwarded;
    for (const name of filesBehind(this.#dir, after)) {
      const fd = openSync(join(this.#dir, name), 'r');
      try {
        const reader = new LogFileReader(fd);
        for (let commit = reader.next(); commit !== null; commit = reader.next()) {
          if (commit.firstSequence + commit.records - 1 <= after) continue;
          readBody(commit.body, commit.firstSequence, ({ shard, sequence, payload }) => {
            if (sequence <= after) return;
            bytes += bytesOf(payload);
            const spool = this.#runOf(sequence);
            records.push({ spool, shard, number: sequence, payload: Uint8Array.from(payload) });
          });
          if (bytes >= bytesMax) return records;
        }
      } finally {
        closeSync(fd);
      }
    }
    return records;
  }

  /** Records that were read are in the stream. */
  forwarded(records: readonly WaitingRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    for (const { payload } of records) this.#waitingBytes -= bytesOf(payload);
    this.#forwarded = last.number;
    if (this.isEmpty) this.#waitingBytes = 0;
    this.#files.trim(this.#forwarded);
    this.#note();
  }

  close(): void {
    this.#note();
    this.#files.close();
  }

  #runOf(number: number): string {
    return this.#runs.findLast(({ from }) => from <= number)?.id ?? '';
  }

  /** Names this run before its first record is there, as durably; runs that are forwarded go. */
  #nameRun(): void {
    const from = this.#files.lastSequence + 1;
    const runs = this.#runs.filter(
      (_, index) => (this.#runs[index + 1]?.from ?? from) > this.#forwarded + 1,
    );
    runs.push({ id: randomAlphanumeric(SPOOL_ID_LENGTH), from });
    try {
      writeDurably(this.#dir, 'ids', JSON.stringify(runs));
    } catch (cause) {
      throw errors.LOG_WRITE_FAILED({ reason: (cause as Error).message }, cause);
    }
    this.#runs = runs;
    this.#isNamed = true;
  }

  #note(): void {
    if (this.#noted === this.#forwarded) return;
    const path = join(this.#dir, 'forwarded');
    try {
      writeFileSync(`${path}.new`, String(this.#forwarded));
      renameSync(`${path}.new`, path);
      this.#noted = this.#forwarded;
    } catch {
      // A disk that is full: a start forwards some records again, which count once.
    }
  }
}

function bytesOf(payload: Uint8Array): number {
  return RECORD_HEAD_BYTES + payload.length;
}

/** Names of the files with records behind a number, in order. */
function filesBehind(dir: string, after: number): string[] {
  const names = readdirSync(dir)
    .filter((name) => logFileSequence(name) !== null)
    .sort();
  return names.filter((_, index) => {
    const next = names[index + 1];
    return next === undefined || (logFileSequence(next) ?? 0) > after + 1;
  });
}

function readForwarded(dir: string): number {
  try {
    const number = Number(readFileSync(join(dir, 'forwarded'), 'utf8'));
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
  } catch {
    return 0;
  }
}

function readRuns(dir: string): Run[] {
  if (!isSpool(dir)) return [];
  const file = join(dir, 'ids');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run[];
  } catch (cause) {
    throw errors.LOG_DAMAGED({ file, fault: (cause as Error).message }, cause);
  }
}

function writeDurably(dir: string, name: string, text: string): void {
  const draft = join(dir, `${name}.new`);
  const fd = systemFiles.open(draft, 'w+');
  try {
    systemFiles.write(fd, [Buffer.from(text)], 0);
    systemFiles.sync(fd);
  } finally {
    systemFiles.close(fd);
  }
  systemFiles.rename(draft, join(dir, name));
  systemFiles.syncDirectory(dir);
}
