/** The actor's side of the local log in recovery: reads the files while nothing writes them. */

import { existsSync } from 'node:fs';
import type { LogReader, LogRecord } from '../log/interface.ts';
import { walkLog } from './recovery.ts';

/** Reads the log of a directory. */
export class LocalLogReader implements LogReader {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  replay(after: number, visit: (record: LogRecord) => void): number {
    return existsSync(this.#dir) ? walkLog(this.#dir, after, visit).lastSequence : 0;
  }
}
