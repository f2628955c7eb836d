/**
 * The rows of a source, checked and in order, in a folder of their own until they are written.
 *
 * Control plane. An external sort: rows are gathered up to a bound, sorted, and kept as a run; runs are
 * merged when they are read. Nothing of the source is stored before all of it is here, so a damaged
 * file stores nothing; and what is here is read in the same order however often a job begins again.
 *
 *     rows ─▶ gathered ─▶ run 0 … run n ─▶ merged by key, equal keys in the order of the source
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { STAGED_RUN_ROW_COUNT } from '../../model/import-limits.ts';

/** Characters of rows that are gathered: long ones make shorter runs. */
const RUN_LENGTH_MAX = 16 * 1_024 ** 2;
const READ_BYTES = 32 * 1_024;
const OWNER_ONLY = 0o600;
const NOTES = 'stage.json';

/** What is known of a stage beside its rows; it is written down with each run. */
export interface StageNotes {
  /** Rows of the source that the runs account for, those that were left out included. */
  readonly rowsRead: number;
  readonly rowsStaged: number;
  readonly runs: number;
  /** All of the source is here. */
  readonly isWhole: boolean;
  /** The least and the greatest of what rows are placed by; null without rows. */
  readonly least: number | null;
  readonly greatest: number | null;
}

const EMPTY: StageNotes = {
  ...{ rowsRead: 0, rowsStaged: 0, runs: 0, isWhole: false },
  ...{ least: null, greatest: null },
};

/** One gathered row: its key, and the row as JSON. */
interface Staged {
  readonly key: string | number;
  readonly json: string;
}

/** The rows of one job. */
export class Stage {
  readonly #folder: string;
  #notes: StageNotes;
  #gathered: Staged[] = [];
  #length = 0;
  #rowsRead: number;
  #least: number | null;
  #greatest: number | null;

  /** Opens what is there of a job, or begins. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, NOTES);
    this.#notes = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StageNotes) : EMPTY;
    this.#rowsRead = this.#notes.rowsRead;
    this.#least = this.#notes.least;
    this.#greatest = this.#notes.greatest;
  }

  /** What is safely there. */
  get notes(): StageNotes {
    return this.#notes;
  }

  /** Rows of the source that were seen, also those that are not safely there. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** A row of the source that is not imported. */
  skip(): void {
    this.#rowsRead++;
  }

  /** A row of the source. @param at what its place in time is told by: milliseconds, or days. */
  add(key: string | number, row: object, at: number): void {
    this.#rowsRead++;
    const json = JSON.stringify(row);
    this.#gathered.push({ key, json });
    this.#length += json.length;
    if (this.#least === null || at < this.#least) this.#least = at;
    if (this.#greatest === null || at > this.#greatest) this.#greatest = at;
    const isFull = this.#gathered.length >= STAGED_RUN_ROW_COUNT || this.#length >= RUN_LENGTH_MAX;
    if (isFull) this.#keepRun(false);
  }

  /** All of the source has been added. */
  finish(): void {
    this.#keepRun(true);
  }

  /** The rows, by key; equal keys in the order in which they were added. */
  *rows(): Generator<{ key: string | number; row: unknown }> {
    const readers = Array.from(
      { length: this.#notes.runs },
      (_, run) => new RunReader(this.#run(run)),
    );
    try {
      const heap = new RunHeap(readers.filter((reader) => reader.next()));
      for (let least = heap.least(); least !== null; least = heap.least()) {
        yield { key: least.key, row: least.row() };
        heap.advance();
      }
    } finally {
      for (const reader of readers) reader.close();
    }
  }

  #keepRun(isWhole: boolean): void {
    const run = this.#notes.runs;
    const isEmpty = this.#gathered.length === 0;
    if (!isEmpty) {
      // Stable: equal keys stay in the order of the source.
      this.#gathered.sort((left, right) => compare(left.key, right.key));
      const lines = this.#gathered.map(({ key, json }) => `${JSON.stringify(key)}\t${json}\n`);
      writeDurably(this.#run(run), lines.join(''));
    }
    this.#notes = {
      rowsRead: this.#rowsRead,
      rowsStaged: this.#notes.rowsStaged + this.#gathered.length,
      runs: run + (isEmpty ? 0 : 1),
      isWhole,
      least: this.#least,
      greatest: this.#greatest,
    };
    this.#gathered = [];
    this.#length = 0;
    writeDurably(join(this.#folder, NOTES), JSON.stringify(this.#notes));
  }

  #run(run: number): string {
    return join(this.#folder, `run-${run}`);
  }
}

/** Removes what is there of a job. */
export function removeStage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Whole or not at all, whatever is killed. */
function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', OWNER_ONLY);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Reads one run, line by line. */
class RunReader {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  key: string | number = 0;
  #json = '';

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** The row that `key` belongs to. */
  row(): unknown {
    return JSON.parse(this.#json);
  }

  /** Goes on to the next row. @returns false at the end. */
  next(): boolean {
    let end = this.#bytes.indexOf(0x0a, this.#at);
    while (end < 0) {
      const count = readSync(this.#file, this.#buffer, 0, READ_BYTES, null);
      if (count === 0) return false;
      const rest = this.#bytes.subarray(this.#at);
      this.#bytes = Buffer.concat([rest, this.#buffer.subarray(0, count)]);
      this.#at = 0;
      end = this.#bytes.indexOf(0x0a, rest.length);
    }
    const line = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    const tab = line.indexOf('\t');
    this.key = JSON.parse(line.slice(0, tab)) as string | number;
    this.#json = line.slice(tab + 1);
    return true;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Runs by the key that each stands at, the earlier run first: a binary heap. */
class RunHeap {
  readonly #heap: { readonly reader: RunReader; readonly run: number }[] = [];

  constructor(readers: readonly RunReader[]) {
    this.#heap = readers.map((reader, run) => ({ reader, run }));
    this.#heap.sort((left, right) => this.#order(left, right));
  }

  least(): RunReader | null {
    return this.#heap[0]?.reader ?? null;
  }

  /** The least one has been taken. */
  advance(): void {
    const first = this.#heap[0]!;
    if (first.reader.next()) {
      this.#sink();
      return;
    }
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #sink(): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const isRight = right < heap.length && this.#order(heap[right]!, heap[left]!) < 0;
      const child = isRight ? right : left;
      if (this.#order(heap[at]!, heap[child]!) <= 0) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  }

  #order(
    left: { reader: RunReader; run: number },
    right: { reader: RunReader; run: number },
  ): number {
    return compare(left.reader.key, right.reader.key) || left.run - right.run;
  }
}
