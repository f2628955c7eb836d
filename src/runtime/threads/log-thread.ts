/** The thread that writes the local log. It blocks in its loop, so it has no event loop to speak of. */

import { LocalLogWriter } from '../../bus/local/log-writer.ts';
import type { LogWriterLink } from '../../bus/log/links.ts';
import { failedStart, type ThreadStart } from '../link/threads.ts';

/** What the writer thread is started with. */
export interface LogThreadData {
  dir: string;
  durability: 'sync' | 'os';
  link: LogWriterLink;
}

/** Opens the log, tells its last sequence, and writes until the supervisor closes it. */
export function runLogThread(
  { dir, durability, link }: LogThreadData,
  tell: (message: ThreadStart<number>) => void,
): void {
  let writer: LocalLogWriter;
  try {
    writer = new LocalLogWriter({ dir, durability }, link);
  } catch (error) {
    tell(failedStart(error));
    return;
  }
  tell({ ready: writer.lastSequence });
  writer.run();
  link.control.close();
}
