/**
 * Seats of threads: memory in which each thread writes what it counts, far from what others write.
 *
 * Control plane. A thread takes a seat when it starts; the main thread frees it once the thread has
 * ended. What was counted stays in the cells, and the next one goes on from there.
 */

import { threadId } from 'node:worker_threads';

/** Two cache lines between the cells of two threads, since processors fetch two at a time. */
const PAD_CELL_COUNT = 16;
const CELL_BYTES = 8;
const NUMBER_BYTES = 4;
/** What is said of who sits in a seat. */
const OWNER = 0;
const SYSTEM_ID = 1;
const KIND = 2;
const INDEX = 3;
const NUMBER_COUNT = 4;
const NOBODY = 0;
const NAMELESS = -1;

/** What other threads open the seats with. */
export interface SeatsMemory {
  readonly numbers: Int32Array<SharedArrayBuffer>;
  readonly cells: Float64Array<SharedArrayBuffer>;
  readonly cellCount: number;
}

/** A thread by its own word. */
export interface ThreadName {
  /** Of a list that the table's owner has. */
  readonly kind: number;
  /** Number among the threads of its kind. */
  readonly index: number;
  /** Its id at the operating system; 0: unknown. */
  readonly systemId: number;
}

/** Some seats, all with as many cells. */
export class Seats {
  readonly memory: SeatsMemory;
  readonly count: number;
  /** Cells from one seat to the next. */
  readonly #stride: number;

  constructor(memory: SeatsMemory) {
    this.memory = memory;
    this.count = memory.numbers.length / NUMBER_COUNT;
    this.#stride = strideOf(memory.cellCount);
  }

  /** Empty seats. @param cellCount what one thread writes. */
  static create(count: number, cellCount: number): Seats {
    const bytes = count * strideOf(cellCount) * CELL_BYTES;
    return new Seats({
      numbers: new Int32Array(new SharedArrayBuffer(count * NUMBER_COUNT * NUMBER_BYTES)),
      cells: new Float64Array(new SharedArrayBuffer(bytes)),
      cellCount,
    });
  }

  /** Takes a seat for this thread. @returns its number; −1 when there is none left. */
  take(): number {
    const { numbers } = this.memory;
    for (let seat = 0; seat < this.count; seat++) {
      const at = seat * NUMBER_COUNT;
      if (Atomics.compareExchange(numbers, at + OWNER, NOBODY, threadId + 1) !== NOBODY) continue;
      Atomics.store(numbers, at + KIND, NAMELESS);
      return seat;
    }
    return -1;
  }

  /** Says who sits in a seat. */
  name(seat: number, { kind, index, systemId }: ThreadName): void {
    const { numbers } = this.memory;
    const at = seat * NUMBER_COUNT;
    numbers[at + SYSTEM_ID] = systemId;
    numbers[at + INDEX] = index;
    // Last: from here on others believe the rest.
    Atomics.store(numbers, at + KIND, kind);
  }

  /** Frees the seats of a thread that has ended. @param id its number in the process. */
  free(id: number): void {
    const { numbers } = this.memory;
    for (let at = 0; at < numbers.length; at += NUMBER_COUNT) {
      Atomics.compareExchange(numbers, at + OWNER, id + 1, NOBODY);
    }
  }

  /** Whether a thread sits there. */
  isTaken(seat: number): boolean {
    return Atomics.load(this.memory.numbers, seat * NUMBER_COUNT + OWNER) !== NOBODY;
  }

  /** Who sits there; null when nobody does, or it has not said. */
  nameOf(seat: number): ThreadName | null {
    const { numbers } = this.memory;
    const at = seat * NUMBER_COUNT;
    const kind = Atomics.load(numbers, at + KIND);
    if (!this.isTaken(seat) || kind === NAMELESS) return null;
    return { kind, index: numbers[at + INDEX]!, systemId: numbers[at + SYSTEM_ID]! };
  }

  /** What the thread in a seat writes. */
  cellsOf(seat: number): Float64Array<SharedArrayBuffer> {
    const { cells, cellCount } = this.memory;
    const start = seat * this.#stride;
    return cells.subarray(start, start + cellCount);
  }
}

function strideOf(cellCount: number): number {
  return Math.ceil(cellCount / PAD_CELL_COUNT) * PAD_CELL_COUNT + PAD_CELL_COUNT;
}
