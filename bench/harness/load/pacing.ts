/**
 * When requests of a paced load are due, which connection sends them, and how long each one took.
 *
 * Control plane, pure. A load that waits for the answer before it sends the next request measures
 * fewest when the server is slowest. Here request n is due at n / rate whatever happened before; one
 * that finds no free connection waits its turn, and its latency counts from the moment it was due.
 */

/** The timetable of one stretch of load; instants are ms since its start. */
export class Pacing {
  readonly #everyMs: number;
  readonly #total: number;
  /** Instants when the requests on each connection were due; NaN for a free one. */
  readonly #dueMs: Float64Array;
  readonly #free: number[];
  /** One latency and one delay for each answered request, ms. */
  readonly latenciesMs: number[] = [];
  readonly sendDelaysMs: number[] = [];
  #sent = 0;

  constructor(plan: { rate: number; seconds: number; connections: number }) {
    this.#everyMs = 1_000 / plan.rate;
    this.#total = Math.floor(plan.rate * plan.seconds);
    this.#dueMs = new Float64Array(plan.connections).fill(Number.NaN);
    this.#free = Array.from({ length: plan.connections }, (_, index) => index).reverse();
  }

  /** True once every request has been sent and answered. */
  get isDone(): boolean {
    return this.latenciesMs.length === this.#total;
  }

  /** The connection that has to send the next request now; -1 if none is due or none is free. */
  take(nowMs: number): number {
    const dueMs = this.#sent * this.#everyMs;
    if (this.#sent === this.#total || dueMs > nowMs) return -1;
    const connection = this.#free.pop();
    if (connection === undefined) return -1;
    this.#dueMs[connection] = dueMs;
    this.sendDelaysMs.push(nowMs - dueMs);
    this.#sent++;
    return connection;
  }

  /** The answer on a connection is complete. */
  answered(connection: number, nowMs: number): void {
    this.latenciesMs.push(nowMs - this.#dueMs[connection]!);
    this.#dueMs[connection] = Number.NaN;
    this.#free.push(connection);
  }
}
