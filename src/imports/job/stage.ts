/**
 * The rows of a source, checked and in order, in a folder of their own until they are written.
 *
 * Control plane. An external sort: rows are gathered up to a bound, sorted, and kept as a run; runs are
 * merged when they are read. Nothing of the source is stored before all of it is here, so a damaged
 * file stores nothing; and what is here is read in the same order however often a job begins again.
 * Who fills it has claimed it: one that was left behind by a service which was killed writes no more.
 * Hits have their instant as the key, sums a text; an export of our own has both.
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
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../../base/random.ts';
import {
  STAGED_ROW_LENGTH_MAX,
  STAGED_RUN_COUNT_MAX,
  STAGED_RUN_ROW_COUNT,
  UPLOAD_DISK_FREE_BYTES_MIN,
} from '../../model/import-limits.ts';
import { ImportRefusal } from '../adapter.ts';
import { destroyStageKey } from './stage-key.ts';

/** Characters of rows that are gathered: long ones make shorter runs. */
const RUN_LENGTH_MAX = 16 * 1_024 ** 2;
const READ_BYTES = 32 * 1_024;
const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;
const NOTES = 'stage.json';
const CLAIM = 'claim';
const CLAIM_LENGTH = 16;
const NO_ROOM = 'the disk of this node has no room left for the import';

/** What is known of a stage beside its rows; it is written down with each run. */
export interface StageNotes {
  /** Rows of the source that the runs account for, those that were left out included. */
  readonly rowsRead: number;
  readonly rowsStaged: number;
  readonly runs: number;
  /** All of the source is here. */
  readonly isWhole: boolean;
  /** Name of the adapter that read it; '' until it is whole. */
  readonly format: string;
  /** By milliseconds. */
  readonly hits: StagedSpan;
  /** By days. */
  readonly sums: StagedSpan;
}

/** Rows of one kind. */
export interface StagedSpan {
  readonly rows: number;
  /** The least and the greatest of what they are placed by; 0 without rows. */
  readonly least: number;
  readonly greatest: number;
}

const NO_ROWS: StagedSpan = { rows: 0, least: 0, greatest: 0 };
const EMPTY: StageNotes = {
  ...{ rowsRead: 0, rowsStaged: 0, runs: 0, isWhole: false, format: '' },
  ...{ hits: NO_ROWS, sums: NO_ROWS },
};

/** Makes a folder one's own: whoever filled it before writes no more. @returns what to open it with. */
export function claimStage(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
  const claim = randomAlphanumeric(CLAIM_LENGTH);
  writeFileSync(join(folder, CLAIM), claim, { mode: OWNER_ONLY });
  return claim;
}

/** One gathered row: its key, and the row as JSON. */
interface Staged {
  readonly key: string | number;
  readonly json: string;
}

/** The rows of one job. */
export class Stage {
  readonly #folder: string;
  readonly #claim: string;
  #notes: StageNotes;
  #gathered: Staged[] = [];
  #length = 0;
  #rowsRead: number;
  #hits: StagedSpan;
  #sums: StagedSpan;

  /** Opens what is there of a job, or begins. @param claim of who fills it; '' only reads. */
  constructor(folder: string, claim = '') {
    this.#folder = folder;
    this.#claim = claim;
    mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
    const path = join(folder, NOTES);
    this.#notes = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StageNotes) : EMPTY;
    this.#rowsRead = this.#notes.rowsRead;
    this.#hits = this.#notes.hits;
    this.#sums = this.#notes.sums;
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

  /** A row of the source that has hits. @throws ImportRefusal when the disk has no room. */
  addHits(atMs: number, row: object): void {
    this.#hits = within(this.#hits, atMs);
    this.#add(atMs, row);
  }

  /** A row of the source that is a sum. @throws as `addHits`. */
  addSum(key: string, row: object, day: number): void {
    this.#sums = within(this.#sums, day);
    this.#add(key, row);
  }

  #add(key: string | number, row: object): void {
    this.#rowsRead++;
    const json = JSON.stringify(row);
    if (json.length > STAGED_ROW_LENGTH_MAX) {
      const most = `a row of it, or a session, has over ${STAGED_ROW_LENGTH_MAX} characters`;
      throw new ImportRefusal(most);
    }
    this.#gathered.push({ key, json });
    this.#length += json.length;
    const isFull = this.#gathered.length >= STAGED_RUN_ROW_COUNT || this.#length >= RUN_LENGTH_MAX;
    if (isFull) this.#keepRun('');
  }

