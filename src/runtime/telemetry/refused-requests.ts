/**
 * Requests to collect hits that were refused, by UTC day and error code, over restarts (P-31).
 *
 * Control plane, on the main thread. Edges count in shared memory (`model/metrics.ts`), which ends with
 * the process; here the counts are added to a file of the month once a second and at the end. A process
 * that is killed loses those of its last second, a power cut those that the system had not written yet:
 * a refused request is told to its client, and nothing rests on it.
 *
 *     refused/2026-11.json     {"2026-11-22": {"TOKEN_INVALID": 3}, …}
 */

import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setSharedInterval } from '../../base/shared-interval.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { DAY_MS, SECOND_MS } from '../../model/limits.ts';
import { metricsTable } from '../../model/metrics.ts';
import type { DaySpan } from '../../model/usage.ts';
import { readCheckedJson, writeCheckedFile } from '../../store/checked-file.ts';

const FOLDER = 'refused';
const FILE_NAME = /^\d{4}-\d{2}\.json$/;
const MONTH_LENGTH = 'yyyy-mm'.length;
const DATE_LENGTH = 'yyyy-mm-dd'.length;
const DAMAGED = '.damaged';

/** Every day that a date of four digits names. */
const ALWAYS: DaySpan = { fromDay: 0, toDay: 2_932_896 };

/** By error code. */
type Codes = Record<string, number>;
/** By date. */
type Month = Record<string, Codes>;

/** Keeps what is refused from now on. */
export class RefusedRequests {
  readonly #dataDir: string;
  readonly #nowMs: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #endSaves: () => void;
  /** What is in the files of what this process has counted. */
  readonly #saved = new Map<string, number>();
  /** What was in the files before this process. */
  readonly #before: Codes;

  /** @param onFault told once while the file cannot be written; it is tried again. */
  constructor(dataDir: string, nowMs: () => number, onFault: (error: unknown) => void) {
    this.#dataDir = dataDir;
    this.#nowMs = nowMs;
    this.#onFault = onFault;
    this.#before = this.#refusedBefore();
    for (const [code, count] of countedNow()) this.#saved.set(code, count);
    this.#endSaves = setSharedInterval(() => this.save(), SECOND_MS);
  }

  /** Adds what was counted since the last time. */
  save(): void {
    const counted = countedNow().filter(([code, count]) => count > (this.#saved.get(code) ?? 0));
    if (counted.length === 0) return;
    const date = dateOf(Math.floor(this.#nowMs() / DAY_MS));
    const name = `${date.slice(0, MONTH_LENGTH)}.json`;
    try {
      const month = this.#readMonth(name);
      const day = month[date] ?? {};
      for (const [code, count] of counted) {
        day[code] = (day[code] ?? 0) + count - (this.#saved.get(code) ?? 0);
      }
      writeMonth(this.#dataDir, name, { ...month, [date]: day });
      for (const [code, count] of counted) this.#saved.set(code, count);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** What was refused ever, by code. */
  total(): Map<string, number> {
    const sums = new Map(Object.entries(this.#before));
    for (const [code, count] of countedNow()) sums.set(code, (sums.get(code) ?? 0) + count);
    return sums;
  }

  /** Beside a damaged file nobody knows how many there were: from 0 on then. */
  #refusedBefore(): Codes {
    try {
      return refusedIn(this.#dataDir, ALWAYS);
    } catch (error) {
      // It is told when it is written, or by `footfall verify`.
      if (!(error instanceof OperatingError)) throw error;
      return {};
    }
  }

  /** One that is damaged is put aside and told: what is refused from now on has a file all the same. */
  #readMonth(name: string): Month {
    try {
      return readMonth(this.#dataDir, name);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      const path = join(this.#dataDir, FOLDER, name);
      renameSync(path, `${path}${DAMAGED}`);
      this.#onFault(error);
      return {};
    }
  }

  /** Saves for the last time. */
  close(): void {
    this.#endSaves();
    this.save();
  }
}

/** What was refused from one UTC day to another, both included, by code. */
export function refusedIn(dataDir: string, { fromDay, toDay }: DaySpan): Codes {
  const [first, last] = [dateOf(fromDay), dateOf(toDay)];
  const sums: Codes = {};
  for (const name of namesOf(dataDir)) {
    for (const [date, codes] of Object.entries(readMonth(dataDir, name))) {
      if (date < first || date > last) continue;
      for (const [code, count] of Object.entries(codes)) sums[code] = (sums[code] ?? 0) + count;
    }
  }
  return sums;
}

function countedNow(): [code: string, count: number][] {
  return metricsTable.read('collectRefused').map(({ labels, cells }) => {
    return [labels[0]?.[1] ?? '', cells[0] ?? 0];
  });
}

function namesOf(dataDir: string): string[] {
  try {
    return readdirSync(join(dataDir, FOLDER)).filter((name) => FILE_NAME.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @throws STORE_DAMAGED. */
function readMonth(dataDir: string, name: string): Month {
  const path = join(dataDir, FOLDER, name);
  const found = readCheckedJson<Month>(path);
  if (found === 'damaged') {
    const fault = 'it is not what was written';
    const remedy = 'restore it from a backup, or remove it: its refused requests are not told then';
    throw errors.STORE_DAMAGED({ path, fault, remedy });
  }
  return found?.value ?? {};
}

function writeMonth(dataDir: string, name: string, month: Month): void {
  mkdirSync(join(dataDir, FOLDER), { recursive: true });
  writeCheckedFile(join(dataDir, FOLDER, name), JSON.stringify(month));
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, DATE_LENGTH);
}
