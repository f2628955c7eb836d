/**
 * A table of metrics: what a process counts, as data; each thread writes into cells of its own, whoever
 * reads adds up.
 *
 * Control plane; what is done per hit is in `writers.ts`. Each cell has one writer. Cells are 64-bit
 * floats, so counts are exact to 2^53. Who reads sees whole numbers, some older than others: an aligned
 * store of eight bytes is one store on every processor that the service runs on.
 *
 *     seat      main            log             actor-0         edge-0
 *     cells     [··········]    [··········]    [··········]    [··········]    all of one layout
 *                                       └───────────────┴── sum ────────┘
 *
 * Sums never fall while the process lives, also when threads come and go; gauges are of those that
 * live, and what is told per thread begins at 0 with each of them.
 */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { assert } from '../assert.ts';
import { BUCKET_COUNT } from './buckets.ts';
import { Seats, type SeatsMemory, type ThreadName } from './seats.ts';
import { Counter, Gauge, HISTOGRAM_CELL_COUNT, Histogram, type Place, Timer } from './writers.ts';

const KEY = 'footfall.metrics';

/** What is known of one metric. */
export interface MetricRow {
  /** A counter only rises; a gauge is what is now; a timer is a histogram of durations. */
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'timer';
  /** What is counted, and at its end the unit; who shows it adds what is usual there. */
  readonly name: string;
  /** One sentence for an operator. */
  readonly help: string;
  /**
   * Labels, each with every value that it can have: two at a counter, one at others. There is a series
   * for every combination.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** A series per thread instead of one of all. */
  readonly isPerThread?: true;
}

type WriterKinds = { counter: Counter; gauge: Gauge; histogram: Histogram; timer: Timer };
type MetricRows = Readonly<Record<string, MetricRow>>;

/** What a thread writes with, by the key of the row. */
export type Writers<Rows extends MetricRows> = {
  readonly [Key in keyof Rows]: WriterKinds[Rows[Key]['kind']];
};

/** One series, as it was read. */
export interface Series {
  /** Label and value, in the order of the row. */
  readonly labels: readonly (readonly [string, string])[];
  /** Null: of all threads. */
  readonly thread: ThreadName | null;
  /** One number; of a histogram the counts of all buckets, and behind them the sum of the amounts. */
  readonly cells: readonly number[];
}

/** A row, and where it lies among the cells of a thread. */
interface Layout extends Place {
  readonly row: MetricRow;
  readonly labels: readonly (readonly [string, readonly string[]])[];
  readonly seriesCount: number;
  /** Of one series. */
  readonly cellCount: number;
}

/** The metrics of a process. Every thread has an object of its own, made from the same rows. */
export class MetricsTable<const Rows extends MetricRows> {
  readonly rows: Rows;
  /** What this thread writes with. */
  readonly writers: Writers<Rows>;
  readonly #layouts: ReadonlyMap<string, Layout>;
  readonly #cellCount: number;
  readonly #own: Seats;
  readonly #ownSeat: number;
  /** All that is read: the seat of the main thread, and those of the others. */
  #seats: readonly Seats[];

