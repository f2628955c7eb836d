/** The actor's side of the local log in recovery: reads the files while nothing writes them. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findLog } from './local-log-files.ts';
import { scanFile } from './log-file-format.ts';
import type { LogReader, LogRecord } from './log.ts';
import { readBody } from './record-body.ts';

/** Reads the log of a directory. */
export class LocalLogReader implements LogReader {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  replay(after: number, visit: (record: LogRecord) => void): number {
    if (!existsSync(this.#dir)) return 0;
    const { files, lastSequence } = findLog(this.#dir);
    for (const file of files) {
      if (file.lastSequence <= after) continue;
      scanFile(join(this.#dir, file.name), ({ firstSequence, body }) => {
        readBody(body, firstSequence, (record) => {
          if (record.sequence > after && record.sequence <= file.lastSequence) visit(record);
        });
      });
    }
    return lastSequence;
  }
}
