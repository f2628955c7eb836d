/** A bound on what runs at once. Control plane. */

/** A semaphore: so many run at once, the others wait in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #row: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait. */
  get waitingCount(): number {
    return this.#row.length;
  }

  /** Runs `work` once there is room for it. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#row.push(resolve));
    else this.#free--;
    try {
      return await work();
    } finally {
      const next = this.#row.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
