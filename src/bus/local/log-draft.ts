/**
 * A log that is written once, of records that another log had: for the backup of a cluster.
 *
 * Control plane. Records keep their sequences, which states refer to: that of a shard, of a domain
 * that was saved ahead of it, of an import. The log on this machine numbers its records in a row, so
 * where the other log had something else, a record without hits stands.
 */

import { assert } from '../../base/assert.ts';
import { asSequence, asShardId, type Sequence } from '../../model/ids.ts';
import { LOG_FILE_BYTES } from '../../model/limits.ts';
import { frameRecords } from '../log/record-frame.ts';
import { encodeGroups } from '../record/codec.ts';
import { COMMIT_HEAD_BYTES, FILE_HEAD_BYTES, fileHead, writeCommitHead } from './file-format.ts';
import { logFileName } from './recovery.ts';

/** Bytes of a commit, about. */
const COMMIT_BYTES = 256 * 1_024;
/** It tells what a file was used for before, which none of these was. */
const SALT = 0;
/** Any shard has it, for nothing is applied. */
const NOTHING = frameRecords([{ shard: asShardId(0), payload: encodeGroups([]) }]);

/** Takes frames of one record each. */
export class LogDraft {
  /** Of the last record that is written. */
  #writtenSequence: Sequence;
  readonly #write: (name: string, bytes: Uint8Array) => void;
  #file: { readonly name: string; bytes: number } | null = null;
  #frames: Uint8Array[] = [];
  #frameBytes = 0;

  /**
   * @param after the log begins behind it.
   * @param write gets each file's bytes in order, its name with each piece.
   */
  constructor(after: Sequence, write: (name: string, bytes: Uint8Array) => void) {
    this.#writtenSequence = after;
    this.#write = write;
  }

  /** Of the last record. */
  get lastSequence(): Sequence {
    return asSequence(this.#writtenSequence + this.#frames.length);
  }

  /**
   * Adds a record behind those already there.
   *
   * @param sequence above that of the record before.
   * @param frame not to be changed afterwards.
   */
  add(sequence: Sequence, frame: Uint8Array): void {
    assert(sequence > this.lastSequence, 'records come in order');
    this.fillTo(asSequence(sequence - 1));
    this.#push(frame);
  }

  /** There is nothing more up to a sequence. */
  fillTo(sequence: Sequence): void {
    while (this.lastSequence < sequence) this.#push(NOTHING);
  }

  /** There is no more. Also a log without records has a file: its name says where it goes on. */
  end(): void {
    if (this.#frames.length > 0) this.#commit();
    if (this.#file === null) this.#begin();
  }

  #push(frame: Uint8Array): void {
    this.#frames.push(frame);
    this.#frameBytes += frame.length;
    if (this.#frameBytes >= COMMIT_BYTES) this.#commit();
  }

  #commit(): void {
    const bytes = COMMIT_HEAD_BYTES + this.#frameBytes;
    const isFull = this.#file !== null && this.#file.bytes + bytes > LOG_FILE_BYTES;
    const file = this.#file === null || isFull ? this.#begin() : this.#file;
    const records = this.#frames.length;
    const head = Buffer.alloc(COMMIT_HEAD_BYTES);
    const firstSequence = asSequence(this.#writtenSequence + 1);
    const told = { frameBytes: this.#frameBytes, records, firstSequence, salt: SALT };
    writeCommitHead(head, this.#frames, told);
    for (const piece of [head, ...this.#frames]) this.#write(file.name, piece);
    file.bytes += bytes;
    this.#writtenSequence = asSequence(this.#writtenSequence + records);
    this.#frames = [];
    this.#frameBytes = 0;
  }

  #begin(): { readonly name: string; bytes: number } {
    const firstSequence = asSequence(this.#writtenSequence + 1);
    const file = { name: logFileName(firstSequence), bytes: FILE_HEAD_BYTES };
    this.#write(file.name, fileHead({ salt: SALT, isSynced: true, firstSequence }));
    this.#file = file;
    return file;
  }
}
