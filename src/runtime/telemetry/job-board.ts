/**
 * How the jobs of a node go, in a file of the data directory: `footfall jobs` reads it beside the
 * service, and a start knows what was before it.
 *
 * Control plane. Written when something changed, every few seconds and at the end; a process that is
 * killed loses what came after the last time. Nothing rests on it: what is due stands in the registry.
 */
import { join } from 'node:path';
import { setSharedInterval } from '../../base/shared-interval.ts';
import type { JobState } from '../../jobs/job.ts';
import { JOB_BOARD_SAVE_MS } from '../../model/outgoing-limits.ts';
import { readCheckedJson, writeCheckedFile } from '../../store/checked-file.ts';
import { usingDataDir } from '../../store/data-dir-fault.ts';

/** Its name in the data directory. */
export const JOB_BOARD_NAME = 'jobs.json';

/** Keeps it from now on. */
export class JobBoard {
  readonly #path: string;
  readonly #states: () => readonly JobState[];
  readonly #onFault: (error: unknown) => void;
  readonly #endSaves: () => void;
  #saved = '';

  /** @param onFault told when the file cannot be written; it is tried again. */
  constructor(
    dataDir: string,
    states: () => readonly JobState[],
    onFault: (error: unknown) => void,
  ) {
    this.#path = join(dataDir, JOB_BOARD_NAME);
    this.#states = states;
    this.#onFault = onFault;
    this.#endSaves = setSharedInterval(() => this.save(), JOB_BOARD_SAVE_MS);
    this.save();
  }

  /** Writes it, if it is another one by now. */
  save(): void {
    const text = JSON.stringify(this.#states());
    if (text === this.#saved) return;
    try {
      writeCheckedFile(this.#path, text);
      this.#saved = text;
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Saves for the last time. */
  close(): void {
    this.#endSaves();
    this.save();
  }
}

/** What is known of the jobs of a data directory; nothing before its first start, or of a damaged file. @throws DATA_DIR_UNUSABLE. */
export function readJobBoard(dataDir: string): readonly JobState[] {
  const path = join(dataDir, JOB_BOARD_NAME);
  const found = usingDataDir(dataDir, () => readCheckedJson<JobState[]>(path));
  return found === null || found === 'damaged' ? [] : found.value;
}