  /** Takes a seat of those that were shared, else makes one. */
  constructor(rows: Rows) {
    this.rows = rows;
    const layouts = layoutsOf(rows);
    this.#layouts = layouts;
    this.#cellCount = cellCountOf(layouts);
    const memories = getEnvironmentData(KEY) as readonly SeatsMemory[] | undefined;
    const shared = memories?.map((memory) => new Seats(memory)) ?? [];
    for (const { memory } of shared) {
      assert(memory.cellCount === this.#cellCount, 'all threads have the same rows');
    }
    const taken = shared.at(-1)?.take() ?? -1;
    // One for whom there is no seat counts for itself.
    const own = taken < 0 ? Seats.create(1, this.#cellCount) : shared.at(-1)!;
    this.#own = own;
    this.#ownSeat = taken < 0 ? own.take() : taken;
    this.#seats = shared.length > 0 ? shared : [own];
    this.writers = this.#open(own.cellsOf(this.#ownSeat));
  }

  /** Makes seats for the threads that are started from now on, in place of those made before. */
  share(seatCount: number): void {
    this.#seats = [this.#own, Seats.create(seatCount, this.#cellCount)];
    setEnvironmentData(
      KEY,
      this.#seats.map(({ memory }) => memory),
    );
  }

  /** Number of this thread's seat. */
  get seat(): number {
    return this.#ownSeat;
  }

  /** Says who this thread is. */
  name(thread: ThreadName): void {
    this.#own.name(this.#ownSeat, thread);
  }

  /** A thread has ended. @param id its number in the process. */
  ended(id: number): void {
    for (const seats of this.#seats) seats.free(id);
  }

  /** Threads that run and have said who they are. */
  threads(): ThreadName[] {
    return this.#places().flatMap(({ seats, seat }) => seats.nameOf(seat) ?? []);
  }

  /** Writes in the name of another thread what it does not write itself. */
  setFor(key: keyof Rows & string, { kind, index }: ThreadName, value: number): void {
    const { first } = this.#layoutOf(key);
    for (const { seats, seat } of this.#places()) {
      const name = seats.nameOf(seat);
      if (name?.kind === kind && name.index === index) seats.cellsOf(seat)[first] = value;
    }
  }

  /** Every series of a metric, in the order of its labels. */
  read(key: keyof Rows & string): Series[] {
    const layout = this.#layoutOf(key);
    const { row, seriesCount } = layout;
    const places = this.#places();
    const living = places.filter(({ seats, seat }) => seats.isTaken(seat));
    const all: Series[] = [];
    for (let number = 0; number < seriesCount; number++) {
      const labels = labelsOf(layout, number);
      if (row.isPerThread === true) {
        for (const place of living) {
          const thread = place.seats.nameOf(place.seat);
          if (thread === null) continue;
          all.push({ labels, thread, cells: sumOf([place], layout, number) });
        }
      } else {
        const counted = row.kind === 'gauge' ? living : places;
        all.push({ labels, thread: null, cells: sumOf(counted, layout, number) });
      }
    }
    return all;
  }

  /**
   * One number: the sum over all threads; of a histogram how many amounts there were.
   *
   * @param where values that labels must have; default: every series counts.
   */
  total(key: keyof Rows & string, where: Readonly<Record<string, string>> = {}): number {
    const asked = Object.entries(where);
    let sum = 0;
    for (const { labels, cells } of this.read(key)) {
      const isAsked = asked.every(([name, value]) =>
        labels.some((label) => label[0] === name && label[1] === value),
      );
      if (!isAsked) continue;
      for (const count of cells.slice(0, BUCKET_COUNT)) sum += count;
    }
    return sum;
  }

  #places(): SeatPlace[] {
    return this.#seats.flatMap((seats) =>
      Array.from({ length: seats.count }, (_, seat) => ({ seats, seat })),
    );
  }

  #layoutOf(key: string): Layout {
    const layout = this.#layouts.get(key);
    assert(layout !== undefined, `${key} is a metric`);
    return layout;
  }

  /** Whoever sat there before has counted: sums go on, the rest begins. */
  #open(cells: Float64Array): Writers<Rows> {
    const writers: Record<string, unknown> = {};
    for (const [key, layout] of this.#layouts) {
      const { row, first, seriesCount, cellCount } = layout;
      const begins = row.kind === 'gauge' || row.isPerThread === true;
      if (begins) cells.fill(0, first, first + seriesCount * cellCount);
      writers[key] = writerOf(layout, cells);
    }
    return writers as Writers<Rows>;
  }
}

interface SeatPlace {
  readonly seats: Seats;
  readonly seat: number;
}

function sumOf(
  places: readonly SeatPlace[],
  { first, cellCount }: Layout,
  number: number,
): number[] {
  const sums: number[] = new Array(cellCount).fill(0);
  for (const { seats, seat } of places) {
    const cells = seats.cellsOf(seat);
    for (let cell = 0; cell < cellCount; cell++) {
      sums[cell]! += cells[first + number * cellCount + cell]!;
    }
  }
  return sums;
}

function layoutsOf(rows: MetricRows): Map<string, Layout> {
  const layouts = new Map<string, Layout>();
  let first = 0;
  for (const [key, row] of Object.entries(rows)) {
    const labels = Object.entries(row.labels ?? {});
    const counts = labels.map(([, values]) => values.length);
    const isAmount = row.kind === 'histogram' || row.kind === 'timer';
    assert(counts.length <= (row.kind === 'counter' ? 2 : 1), `${key} has few labels`);
    const seriesCount = counts.reduce((product, count) => product * count, 1);
    const cellCount = isAmount ? HISTOGRAM_CELL_COUNT : 1;
    layouts.set(key, { row, labels, first, width: counts[1] ?? 1, seriesCount, cellCount });
    first += seriesCount * cellCount;
  }
  return layouts;
}

function cellCountOf(layouts: ReadonlyMap<string, Layout>): number {
  const last = [...layouts.values()].at(-1);
  assert(last !== undefined, 'a table has rows');
  return last.first + last.seriesCount * last.cellCount;
}

function writerOf(layout: Layout, cells: Float64Array): WriterKinds[keyof WriterKinds] {
  switch (layout.row.kind) {
    case 'counter':
      return new Counter(cells, layout);
    case 'gauge':
      return new Gauge(cells, layout);
    case 'histogram':
      return new Histogram(cells, layout);
    case 'timer':
      return new Timer(cells, layout);
  }
}

function labelsOf({ labels, width }: Layout, number: number): Series['labels'] {
  return labels.map(([name, values], at) => {
    const index = at === 0 ? Math.floor(number / width) : number % width;
    return [name, values[index]!] as const;
  });
}
