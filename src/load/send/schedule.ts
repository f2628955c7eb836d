/**
 * When requests are due, which connection sends them, and how long each of them took.
 *
 * Control plane, pure. A load that waits for the answer before it sends the next request measures
 * least when the server is slowest (*coordinated omission*). Here request n is due at n / rate whatever
 * happened before; one that finds no free connection waits its turn, and its latency counts from the
 * moment it was due. Without a rate a request is due as soon as a connection is free.
 */

/** What a connection is to send now. */
const NOTHING = -1;

/** The timetable of one stretch of load; instants are ms since its start. */
export class Schedule {
  readonly #everyMs: number;
  readonly #total: number;
  readonly #endMs: number;
  /** Instants when the requests on each connection were due; NaN for a free one. */
  readonly #dueMs: Float64Array;
  readonly #free: number[] = [];
  #sent = 0;
  /** When the last connection became free while others waited for one. */
  #freedMs = 0;
  /** Due moment of what `take` gave last, and how late the load program itself sent it. */
  takenDueMs = 0;
  takenLateMs = 0;

  /** @param plan.rate requests a second; null: as fast as they are answered. */
  constructor(plan: { rate: number | null; seconds: number; connections: number }) {
    this.#everyMs = plan.rate === null ? 0 : 1_000 / plan.rate;
    this.#total =
      plan.rate === null ? Number.POSITIVE_INFINITY : Math.floor(plan.rate * plan.seconds);
    this.#endMs = plan.seconds * 1_000;
    this.#dueMs = new Float64Array(plan.connections).fill(Number.NaN);
  }

  /** Requests that were sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Requests that should have been sent until now and were not. */
  backlog(nowMs: number): number {
    if (this.#everyMs === 0) return 0;
    const due = Math.min(this.#total, Math.floor(Math.min(nowMs, this.#endMs) / this.#everyMs) + 1);
    return Math.max(0, due - this.#sent);
  }

  /** The moment a request that was not sent was due; `index` counts from the first of them. */
  dueOfUnsent(index: number): number {
    return (this.#sent + index) * this.#everyMs;
  }

  /** Whether everything that was due has been sent. */
  isSent(nowMs: number): boolean {
    return this.#everyMs === 0 ? nowMs >= this.#endMs : this.#sent === this.#total;
  }

  /** A connection can send: it was opened, or its answer is complete. */
  free(connection: number, nowMs: number): void {
    this.#dueMs[connection] = Number.NaN;
    if (this.#free.length === 0) this.#freedMs = nowMs;
    this.#free.push(connection);
  }

  /** A connection is gone that had nothing to wait for. */
  remove(connection: number): void {
    const at = this.#free.indexOf(connection);
    if (at >= 0) this.#free.splice(at, 1);
    this.#dueMs[connection] = Number.NaN;
  }

  /** When what a connection waits for was due; NaN when it waits for nothing. */
  dueOf(connection: number): number {
    return this.#dueMs[connection]!;
  }

  /** The connection that has to send the next request now; -1 if none is due or none is free. */
  take(nowMs: number): number {
    if (this.isSent(nowMs)) return NOTHING;
    const dueMs = this.#everyMs === 0 ? nowMs : this.#sent * this.#everyMs;
    if (dueMs > nowMs) return NOTHING;
    const connection = this.#free.pop();
    if (connection === undefined) return NOTHING;
    this.#dueMs[connection] = dueMs;
    this.#sent++;
    this.takenDueMs = dueMs;
    this.takenLateMs = nowMs - Math.max(dueMs, Math.min(this.#freedMs, nowMs));
    return connection;
  }
}
