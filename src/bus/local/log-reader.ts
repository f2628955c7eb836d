/** The log's files for who does not write them: actors in recovery, backups beside the writer. */

import { existsSync } from 'node:fs';
import type { Sequence } from '../../model/ids.ts';
import type { LogCopy, StoredLog } from '../log/driver.ts';
import type { LogRecord } from '../log/interface.ts';
import { copyLog } from './log-copy.ts';
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

  copy(after: Sequence, write: (name: string, bytes: Uint8Array) => void): LogCopy {
    return copyLog(this.path, after, write);
  }
}
