/** The actor's side of the local log in recovery: reads the files while nothing writes them. */

import { existsSync } from 'node:fs';
import type { Sequence } from '../../model/ids.ts';
import type { StoredLog } from '../log/driver.ts';
import type { LogRecord } from '../log/interface.ts';
import { walkLog } from './recovery.ts';

/** Reads the log of a directory. */
export class LocalLogReader implements StoredLog {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  replay(after: Sequence, visit: (record: LogRecord) => void): number {
    return existsSync(this.path) ? walkLog(this.path, after, visit).lastSequence : 0;
  }
}