  /** All of the source has been added. @param format name of who read it. @throws ImportRefusal when the disk has no room. */
  finish(format: string): void {
    this.#keepRun(format);
  }

  /** The rows that have hits by time, equal ones in the order in which they were added. */
  hits(): Generator<{ key: number; row: unknown }> {
    return this.#rows((key): key is number => typeof key === 'number');
  }

  /** The sums by key, as `hits`. */
  sums(): Generator<{ key: string; row: unknown }> {
    return this.#rows((key): key is string => typeof key === 'string');
  }

  *#rows<Key extends string | number>(
    isOf: (key: string | number) => key is Key,
  ): Generator<{ key: Key; row: unknown }> {
    const readers = Array.from(
      { length: this.#notes.runs },
      (_, run) => new RunReader(this.#run(run)),
    );
    try {
      const heap = new RunHeap(readers.filter((reader) => reader.next()));
      for (let least = heap.least(); least !== null; least = heap.least()) {
        const { key } = least;
        if (isOf(key)) yield { key, row: least.row() };
        // Behind the last hits there are sums only.
        else if (typeof key === 'string') return;
        heap.advance();
      }
    } finally {
      for (const reader of readers) reader.close();
    }
  }

  #keepRun(format: string): void {
    this.#checkDisk();
    const run = this.#notes.runs;
    const isEmpty = this.#gathered.length === 0;
    if (run >= STAGED_RUN_COUNT_MAX) {
      throw new ImportRefusal(
        'it has more rows than one import sorts: import some months at a time',
      );
    }
    if (!isEmpty) {
      // Stable: equal keys stay in the order of the source.
      this.#gathered.sort((left, right) => compare(left.key, right.key));
      const lines = this.#gathered.map(({ key, json }) => `${JSON.stringify(key)}\t${json}\n`);
      this.#writeDurably(this.#run(run), lines.join(''));
    }
    this.#notes = {
      rowsRead: this.#rowsRead,
      rowsStaged: this.#notes.rowsStaged + this.#gathered.length,
      runs: run + (isEmpty ? 0 : 1),
      ...{ isWhole: format !== '', format },
      ...{ hits: this.#hits, sums: this.#sums },
    };
    this.#gathered = [];
    this.#length = 0;
    this.#writeDurably(join(this.#folder, NOTES), JSON.stringify(this.#notes));
  }

  /** Hits come first: they need the disk as well. */
  #checkDisk(): void {
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bavail * bsize < UPLOAD_DISK_FREE_BYTES_MIN) {
      throw new ImportRefusal(NO_ROOM);
    }
  }

  /** Whole or not at all, whatever is killed. */
  #writeDurably(path: string, text: string): void {
    const draft = `${path}.${this.#claim}.draft`;
    const file = openSync(draft, 'w', OWNER_ONLY);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOSPC' || code === 'EDQUOT' ? new ImportRefusal(NO_ROOM) : error;
    } finally {
      closeSync(file);
    }
    if (readFileSync(join(this.#folder, CLAIM), 'utf8') !== this.#claim) {
      throw new ImportRefusal('another process reads this upload by now');
    }
    renameSync(draft, path);
  }

  #run(run: number): string {
    return join(this.#folder, `run-${run}`);
  }
}

function within({ rows, least, greatest }: StagedSpan, at: number): StagedSpan {
  if (rows === 0) return { rows: 1, least: at, greatest: at };
  return { rows: rows + 1, least: Math.min(least, at), greatest: Math.max(greatest, at) };
}

/** Removes what is there of a job. */
export function removeStage(folder: string): void {
  destroyStageKey(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Instants come before texts. */
function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  return left < right ? -1 : 1;
}

/** Reads one run, line by line. */
class RunReader {
  readonly #file: number;
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
    if (end < 0) {
      const pieces = [this.#bytes.subarray(this.#at)];
      let length = this.#bytes.length - this.#at;
      while (end < 0) {
        const piece = Buffer.allocUnsafe(READ_BYTES);
        const count = readSync(this.#file, piece, 0, READ_BYTES, null);
        if (count === 0) return false;
        pieces.push(piece.subarray(0, count));
        const found = piece.subarray(0, count).indexOf(0x0a);
        if (found >= 0) end = length + found;
        length += count;
      }
      this.#bytes = Buffer.concat(pieces, length);
      this.#at = 0;
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
