/**
 * What a driver of the log has to offer: one folder in `bus/`, one row in `bus/drivers.ts`.
 *
 * Control plane. Its thread speaks the links of `links.ts`, whichever driver it is, so that edges and
 * actors do not know which log there is.
 */

import type { Sequence } from '../../model/ids.ts';
import type { Settings } from '../../settings/schema.ts';
import type { LogReader } from './interface.ts';
import type { LogWriterLink } from './links.ts';

/** A log whose positions the checkpoints of a data directory hold; written to its layout.json. */
export type LogIdentity = { readonly kind: string } & Readonly<Record<string, string>>;

/** A log that was opened on its thread. */
export interface OpenLog {
  readonly identity: LogIdentity;
  /** Carries out a call of the main thread. */
  answer(call: never): unknown;
  /** Serves its links until the supervisor closes them. */
  run(): Promise<void>;
}

/** The records of a data directory. */
export interface StoredLog extends LogReader {
  /** Directory of its files. */
  readonly path: string;
  /**
   * Copies the files that have records behind a position, while the log is written.
   *
   * @param write gets each file's bytes in order, its name with each piece; valid during the call.
   * @throws when a file is damaged, or was given back meanwhile: nothing that was copied counts then.
   */
  copy(after: Sequence, write: (name: string, bytes: Uint8Array) => void): LogCopy;
}

/** What of a log was copied. */
export interface LogCopy {
  /** Of the first record in a copied file; infinite when there is no file. */
  readonly firstSequence: number;
  /** Of the last; 0 for a log that never had one. */
  readonly lastSequence: Sequence;
}

/** One way to keep the log. What it needs of packages and files is loaded by `open`, on its thread. */
export interface LogDriver {
  /** Its name in data directories, for good. */
  readonly kind: string;
  /**
   * Whether other nodes append to the same log: shards then come and go while the node runs, and the
   * log's thread reads each from behind its checkpoint. Else the actors replay it at the start.
   */
  readonly isShared: boolean;
  /** Whether the settings ask for it. */
  isAsked(settings: Settings): boolean;
  /** What it is opened with: plain data, made on the main thread. */
  options(settings: Settings, shards: number): unknown;
  /**
   * Opens the log.
   *
   * @param options as `options` made them.
   * @param onFault the log cannot go on: the process must end.
   * @throws the operating error that keeps it from opening.
   */
  open(
    options: never,
    link: LogWriterLink,
    onFault: (error: Error) => void,
  ): OpenLog | Promise<OpenLog>;
  /** The stored records of a data directory; null where the log's thread sends all there are. */
  reader(dataDir: string): StoredLog | null;
  /** Where the hits of a data directory are and how to ask for that: completes "its hits are in …". */
  whereabouts(identity: LogIdentity): string;
  /** Why a log of this kind is not the one that a data directory is bound to; null when it is. */
  replaced(bound: LogIdentity, found: LogIdentity): Error | null;
}
