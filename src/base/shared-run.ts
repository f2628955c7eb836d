/**
 * A task for all who ask for it at about the same time: nobody is served by a run that began before.
 *
 * Control plane. However many ask, runs begin at least some time apart, one after the other; so what
 * strangers can make happen is bounded in number per second, and nobody is left out.
 *
 *   ask a ──▶ run 1 ───────────▶ a
 *      ask b, ask c ── wait ──▶ run 2 ─────────▶ b, c
 */
import { monotonicMs } from './clock.ts';

/** One task and whoever waits for it. */
export class SharedRun {
  readonly #task: () => void | Promise<void>;
  readonly #intervalMs: number;
  /** The run that has not begun yet. */
  #next: Promise<void> | null = null;
  /** The run that has begun last, however it ends. */
  #running: Promise<unknown> = Promise.resolve();
  #begunMs = Number.NEGATIVE_INFINITY;

  /** @param intervalMs from the beginning of one run to that of the next. */
  constructor(task: () => void | Promise<void>, intervalMs: number) {
    this.#task = task;
    this.#intervalMs = intervalMs;
  }

  /** Resolves when a run that begins from now on has ended; rejects as it does. */
  ask(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    await this.#running;
    const waitMs = this.#begunMs + this.#intervalMs - monotonicMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#next = null;
    this.#begunMs = monotonicMs();
    const run = (async () => this.#task())();
    this.#running = run.catch(() => undefined);
    return run;
  }
}
