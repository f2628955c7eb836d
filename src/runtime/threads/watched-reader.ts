/**
 * The service's side of the process that reads an import (`import-reader.ts`).
 *
 * Control plane, on the jobs thread. The process has its own bounds for memory and for how long it may
 * be silent. One that was ended by a bound, or by a full heap, would be ended the next time as well:
 * that is an answer about the file. What else goes wrong there is tried again by the job.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monotonicMs } from '../../base/clock.ts';
import { ImportRefusal } from '../../imports/adapter.ts';
import type { ReadStage } from '../../imports/job/import-run.ts';
import type { CountTask, ReadProgress } from '../../imports/job/source-reader.ts';
import {
  IMPORT_LOOK_MS,
  IMPORT_READER_BYTES_MAX,
  IMPORT_READER_BYTES_MIN,
  IMPORT_SILENCE_MS_MAX,
} from '../../model/import-limits.ts';
import { MINUTE_MS } from '../../model/limits.ts';
import { sharedBudgets } from '../../model/memory.ts';
import { threadFile } from '../link/threads.ts';
import type { AskedReading, ReaderSettings, ReaderWord } from './import-reader.ts';

/** A reader has at most this part of the node's memory. */
const MEMORY_PART = 0.25;
/** Part of that for its heap: the rest is code, buffers and tables of numbers. */
const HEAP_PART = 0.5;
const MIB = 1_024 ** 2;
const PAGE_BYTES = 4_096;
/** How V8 ends a process whose heap is full. */
const FULL_HEAP_SIGNALS: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/** The reader met a fault of ours, or was ended by somebody. */
class ReaderFault extends Error {}

/** How the service reads: in a process of its own, which it ends when it is stopped. */
export function readApart(settings: ReaderSettings): ReadStage {
  const { dataDir, geoDb, ipBlock, ipBlockFile, ipAllow, ipAllowFile } = settings;
  const known = { dataDir, geoDb, ipBlock, ipBlockFile, ipAllow, ipAllowFile };
  return async (task, watch) => {
    const reader = new Reader({ kind: 'stage', task, settings: known }, sharedBudgets().memory);
    return readWatched(reader, watch);
  };
}

/**
 * Counts the rows of a source under the bounds of an import, for a command.
 *
 * @param memoryBytes all that a node may take here.
 * @throws ImportRefusal when it could not be imported.
 */
export async function countApart(task: CountTask, memoryBytes: number): Promise<ReadProgress> {
  let last: ReadProgress = { format: '', rowsRead: 0 };
  await readWatched(new Reader({ kind: 'count', task }, memoryBytes), {
    isStopped: () => false,
    onProgress: (progress) => {
      last = progress;
      return Promise.resolve();
    },
  });
  return last;
}

/** @returns false: it was stopped. */
async function readWatched(reader: Reader, watch: Parameters<ReadStage>[1]): Promise<boolean> {
  const look = setInterval(() => reader.look(watch.isStopped()), IMPORT_LOOK_MS);
  try {
    while (!reader.isOver) {
      await reader.news();
      if (reader.progress !== null) await watch.onProgress(reader.progress, reader.isOver);
    }
    if (reader.fault !== null) throw reader.fault;
    return reader.isDone;
  } finally {
    clearInterval(look);
    reader.end();
  }
}

/** A reader's process. */
class Reader {
  progress: ReadProgress | null = null;
  isDone = false;
  isOver = false;
  /** Why it was ended, or has ended; null: it was asked to, or is at work. */
  fault: Error | null = null;
  readonly #process: ChildProcess;
  readonly #bytesMax: number;
  #heardMs = monotonicMs();
  #wake: () => void = () => undefined;
  #isNew = false;

  constructor(asked: AskedReading, memoryBytes: number) {
    const share = Math.floor(memoryBytes * MEMORY_PART);
    this.#bytesMax = Math.max(IMPORT_READER_BYTES_MIN, Math.min(IMPORT_READER_BYTES_MAX, share));
    const heapMb = Math.floor((this.#bytesMax * HEAP_PART) / MIB);
    this.#process = fork(threadFile('import'), {
      execArgv: [`--max-old-space-size=${heapMb}`],
      ...{ env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    });
    this.#process.on('message', (word) => this.#hear(word as ReaderWord));
    this.#process.on('error', (cause) => {
      this.fault ??= new ReaderFault('its process could not be started or ended', { cause });
      this.#over();
    });
    // What it said last may come behind the news of its end.
    let endsLeft = 2;
    const onEnd = () => {
      endsLeft--;
      if (endsLeft > 0 || this.isOver) return;
      if (!this.isDone) this.fault ??= this.#faultOf(this.#process.signalCode);
      this.#over();
    };
    this.#process.on('exit', onEnd);
    this.#process.on('disconnect', onEnd);
    this.#process.send(asked, (error) => {
      // It has ended by itself then, and says so.
      if (error !== null) this.#tell();
    });
  }

  /** Resolves once there is something new. */
  async news(): Promise<void> {
    if (!this.#isNew) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isNew = false;
  }

  /** Ends it when it was stopped, takes too much, or says nothing any more. */
  look(isStopped: boolean): void {
    const silentMs = monotonicMs() - this.#heardMs;
    if (isStopped) this.#end(null);
    else if (residentBytes(this.#process.pid) > this.#bytesMax) this.#end(this.#tooLarge());
    else if (silentMs > IMPORT_SILENCE_MS_MAX) {
      const minutes = Math.round(IMPORT_SILENCE_MS_MAX / MINUTE_MS);
      this.#end(new ImportRefusal(`one piece of the file took over ${minutes} minutes to read`));
    }
  }

  /** Whatever it does: it is not needed any more. */
  end(): void {
    this.#process.kill('SIGKILL');
  }

  #end(fault: Error | null): void {
    if (this.isOver) return;
    this.fault ??= fault;
    this.end();
    if (fault === null) this.#over();
  }

  #hear(word: ReaderWord): void {
    this.#heardMs = monotonicMs();
    if (word.kind === 'progress') this.progress = word.progress;
    else if (word.kind === 'done') this.isDone = true;
    else if (word.kind === 'refused') this.fault ??= new ImportRefusal(word.reason);
    else this.fault ??= new ReaderFault(word.reason);
    this.#tell();
  }

  /** A heap that is full ends the process by itself. */
  #faultOf(signal: NodeJS.Signals | null): Error {
    if (FULL_HEAP_SIGNALS.includes(signal)) return this.#tooLarge();
    return new ReaderFault(`its process was ended${signal === null ? '' : ` by ${signal}`}`);
  }

  #tooLarge(): Error {
    const mb = Math.floor(this.#bytesMax / MIB);
    return new ImportRefusal(`reading it takes more than the ${mb} MiB that an import may have`);
  }

  #over(): void {
    this.isOver = true;
    this.#tell();
  }

  #tell(): void {
    this.#isNew = true;
    this.#wake();
  }
}

/** What a process has in memory; 0 where nobody knows. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
